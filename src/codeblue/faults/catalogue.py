"""The names of all faults. Read when the index is built, and by tests: at run time the index is enough."""

from importlib import import_module

from codeblue.faults import LAYERS

CATALOGUE: tuple[str, ...] = tuple(
    f"{layer}/{name}" for layer in LAYERS for name in import_module(f"codeblue.faults.{layer}").FAULTS
)
"""Places below this package, without ending."""
