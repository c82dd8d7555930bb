"""vgpu-unlicensed"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording


def judged(**gpu: Any) -> Verdict:
    return judge("vgpu-unlicensed", recording("h200-healthy", fabric={"state": "read", "gpus": {"0": gpu}}))


@pytest.mark.parametrize("state", ["unlicensed", "unlicensed-restricted"])
def test_fires_on_a_virtual_gpu_without_a_licence(state: str) -> None:
    [finding] = judged(virtualisation="vgpu", licence=state).findings

    assert (finding.kind, finding.subject) == (Kind.RISK, "gpu:0")


@pytest.mark.parametrize(
    ("mode", "state"),
    [
        ("vgpu", "licensed"),
        ("vgpu", "unlicensed-unrestricted"),
        ("vgpu", "uninitialised"),
        ("vgpu", None),
        ("pass-through", "unlicensed"),
        ("none", None),
    ],
)
def test_clear_where_none_is_needed_or_it_is_there(mode: str, state: str | None) -> None:
    assert judged(virtualisation=mode, licence=state).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_licence_is_unread() -> None:
    verdict = judged(virtualisation="vgpu", unread={"licence": "unsupported"})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "fabricgpu.licence: unsupported")
