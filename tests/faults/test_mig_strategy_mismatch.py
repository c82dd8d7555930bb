"""mig-strategy-mismatch"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "mig-strategy-mismatch"
SHOWS = (
    (
        (
            "panic: At least one device with migEnabled=true was not configured correctly: More than "
            "one MIG device type present on node"
        ),
    ),
    ("error: all devices on the node must be configured with the same migEnabled value",),
    ("nvidia.com/gpu.product=NVIDIA-A100-SXM4-80GB-MIG-INVALID",),
    (("# note: operator set to single strategy, but the A100 was cut into mig slices of different sizes"),),
    (
        "mig.strategy=single",
        "# note: 节点上的 MIG 实例规格不一，plugin 起不来",
    ),
)
OTHERS = (
    (
        "mig.strategy=mixed",
        "  nvidia.com/mig-1g.10gb:  7",
    ),
    (
        "mig.strategy=single",
        "GPU 0: MIG 1g.10gb",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_layout_that_does_not_fit(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_layout_that_fits(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [('device-plugin: migStrategy "none"', "  nvidia.com/gpu: 0", "MIG devices:", "No MIG devices found")],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
