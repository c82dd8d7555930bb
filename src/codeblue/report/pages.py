"""The pages of the faults."""

from typing import Any

from msgspec import json

from codeblue.model.entry import Entry
from codeblue.model.layers import NAMES
from codeblue.model.text import Text
from codeblue.report import words

LAYER = Text("layer", "层")
KIND = Text("kind", "类别")
EXPLAINS = Text("explains", "可解释")
REFERENCES = Text("References", "参考")


def page(entry: Entry, body: str, lang: str) -> str:
    """Return the page in Markdown with its title, its place and its references."""
    facts = [f"{KIND.say(lang)}: {words.KIND[entry.kind].say(lang)}"]
    if entry.layer:
        facts.insert(0, f"{LAYER.say(lang)}: {NAMES[entry.layer].say(lang)}")
    lines = [
        f"# {entry.id}",
        "",
        f"**{entry.title.say(lang)}**",
        "",
        " · ".join(facts),
        "",
        body.rstrip(),
        "",
    ]
    if entry.explains:
        lines += [f"{EXPLAINS.say(lang)}: " + ", ".join(f"`{name}`" for name in entry.explains), ""]
    if entry.references:
        lines += [f"## {REFERENCES.say(lang)}"]
        lines += [f"- [{ref.title}]({ref.url}) ({ref.date})" for ref in entry.references]
    return "\n".join(lines).rstrip() + "\n"


def page_json(entry: Entry, body: str, lang: str) -> str:
    """Return the page as a JSON document."""
    return json.format(json.encode(_row(entry, lang) | {"page": body}), indent=2).decode() + "\n"


def listing(entries: list[Entry], form: str, lang: str) -> str:
    """Return all faults: a line each, or a JSON array."""
    if form == "json":
        return json.format(json.encode([_row(entry, lang) for entry in entries]), indent=2).decode() + "\n"
    width = max(len(entry.id) for entry in entries)
    return "".join(f"{entry.id:<{width}}  {entry.title.say(lang)}\n" for entry in entries)


def _row(entry: Entry, lang: str) -> dict[str, Any]:
    return {
        "fault": entry.id,
        "layer": entry.layer.value if entry.layer else None,
        "kind": entry.kind.value,
        "severity": entry.severity.value,
        "title": entry.title.say(lang),
        "explains": list(entry.explains),
        "needs": list(entry.needs),
        "has_signatures": bool(entry.signatures),
        "references": [{"title": r.title, "url": r.url, "date": r.date} for r in entry.references],
    }
