"""gpu-fabric-unhealthy"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording

FAULT = "gpu-fabric-unhealthy"
WELL = 0b01_10_0001_10_10_10_10
"""Nothing degraded, nothing in recovery, configured rightly, partition assigned."""


def judged(**registration: Any) -> Verdict:
    row = {"state": "completed", "status": 0, "clique": 0, "multi_node": False} | registration
    fabric = {"state": "read", "gpus": {"0": {"fabric": row}}}
    return judge(FAULT, recording("h200-healthy", fabric=fabric))


@pytest.mark.parametrize(
    ("registration", "variant", "paths"),
    [
        ({"status": 999}, "registration-failed", ["status"]),
        ({"health": "unhealthy", "health_mask": WELL}, None, ["health"]),
        ({"health_mask": WELL & ~3 | 1}, "degraded-bandwidth", ["health_mask"]),
        ({"health_mask": 1 << 4}, "route-unhealthy", ["health_mask"]),
        (
            {"health": "unhealthy", "health_mask": 5 << 8},
            "incorrect-configuration",
            ["health_mask", "health"],
        ),
    ],
)
def test_fires_on_the_drivers_own_word(
    registration: dict[str, Any], variant: str | None, paths: list[str]
) -> None:
    [finding] = judged(**registration).findings

    assert (finding.kind, finding.subject, finding.variant) == (Kind.RISK, "gpu:0", variant)
    assert [evidence.path for evidence in finding.evidence] == [f"fabric[0].fabric.{path}" for path in paths]


@pytest.mark.parametrize(
    "registration",
    [
        {},
        {"health": "healthy", "health_mask": WELL},
        {"health": None, "health_mask": 0},
        {"health_mask": WELL & ~(3 << 2) | 1 << 2},
        {"state": "in-progress", "status": 999},
        {"state": "not-supported", "status": 3},
    ],
)
def test_clear_on_health_and_where_nothing_was_said(registration: dict[str, Any]) -> None:
    assert judged(**registration).outcome is Outcome.CLEAR


def test_clear_on_a_gpu_without_a_fabric() -> None:
    gpus = {"0": {"unread": {"fabric": "unsupported"}}}

    assert (
        judge(FAULT, recording("h200-healthy", fabric={"state": "read", "gpus": gpus})).outcome
        is Outcome.CLEAR
    )


def test_claims_nothing_when_the_fabric_is_unread() -> None:
    assert judge(FAULT, recording("h200-healthy", fabric={"state": "timeout"})).outcome is Outcome.SKIPPED
