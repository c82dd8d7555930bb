"""Readers of the job's interpreter and its torch."""

import os
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from codeblue.model.facts import Python, Torch
from codeblue.model.section import NotRead, State
from tests.probe.loading import VERSIONS, document, tree
from tests.probe.standins import ENDS, PRESENT, dist, script


def python_section(
    python: str,
    cwd: Path,
    environment: dict[str, str] | None = None,
    probe: str | None = None,
    before: str = "",
) -> Python:
    content = document(
        "python_env",
        "",
        python=probe,
        environment=environment,
        job_python=python,
        cwd=str(cwd),
        before=before,
    )
    return msgspec.convert(content, Python)


# The interpreter


@pytest.mark.parametrize("version", VERSIONS)
def test_python_on_every_interpreter(version: str, tmp_path: Path) -> None:
    if version not in PRESENT:
        pytest.skip(f"no python {version} at hand")
    found = python_section(PRESENT[version], tmp_path, probe=PRESENT[version])
    assert found.version.startswith(version + ".")
    assert (found.implementation, found.bits, found.environment) == ("cpython", 64, "other")
    assert found.path[0] == "." and len(found.path) > 2
    assert found.executable == found.source
    assert "torch" not in found.shadows and found.user_site is None


@pytest.mark.parametrize("version", ENDS)
def test_noise_and_local_modules_do_not_break_the_child(version: str, tmp_path: Path) -> None:
    text = "import sys; print('hello {'); sys.stderr.write('noise\\n')"
    marker = f"open({str(tmp_path / 'ran')!r}, 'w').close()"
    names = ("json", "re", "select", "random", "ast", "torch")
    tree(tmp_path, {"site/sitecustomize.py": text} | {f"{name}.py": marker for name in names})
    environment = {"PYTHONPATH": str(tmp_path / "site")}
    found = python_section(PRESENT.get(version, sys.executable), tmp_path, environment)
    assert not (tmp_path / "ran").exists()
    assert {name: found.shadows.get(name) for name in names if name not in ("re", "select")} == {
        "json": "./json.py",
        "random": "./random.py",
        "ast": "./ast.py",
        "torch": "./torch.py",
    }
    assert "math" not in found.shadows


def site(root: Path, python: str = sys.executable) -> tuple[str, Path]:
    """Make a virtual environment without pip; returns its interpreter and site-packages."""
    folder = root / "env"
    subprocess.run([python, "-m", "venv", "--without-pip", str(folder)], check=True, capture_output=True)
    [packages] = (folder / "lib").glob("python3*/site-packages")
    return str(folder / "bin/python"), packages


@pytest.mark.parametrize("version", ENDS)
def test_distributions(version: str, tmp_path: Path) -> None:
    python, packages = site(tmp_path, PRESENT.get(version, sys.executable))
    record = (
        "torch/__init__.py,sha256=x,999\ntorch/version.py,sha256=x,5\ntorch/lib/libtorch.so,sha256=x,4\n"
        '"torch/lib/libgone.so.1",sha256=x,4\ntorch/lib/libok.so.9,sha256=x,2\ntorch-2.1.0.dist-info/RECORD,,\n'
    )
    tree(
        packages,
        dist("torch", "2.1.0+cu121", record, "uv") | dist("Flash_Attn", "2.5") | dist("private", "1"),
    )
    tree(packages, {"torch/version.py": "12345", "torch/lib/libtorch.so": "xx", "torch/lib/libok.so.9": "xx"})
    tree(packages, {"nvidia_nccl_cu12.egg-info/PKG-INFO": "Name: x\nVersion: 2.20.5\n"})
    found = python_section(python, tmp_path)
    assert found.environment == "venv" and found.prefix == str(tmp_path / "env")
    assert set(found.distributions) == {"torch", "flash-attn", "nvidia-nccl-cu12"}
    torch = found.distributions["torch"]
    assert (torch.version, torch.location, torch.installer) == ("2.1.0+cu121", str(packages), "uv")
    assert torch.missing_files == ["torch/lib/libtorch.so", "torch/lib/libgone.so.1"]
    assert found.distributions["nvidia-nccl-cu12"].version == "2.20.5"
    with pytest.raises(NotRead):
        _ = found.distributions["flash-attn"].missing_files
    assert found.duplicates == {}


