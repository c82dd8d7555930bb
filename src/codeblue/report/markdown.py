"""The report as Markdown, for a ticket or a wiki page."""

from collections.abc import Iterator

from codeblue.model.diagnosis import AfterBoot, Barrier, Diagnosis, Explained
from codeblue.model.finding import Evidence, Finding
from codeblue.model.layers import NAMES
from codeblue.model.remedy import Remedy
from codeblue.model.text import Text
from codeblue.remedy.shell import command
from codeblue.report import words
from codeblue.report.escape import line, markdown, value


def render(diagnosis: Diagnosis, lang: str) -> str:
    """Return the whole report."""
    return "\n".join(_lines(diagnosis, lang)).rstrip() + "\n"


def _lines(d: Diagnosis, lang: str) -> Iterator[str]:
    def say(text: Text) -> str:
        return text.say(lang)

    yield f"# {say(words.TITLE)}: {words.verdict(d, lang)}"
    yield ""
    for told in d.headline:
        yield markdown(told.say(lang))
        yield ""
    rows = ((words.TARGET, d.target), (words.HOST, d.host), (words.TIME, d.time))
    for name, content in rows:
        if content:
            yield f"- {say(name)}: {markdown(content)}"
    yield ""
    for number, cause in enumerate(d.causes):
        yield from _cause(cause, words.cause_title(cause.finding.certainty, number), lang)
    yield from _barriers(words.LAYERS, d.barriers, lang)
    yield from _barriers(words.HOST_LAYERS, d.host_barriers, lang)
    yield from _findings(words.CONSEQUENCES, [effect.finding for effect in d.consequences], lang)
    yield from _findings(words.RISKS, list(d.risks), lang)
    if d.after_boot:
        yield from _after_boot(d.after_boot, lang)
    yield from _findings(words.HARMLESS, list(d.harmless), lang)
    yield from _pairs(words.ACCEPTED, [(w.fault, words.waiver(w, lang)) for w in d.waived], lang)
    yield from _names(words.RULED_OUT, [out.fault for out in d.ruled_out], lang)
    yield from _pairs(words.SKIPPED, [(s.fault, s.reason) for s in d.skipped], lang)
    yield from _pairs(words.BROKEN, [(s.fault, s.reason) for s in d.broken], lang)
    if d.next:
        yield f"## {say(words.NEXT)}"
        yield ""
        for step in d.next:
            yield _code(step.command)
            yield ""
    if d.notes:
        yield f"## {say(words.NOTES)}"
        yield ""
        yield from (f"- {markdown(note.say(lang))}" for note in d.notes)


def _cause(cause: Explained, title: Text, lang: str) -> Iterator[str]:
    finding = cause.finding
    yield f"## {title.say(lang)}: `{finding.fault}`"
    yield ""
    told = [words.CERTAINTY[finding.certainty].say(lang)]
    if finding.side:
        told.append(words.ON_SIDE[finding.side].say(lang))
    yield f"{markdown(finding.summary.say(lang))} ({', '.join(told)})"
    yield ""
    yield from _evidence(finding.evidence, lang)
    if cause.others:
        yield f"{words.EXPLAINS.say(lang)}: " + ", ".join(f"`{other}`" for other in cause.others)
        yield ""
    if finding.remedy:
        yield from _remedy(finding.remedy, lang)
        if finding.remedy.appliable:
            yield f"`codeblue fix {finding.fault}` ({words.SHOWS_PLAN.say(lang)})"
            yield ""


def _evidence(evidence: tuple[Evidence, ...], lang: str) -> Iterator[str]:
    yield f"| {words.FACT.say(lang)} | {words.VALUE.say(lang)} | {words.SOURCE.say(lang)} |"
    yield "| --- | --- | --- |"
    for one in evidence:
        yield f"| {markdown(one.path)} | {markdown(value(one.value))} | {markdown(one.source)} |"
    yield ""


def _remedy(remedy: Remedy, lang: str) -> Iterator[str]:
    safety = words.safety(remedy, lang)
    yield f"### {words.FIX.say(lang)}: {markdown(remedy.summary.say(lang))} ({safety})"
    yield ""
    for number, step in enumerate(remedy.steps, start=1):
        yield f"{number}. {markdown(step.why.say(lang))}"
        typed = command(step)
        if typed:
            yield f"   {_code(typed)}"
    yield ""


def _code(text: str) -> str:
    ticks = "``" if "`" in text else "`"
    return f"{ticks}{line(text)}{ticks}"


def _barriers(title: Text, barriers: tuple[Barrier, ...], lang: str) -> Iterator[str]:
    if not barriers:
        return
    yield f"## {title.say(lang)}"
    yield ""
    yield "| | | |"
    yield "| --- | --- | --- |"
    for barrier in barriers:
        name, state = NAMES[barrier.layer].say(lang), words.STATE[barrier.state].say(lang)
        yield f"| {name} | {state} | {markdown(barrier.summary.say(lang))} |"
    yield ""


def _findings(title: Text, findings: list[Finding], lang: str) -> Iterator[str]:
    rows = [(finding.fault, finding.summary.say(lang)) for finding in findings]
    yield from _pairs(title, rows, lang)


def _pairs(title: Text, rows: list[tuple[str, str]], lang: str) -> Iterator[str]:
    if rows:
        yield f"## {title.say(lang)}"
        yield ""
        yield from (f"- `{name}`: {markdown(what)}" for name, what in rows)
        yield ""


def _after_boot(then: AfterBoot, lang: str) -> Iterator[str]:
    yield f"## {words.AFTER_BOOT.say(lang)}: {words.RETURN[then.answer].say(lang)}"
    yield ""
    yield markdown(then.summary.say(lang))
    yield ""
    for finding in then.findings:
        yield f"- `{finding.fault}`: {markdown(finding.summary.say(lang))}"
        yield ""
        yield from _evidence(finding.evidence, lang)
        if finding.remedy:
            yield from _remedy(finding.remedy, lang)
    for one in then.skipped:
        yield f"- `{one.fault}`: {markdown(one.reason)}"
        yield ""


def _names(title: Text, names: list[str], lang: str) -> Iterator[str]:
    if names:
        yield f"## {title.say(lang)}"
        yield ""
        yield ", ".join(f"`{name}`" for name in names)
        yield ""
