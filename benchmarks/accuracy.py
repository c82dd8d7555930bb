"""How often triage names the right cause: ``python -m benchmarks.accuracy --reports FILE [--held-out IDS]``.

FILE holds one report a line: ``text``, ``facts``, the confirmed ``cause``, other right names in
``accept``, ``kind`` and whether the text is ``decidable``. Reports whose ids stand in IDS are
counted apart: no signature was written with a view to them.
"""

import argparse
import json
import tempfile
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from codeblue.model.diagnosis import Diagnosis
from codeblue.pipeline import judge, told

SALT = "accuracy"


class Judged(NamedTuple):
    """What triage made of one report."""

    report: dict[str, Any]
    names: list[str]
    """Causes in the order given."""
    certain: bool
    """The first cause is more than possible."""
    harmless: list[str]

    @property
    def right(self) -> set[str]:
        """Return the names that are right."""
        return {self.report["cause"], *self.report["accept"]}

    def among(self, most: int) -> bool:
        """True if a right name is among the first ``most``, or a harmless one is named so."""
        if self.report["kind"] == "harmless":
            return bool(self.right.intersection(self.harmless)) and not self.blamed
        return bool(self.right.intersection(self.names[:most]))

    @property
    def blamed(self) -> bool:
        """True if a cause was named with confidence."""
        return self.certain


def judged(report: dict[str, Any], folder: Path) -> Judged:
    """Run triage on one report as a user would give it: a text file and a facts file."""
    text, facts = folder / "report.txt", folder / "facts.json"
    text.write_text(report["text"], encoding="utf-8")
    facts.write_text(json.dumps(report["facts"]), encoding="utf-8")
    diagnosis: Diagnosis = judge(told([str(text)], str(facts), SALT))
    findings = [cause.finding for cause in diagnosis.causes]
    if report["kind"] == "risk":  # works today: it is told beside the causes, if there are any
        findings += diagnosis.risks
    names = list(dict.fromkeys(finding.fault for finding in findings))
    certain = bool(diagnosis.causes) and diagnosis.causes[0].finding.certainty.value != "possible"
    return Judged(report, names, certain, [finding.fault for finding in diagnosis.harmless])


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--reports", type=Path, required=True)
    parser.add_argument("--held-out", type=Path, help="ids of reports to count apart, one a line")
    parser.add_argument("--list", action="store_true", help="print every report that is not right")
    asked = parser.parse_args()
    held = set(asked.held_out.read_text().split()) if asked.held_out else set()
    reports = [json.loads(line) for line in asked.reports.read_text(encoding="utf-8").splitlines() if line]
    with tempfile.TemporaryDirectory() as folder:
        results = [judged(report, Path(folder)) for report in reports]
    print("reports | n | first | among three | wrong with confidence | silent")
    print("--- | --- | --- | --- | --- | ---")
    for name, some in _groups(results, held):
        print(f"{name} | {_figures(some)}")
    if asked.list:
        _list([result for result in results if result.report["id"] not in held])


def _groups(results: list[Judged], held: set[str]) -> Iterable[tuple[str, list[Judged]]]:
    def some(aside: bool, decidable: bool) -> list[Judged]:
        return [
            r for r in results if (r.report["id"] in held) is aside and r.report["decidable"] is decidable
        ]

    yield "decidable", some(False, True)
    yield "not decidable", some(False, False)
    if held:
        yield "decidable, held out", some(True, True)
        yield "not decidable, held out", some(True, False)
    yield "harmless", [r for r in results if r.report["kind"] == "harmless"]


def _figures(some: list[Judged]) -> str:
    count = Counter(
        first=sum(r.among(1) for r in some),
        three=sum(r.among(3) for r in some),
        wrong=sum(r.blamed and not r.among(1) for r in some),
        silent=sum(not r.names and not r.harmless for r in some),
    )
    first, three = (f"{count[key]} ({count[key] / max(len(some), 1):.0%})" for key in ("first", "three"))
    return f"{len(some)} | {first} | {three} | {count['wrong']} | {count['silent']}"


def _list(results: list[Judged]) -> None:
    for result in results:
        if not result.among(1):
            mark = "!" if result.certain else "?"
            print(
                f"{result.report['id']}: {result.report['cause']} <- {' '.join(result.names) or '-'} {mark}"
            )


if __name__ == "__main__":
    main()
