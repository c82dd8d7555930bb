"""Change torch in every interpreter that a program starts, without touching its files."""

from pathlib import Path

HOOK = """\
import importlib.util, sys
class Finder:
    busy = False
    def find_spec(self, name, path=None, target=None):
        if name != "torch" or self.busy:
            return None
        self.busy = True
        spec = importlib.util.find_spec(name)
        run = spec.loader.exec_module
        def then(module):
            run(module)
            exec({body!r}, {{"module": module}})
        spec.loader.exec_module = then
        return spec
sys.meta_path.insert(0, Finder())
"""


def changed_torch(folder: Path, body: str) -> dict[str, str]:
    """Return an environment in which ``body`` is run over ``module``: torch, once it is imported."""
    (folder / "sitecustomize.py").write_text(HOOK.format(body=body), encoding="utf-8")
    return {"PYTHONPATH": str(folder)}
