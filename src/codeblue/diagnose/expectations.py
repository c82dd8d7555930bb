"""Which of a site's expectations concern a machine, and which findings the site accepts."""

from collections.abc import Sequence
from datetime import date
from fnmatch import fnmatchcase

from msgspec import structs

from codeblue.model.diagnosis import Waived
from codeblue.model.facts import Expectations
from codeblue.model.fault import Kind
from codeblue.model.finding import Finding
from codeblue.model.site import Expect, Site, Waiver
from codeblue.model.snapshot import Snapshot

KEYS = Expect.__struct_fields__


def expectations(site: Site, host: str | None, source: str) -> Expectations | None:
    """Return what the site expects of the host of this name, None if nothing.

    ``host`` is None where only a pseudonym is known: then ``[[host]]`` tables cannot be tried.
    """
    tables = [site.expect, *(table.expect for table in site.host if host and _named(host, table.match))]
    wanted = {key: value for table in tables for key in KEYS if (value := getattr(table, key)) is not None}
    untried = host is None and bool(site.host)
    if not wanted and not untried:
        return None
    if isinstance(wanted.get("gpu"), str):
        wanted["gpu"] = [wanted["gpu"]]
    given = Expectations(source=source, host_unknown=untried)
    return structs.replace(given, **(dict.fromkeys(KEYS) | wanted))


def _named(host: str, pattern: str) -> bool:
    names = (host.lower(), host.lower().partition(".")[0])
    return any(fnmatchcase(name, pattern.lower()) for name in names)


def placed(expected: Expectations, snapshot: Snapshot) -> Snapshot:
    """Return the snapshot with the expectations in the views that they concern.

    Beside a container the number of GPUs is expected of its host, everything else where the job runs.
    """
    machine, host = snapshot.machine, snapshot.host
    if machine is None:
        return snapshot
    mine = {id(machine): expected}
    if host is not None and host is not machine:
        others = {key: None for key in KEYS if key != "gpus"}
        mine = {
            id(machine): structs.replace(expected, gpus=None),
            id(host): structs.replace(expected, **others),
        }
    views = [
        structs.replace(view, expectations=mine[id(view)]) if id(view) in mine else view
        for view in snapshot.views
    ]
    return structs.replace(snapshot, views=views)


def accepted(
    findings: Sequence[Finding], waivers: Sequence[Waiver], day: date
) -> tuple[list[Finding], tuple[Waived, ...]]:
    """Return the findings that are left, and those that a waiver takes away on this day."""
    left, waived = [], []
    for finding in findings:
        waiver = next((w for w in waivers if w.expires >= day and _covers(w, finding)), None)
        if waiver is None:
            left.append(finding)
        else:
            waived.append(_waived(waiver, finding))
    return left, tuple(waived)


def _covers(waiver: Waiver, finding: Finding) -> bool:
    same = waiver.fault == finding.fault and fnmatchcase(finding.subject, waiver.subject)
    return same and finding.kind is not Kind.HARMLESS


def _waived(waiver: Waiver, finding: Finding) -> Waived:
    told = structs.asdict(waiver) | {"subject": finding.subject, "expires": waiver.expires.isoformat()}
    return Waived(**told)
