"""Findings that the site's ``codeblue.toml`` accepts: a waiver whose subject is ``file:`` and a path."""

from collections.abc import Sequence
from datetime import date
from fnmatch import fnmatchcase

from msgspec import structs

from codeblue.model.lint import Finding, Linted, Suppressed
from codeblue.model.site import Waiver


def without(linted: Linted, waivers: Sequence[Waiver], day: date) -> Linted:
    """Return the result without what a waiver accepts on this day; it is told as accepted."""
    kept: list[Finding] = []
    accepted: list[Suppressed] = []
    for finding in linted.findings:
        waiver = next((one for one in waivers if one.expires >= day and _covers(one, finding)), None)
        if waiver is None:
            kept.append(finding)
        else:
            accepted.append(
                Suppressed(finding, "site", f"{waiver.reason} ({waiver.owner}, {waiver.expires})")
            )
    return structs.replace(linted, findings=tuple(kept), suppressed=(*linted.suppressed, *accepted))


def _covers(waiver: Waiver, finding: Finding) -> bool:
    return waiver.fault == finding.fault and fnmatchcase(f"file:{finding.path}", waiver.subject)