def test_duplicates_and_user_site(tmp_path: Path) -> None:
    home, name = tmp_path / "home", f"python3.{sys.version_info[1]}"
    user = home / f".local/lib/{name}/site-packages"
    tree(user, dist("torch", "2.0.0") | dist("vllm", "0.5.0") | dist("vllm", "0.6.0"))
    old = time.time() - 1000
    os.utime(user / "vllm-0.6.0.dist-info", (old, old))
    tree(tmp_path / "extra", dist("torch", "2.2.0"))
    environment = {"HOME": str(home), "PYTHONPATH": str(tmp_path / "extra")}
    found = python_section(f"{sys.base_prefix}/bin/{name}", tmp_path, environment)
    assert found.user_site == str(user)
    assert found.distributions["torch"].version == "2.2.0"
    assert found.duplicates["torch"][:2] == [f"2.2.0 at {tmp_path}/extra", f"2.0.0 at {user}"]
    assert found.duplicates["vllm"] == [f"0.5.0 at {user}", f"0.6.0 at {user}"]
    assert found.distributions["vllm"].version == "0.5.0"  # in one folder the newer description counts


@pytest.mark.parametrize("version", ENDS)
def test_shadows(version: str, tmp_path: Path) -> None:
    python, packages = site(tmp_path, PRESENT.get(version, sys.executable))
    tree(packages, {"torch/__init__.py": "", "numpy/__init__.py": "", "triton/__init__.py": ""})
    files: dict[str, str | bytes] = {
        "torch/data.txt": "",  # a namespace loses against the real package
        "code/train.txt": "",  # and against the standard library
        "numpy/__init__.py": "",  # a source checkout wins
        "queue/__init__.py": "",
        "transformers/model.bin": "",  # a namespace wins: nothing real is installed
        "math.py": "",  # built in, or an extension: it may or may not win
        "torchvision.txt": "",
    }
    tree(tmp_path / "work", files)
    tree(tmp_path / "more", {"email/__init__.py": "", "triton.py": "", "abc.txt": ""})
    environment = {"PYTHONPATH": str(tmp_path / "more")}
    found = python_section(python, tmp_path / "work", environment).shadows
    found.pop("math", None)
    assert found == {
        "numpy": "./numpy",
        "queue": "./queue",
        "transformers": "./transformers",
        "email": f"{tmp_path}/more/email",
        "triton": f"{tmp_path}/more/triton.py",
    }


def test_packages_on_pythonpath_are_no_shadows(tmp_path: Path) -> None:
    python, packages = site(tmp_path)
    tree(packages, {"torch/__init__.py": ""})
    tree(tmp_path / "module", {"torch/__init__.py": ""} | dist("torch", "2.4.0"))
    tree(tmp_path / "alone", {"transformers/__init__.py": ""})
    environment = {"PYTHONPATH": f"{tmp_path}/module:{tmp_path}/alone"}
    assert python_section(python, tmp_path, environment).shadows == {}


def test_modules_that_the_start_has_loaded(tmp_path: Path) -> None:
    files = {"site-packages/calendar.py": "", "local/sitecustomize.py": "import secrets, calendar"}
    tree(tmp_path, files | {"local/secrets/__init__.py": ""})
    environment = {"PYTHONPATH": f"{tmp_path}/local:{tmp_path}/site-packages"}
    found = python_section(sys.executable, tmp_path, environment)
    assert found.shadows == {"secrets": f"{tmp_path}/local/secrets"}


def test_running_inside_the_standard_library_is_no_shadow(tmp_path: Path) -> None:
    library = Path(os.__file__).parent
    assert python_section(sys.executable, library).shadows == {}


def test_other_torches(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        ".venv/lib/python3.9/site-packages/torch/__init__.py": "",
        ".venv/bin/python3.9": "",
        "home/miniconda3/envs/ml/lib/python3.10/site-packages/torch/__init__.py": "",
        "home/miniconda3/envs/ml/bin/python": "",
        "venv/bin/python": "",
    }
    tree(tmp_path, files)
    found = python_section(sys.executable, tmp_path, {"HOME": str(tmp_path / "home")})
    assert found.other_torches == [
        f"{tmp_path}/.venv/bin/python3.9",
        f"{tmp_path}/home/miniconda3/envs/ml/bin/python",
    ]


