"""ofed-modules-built-for-other-kernel"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ofed-modules-built-for-other-kernel"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            ("Module mlx5_ib does not exist, skipping...                 [FAILED]",),
        ),
        (
            Certainty.LIKELY,
            ("ib_ipoib: disagrees about version of symbol ib_register_client",),
        ),
        (
            Certainty.POSSIBLE,
            (
                (
                    "# note: after the kernel update the OFED packages were not built for it, "
                    "mlx5_core does not load"
                ),
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 升级内核后 MLNX_OFED 的模块加载失败，ib0 没有了",),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        ("nvidia: disagrees about version of symbol module_layout",),
        ("# note: opensm fails after the kernel update, mlx5_core is fine",),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
