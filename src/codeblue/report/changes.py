"""What changed between two snapshots, for people and for programs."""

from collections.abc import Iterator
from itertools import groupby
from typing import Any

from msgspec import json, to_builtins

from codeblue.model.changes import Change, ChangeKind, Comparison, Side
from codeblue.model.text import Text
from codeblue.report import words
from codeblue.report.escape import line, markdown, value

SCHEMA = "codeblue/diff/1"

MARK = {
    ChangeKind.CHANGED: ("~", "yellow"),
    ChangeKind.ADDED: ("+", "green"),
    ChangeKind.REMOVED: ("-", "red"),
    ChangeKind.NOT_COMPARABLE: ("?", "dim"),
}
KIND = {
    ChangeKind.CHANGED: Text("changed", "变更"),
    ChangeKind.ADDED: Text("added", "新增"),
    ChangeKind.REMOVED: Text("removed", "移除"),
    ChangeKind.NOT_COMPARABLE: Text("not comparable", "无法比较"),
}
TITLE = Text("codeblue diff", "codeblue 比较")
SAME = Text("nothing that is compared has changed", "参与比较的内容没有变化")
UNREAD = Text("could not be compared", "未能比较")
CHANGE, OLD, NEW = Text("change", "变化"), Text("old", "旧"), Text("new", "新")
NONE = "∅"
"""Stands for a fact that was looked for and is not there."""


def document(comparison: Comparison, lang: str) -> str:
    """Return the JSON document; keys and ids are the same in every language."""
    content = {
        "schema": SCHEMA,
        "old": to_builtins(comparison.old),
        "new": to_builtins(comparison.new),
        "changes": [_row(change) for change in comparison.changes],
        "notes": [note.say(lang) for note in comparison.notes],
    }
    return json.format(json.encode(content), indent=2).decode() + "\n"


def _row(change: Change) -> dict[str, Any]:
    return {
        "kind": change.kind.value,
        "section": change.section,
        "side": change.side,
        "path": change.path,
        "old": change.old,
        "new": change.new,
        "old_state": change.old_state.value,
        "new_state": change.new_state.value,
        "source": change.source,
    }


def brief(change: Change) -> str:
    """Return a change in a few words: ``path old → new``."""
    old, new = _sides(change, 40)
    return f"{_path(change)} {old} → {new}"


def lines(comparison: Comparison, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the lines for a terminal, each with its style."""
    for mark, side in (("-", comparison.old), ("+", comparison.new)):
        yield f"{mark} {_name(side)}", "dim"
    if not _known(comparison):
        yield SAME.say(lang), "bold"
    for section, changes in _sections(comparison):
        yield "", ""
        yield section, "bold"
        for change in changes:
            mark, style = MARK[change.kind]
            old, new = _sides(change, 160)
            shown = {ChangeKind.ADDED: new, ChangeKind.REMOVED: old}.get(change.kind, f"{old} → {new}")
            if old == new == NONE:
                shown = f"{change.old_state.value} → {change.new_state.value}"
            yield f"  {mark} {_path(change)}  {shown}   {line(change.source)}", style
    if unread := _unread(comparison):
        yield "", ""
        yield UNREAD.say(lang), "bold"
        for change in unread:
            yield f"  ? {_path(change)}  {change.old_state.value} → {change.new_state.value}", "dim"
    if comparison.notes:
        yield "", ""
        yield words.NOTES.say(lang), "bold"
        for note in comparison.notes:
            yield f"  {line(note.say(lang))}", ""


def page(comparison: Comparison, lang: str) -> str:
    """Return the comparison in Markdown."""
    return "\n".join(_page(comparison, lang)).rstrip() + "\n"


def _page(comparison: Comparison, lang: str) -> Iterator[str]:
    yield f"# {TITLE.say(lang)}"
    yield ""
    for title, side in ((OLD, comparison.old), (NEW, comparison.new)):
        yield f"- {title.say(lang)}: {markdown(_name(side))}"
    yield ""
    if not _known(comparison):
        yield SAME.say(lang)
        yield ""
    columns = (CHANGE, words.FACT, OLD, NEW, words.SOURCE)
    for section, changes in _sections(comparison):
        yield f"## {section}"
        yield ""
        yield f"| {' | '.join(text.say(lang) for text in columns)} |"
        yield "| --- | --- | --- | --- | --- |"
        for change in changes:
            cells = (KIND[change.kind].say(lang), _path(change), *_sides(change, 160), change.source)
            yield f"| {' | '.join(markdown(cell) for cell in cells)} |"
        yield ""
    if unread := _unread(comparison):
        yield f"## {UNREAD.say(lang)}"
        yield ""
        for change in unread:
            yield f"- {markdown(_path(change))}: {change.old_state.value} → {change.new_state.value}"
        yield ""
    if comparison.notes:
        yield f"## {words.NOTES.say(lang)}"
        yield ""
        yield from (f"- {markdown(note.say(lang))}" for note in comparison.notes)


def _name(side: Side) -> str:
    return line(" · ".join(filter(None, (side.target, side.host, side.time))))


def _known(comparison: Comparison) -> list[Change]:
    return [change for change in comparison.changes if change.kind is not ChangeKind.NOT_COMPARABLE]


def _unread(comparison: Comparison) -> list[Change]:
    return [change for change in comparison.changes if change.kind is ChangeKind.NOT_COMPARABLE]


def _sections(comparison: Comparison) -> Iterator[tuple[str, list[Change]]]:
    """Yield the sections, the one with the most important change first."""
    changes = _known(comparison)
    order = list(dict.fromkeys(change.section for change in changes))
    changes.sort(key=lambda change: order.index(change.section))
    for section, group in groupby(changes, key=lambda change: change.section):
        yield section, list(group)


def _path(change: Change) -> str:
    path = line(change.path)
    return f"{change.side}: {path}" if change.side else path


def _sides(change: Change, limit: int) -> tuple[str, str]:
    return _fact(change.old, limit), _fact(change.new, limit)


def _fact(fact: Any, limit: int) -> str:
    if fact is None:
        return NONE
    return value(fact, limit) or '""'
