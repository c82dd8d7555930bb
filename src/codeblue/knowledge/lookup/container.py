"""The topics ``toolkit`` (NVIDIA Container Toolkit) and ``bad`` (confirmed defects)."""

from codeblue.knowledge.lookup.build import Raw, Topic, by_version, derived, fields, grid, row
from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import older
from codeblue.model.rows import Row

RELEASE = "release"


def _toolkit_rows() -> list[Raw]:
    rows: list[Raw] = table("container_toolkit")["rows"]
    return rows


def _toolkit_name(raw: Raw) -> str:
    return str(raw["version"] if raw["kind"] == RELEASE else raw["id"])


def _find_toolkit(text: str) -> list[Raw]:
    wanted = text.strip().casefold()
    named = [raw for raw in _toolkit_rows() if _toolkit_name(raw).casefold() == wanted]
    return named or by_version((raw for raw in _toolkit_rows() if raw["kind"] == RELEASE), wanted)


def _build_toolkit(raw: Raw, _: str) -> Row:
    name = _toolkit_name(raw)
    told = fields(raw, "kind", "date", "facts", without=("version", "id"))
    if raw["kind"] != RELEASE:
        return row("toolkit", name, raw, told, file="container_toolkit")
    holes = [one for one in _toolkit_rows() if one["kind"] == "cve" and older(name, one["fixed_in"])]
    told.append(derived("cve_count", len(holes)))
    listed = grid("cves", ("id", "fixed_in", "what", "cvss"), holes)
    return row("toolkit", name, raw, told, listed, file="container_toolkit")


TOOLKIT = Topic(_toolkit_rows, _toolkit_name, _find_toolkit, _build_toolkit)


def _bad_rows() -> list[Raw]:
    rows: list[Raw] = table("known_bad")["rows"]
    return rows


def _component(raw: Raw) -> str:
    return str(raw["component"])


def _find_bad(text: str) -> list[Raw]:
    wanted = text.strip().casefold()
    return [raw for raw in _bad_rows() if raw["component"] == wanted]


def _build_bad(raw: Raw, _: str) -> Row:
    first = ("affected", "fixed_in", "symptom", "condition", "action")
    name = f"{raw['component']} {raw['affected']}"
    return row("bad", name, raw, fields(raw, *first, without=("component",)), file="known_bad")


BAD = Topic(_bad_rows, _component, _find_bad, _build_bad)
