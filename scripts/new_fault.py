"""Scaffold a fault: ``python -m scripts.new_fault LAYER FAULT-ID [--text | --lint]``."""

import argparse
import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
FAULTS = ROOT / "src" / "codeblue" / "faults"
HEADINGS_EN = (
    "What it means",
    "Why it happens",
    "When it is not a fault",
    "What to do",
    "How safe the fix is",
)
HEADINGS_ZH = ("含义", "为什么会发生", "什么时候不是故障", "怎么办", "修复有多安全")

CHECK = '''"""
{page}"""

from collections.abc import Iterator

from codeblue.model.facts import Driver
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message


@fault(
    "{id}",
    title=Text("…", "…"),
    layer=Layer.{layer},
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(),
    references=(Reference("…", "https://…", "…"),),
)
def {name}(driver: Driver) -> Iterator[Hit]:
    if driver.module_version == "…":
        yield Hit(
            subject="driver",
            summary=message("module is {{version}}", "模块是 {{version}}", version=driver.module_version),
            because=cite("driver.module_version"),
        )
'''

DATA = """+++
id = "{id}"
title = "…"
title_zh = "…"
layer = "{layer_id}"
kind = "trouble"
severity = "error"
explains = []

{found}[[references]]
title = "…"
url = "https://…"
date = "…"
+++

{page}"""

FOUND = """\
[[signatures]]
anchor = "…"
pattern = '…'

# Words that lines say apart, in any order, any case; delete if a signature is enough.
[[clues]]
all = ['…', '…']
certainty = "likely"

"""

TEST = '''"""{id}"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording


def test_fires_when_…() -> None:
    [finding] = judge("{id}", recording("h200-healthy")).findings

    assert finding.subject == "…"


def test_clear_when_…() -> None:
    assert judge("{id}", recording("h200-healthy")).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_fact_was_not_read() -> None:
    assert judge("{id}", recording("h200-healthy", driver={{"state": "denied"}})).outcome is Outcome.SKIPPED
'''


FORMS = {
    "check": (CHECK, "py"),
    "text": (DATA.replace("{found}", FOUND), "md"),
    "lint": (DATA.replace("{found}", ""), "md"),
}


def main() -> int:
    """Write the files and register the fault."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("layer")
    parser.add_argument("fault")
    known = parser.add_mutually_exclusive_group()
    known.add_argument("--text", action="store_true", help="known by its log line alone")
    known.add_argument("--lint", action="store_true", help="found in configuration files alone")
    asked = parser.parse_args()
    folder = FAULTS / asked.layer.replace("-", "_")
    if not re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", asked.fault) or not folder.is_dir():
        print(f"unknown layer {asked.layer!r}, or {asked.fault!r} is no kebab-case name", file=sys.stderr)
        return 2
    form = "lint" if asked.lint else "text" if asked.text else "check"
    _write(folder, asked.fault, asked.layer.replace("_", "-"), form)
    _register(folder, asked.fault.replace("-", "_"))
    return 0


def _write(folder: Path, fault: str, layer: str, form: str) -> None:
    name = fault.replace("-", "_")
    values = {"id": fault, "name": name, "layer": layer.upper().replace("-", "_"), "layer_id": layer}
    page = "".join(f"## {heading}\n…\n\n" for heading in HEADINGS_EN).rstrip() + "\n"
    template, ending = FORMS[form]
    files = {
        folder / f"{name}.{ending}": template.format(page=page, **values),
        folder / f"{name}.zh.md": "".join(f"## {heading}\n…\n\n" for heading in HEADINGS_ZH).rstrip() + "\n",
    }
    if form != "lint":  # those have cases in tests/lint/cases
        files[ROOT / "tests" / "faults" / f"test_{name}.py"] = TEST.format(**values)
    for path, content in files.items():
        with path.open("x", encoding="utf-8") as stream:
            stream.write(content)
        print(path.relative_to(ROOT))


def _register(folder: Path, name: str) -> None:
    path = folder / "__init__.py"
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    first = lines.index("FAULTS = (\n") + 1
    last = lines.index(")\n", first)
    names = sorted([*lines[first:last], f'    "{name}",\n'])
    path.write_text("".join([*lines[:first], *names, *lines[last:]]), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
