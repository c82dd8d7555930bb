"""Why a fault fired or not, for people and for programs."""

from collections.abc import Iterator
from typing import Any

from msgspec import json, to_builtins

from codeblue.model.finding import Evidence, Outcome
from codeblue.model.section import State
from codeblue.model.text import Text
from codeblue.model.why import Looked, Why
from codeblue.report import words
from codeblue.report.escape import line, markdown, value

SCHEMA = "codeblue/why/1"
SHOWN = 40
"""Facts that are listed for people; JSON has them all."""

OUTCOME = {
    Outcome.FIRED: Text("it fired", "已命中"),
    Outcome.CLEAR: Text("it did not fire: looked, and it is not there", "未命中：查看过，不存在"),
    Outcome.SKIPPED: Text("nothing is known: something could not be read", "无法得知：有内容未能读取"),
    Outcome.BROKEN: Text("its rule failed; please report", "规则本身出错；请反馈"),
}
NO_LINE_SEEN = Text(
    "it did not fire: no such line was seen, which rules nothing out",
    "未命中：没有看到这样的行，但这不能排除它",
)
STATE = {
    State.READ: Text("read", "已读取"),
    State.ABSENT: Text("looked, not there", "查看过，不存在"),
    State.DENIED: Text("permission denied", "没有权限"),
    State.TIMEOUT: Text("no answer in time", "超时无应答"),
    State.ERROR: Text("error", "出错"),
    State.UNSUPPORTED: Text("not supported here", "此处不支持"),
    State.BUSY: Text("busy", "正忙"),
    State.NOT_ATTEMPTED: Text("not looked at", "未查看"),
}
REASON = Text("reason", "原因")
EXPLAINED_BY = Text("only a consequence of", "只是以下故障的后果")
SECTIONS = Text("what it needs", "所需内容")
FACTS = Text("facts it looked at", "查看过的事实")
LINES = Text("lines that matched", "匹配的行")
NO_LINE = Text("no such line in the text ({texts})", "文本中没有这样的行（{texts}）")
NO_TEXT = Text(
    "no text was given; lines can be looked for in a log: codeblue check --log FILE",
    "没有给出文本；可在日志中查找：codeblue check --log 文件",
)
MORE = Text("… and {n} more (--format json has all)", "……另有 {n} 项（--format json 列出全部）")


def document(why: Why, lang: str) -> str:
    """Return the JSON document; keys and ids are the same in every language."""
    content: dict[str, Any] = {
        "schema": SCHEMA,
        "fault": why.fault,
        "target": why.target,
        "side": why.side,
        "time": why.time,
        "outcome": why.outcome.value,
        "reason": why.reason,
        "findings": [
            {
                "subject": finding.subject,
                "certainty": finding.certainty.value,
                "summary": finding.summary.say(lang),
                "evidence": to_builtins(finding.evidence),
            }
            for finding in why.findings
        ],
        "explained_by": list(why.explained_by),
        "sections": to_builtins(why.sections),
        "facts": to_builtins(why.facts),
        "has_signatures": why.has_signatures,
        "lines": [{"file": one.file, "line": one.line, "text": one.text} for one in why.lines],
        "texts": list(why.texts),
    }
    return json.format(json.encode(content), indent=2).decode() + "\n"


def lines(why: Why, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the lines for a terminal, each with its style."""
    yield line(" · ".join(filter(None, (why.fault, why.target, why.side, why.time)))), "dim"
    yield _outcome(why).say(lang), "bold"
    for title, rows in _blocks(why, lang):
        yield "", ""
        yield title, "bold"
        for row in rows:
            yield f"  {line(row)}", ""


def page(why: Why, lang: str) -> str:
    """Return it in Markdown."""
    found = [f"# {why.fault}: {_outcome(why).say(lang)}", ""]
    found += [f"- {markdown(part)}" for part in (why.target, why.side, why.time) if part]
    for title, rows in _blocks(why, lang):
        found += ["", f"## {title}", "", *(f"- {markdown(row)}" for row in rows)]
    return "\n".join(found) + "\n"


def _outcome(why: Why) -> Text:
    if why.outcome is Outcome.CLEAR and not why.sections:
        return NO_LINE_SEEN
    return OUTCOME[why.outcome]


def _blocks(why: Why, lang: str) -> Iterator[tuple[str, list[str]]]:
    """Yield titles with their lines."""
    if why.reason and (why.sections or why.outcome is Outcome.BROKEN):
        yield REASON.say(lang), [why.reason]
    if why.findings:
        rows = []
        for finding in why.findings:
            rows.append(f"{finding.subject}: {finding.summary.say(lang)}")
            rows += [_fact(one) for one in finding.evidence]
        yield words.EVIDENCE.say(lang), rows
    if why.explained_by:
        yield EXPLAINED_BY.say(lang), list(why.explained_by)
    if why.sections:
        yield SECTIONS.say(lang), [row for one in why.sections for row in _looked(one, lang)]
    if why.facts and not why.findings:
        facts = [_fact(one) for one in why.facts[:SHOWN]]
        left = len(why.facts) - SHOWN
        yield FACTS.say(lang), [*facts, *([MORE.say(lang, n=left)] if left > 0 else [])]
    if why.has_signatures:
        yield LINES.say(lang), _matches(why, lang)


def _fact(one: Evidence) -> str:
    return f"{one.path} = {value(one.value)} ({one.source})"


def _looked(one: Looked, lang: str) -> Iterator[str]:
    source = f" ({one.source})" if one.source else ""
    words_of_reader = f" — {one.reason}" if one.reason else ""
    yield f"{one.section}: {STATE[one.state].say(lang)}{source}{words_of_reader}"
    for field, state in one.unread.items():
        yield f"{one.section}.{field}: {STATE[state].say(lang)}"


def _matches(why: Why, lang: str) -> list[str]:
    if why.lines:
        return [f"{one.file}:{one.line}: {value(one.text)}" for one in why.lines]
    if not why.texts:
        return [NO_TEXT.say(lang)]
    return [NO_LINE.say(lang, texts=", ".join(why.texts))]
