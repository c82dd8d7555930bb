"""A container and its host: two views of one machine, judged together."""

from collections.abc import Sequence

from msgspec import structs

from codeblue.diagnose.engine import evaluate
from codeblue.model.fault import Fault
from codeblue.model.finding import Finding, Verdict
from codeblue.model.layers import Layer
from codeblue.model.snapshot import View

HOST_LAYERS = (Layer.HARDWARE, Layer.DRIVER, Layer.DEVICE_ACCESS, Layer.CONTAINER)
"""The job runs inside: interpreter, libraries and variables of the host's shell are none of its business."""


def host_faults(faults: Sequence[Fault]) -> list[Fault]:
    """Return the faults that are judged on the host of a container."""
    return [fault for fault in faults if fault.layer in HOST_LAYERS and fault.check is not None]


def sided(verdicts: list[Verdict], side: str | None) -> list[Verdict]:
    """Return the verdicts with their findings marked as seen from this side."""
    return [
        structs.replace(v, findings=tuple(structs.replace(f, side=side) for f in v.findings))
        for v in verdicts
    ]


def host_verdicts(faults: Sequence[Fault], host: View) -> list[Verdict]:
    """Judge the host around a container."""
    return sided(evaluate(host_faults(faults), host), "host")


def united(inside: list[Finding], around: list[Finding]) -> list[Finding]:
    """Return the findings of both sides; what both show is told once, on the host, where it is mended."""
    known = {(finding.fault, finding.subject) for finding in around}
    return [*around, *(f for f in inside if (f.fault, f.subject) not in known)]
