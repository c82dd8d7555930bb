"""The worker of the trials as one program for ``python -c``: short enough for an argument of any launcher.

In base64: torchrun puts values in place of what follows a dollar sign.
"""

import base64
import json
import os
import zlib
from functools import cache

FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "trials")

LOADER = """\
import importlib.abc, importlib.util, json, sys
MODULES = json.loads({modules})
class Shipped(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name in MODULES:
            return importlib.util.spec_from_loader(name, self, is_package=name == "codeblue_trials")
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        name = module.__name__
        exec(compile(MODULES[name], name.replace(".", "/") + ".py", "exec"), module.__dict__)
sys.meta_path.insert(0, Shipped())
from codeblue_trials.worker import main
main(json.loads(sys.argv[1]))
"""
SHORT = "import base64,zlib;exec(zlib.decompress(base64.b64decode({packed!r})).decode())"


@cache
def worker() -> str:
    """Return the program; its one argument is the settings as JSON."""
    modules: dict[str, str] = {}
    for entry in sorted(os.listdir(FOLDER)):
        stem = entry.removesuffix(".py")
        if stem != entry:
            name = "codeblue_trials" if stem == "__init__" else f"codeblue_trials.{stem}"
            with open(os.path.join(FOLDER, entry), encoding="utf-8") as stream:
                modules[name] = stream.read()
    text = LOADER.format(modules=repr(json.dumps(modules)))
    return SHORT.format(packed=base64.b64encode(zlib.compress(text.encode(), 9)).decode("ascii"))
