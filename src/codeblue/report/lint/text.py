"""Plain lines for pipes and logs: ``path:line:column: severity fault: message``."""

from collections.abc import Iterator

from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import ALONE, Finding, Linted
from codeblue.model.text import Text
from codeblue.report.escape import line

SEVERITIES = {
    Severity.ERROR: Text("error", "错误"),
    Severity.WARNING: Text("warning", "警告"),
    Severity.NOTE: Text("note", "提示"),
}
CERTAINTIES = {
    Certainty.CERTAIN: Text("", ""),
    Certainty.LIKELY: Text("likely: ", "很可能："),
    Certainty.POSSIBLE: Text("possible: ", "可能："),
}
FOUND = Text(
    "errors: {errors}, warnings: {warnings}, notes: {notes}",
    "错误 {errors} 个，警告 {warnings} 个，提示 {notes} 条",
)
NOTHING = Text("nothing to say about {count} files", "{count} 个文件没有问题")
FIXES = Text(
    "{safe} can be fixed with --fix, {other} more with --unsafe-fixes",
    "{safe} 个可用 --fix 修复，另有 {other} 个可用 --unsafe-fixes 修复",
)
ACCEPTED = Text("{count} accepted", "已豁免 {count} 个")
HIDDEN = Text("{count} more with --pedantic", "另有 {count} 个，用 --pedantic 显示")
NOT_JUDGED = Text("not judged: {why}", "未检查：{why}")
EXPLAIN = Text("codeblue explain FAULT says why and what to do", "codeblue explain 故障名 说明原因和做法")
FAILED = Text(
    "a bug of codeblue, please report it: {rule}: {reason}", "codeblue 的缺陷，请反馈：{rule}：{reason}"
)
SKIPPED = Text("not looked for: {fault}: {reason}", "未检查：{fault}：{reason}")
NO_FILES = Text("no file of a kind that lint knows", "没有 lint 认识的文件")


def render(linted: Linted, lang: str) -> str:
    """Return one line for each finding, and the sums."""
    return "".join(
        f"{one}\n" for one in [*(heading(f, lang) for f in linted.findings), *summary(linted, lang)]
    )


def heading(one: Finding, lang: str) -> str:
    """Return the line of a finding."""
    where = f"{line(one.path)}:{one.place.line}:{one.place.column}"
    words = f"{CERTAINTIES[one.certainty].say(lang)}{line(one.message.say(lang))}"
    return f"{where}: {SEVERITIES[one.severity].say(lang)} {one.fault}: {words}"


def summary(linted: Linted, lang: str) -> Iterator[str]:
    """Yield what is told at the end."""
    for left in linted.left:
        yield NOT_JUDGED.say(lang, why=line(left.why.say(lang)))
    for rule, reason in linted.broken:
        yield FAILED.say(lang, rule=rule, reason=line(reason))
    for fault, reason in linted.skipped:
        if not reason.endswith(ALONE):
            yield SKIPPED.say(lang, fault=fault, reason=line(reason))
    count = len(linted.files)
    if not linted.findings:
        yield NOTHING.say(lang, count=count) if count else NO_FILES.say(lang)
    else:
        number = {one: sum(f.severity is one for f in linted.findings) for one in Severity}
        yield FOUND.say(
            lang,
            errors=number[Severity.ERROR],
            warnings=number[Severity.WARNING],
            notes=number[Severity.NOTE],
        )
        yield EXPLAIN.say(lang)
    fixes = [one.fix for one in linted.findings if one.fix]
    if fixes:
        safe = sum(fix.safe for fix in fixes)
        yield FIXES.say(lang, safe=safe, other=len(fixes) - safe)
    if linted.suppressed:
        yield ACCEPTED.say(lang, count=len(linted.suppressed))
    if linted.hidden:
        yield HIDDEN.say(lang, count=linted.hidden)
