"""pyproject.toml and pixi.toml: what the project itself needs."""

from pathlib import Path

import pytest

from codeblue.sources.manifests.version_ranges import NotPep440, from_poetry
from tests.manifests.tools import asked, indexes, left, manifest, refusal

PROJECT = """\
[project]
name = "demo"
requires-python = ">=3.10,<3.13"
dependencies = [
  "torchvision",
  "torch>=2.6",
  "numpy<2; python_version < '3.9'",
  "flash-attn @ https://me:pw@host.example/flash_attn-2.7.0-cp311-cp311-linux_x86_64.whl",
]

[project.optional-dependencies]
train = ["deepspeed"]

[dependency-groups]
dev = ["pytest"]

[tool.uv]
constraint-dependencies = ["torch<2.8"]
find-links = ["https://links.example"]

[tool.uv.sources]
torch = [
  { index = "pytorch-cpu", marker = "sys_platform == 'darwin'" },
  { index = "pytorch-cu128", marker = "sys_platform == 'linux'" },
]
torchvision = { git = "https://me:pw@github.com/pytorch/vision" }

[[tool.uv.index]]
name = "pytorch-cu128"
url = "https://download.pytorch.org/whl/cu128"
explicit = true

[[tool.uv.index]]
name = "pytorch-cpu"
url = "https://download.pytorch.org/whl/cpu"
explicit = true

[[tool.uv.index]]
url = "https://me:pw@mirror.example/simple"
default = true

[[tool.uv.index]]
url = "https://more.example/simple"

[tool.uv.pip]
torch-backend = "cu128"
"""


def test_a_project_with_sources_of_uv(tmp_path: Path) -> None:
    found = manifest(tmp_path, "pyproject.toml", PROJECT)

    assert asked(found) == ["torchvision 5", "torch>=2.6,<2.8 6", "flash-attn==2.7.0 8"]
    assert [one.index for one in found.requirements] == [None, "https://download.pytorch.org/whl/cu128", None]
    assert found.requirements[0].url == "https://github.com/pytorch/vision"
    assert indexes(found) == [
        ("index", "https://mirror.example/simple"),
        ("extra-index", "https://more.example/simple"),
        ("find-links", "https://links.example"),
    ]
    assert found.python is not None and found.python.value == ">=3.10,<3.13"
    assert found.environment["UV_TORCH_BACKEND"].value == "cu128"
    assert "pw" not in str(found)
    assert found.left == ()


def test_what_a_project_leaves_open(tmp_path: Path) -> None:
    content = (
        '[project]\nname = "x"\ndynamic = ["dependencies"]\ndependencies = ["torch", "so wrong", 7]\n'
        '[tool.uv.sources]\ntorch = { index = "nowhere" }\n'
        '[tool.poetry.dependencies]\njax = ">=1 || <0.5"\n'
    )

    found = manifest(tmp_path, "pyproject.toml", content)

    assert asked(found) == ["torch 4", "jax 8"]
    assert [line.partition(":")[0] for line in left(found)] == ["3", "6", "4", "8"]
    assert "computed when the project is built" in left(found)[0]
    assert "no index is named 'nowhere'" in left(found)[1]


def test_poetry(tmp_path: Path) -> None:
    content = """\
[tool.poetry.dependencies]
python = "^3.10"
torch = {version = "^2.1", source = "pytorch"}
jax = [{version = "~0.4.3", markers = "sys_platform == 'linux'"}, {version = "0.1", platform = "win32"}]
extra-only = {version = "*", optional = true}
local = {path = "../local"}

[[tool.poetry.source]]
name = "pytorch"
url = "https://download.pytorch.org/whl/cu124"
priority = "explicit"

[[tool.poetry.source]]
name = "mirror"
url = "https://mirror.example/simple"
"""

    found = manifest(tmp_path, "pyproject.toml", content)

    assert asked(found) == ["torch>=2.1,<3 3", "jax>=0.4.3,<0.5 4", "local 6"]
    assert found.requirements[0].index == "https://download.pytorch.org/whl/cu124"
    assert found.requirements[2].url == "../local"
    assert indexes(found) == [("index", "https://mirror.example/simple")]
    assert found.python is not None and found.python.value == ">=3.10,<4"