def test_interpreters_that_do_not_answer(tmp_path: Path) -> None:
    dead = python_section(
        script(tmp_path / "dead", "echo 'cannot open libpython3.so' >&2; exit 127\n"), tmp_path
    )
    assert dead.state is State.ERROR and dead.reason.endswith("ended with 127: cannot open libpython3.so")
    gone = python_section("/no/such/python", tmp_path)
    assert gone.state is State.ERROR and "/no/such/python" in gone.reason
    (tmp_path / "closed").write_text("")
    assert python_section(str(tmp_path / "closed"), tmp_path).state is State.DENIED


def test_python_2_is_told(tmp_path: Path) -> None:
    old = sorted(Path.home().glob(".pyenv/versions/2.7.*/bin/python"))
    if not old:
        pytest.skip("no python 2 at hand")
    assert python_section(str(old[0]), tmp_path).version.startswith("2.7.")


def test_hanging_interpreter(tmp_path: Path) -> None:
    started = time.time()
    found = python_section(
        script(tmp_path / "hang", "exec sleep 60\n"), tmp_path, before="reader.SECONDS = 1"
    )
    assert found.state is State.TIMEOUT and found.reason.endswith("within 1 s")
    assert time.time() - started < 30


# PyTorch from its files


VERSION_PY = "from typing import Optional\n__version__ = '2.11.0+cu130'\ndebug = False\n"
VERSION_PY += "cuda: Optional[str] = '13.0'\ngit_version = 'x'\nhip: Optional[str] = None\n"


def torch_section(root: Path, *path: str, cwd: str = "/job", probe: str | None = None) -> Torch:
    python = {"state": "read", "path": list(path), "executable": "/usr/bin/python3"}
    content = document("torch_files", root, python=probe, sections={"python": python}, cwd=cwd)
    return msgspec.convert(content, Torch)


@pytest.mark.parametrize("version", ENDS)
def test_torch_files(version: str, tmp_path: Path) -> None:
    tree(tmp_path, {"site/torch/__init__.py": "", "site/torch/version.py": VERSION_PY, "job/torch/x": ""})
    found = torch_section(tmp_path, ".", "/lib", "/site", probe=PRESENT.get(version))
    assert (found.version, found.cuda, found.hip) == ("2.11.0+cu130", "13.0", None)
    assert (found.location, found.namespace_only) == ("/site/torch", False)


def test_torch_that_is_none(tmp_path: Path) -> None:
    assert torch_section(tmp_path, ".", "/site").state is State.ABSENT
    tree(tmp_path, {"job/torch/data": ""})
    folder = torch_section(tmp_path, ".", "/site")
    assert folder.namespace_only and folder.location == "/job/torch"
    with pytest.raises(NotRead, match="version: absent"):
        _ = folder.version
    tree(tmp_path, {"job/torch.py": ""})
    assert torch_section(tmp_path, ".", "/site").location == "/job/torch.py"
    assert document("torch_files", tmp_path)["state"] == "not-attempted"


def test_torch_builds(tmp_path: Path) -> None:
    text = "__version__ = '2.5.0+rocm6.2'\ncuda = None\nhip = '6.2.41133'\n"
    tree(tmp_path, {"site/torch/__init__.py": "", "site/torch/version.py": text})
    assert torch_section(tmp_path, "/site").hip == "6.2.41133"
    finder = (
        "MAPPING: dict[str, str] = {'torch': '/src/pytorch/torch', 'torchgen': '/src/pytorch/torchgen'}\n"
    )
    files: dict[str, str | bytes] = {
        "dev/__editable___torch_2_6_0a0_finder.py": finder,
        "src/pytorch/torch/__init__.py": "",
        "src/pytorch/torch/version.py": "__version__ = '2.6.0a0'\ncuda = None\n",
    }
    tree(tmp_path, files)
    found = torch_section(tmp_path, "/dev")
    assert (found.location, found.version, found.cuda) == ("/src/pytorch/torch", "2.6.0a0", None)
