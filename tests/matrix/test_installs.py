"""A set as the files of the installers: each is read back by a parser of its own format."""

import shlex
import sys
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from codeblue.model.solution import Install, Package
from codeblue.remedy.installs import FORMS, conda, dockerfile, pip, pixi, uv
from tests.matrix.machines import first, have

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CU126 = "https://download.pytorch.org/whl/cu126"
WITH_INDEX = first(have("H100", driver="535.129.03", python="3.11"), "torch,torchvision").install
ON_PYPI = first(have("H100", driver="580.159.03", python="3.11"), "torch==2.7.1,torchaudio").install
WITH_TENSORRT = first(have("H100", driver="535.129.03"), "torch,tensorrt").install
OLD = first(have("A100", driver="535.129.03", python="3.10"), "torch==2.5.1,torchvision").install
FREE_THREADED = first(have("H100", driver="580.159.03", python="3.14t"), "torch").install
ARM = first(have("GH200", driver="560.35.03", machine="aarch64"), "torch,torchvision").install
WITHOUT_TORCH = first(have("H100", driver="580.159.03"), "tensorrt").install
OTHER_PYTHON = first(have("H100", driver="580.159.03", python="3.8"), "torch>=2.8").install
REBUILT = first(have("RTX 5090", driver="570.211.01", torch="2.7.1", torchvision="0.22.1")).install
COMPAT = first(have("A100", driver="470.256.02", torch="2.8.0+cu126"), "torch==2.8.0").install
ALL = {
    "with index": WITH_INDEX,
    "on PyPI": ON_PYPI,
    "with TensorRT": WITH_TENSORRT,
    "old": OLD,
    "free threaded": FREE_THREADED,
    "ARM": ARM,
    "without torch": WITHOUT_TORCH,
    "other Python": OTHER_PYTHON,
    "rebuilt": REBUILT,
    "compat": COMPAT,
}
every = pytest.mark.parametrize("install", ALL.values(), ids=ALL.keys())


def pinned(words: list[str]) -> dict[str, str]:
    """Return the versions that requirements pin."""
    found = [Requirement(word) for word in words if not word.startswith("-")]
    assert all(len(list(one.specifier)) == 1 for one in found)
    return {one.name: next(iter(one.specifier)).version for one in found}


def versions(install: Install) -> dict[str, str]:
    """Return what the set holds."""
    return {one.name: one.version for one in install.packages}


def without_local(found: dict[str, str]) -> dict[str, str]:
    """Return the versions without their local parts."""
    return {name: version.partition("+")[0] for name, version in found.items()}


@every
def test_the_commands_of_pip_pin_every_package_once(install: Install) -> None:
    found: dict[str, str] = {}
    for command in pip.commands(install):
        words = shlex.split(command)
        assert words[1:4] == ["-m", "pip", "install"]
        rest = words[4:]
        if "--index-url" in rest:
            at = rest.index("--index-url")
            assert rest[at + 1] == install.index
            rest = rest[:at]
        found |= pinned(rest)
    assert without_local(found) == versions(install)


def test_pip_is_told_the_index_only_where_pypi_has_another_build() -> None:
    assert pip.commands(ON_PYPI) == ["python -m pip install torch==2.7.1 torchaudio==2.7.1"]
    assert pip.commands(WITH_INDEX) == [
        f"python -m pip install torch==2.14.1 torchvision==0.29.2 --index-url {CU126}"
    ]
    assert pip.commands(WITH_TENSORRT)[1].startswith("python -m pip install tensorrt-cu12==")
    assert pip.commands(OTHER_PYTHON) == ["python3.11 -m pip install torch==2.15.0"]


def test_pip_replaces_the_same_version_of_another_build() -> None:
    assert pip.commands(REBUILT) == [
        "python -m pip install torch==2.7.1+cu128 torchvision==0.22.1+cu128 --index-url "
        "https://download.pytorch.org/whl/cu128"
    ]
    back = first(have("V100", driver="580.159.03", torch="2.7.1+cu128", python="3.11"), "torch==2.7.1,cu126")
    assert pip.commands(back.install) == [f"python -m pip install torch==2.7.1+cu126 --index-url {CU126}"]


@every
def test_a_requirements_file_holds_to_the_build(install: Install) -> None:
    lines = pip.requirements(install).splitlines()
    options = [one for one in lines if one.startswith("--")]
    found = pinned(lines)
    assert without_local(found) == versions(install)
    if install.index is None:
        assert not options
    elif options[0].startswith("--extra-index-url"):
        variant = install.index.rpartition("/")[2]
        assert found["torch"].endswith(f"+{variant}")
    else:
        assert options == [f"--index-url {install.index}"]


