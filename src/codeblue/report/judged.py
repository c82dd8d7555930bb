"""What the version matrix says, for people and for programs."""

from collections.abc import Iterator
from typing import Any

from msgspec import json

from codeblue.model.judgement import Answer, Judged, Judgement, Verdict
from codeblue.model.text import Text
from codeblue.report.escape import line, markdown

SCHEMA = "codeblue/matrix/1"

VERDICTS = {
    Verdict.COMPATIBLE: (Text("compatible", "兼容"), "bold green"),
    Verdict.INCOMPATIBLE: (Text("incompatible", "不兼容"), "bold red"),
    Verdict.UNKNOWN: (Text("unknown", "未知"), "bold yellow"),
}
MARKS = {
    Answer.NO: ("✗", "red"),
    Answer.UNKNOWN: ("?", "yellow"),
    Answer.IF: ("!", "cyan"),
    Answer.YES: ("✓", "green"),
    Answer.NOTE: ("·", "dim"),
}
SHOWN_NOTES = 3
WAY = Text("instead: {way}", "改法：{way}")
SOURCE = Text("source: {source}", "来源：{source}")
MORE = Text("more notes: {count}; -v shows them", "另有 {count} 条备注：用 -v 显示")
DATA = Text("data of {date}", "数据日期 {date}")
TITLE = Text("Will these versions work together?", "这些版本能否配合？")
UNDER = Text("compatible, under conditions", "有条件兼容")
PART, VALUE, FROM = Text("part", "项目"), Text("value", "值"), Text("from", "来自")
NOTHING = Text(
    "nothing to compare: known are {known}; name what is to work with it (--torch, --driver, --gpu, ...)",
    "没有可比较的内容：已知 {known}；请给出要与之配合的部分（--torch、--driver、--gpu 等）",
)
EMPTY = Text(
    "nothing here names a part that the tables know; name versions (--torch, --driver, --gpu, ...)",
    "这里没有表中收录的部分；请给出版本（--torch、--driver、--gpu 等）",
)


def document(judged: Judged, date: str, lang: str) -> str:
    """Return the JSON document; keys, verdicts and rules are the same in every language."""
    conditions = [*judged.said(Answer.IF), *(one for one in judged.judgements if one.way is not None)]
    content = {
        "schema": SCHEMA,
        "verdict": judged.verdict.value,
        "conditions": [_condition(one, lang) for one in conditions],
        "reasons": [_row(one, lang) for one in judged.judgements if one.answer is not Answer.NOTE],
        "notes": [_row(one, lang) for one in judged.said(Answer.NOTE)],
        "assumed": [one.say(lang) for one in judged.assumed],
        "parts": [
            {"part": name, "value": part.value, "origin": part.origin}
            for name, part in judged.combination.parts()
        ],
        "data": date,
    }
    return json.format(json.encode(content), indent=2).decode() + "\n"


def _row(one: Judgement, lang: str) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "answer": one.answer.value,
        "parts": list(one.parts),
        "summary": one.text.say(lang),
        "way": one.way.say(lang) if one.way else None,
        "sources": [{"row": source.row, "documents": list(source.words)} for source in one.sources],
    }


def _condition(one: Judgement, lang: str) -> dict[str, Any]:
    """Return what must hold for a yes: the condition of a rule, or what would have to change."""
    return {
        "rule": one.rule,
        "parts": list(one.parts),
        "summary": (one.way or one.text).say(lang),
        "met": one.answer is Answer.IF,
    }


def lines(judged: Judged, date: str, lang: str, verbose: bool) -> Iterator[tuple[str, str]]:
    """Yield the lines for a terminal, each with its style."""
    words, style = VERDICTS[judged.verdict]
    conditional = judged.verdict is Verdict.COMPATIBLE and judged.said(Answer.IF)
    yield f"{(UNDER if conditional else words).say(lang)}  ({DATA.say(lang, date=date)})", style
    for assumed in judged.assumed:
        yield f"  {line(assumed.say(lang))}", "dim"
    if not judged.judgements:
        known = ", ".join(f"{name} {line(part.value)}" for name, part in judged.combination.parts())
        yield f"  {NOTHING.say(lang, known=known) if known else EMPTY.say(lang)}", ""
    for answer in (Answer.NO, Answer.UNKNOWN, Answer.IF, Answer.YES):
        for one in judged.said(answer):
            yield from _lines(one, lang, verbose)
    # What bites only under a condition comes last.
    notes = sorted(judged.said(Answer.NOTE), key=lambda one: bool(one.text.values.get("when")))
    shown = notes if verbose else notes[:SHOWN_NOTES]
    for one in shown:
        yield from _lines(one, lang, verbose)
    if len(shown) < len(notes):
        yield f"  {MORE.say(lang, count=len(notes) - len(shown))}", "dim"


def _lines(one: Judgement, lang: str, verbose: bool) -> Iterator[tuple[str, str]]:
    mark, style = MARKS[one.answer]
    yield f"  {mark} {line(one.text.say(lang))}", style
    if one.way is not None:
        yield f"      {WAY.say(lang, way=line(one.way.say(lang)))}", ""
    if verbose:
        for source in one.sources:
            words = "; ".join(source.words)
            yield f"      {SOURCE.say(lang, source=line(f'{source.row}: {words}'))}", "dim"
    elif one.answer is Answer.NO:
        rows = ", ".join(source.row for source in one.sources)
        yield f"      {SOURCE.say(lang, source=line(f'{one.rule} ({rows})' if rows else one.rule))}", "dim"


def page(judged: Judged, date: str, lang: str) -> str:
    """Return the answer in Markdown."""
    return "\n".join(_page(judged, date, lang)).rstrip() + "\n"


def _page(judged: Judged, date: str, lang: str) -> Iterator[str]:
    words, _ = VERDICTS[judged.verdict]
    yield f"# {TITLE.say(lang)}"
    yield ""
    yield f"**{words.say(lang)}** ({DATA.say(lang, date=date)})"
    yield ""
    yield f"| {PART.say(lang)} | {VALUE.say(lang)} | {FROM.say(lang)} |"
    yield "| --- | --- | --- |"
    for name, part in judged.combination.parts():
        yield f"| {name} | {markdown(part.value)} | {markdown(part.origin)} |"
    yield ""
    for assumed in judged.assumed:
        yield f"- {markdown(assumed.say(lang))}"
    for answer in MARKS:
        for one in judged.said(answer):
            way = f" {WAY.say(lang, way=one.way.say(lang))}" if one.way else ""
            yield f"- {MARKS[answer][0]} {markdown(one.text.say(lang) + way)} ({one.rule})"
