"""What counts in a pasted text is what the probe takes from a live machine."""

import ast
from pathlib import Path
from typing import Any

import pytest

import codeblue
from codeblue.sources import variables
from codeblue.sources.pasted import modules, packages

READERS = Path(codeblue.__file__).parent / "probe" / "readers"


@pytest.mark.parametrize("name", ["WANTED", "UNWANTED"])
def test_the_same_variables_are_read(name: str) -> None:
    assert _pattern("environment", name) == getattr(variables, name).pattern


def test_the_same_packages_are_read() -> None:
    assert _pattern("packages", "WANTED") == packages.WANTED.pattern


@pytest.mark.parametrize("name", ["nvidia", "nvidia_uvm", "nouveau", "nova_core", "vfio_pci", "mlx5_core"])
def test_the_modules_that_decide_are_read(name: str) -> None:
    assert modules.RELEVANT.match(name)


def _pattern(module: str, name: str) -> Any:
    call = _assigned(module, name)
    assert isinstance(call, ast.Call)
    return ast.literal_eval(call.args[0])


def _assigned(module: str, name: str) -> ast.expr:
    tree = ast.parse((READERS / f"{module}.py").read_text(encoding="utf-8"))
    for node in tree.body:
        if (
            isinstance(node, ast.Assign)
            and isinstance(node.targets[0], ast.Name)
            and node.targets[0].id == name
        ):
            return node.value
    raise AssertionError(f"{module}.py has no {name}")