@every
def test_the_pyproject_of_uv_takes_torch_from_its_index_and_nothing_else(install: Install) -> None:
    document = tomllib.loads(uv.pyproject(install))
    assert pinned(document["project"]["dependencies"]) == versions(install)
    assert SpecifierSet(document["project"]["requires-python"]).contains(install.python.rstrip("t") + ".1")
    tool: dict[str, Any] = document.get("tool", {}).get("uv", {})
    if install.index is None:
        assert not tool
        return
    (index,) = tool["index"]
    assert index["url"] == install.index
    assert index["explicit"] is True
    ours = {one.name for one in install.packages if one.variant}
    assert tool["sources"] == {name: {"index": index["name"]} for name in ours}


@every
def test_the_environment_of_conda_has_every_package(install: Install) -> None:
    document = yaml.safe_load(conda.environment(install))
    plain = [one for one in document["dependencies"] if isinstance(one, str)]
    nested = [line for one in document["dependencies"] if isinstance(one, dict) for line in one["pip"]]
    found = dict(one.split("=") for one in plain if "=" in one)
    channel = {{"pytorch": "torch"}.get(name, name): version for name, version in found.items()}
    held = channel | without_local(pinned(nested))
    assert versions(install).items() <= held.items()
    assert "pip" in plain or not nested
    assert ("pytorch" in document["channels"]) is conda.in_channel(install)


def test_the_channel_of_pytorch_is_used_as_long_as_it_was_filled() -> None:
    document = yaml.safe_load(conda.environment(OLD))
    assert document["channels"] == ["pytorch", "nvidia", "conda-forge"]
    assert document["dependencies"] == [
        "python=3.10",
        "pytorch=2.5.1",
        "torchvision=0.20.1",
        "pytorch-cuda=12.4",
    ]
    later = yaml.safe_load(conda.environment(WITH_INDEX))
    assert later["channels"] == ["conda-forge"]
    assert later["dependencies"][-1] == {
        "pip": [f"--index-url {CU126}", "torch==2.14.1", "torchvision==0.29.2"]
    }
    assert not conda.in_channel(ARM)


@every
def test_the_manifest_of_pixi_has_every_package_and_the_cuda_major(install: Install) -> None:
    document = tomllib.loads(pixi.manifest(install))
    wheels = document["pypi-dependencies"]
    for package in install.packages:
        entry = wheels[package.name]
        if package.variant and install.index is not None:
            assert entry == {"version": f"=={package.version}", "index": install.index}
        else:
            assert entry == f"=={package.version}"
    if install.cuda is not None:
        assert document["system-requirements"]["cuda"] == install.cuda.partition(".")[0]
    assert document["workspace"]["platforms"] == [
        "linux-aarch64" if install.machine == "aarch64" else "linux-64"
    ]


@every
def test_a_dockerfile_starts_from_the_interpreter_and_names_the_driver(install: Install) -> None:
    lines = dockerfile.dockerfile(install).splitlines()
    rest = [line for line in lines if not line.startswith("#")]
    assert rest[0].startswith("FROM ")
    assert all(line.split(" ", 1)[0] in {"FROM", "RUN", "ENV"} for line in rest)
    if not install.python.endswith("t"):
        assert rest[0] == f"FROM python:{install.python}-slim"
    commands = [shlex.split(line.removeprefix("RUN ")) for line in rest if " -m pip " in line]
    found: dict[str, str] = {}
    for words in commands:
        assert words[:5] == ["python", "-m", "pip", "install", "--no-cache-dir"]
        found |= pinned([word for word in words[5:] if "==" in word])
    assert without_local(found) == versions(install)
    told = "\n".join(line for line in lines if line.startswith("#"))
    assert (install.driver_floor or "") in told
    assert ("cuda-compat-12-6" in told) is (install is COMPAT)


def test_every_form_ends_with_a_line_break_and_holds_all_packages() -> None:
    for install in ALL.values():
        for write in FORMS.values():
            text = write(install)
            assert text.endswith("\n")
            assert not text.endswith("\n\n")
            assert all(package.version in text for package in install.packages)


def test_a_python_is_chosen_that_has_wheels() -> None:
    assert first(have("H100", driver="580.159.03"), "torch").install.python == "3.13"
    assert first(have(), "torch==1.13.1").install.python == "3.9"
    assert first(have(python="3.11.4"), "torch").install.python == "3.11"
    assert WITHOUT_TORCH.packages == (Package("tensorrt-cu13", WITHOUT_TORCH.packages[0].version),)
