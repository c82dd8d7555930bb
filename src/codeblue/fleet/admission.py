"""Whether a node may start a job: only what is certainly broken, and below the job, keeps it out."""

from collections.abc import Collection, Iterator

from msgspec import Struct

from codeblue.model.diagnosis import BarrierState, Diagnosis, Explained
from codeblue.model.fault import Certainty
from codeblue.model.finding import Finding
from codeblue.model.layers import Layer

UP_TO = (Layer.HARDWARE, Layer.DRIVER, Layer.DEVICE_ACCESS, Layer.CONTAINER, Layer.LIBRARIES)
"""Layers that belong to the node; what is above them comes with the job."""


class Decision(Struct, frozen=True):
    """What is known of a node that a job is about to start on."""

    refused: Finding | None
    """What keeps jobs out."""
    unread: tuple[Layer, ...] = ()
    """Layers that could not be looked at, where nothing is refused."""


def decide(diagnosis: Diagnosis, layers: Collection[Layer], certainties: Collection[Certainty]) -> Decision:
    """Return the decision; the trouble that it names is the one that the diagnosis puts first."""
    found = next(_troubles(diagnosis, layers, certainties), None)
    if found is not None:
        return Decision(found)
    unread = (one.layer for one in diagnosis.barriers if one.state is BarrierState.UNREAD)
    return Decision(None, tuple(layer for layer in unread if layer in layers))


def _troubles(
    diagnosis: Diagnosis, layers: Collection[Layer], certainties: Collection[Certainty]
) -> Iterator[Finding]:
    def counts(one: Explained) -> bool:
        return one.finding.layer in layers and one.finding.certainty in certainties

    yield from (cause.finding for cause in diagnosis.causes if counts(cause))
    # The cause may be no more than likely where the failure that follows from it is plain to see.
    if all(cause.finding.layer in layers for cause in diagnosis.causes):
        yield from (effect.finding for effect in diagnosis.consequences if counts(effect))
