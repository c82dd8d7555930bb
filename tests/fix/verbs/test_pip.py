"""pip-install, pip-reinstall, pip-uninstall, with wheels of the test's own and no index"""

import base64
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Mapping
from pathlib import Path

import pytest

from codeblue.model.remedy import Verb
from tests.conftest import thorough
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Here

ROWS = (
    ("tiny", "1.0", ()),
    ("tiny", "1.0+cpu", ()),
    ("tiny", "2.0", ("tiny-data>=2",)),
    ("tiny-data", "1.0", ()),
    ("tiny-data", "2.0", ()),
)


def wheel(
    folder: Path, name: str, version: str, needs: tuple[str, ...], more: Mapping[str, str] | None = None
) -> None:
    """Write a wheel with one module; ``more`` are further files of it, by path."""
    module = name.replace("-", "_")
    about = f"{module}-{version}.dist-info"
    fields = f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n"
    files = {
        **(more or {}),
        f"{module}/__init__.py": f"version = {version!r}\n",
        f"{about}/METADATA": fields + "".join(f"Requires-Dist: {need}\n" for need in needs),
        f"{about}/WHEEL": "Wheel-Version: 1.0\nGenerator: test\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    rows = [f"{path},sha256={_digest(text)},{len(text)}\n" for path, text in files.items()]
    files[f"{about}/RECORD"] = "".join(rows) + f"{about}/RECORD,,\n"
    with zipfile.ZipFile(folder / f"{module}-{version}-py3-none-any.whl", "w") as archive:
        for path, text in files.items():
            archive.writestr(path, text)


def _digest(text: str) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b"=").decode()


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheels, and an environment with pip and tiny 1.0."""
    folder = tmp_path_factory.mktemp("made")
    (folder / "wheels").mkdir()
    for row in ROWS:
        wheel(folder / "wheels", *row)
    subprocess.run([sys.executable, "-m", "venv", "--copies", str(folder / "env")], check=True)
    pip = [str(folder / "env/bin/python"), "-m", "pip", "--isolated", "install", "-q", "--no-index"]
    subprocess.run([*pip, "-f", str(folder / "wheels"), "tiny===1.0"], check=True)
    return folder


@pytest.fixture
def place(made: Path, tmp_path: Path) -> Here:
    """This machine, with a copy of the environment."""
    shutil.copytree(made / "env", tmp_path / "env", symlinks=True)
    more = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": str(made / "wheels"), "PIP_CONFIG_FILE": os.devnull}
    return Here(tmp_path, {"HOME": str(tmp_path), **more})


def python(place: Here) -> str:
    """Return the interpreter of the environment."""
    return str(place.bin.parent / "env/bin/python")


def packages(place: Here) -> Path:
    """Return the folder where distributions are installed."""
    [folder] = (place.bin.parent / "env/lib").glob("python*/site-packages")
    return folder


def installed(place: Here) -> list[str]:
    """Return the tiny distributions, and what their modules say."""
    found = packages(place)
    names = sorted(path.name for path in found.glob("*tiny*"))
    return names + [path.read_text(encoding="ascii") for path in sorted(found.glob("tiny*/__init__.py"))]


def trial(place: Here, verb: Verb = Verb.PIP_INSTALL, **args: str) -> Trial:
    """Return the trial of a change of this environment."""

    folder = packages(place)

    def reset() -> None:
        shutil.rmtree(folder)
        shutil.copytree(saved, folder)

    saved = place.bin.parent / "saved"
    if not saved.exists():
        shutil.copytree(folder, saved)
    wanted = {Verb.PIP_UNINSTALL: {"distribution": "tiny"}}.get(verb, {"requirement": "tiny>=2"})
    given = {"python": python(place), **wanted, **args}
    return Trial(place, verb, given, state=lambda: installed(place), reset=reset, looks=["-c", "freeze"])


@pytest.mark.parametrize("verb", [Verb.PIP_INSTALL, pytest.param(Verb.PIP_UNINSTALL, marks=thorough)])
def test_it_survives(place: Here, verb: Verb) -> None:
    survives(trial(place, verb))


def test_the_preview_names_exactly_what_changes(place: Here) -> None:
    looked = trial(place).ask("look")["value"]

    assert sorted(looked["shows"]) == ["tiny 1.0 -> 2.0", "tiny-data - -> 2.0"]
    assert json.loads(looked["before"]["changes"]) == {"tiny": ["1.0", "2.0"], "tiny-data": ["", "2.0"]}
    assert trial(place, requirement="tiny<2").ask("look")["value"]["needed"] is False


def test_the_lock_of_the_environment_is_kept(place: Here) -> None:
    looked, _ = trial(place).calls("look", "apply")

    lock = (place.keep / looked["value"]["before"]["freeze"]).read_text(encoding="utf-8")
    assert "tiny==1.0" in lock.splitlines() and "pip==" in lock


def test_an_environment_that_changed_after_the_preview(place: Here) -> None:
    change = trial(place)
    before = change.before()
    place.done(python(place), "-m", "pip", "install", "-q", "tiny-data==1.0")

    assert "new plan" in change.ask("apply", before=before)["refused"]


def test_what_somebody_changed_afterwards_is_not_taken_back(place: Here) -> None:
    change = trial(place)
    looked, _ = change.calls("look", "apply")
    place.done(python(place), "-m", "pip", "install", "-q", "--force-reinstall", "tiny==1.0+cpu")

    assert "tiny has been changed since" in change.ask("back", before=looked["value"]["before"])["refused"]


def test_an_old_version_that_the_index_no_longer_has(place: Here, made: Path) -> None:
    with_others = place.bin.parent / "others"
    with_others.mkdir()
    for path in (made / "wheels").iterdir():
        if not path.name.startswith("tiny-1.0-"):
            shutil.copy(path, with_others)
    place.environment["PIP_FIND_LINKS"] = str(with_others)
    change = trial(place)
    looked, _, back = change.calls("look", "apply", "back")

    assert (
        "tiny 1.0 -> 2.0 (no way back: the index does not have the old version)" in looked["value"]["shows"]
    )
    # 1.0+cpu would satisfy ==1.0; the very same version is meant.
    assert "tiny===1.0" in back["failed"]
    assert "tiny-2.0.dist-info" in installed(place)


def test_files_that_are_missing_are_installed_anew(place: Here) -> None:
    module = packages(place) / "tiny/__init__.py"
    module.unlink()
    change = trial(place, Verb.PIP_REINSTALL, requirement="tiny===1.0")
    before, looked, applied, after = change.calls("verify", "look", "apply", "verify")

    assert before["value"] is False and after["value"] is True
    assert looked["value"]["shows"] == ["tiny 1.0 -> 1.0"] and "value" in applied
    assert module.exists()


@pytest.mark.parametrize("requirement", ["--upgrade", "-r x", "./folder", "a; rm", "tiny==", "", "a\nb"])
def test_only_names_of_distributions(place: Here, requirement: str) -> None:
    assert "refused" in trial(place, requirement=requirement).ask("look")


def test_a_requirement_that_cannot_be_met(place: Here) -> None:
    refused = trial(place, requirement="tiny>9").ask("look")["refused"]

    assert refused.endswith("No matching distribution found for tiny>9")


def test_the_system_s_own_interpreter_is_left_alone(place: Here, tmp_path: Path) -> None:
    own = Path(
        place.done("/usr/bin/python3", "-c", "import sysconfig; print(sysconfig.get_path('stdlib'))").strip()
    )
    if not (own / "EXTERNALLY-MANAGED").exists():
        pytest.skip("this distribution does not mark its interpreter (PEP 668)")
    refused = place.ask(Verb.PIP_INSTALL, "look", {"python": "/usr/bin/python3", "requirement": "tiny"})[
        "refused"
    ]

    assert "/usr/bin/python3 -m venv DIR" in refused


def test_what_conda_installed_is_left_to_conda(place: Here) -> None:
    environment = place.bin.parent / "env"
    (environment / "conda-meta").mkdir()
    marker = packages(place) / "tiny-1.0.dist-info/INSTALLER"
    marker.write_text("conda\n", encoding="ascii")

    assert trial(place).ask("look")["refused"].endswith(f"conda install -p {environment} tiny")
    assert trial(place, Verb.PIP_UNINSTALL).ask("look")["refused"].startswith("tiny was installed by conda")


def test_neither_pip_nor_uv(place: Here, monkeypatch: pytest.MonkeyPatch) -> None:
    folders = os.environ["PATH"].split(os.pathsep)
    monkeypatch.setenv("PATH", os.pathsep.join(one for one in folders if not Path(one, "uv").exists()))
    for path in packages(place).glob("pip*"):
        shutil.rmtree(path)
    (place.bin.parent / "env/conda-meta").mkdir()
    change = trial(place)
    looked, commands = change.calls("look", "by_hand")

    assert "has no pip, and uv is not installed" in looked["refused"]
    assert commands["value"] == [["conda", "install", "-p", str(place.bin.parent / "env"), "tiny>=2"]]


@pytest.mark.root
def test_root_works_as_the_owner(place: Here, made: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        folder.chmod(0o755)
        shutil.copytree(made / "wheels", folder / "wheels")
        shutil.copytree(made / "env", folder / "env", symlinks=True)
        subprocess.run(["chown", "-R", "nobody", str(folder / "env")], check=True)
        place.environment["PIP_FIND_LINKS"] = str(folder / "wheels")
        args = {"python": str(folder / "env/bin/python"), "requirement": "tiny>=2"}
        answers = place.calls(Verb.PIP_INSTALL, ["look", "apply", "verify"], args)

        assert answers[-1]["value"] is True, answers
        [module] = folder.glob("env/lib/python*/site-packages/tiny/__init__.py")
        assert module.owner() == "nobody"


def test_uv_where_there_is_no_pip(place: Here, made: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    for path in packages(place).glob("pip*"):
        shutil.rmtree(path)
    place.environment |= {"UV_NO_INDEX": "1", "UV_FIND_LINKS": str(made / "wheels"), "UV_OFFLINE": "1"}
    looked, _, verified = trial(place).calls("look", "apply", "verify")

    assert sorted(looked["value"]["shows"]) == ["tiny 1.0 -> 2.0", "tiny-data - -> 2.0"]
    assert verified["value"] is True
    assert "value" in trial(place).ask("back", before=looked["value"]["before"])
    assert "tiny-1.0.dist-info" in installed(place)
