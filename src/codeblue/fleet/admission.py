"""Whether a node may start a job: only what is certainly broken, and below the job, keeps it out."""

from collections.abc import Collection, Iterator

from msgspec import Struct

from codeblue.model.diagnosis import BarrierState, Diagnosis, Explained
from codeblue.model.fault import Certainty
from codeblue.model.finding import Finding
from codeblue.model.layers import Layer

UP_TO = (Layer.HARDWARE, Layer.DRIVER, Layer.DEVICE_ACCESS, Layer.CONTAINER, Layer.LIBRARIES)
"""Layers that belong to the node; what is above them comes with the job."""


class Terms(Struct, frozen=True, kw_only=True):
    """What a site refuses for."""

    layers: Collection[Layer] = UP_TO
    certainties: Collection[Certainty] = (Certainty.CERTAIN,)
    refuse_for: Collection[str] = ()
    """Faults that refuse in any case."""
    only_report: Collection[str] = ()
    """Faults that never refuse; they win over the others."""


class Decision(Struct, frozen=True):
    """What is known of a node that a job is about to start on."""

    refused: Finding | None
    """What keeps jobs out."""
    unread: tuple[Layer, ...] = ()
    """Layers that could not be looked at, where nothing is refused."""
    reported: tuple[Finding, ...] = ()
    """What would keep jobs out, were it not for the site's word that it is only to be told."""


def decide(diagnosis: Diagnosis, terms: Terms) -> Decision:
    """Return the decision; the trouble that it names is the one that the diagnosis puts first."""
    troubles = list(_troubles(diagnosis, terms))
    refused = next((one for one in troubles if one.fault not in terms.only_report), None)
    if refused is not None:
        return Decision(refused)
    unread = (one.layer for one in diagnosis.barriers if one.state is BarrierState.UNREAD)
    return Decision(None, tuple(layer for layer in unread if layer in terms.layers), tuple(troubles))


def _troubles(diagnosis: Diagnosis, terms: Terms) -> Iterator[Finding]:
    def counts(finding: Finding) -> bool:
        usual = finding.layer in terms.layers and finding.certainty in terms.certainties
        return usual or finding.fault in terms.refuse_for

    yield from (cause.finding for cause in diagnosis.causes if counts(cause.finding))
    # The cause may be no more than likely where the failure that follows from it is plain to see.
    below = all(cause.finding.layer in terms.layers for cause in diagnosis.causes)
    quiet = _following(diagnosis.consequences, terms.only_report)
    for finding in (effect.finding for effect in diagnosis.consequences):
        if finding.fault in terms.refuse_for or (below and counts(finding) and finding.fault not in quiet):
            yield finding
    yield from (risk for risk in diagnosis.risks if risk.fault in terms.refuse_for)


def _following(consequences: Collection[Explained], only_report: Collection[str]) -> set[str]:
    """Return the faults that nothing explains but such as are only to be told."""
    found, before = set(only_report), -1
    while len(found) != before:
        before = len(found)
        found |= {one.finding.fault for one in consequences if one.others and found.issuperset(one.others)}
    return found - set(only_report)
