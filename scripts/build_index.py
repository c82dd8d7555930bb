"""Build ``src/codeblue/faults/index.json`` from the catalogue (``make index``)."""

import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
from msgspec import structs

from codeblue.diagnose.engine import needs
from codeblue.faults.catalogue import CATALOGUE
from codeblue.lint.known import FAULTS as FAULTS_OF_FILES
from codeblue.lint.rules import MODULES, name_of
from codeblue.model.entry import Entry
from codeblue.model.fault import Fault
from codeblue.model.section import Section
from scripts.literals import literals

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

SOURCES = Path(__file__).parent.parent / "src" / "codeblue"
FAULTS = SOURCES / "faults"
RULES = SOURCES / "lint" / "rules"


def main() -> None:
    """Write the indexes."""
    (FAULTS / "index.json").write_text(built(), encoding="utf-8")
    (RULES / "index.json").write_text(built_of_rules(), encoding="utf-8")


def built() -> str:
    """Return the index, one fault per line so that a diff shows what changed."""
    rows = [msgspec.json.encode(_linted(_entry(place))).decode() for place in CATALOGUE]
    return "[\n" + ",\n".join(rows) + "\n]\n"


def built_of_rules() -> str:
    """Return which modules of lint have rules for a type of part, by its name."""
    found: dict[str, dict[str, None]] = {}
    for name in MODULES:
        for rule in import_module(f"codeblue.lint.rules.{name}").RULES:
            found.setdefault(name_of(rule.part), {})[name] = None
    rows = {part: list(names) for part, names in sorted(found.items())}
    return msgspec.json.format(msgspec.json.encode(rows), indent=1).decode() + "\n"


def _entry(place: str) -> Entry:
    if (FAULTS / f"{place}.py").exists():
        return _coded(place)
    front = (FAULTS / f"{place}.md").read_text(encoding="utf-8").split("+++\n", 2)[1]
    return _from_data(place, tomllib.loads(front))


def _linted(entry: Entry) -> Entry:
    return structs.replace(entry, linted=entry.id in FAULTS_OF_FILES)


def _coded(place: str) -> Entry:
    name = place.rsplit("/", 1)[1]
    fault: Fault = getattr(import_module(f"codeblue.faults.{place.replace('/', '.')}"), name)
    return Entry(
        id=fault.id,
        place=place,
        title=fault.title,
        layer=fault.layer,
        kind=fault.kind,
        severity=fault.severity,
        explains=fault.explains,
        symptom=fault.symptom,
        collateral=fault.collateral,
        needs=tuple(_section_name(hint) for hint in needs(fault)),
        references=fault.references,
        signatures=fault.signatures,
        clues=fault.clues,
        literals=literals(fault.clues),
        next_command=fault.next_command,
        coded=True,
    )


def _section_name(hint: Any) -> str:
    kinds = [hint, *getattr(hint, "__args__", ())]
    return next(k.NAME for k in kinds if isinstance(k, type) and issubclass(k, Section))


def _from_data(place: str, data: dict[str, Any]) -> Entry:
    data["title"] = _text(data, "title")
    if "remedy" in data:
        data["remedy"] = _remedy(data["remedy"])
    entry = msgspec.convert({**data, "place": place, "coded": False}, Entry)
    return structs.replace(entry, literals=literals(entry.clues))


def _text(data: dict[str, Any], name: str) -> dict[str, str]:
    return {"en": data[name], "zh": data.pop(f"{name}_zh")}


def _remedy(data: dict[str, Any]) -> dict[str, Any]:
    data["summary"] = {"text": _text(data, "summary")}
    for step in data["steps"]:
        step["why"] = {"text": _text(step, "why")}
    return data


if __name__ == "__main__":
    main()
