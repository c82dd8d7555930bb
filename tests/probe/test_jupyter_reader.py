"""jupyter"""

import json
from pathlib import Path
from typing import Any

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead
from tests.probe.loading import VERSIONS, interpreters, section, tree

PYTHON = {"python": {"state": "read", "prefix": "/env"}}


def spec(interpreter: str, language: str = "python") -> str:
    return json.dumps({"argv": [interpreter, "-m", "ipykernel_launcher"], "language": language})


def read(root: Path, **settings: Any) -> facts.Jupyter:
    return section(facts.Jupyter, root, sections=PYTHON, environment={"HOME": "/home/u"}, **settings)


@pytest.mark.parametrize("version", VERSIONS)
def test_kernels_and_their_environments(version: str, tmp_path: Path) -> None:
    python = interpreters().get(version)
    if python is None:
        pytest.skip(f"no CPython {version} at hand")
    own, user, shared = (
        "/env/share/jupyter/kernels",
        "/home/u/.local/share/jupyter/kernels",
        "/usr/share/jupyter/kernels",
    )
    root = tree(
        tmp_path,
        {
            f"{own}/mine/kernel.json": spec("/env/bin/python"),
            f"{user}/old/kernel.json": spec("/old/bin/python"),
            f"{user}/gone/kernel.json": spec("/gone/bin/python"),
            f"{user}/broken/kernel.json": "{",
            f"{shared}/old/kernel.json": spec("/hidden/bin/python"),
            f"{shared}/bare/kernel.json": spec("python3"),
            f"{shared}/julia/kernel.json": spec("/usr/bin/julia", "julia"),
            "/env/bin/python": "",
            "/env/pyvenv.cfg": "home = /usr/bin\ninclude-system-site-packages = false\n",
            "/env/lib/python3.12/site-packages/torch/__init__.py": "",
            "/old/bin/python": "",
            "/old/lib/python3.10/site-packages/.keep": "",
        },
    )

    kernels = read(root, python=python).kernels

    assert set(kernels) == {"mine", "old", "gone", "bare"}
    mine, old = kernels["mine"], kernels["old"]
    assert (mine.exists, mine.own, mine.torch) == (True, True, True)
    assert (old.interpreter, old.exists, old.own, old.torch) == ("/old/bin/python", True, False, False)
    assert not kernels["gone"].exists
    with pytest.raises(NotRead):
        assert kernels["bare"].own


def test_an_environment_that_borrows_packages_is_not_judged(tmp_path: Path) -> None:
    files = {
        "/usr/share/jupyter/kernels/a/kernel.json": spec("/a/bin/python"),
        "/a/bin/python": "",
        "/a/pyvenv.cfg": "include-system-site-packages = true\n",
    }

    with pytest.raises(NotRead):
        assert read(tree(tmp_path, files)).kernels["a"].torch


def test_torch_of_the_user_counts_for_the_system(tmp_path: Path) -> None:
    files = {
        "/usr/share/jupyter/kernels/a/kernel.json": spec("/usr/bin/python3"),
        "/usr/bin/python3": "",
        "/usr/lib/python3.11/.keep": "",
        "/home/u/.local/lib/python3.11/site-packages/torch/__init__.py": "",
    }

    assert read(tree(tmp_path, files)).kernels["a"].torch


def test_no_kernel_is_absent(tmp_path: Path) -> None:
    assert read(tmp_path).state == "absent"
