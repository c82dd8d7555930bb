"""The report for a person at a terminal; plain text when it is piped."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from codeblue.model.diagnosis import AfterBoot, Barrier, BarrierState, Diagnosis, Explained, Overall, Return
from codeblue.model.finding import Evidence, Finding
from codeblue.model.layers import NAMES
from codeblue.model.remedy import Remedy
from codeblue.model.text import Text
from codeblue.remedy.shell import command
from codeblue.report import plain, words
from codeblue.report.escape import line, value

if TYPE_CHECKING:
    from rich.console import Console, Group, RenderableType
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text as Rich

MARK = {
    BarrierState.OPEN: ("✓", "+", "green"),
    BarrierState.CLOSED: ("✗", "x", "bold red"),
    BarrierState.PARTIAL: ("!", "!", "yellow"),
    BarrierState.NOT_APPLICABLE: ("–", "-", "dim"),
    BarrierState.UNREAD: ("?", "?", "yellow"),
}
VERDICT_STYLE = {
    Overall.HEALTHY: "bold green",
    Overall.RISK: "bold yellow",
    Overall.TROUBLE: "bold red",
    Overall.UNKNOWN: "bold yellow",
}
RETURN_STYLE = {Return.YES: "green", Return.NO: "bold red", Return.UNKNOWN: "yellow"}


LINES = "sightings."
"""Evidence below this path is a line of a text: it speaks for itself."""


class Parts(NamedTuple):
    """What a report is drawn with."""

    text: "type[Rich]"
    group: "type[Group]"
    padding: "type[Padding]"
    table: "type[Table]"


def _parts(console: "Console | plain.Console") -> Parts:
    if isinstance(console, plain.Console):
        # They do what is asked of them here.
        made = (plain.Text, plain.Group, plain.Padding, plain.Table)
        return Parts(*cast("Parts", made))
    from rich.console import Group
    from rich.padding import Padding
    from rich.table import Table
    from rich.text import Text as Rich

    return Parts(Rich, Group, Padding, Table)


class Terminal:
    """Prints diagnoses on one console in one language.

    ``reveal`` turns pseudonyms of this machine back into names.
    """

    def __init__(
        self, console: "Console | plain.Console", lang: str, verbose: bool, reveal: Callable[[str], str]
    ) -> None:
        self.console = cast("Console", console)
        self.draw = _parts(console)
        self.lang = lang
        self.verbose = verbose
        self.reveal = reveal
        self.ascii = not (console.encoding or "").lower().startswith("utf")

    def show(self, diagnosis: Diagnosis) -> None:
        """Print the whole report."""
        self.head(diagnosis)
        for number, cause in enumerate(diagnosis.causes):
            self.cause(cause, words.cause_title(cause.finding.certainty, number))
        self.layers(words.LAYERS, diagnosis.barriers)
        self.layers(words.HOST_LAYERS, diagnosis.host_barriers)
        self.findings(words.CONSEQUENCES, [e.finding for e in diagnosis.consequences])
        self.findings(words.RISKS, diagnosis.risks)
        if diagnosis.after_boot:
            self.after_boot(diagnosis.after_boot)
        self.findings(words.HARMLESS, diagnosis.harmless)
        accepted = [self.pair(w.fault, words.waiver(w, self.lang)) for w in diagnosis.waived]
        if accepted:
            self.section(words.ACCEPTED, accepted)
        self.counted(words.RULED_OUT, [(out.fault, out.because) for out in diagnosis.ruled_out])
        self.counted(words.SKIPPED, [(one.fault, one.reason) for one in diagnosis.skipped])
        if diagnosis.broken:
            self.section(words.BROKEN, [self.pair(b.fault, b.reason) for b in diagnosis.broken])
        self.next(diagnosis)
        if diagnosis.notes:
            self.section(words.NOTES, [self.text(note.say(self.lang)) for note in diagnosis.notes])

    def head(self, d: Diagnosis) -> None:
        """Print target and verdict."""
        facts = [d.target, d.host or "", d.time or ""]
        self.console.print(self.text(" · ".join(filter(None, ["codeblue", *facts])), "dim"))
        self.console.print(self.text(words.verdict(d, self.lang), VERDICT_STYLE[d.verdict]))
        for told in d.headline:
            self.console.print(self.text(told.say(self.lang)))

    def cause(self, cause: Explained, title: Text) -> None:
        """Print one cause with evidence and remedy."""
        finding = cause.finding
        name = self.text(finding.fault, "bold")
        told = [words.CERTAINTY[finding.certainty].say(self.lang)]
        if finding.side:
            told.append(words.ON_SIDE[finding.side].say(self.lang))
        name.append(f"  ({', '.join(told)})", "dim")
        rows: list[RenderableType] = [name, self.text(finding.summary.say(self.lang))]
        rows.append(self.label(words.EVIDENCE, self.evidence(finding.evidence)))
        if cause.others:
            rows.append(self.label(words.EXPLAINS, self.text(", ".join(cause.others))))
        if finding.remedy:
            rows.append(self.label(words.FIX, self.remedy(finding.remedy)))
        more = [self.text(f"codeblue explain {finding.fault}")]
        if finding.remedy and finding.remedy.appliable:
            shows = words.SHOWS_PLAN.say(self.lang)
            more.append(self.text(f"codeblue fix {finding.fault}").append(f"  ({shows})", "dim"))
        rows.append(self.label(words.PAGE, self.draw.group(*more)))
        self.section(title, rows)

    def evidence(self, evidence: tuple[Evidence, ...]) -> "RenderableType":
        """Return path, value and source of each fact."""
        rows: list[RenderableType] = []
        for one in evidence:
            row = self.text("")
            if not one.path.startswith(LINES):
                row.append(one.path).append(" = ")
            row.append(self.reveal(value(one.value)), "bold")
            row.append(f"   {self.reveal(line(one.source))}", "dim")
            rows.append(row)
        return self.draw.group(*rows)

    def remedy(self, remedy: Remedy) -> "RenderableType":
        """Return the steps of a remedy with their commands."""
        safety = words.safety(remedy, self.lang)
        head = self.text(remedy.summary.say(self.lang)).append(f"  ({safety})", "dim")
        rows: list[RenderableType] = [head]
        for step in remedy.steps:
            typed = command(step)
            if typed:
                rows.append(self.text(f"$ {typed}", "cyan"))
            else:
                rows.append(self.text(f"- {step.why.say(self.lang)}"))
        return self.draw.group(*rows)

    def layers(self, title: Text, barriers: Iterable[Barrier]) -> None:
        """Print one line per layer, if there are any."""
        table = self.layer_table(barriers)
        if table.row_count:
            self.section(title, [table])

    def layer_table(self, barriers: Iterable[Barrier]) -> "Table":
        """Return one row per layer: mark, name, what was observed."""
        table = self.draw.table.grid(padding=(0, 2, 0, 0), pad_edge=False)
        table.add_column(no_wrap=True)
        table.add_column(no_wrap=True)
        table.add_column()
        for barrier in barriers:
            mark, letter, style = MARK[barrier.state]
            summary = self.text(barrier.summary.say(self.lang))
            if barrier.state is BarrierState.NOT_APPLICABLE:
                summary.stylize("dim")
            name = self.draw.text(NAMES[barrier.layer].say(self.lang))
            table.add_row(self.draw.text(letter if self.ascii else mark, style), name, summary)
        return table

    def so_far(self, diagnosis: Diagnosis) -> "RenderableType":
        """Return what is known while the frameworks are still tried."""
        rows: list[RenderableType] = [self.layer_table(diagnosis.barriers)]
        for cause in diagnosis.causes[:1]:
            row = self.text(f"{words.CAUSE.say(self.lang)}: {cause.finding.fault}", "bold")
            rows.append(row.append("  ").append(self.reveal(line(cause.finding.summary.say(self.lang)))))
        rows.append(self.text(words.WAITING.say(self.lang), "dim"))
        return self.draw.group(*rows)

    def findings(self, title: Text, findings: Iterable[Finding]) -> None:
        """Print findings that need no more than a line each."""
        rows = [self.pair(finding.fault, finding.summary.say(self.lang)) for finding in findings]
        if rows:
            self.section(title, rows)

    def after_boot(self, then: AfterBoot) -> None:
        """Print whether it will come back, and what stops it with its remedy."""
        row = self.text(words.RETURN[then.answer].say(self.lang), RETURN_STYLE[then.answer])
        rows: list[RenderableType] = [
            row.append(f"  ({self.reveal(line(then.summary.say(self.lang)))})", "dim")
        ]
        for finding in then.findings:
            rows.append(self.pair(finding.fault, finding.summary.say(self.lang)))
            details = [self.evidence(finding.evidence)]
            if finding.remedy:
                details.append(self.remedy(finding.remedy))
            rows.append(self.draw.padding(self.draw.group(*details), (0, 0, 0, 2), expand=False))
        rows += [self.pair(one.fault, one.reason) for one in then.skipped]
        self.section(words.AFTER_BOOT, rows)

    def counted(self, title: Text, rows: list[tuple[str, str]]) -> None:
        """Print how many there are, or all of them when the user wants to see everything."""
        if rows and self.verbose:
            self.section(title, [self.pair(name, why) for name, why in rows])
        elif rows:
            counted = words.MORE.say(self.lang, n=len(rows))
            self.console.print(self.text(f"{title.say(self.lang)}: {counted}", "dim"))

    def next(self, diagnosis: Diagnosis) -> None:
        """Print the command that decides what the evidence does not."""
        rows: list[RenderableType] = []
        for step in diagnosis.next:
            row = self.text(f"$ {step.command}", "cyan")
            if len(step.decides_between) > 1:
                between = words.DECIDES.say(self.lang, faults=", ".join(step.decides_between))
                row.append(f"   {between}", "dim")
            rows.append(row)
        if rows:
            self.section(words.NEXT, rows)

    def section(self, title: Text, rows: "Sequence[RenderableType]") -> None:
        """Print a titled block."""
        self.console.print()
        self.console.print(self.text(title.say(self.lang), "bold"))
        self.console.print(self.draw.padding(self.draw.group(*rows), (0, 0, 0, 2), expand=False))

    def label(self, title: Text, content: "RenderableType") -> "RenderableType":
        """Return a block under a small title."""
        indented = self.draw.padding(content, (0, 0, 0, 2), expand=False)
        return self.draw.group(self.text(title.say(self.lang), "dim"), indented)

    def pair(self, name: str, what: str) -> "Rich":
        """Return a name with what there is to say of it."""
        return self.text(name).append("  ").append(self.reveal(line(what)), "dim")

    def text(self, content: str, style: str = "") -> "Rich":
        """Return text from anywhere as a harmless line."""
        return self.draw.text(self.reveal(line(content)), style)
