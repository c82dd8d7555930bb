"""nvlink-inactive"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording

FAULT = "nvlink-inactive"
H200 = "NVIDIA H200"


def links(active: int, of: int = 18) -> dict[str, Any]:
    return {"links": {str(number): {"active": number < active} for number in range(of)}}


def judged(*active: int, device: str = "2335", **changes: Any) -> Verdict:
    """Judge a board whose GPUs have these numbers of active links."""
    addresses = [f"0000:{16 + index:02x}:00.0" for index in range(len(active))]
    row = {"handle": 0, "name": H200, "mig": False}
    sections: dict[str, Any] = {
        "fabric": {
            "state": "read",
            "gpus": {str(index): links(count) for index, count in enumerate(active)},
            "peers": {},
        },
        "nvml": {"gpus": {str(i): row | {"pci": address} for i, address in enumerate(addresses)}},
        "pci": {
            "functions": {a: {"vendor": "10de", "device": device, "pci_class": "030200"} for a in addresses}
        },
    }
    return judge(FAULT, recording("h200-healthy", **(sections | changes)))


def test_fires_on_the_gpu_with_fewer_links() -> None:
    [finding] = judged(18, 16, 18).findings

    assert (finding.subject, finding.kind) == ("gpu:1", Kind.RISK)
    assert "16 active" in finding.summary.say("en")
    assert [evidence.path for evidence in finding.evidence] == [
        "fabric[1].links[16].active",
        "fabric[1].links[17].active",
    ]


def test_fires_on_the_gpu_without_any() -> None:
    assert [finding.subject for finding in judged(18, 0).findings] == ["gpu:1"]


@pytest.mark.parametrize("active", [(18, 18), (0, 0), (12, 12), (0,), (17,)])
def test_clear_when_all_are_alike(active: tuple[int, ...]) -> None:
    assert judged(*active).outcome is Outcome.CLEAR


def test_clear_on_cards_with_bridges() -> None:
    assert judged(12, 12, 0, device="2331").outcome is Outcome.CLEAR


def test_clear_in_mig_mode() -> None:
    row = {"handle": 0, "name": H200}
    rows = {
        "0": row | {"pci": "0000:10:00.0", "mig": False},
        "1": row | {"pci": "0000:11:00.0", "mig": True},
    }

    assert judged(18, 0, nvml={"gpus": rows}).outcome is Outcome.CLEAR


def test_claims_nothing_when_links_are_unread() -> None:
    unsupported: dict[str, Any] = {"unread": {"links": "unsupported"}}
    fabric = {"state": "read", "gpus": {"0": unsupported, "1": unsupported}}

    verdict = judged(18, 18, fabric=fabric)

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "fabricgpu.links: unsupported")
    assert judged(18, 0, fabric={"state": "absent"}).outcome is not Outcome.FIRED
