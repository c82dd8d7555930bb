"""The probe as one program text: its modules, a small importer, and the settings of this run."""

import json
import os
from functools import cache
from typing import Any

PACKAGE = "codeblue_probe"
FOLDER = os.path.join(os.path.dirname(os.path.dirname(__file__)), "probe")
SHAPES = os.path.join(os.path.dirname(__file__), "shapes")
"""What private data looks like; the probe hides it by the same rules as the host."""

# Python 2 and early 3 must be able to parse this part: it tells them that they are too old.
PROGRAM = """\
import json, sys
CONFIG = json.loads({config})
if sys.version_info < (3, 6):
    reason = "python %d.%d is too old for the probe" % sys.version_info[:2]
    answer = json.dumps({{"part": "error", "reason": reason}})
    if CONFIG.get("framed"):
        import base64, zlib
        answer = "1/1:" + base64.b64encode(zlib.compress(answer.encode("ascii"))).decode("ascii")
    sys.stdout.write("\\n%s%s\\n" % (CONFIG["marker"], answer))
    sys.exit(0)
MODULES = {modules}
import importlib.abc, importlib.util
class Shipped(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path, target=None):
        if name in MODULES:
            return importlib.util.spec_from_loader(name, self, is_package=MODULES[name][0] == "package")
    def create_module(self, spec):
        return None
    def exec_module(self, module):
        name = module.__name__
        exec(compile(MODULES[name][1], name.replace(".", "/") + ".py", "exec"), module.__dict__)
sys.meta_path.insert(0, Shipped())
from codeblue_probe.agent import main
main(CONFIG)
"""


def program(config: dict[str, Any]) -> str:
    """Return the program for ``python3 -I -S -B -``.

    ``config`` has ``marker`` (put before each answer) and optionally ``python``, ``cwd``,
    ``as_user``, ``budget`` (seconds), ``until`` (a phase), ``salt`` (for pseudonyms)
    ``next_boot`` (also read what the next boot will start with), ``trials`` (what is to be measured)
    and ``framed`` (answer in short lines);
    for a running process ``pid``, ``namespaces`` (that are its own) and ``apart`` (they cannot be entered);
    for a container ``container`` (its ``engine`` and ``name``); where only files are looked at ``root``,
    ``environment`` (of what lives there), ``copied`` (a copy of a few files) and ``incomplete`` (why it is).
    """
    return PROGRAM.format(config=json.dumps(json.dumps(config)), modules=_modules())


def standalone() -> str:
    """Return the probe as one file that needs no settings; its output is read by ``file:``."""
    config = {"marker": f"codeblue-{os.urandom(8).hex()}:", "next_boot": True}
    usage = "# Run: python3 probe.py > node.json    Judge: codeblue check file:node.json\n"
    return "#!/usr/bin/env python3\n" + usage + program(config)


@cache
def _modules() -> str:
    found: dict[str, tuple[str, str]] = {}
    _collect(FOLDER, PACKAGE, found)
    _collect(SHAPES, f"{PACKAGE}.shapes", found)
    rows = (
        f"{json.dumps(name)}: ({json.dumps(kind)}, {json.dumps(text)})"
        for name, (kind, text) in found.items()
    )
    return "{" + ",\n".join(rows) + "}"


def _collect(folder: str, name: str, found: dict[str, tuple[str, str]]) -> None:
    for entry in sorted(os.listdir(folder)):
        path, stem = os.path.join(folder, entry), entry.removesuffix(".py")
        if os.path.exists(os.path.join(path, "__init__.py")):
            _collect(path, f"{name}.{entry}", found)
        elif entry == "__init__.py":
            found[name] = ("package", _text(path))
        elif stem != entry:
            found[f"{name}.{stem}"] = ("module", _text(path))


def _text(path: str) -> str:
    with open(path, encoding="utf-8") as stream:
        return stream.read()