def test_pdm(tmp_path: Path) -> None:
    content = (
        '[[tool.pdm.source]]\nname = "pypi"\nurl = "https://mirror.example/simple"\n'
        '[[tool.pdm.source]]\nname = "x"\nurl = "https://links.example"\ntype = "find_links"\n'
    )

    found = manifest(tmp_path, "pyproject.toml", content)

    assert indexes(found) == [
        ("index", "https://mirror.example/simple"),
        ("find-links", "https://links.example"),
    ]


@pytest.mark.parametrize(
    ("text", "specifier"),
    [
        ("^2.1", ">=2.1,<3"),
        ("^0.2.3", ">=0.2.3,<0.3"),
        ("^0.0.3", ">=0.0.3,<0.0.4"),
        ("^0", ">=0,<1"),
        ("~2.1.3", ">=2.1.3,<2.2"),
        ("~2", ">=2,<3"),
        ("2.1.0", "==2.1.0"),
        ("2.1.*", "==2.1.*"),
        ("*", ""),
        (">=2.0 <3.0", ">=2.0,<3.0"),
        (">=2.0,!=2.1,<3.0", ">=2.0,<3.0,!=2.1"),
        ("=2.1+cu118", "==2.1+cu118"),
    ],
)
def test_ranges_of_poetry(text: str, specifier: str) -> None:
    assert from_poetry(text) == specifier


@pytest.mark.parametrize("text", ["^2 || ^3", "^x", "soon", "> >", "^" * 200, "1" * 1000])
def test_ranges_that_pep_440_cannot_say(text: str) -> None:
    with pytest.raises(NotPep440):
        from_poetry(text)


PIXI = """\
[workspace]
channels = ["conda-forge", { channel = "nvidia", priority = 1 }]
platforms = ["linux-64"]

[dependencies]
python = "3.11.*"
pytorch-gpu = "*"
pytorch = { version = ">=2.5,<3", build = "cuda126*" }

[pypi-dependencies]
vllm = ">=0.6"
flash-attn = { version = "==2.7.0", index = "https://me:pw@wheels.example" }
odd = "~x"

[pypi-options]
extra-index-urls = ["https://more.example"]

[system-requirements]
cuda = "12"

[activation.env]
NVIDIA_VISIBLE_DEVICES = "all"

[target.linux-64.dependencies]
cuda-version = "12.6.*"

[target.osx-arm64.dependencies]
never = "*"

[feature.gpu.dependencies]
cudnn = "9.*"

[feature.test.dependencies]
pytest = "*"

[environments]
default = ["gpu"]
"""


@pytest.mark.parametrize("below", [False, True])
def test_pixi(tmp_path: Path, below: bool) -> None:
    content = PIXI
    for header in (
        "[workspace]",
        "[dependencies]",
        "[pypi-",
        "[system",
        "[activ",
        "[target",
        "[feat",
        "[env",
    ):
        content = content.replace(header, f"[tool.pixi.{header[1:]}") if below else content

    found = manifest(tmp_path, "pyproject.toml" if below else "pixi.toml", content)

    assert asked(found) == [
        "pytorch-gpu 7",
        "torch>=2.5,<3 8",
        "vllm>=0.6 11",
        "flash-attn==2.7.0 12",
        "odd 13",
        "cuda-version==12.6.* 25",
        "cudnn==9.* 31",
    ]
    assert [one.conda for one in found.requirements] == [True, True, False, False, False, True, True]
    assert found.requirements[1].build == "cuda126*"
    assert found.requirements[3].index == "https://wheels.example"
    assert indexes(found) == [
        ("channel", "conda-forge"),
        ("channel", "nvidia"),
        ("extra-index", "https://more.example"),
    ]
    assert found.python is not None and found.python.value == "3.11"
    assert {name: said.value for name, said in found.environment.items()} == {
        "CONDA_OVERRIDE_CUDA": "12",
        "NVIDIA_VISIBLE_DEVICES": "all",
    }
    assert [line.partition(":")[0] for line in left(found)] == ["13", "33"]


def test_toml_that_cannot_be_used(tmp_path: Path) -> None:
    assert refusal(tmp_path, "pyproject.toml", '[project]\nname = "x\n').startswith(
        "pyproject.toml:2:10: not valid TOML: "
    )
    assert refusal(tmp_path, "pixi.toml", "[a]\nb = 1\n").startswith(
        "pixi.toml: TOML of an unknown kind; give"
    )
    assert refusal(tmp_path, "pixi.toml", "x = " + "[" * 5000).startswith("pixi.toml:1:")
    assert "not valid TOML" in refusal(tmp_path, "uv.lock", "version = 1\nrequires-python = \n")
