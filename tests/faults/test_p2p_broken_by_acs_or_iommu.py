"""p2p-broken-by-acs-or-iommu"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome, Verdict
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge as whole
from tests.conftest import joined, judge, recording, text

FAULT = "p2p-broken-by-acs-or-iommu"
A, B = "0000:41:00.0", "0000:42:00.0"
LEFT, RIGHT, SWITCH, ROOT = "0000:40:01.0", "0000:40:02.0", "0000:3f:00.0", "0000:00:03.1"
OVER_PCIE = {"read": "ok", "write": "ok", "nvlink": "not-supported"}


def machine(
    peer: dict[str, Any] | None = None,
    iommu: Any = "DMA-FQ",
    acs: Any = (),
    shared: bool = True,
    **changes: Any,
) -> Snapshot:
    """Return a bare host with two GPUs, behind one switch if ``shared``."""
    above = [[LEFT, SWITCH, ROOT], [RIGHT, SWITCH, ROOT] if shared else ["0000:80:03.1"]]
    row = {"vendor": "10de", "device": "20f1", "pci_class": "030200", "driver": "nvidia", "iommu": iommu}
    pci = {
        "functions": {a: row | {"upstream": way} for a, way in zip((A, B), above, strict=True)},
        "nvidia_gpus": [A, B],
        "ports": {port: {"access_control": list(acs)} for way in above for port in way},
    }
    gpu = {"handle": 0, "name": "NVIDIA A100-PCIE-40GB"}
    sections: dict[str, Any] = {
        "host": {"hypervisor": None},
        "pci": pci,
        "fabric": {"state": "read", "gpus": {}, "peers": {"0-1": OVER_PCIE | (peer or {})}},
        "nvml": {"gpus": {"0": gpu | {"pci": A}, "1": gpu | {"pci": B}}},
    }
    return recording("h200-healthy", **(sections | changes))


def judged(*arguments: Any, **changes: Any) -> Verdict:
    return judge(FAULT, machine(*arguments, **changes))


def logged(*lines: str) -> dict[str, Any]:
    return {"lines": [{"kind": "iommu", "seconds": 9.0, "text": line} for line in lines]}


@pytest.mark.parametrize(
    "line",
    [
        f"nvidia {A}: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0011 address=0xa0000000 flags=0x0020]",
        "DMAR: [DMA Write NO_PASID] Request device [42:00.0] fault addr 0xa0000000 [fault reason 0x05] PTE",
    ],
)
def test_fires_when_the_iommu_refused_a_gpu(line: str) -> None:
    [finding] = judged(iommu=None, kernel_log=logged(line)).findings

    assert (finding.kind, finding.certainty, finding.variant) == (
        Kind.TROUBLE,
        Certainty.LIKELY,
        "iommu-fault",
    )


def test_a_translating_iommu_is_a_risk_until_something_hangs() -> None:
    [finding] = judged().findings

    assert (finding.kind, finding.certainty, finding.variant) == (Kind.RISK, Certainty.POSSIBLE, "iommu")
    hang = text("[Rank 1] Watchdog caught collective operation timeout: WorkNCCL(SeqNum=1, OpType=ALLREDUCE)")
    diagnosis = whole(joined(machine(), hang))
    assert FAULT in [cause.finding.fault for cause in diagnosis.causes]


def test_redirection_in_a_shared_switch_is_a_risk() -> None:
    [finding] = judged(iommu="identity", acs=["source-validation", "request-redirect"]).findings

    assert (finding.kind, finding.variant) == (Kind.RISK, "acs")
    assert finding.evidence[-1].path == f"pci.ports[{LEFT}].access_control"


@pytest.mark.parametrize(
    "settings",
    [
        {"peer": {"nvlink": "ok"}},
        {"peer": {"read": "chipset-not-supported"}},
        {"iommu": "identity"},
        {"iommu": None},
        {"iommu": None, "acs": ["source-validation"]},
        {"iommu": None, "acs": ["request-redirect"], "shared": False},
        {"host": {"hypervisor": "kvm"}},
        {
            "kernel_log": logged("DMAR: [DMA Read NO_PASID] Request device [03:00.0] fault addr 0x0"),
            "iommu": None,
        },
    ],
    ids=[
        "NVLink",
        "no P2P",
        "passed through",
        "off",
        "no redirect",
        "no switch",
        "virtual",
        "another device",
    ],
)
def test_clear_where_nothing_stands_between(settings: dict[str, Any]) -> None:
    assert judged(**settings).outcome is Outcome.CLEAR


def test_clear_on_one_gpu_whatever_its_iommu() -> None:
    line = f"nvidia {A}: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0011 address=0x0 flags=0x0020]"
    pci = {"functions": {A: {"iommu": "DMA"}}, "nvidia_gpus": [A]}
    snapshot = recording("h200-healthy", host={"hypervisor": None}, pci=pci, kernel_log=logged(line))

    assert judge(FAULT, snapshot).outcome is not Outcome.FIRED


def test_fires_on_text() -> None:
    line = f"nvidia {A}: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0011 address=0x0 flags=0x0020]"
    acs = "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-"

    assert judge(FAULT, text(line)).findings[0].certainty is Certainty.POSSIBLE
    assert judge(FAULT, text(acs)).findings[0].certainty is Certainty.POSSIBLE
    assert (
        judge(FAULT, text(acs.replace("ReqRedir+", "ReqRedir-"), line.replace("nvidia", "nvme"))).findings
        == ()
    )


def test_claims_nothing_when_access_control_is_denied() -> None:
    denied = {port: {"unread": {"access_control": "denied"}} for port in (LEFT, RIGHT, SWITCH, ROOT)}
    row = {"vendor": "10de", "device": "20f1", "pci_class": "030200", "driver": "nvidia", "iommu": None}
    functions = {A: row | {"upstream": [LEFT, SWITCH]}, B: row | {"upstream": [RIGHT, SWITCH]}}

    verdict = judged(pci={"functions": functions, "nvidia_gpus": [A, B], "ports": denied})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "pciport.access_control: denied")


def copied(wrong: dict[str, int], **changes: Any) -> Snapshot:
    """Return the machine with copies that were tried between its two GPUs."""
    trial = {"state": "read", "passed_over": {}, "devices": {"0": {"pairs": {"0-1": {"wrong": wrong}}}}}
    cuda = {"devices": {"0": {"name": "A", "pci": A}, "1": {"name": "A", "pci": B}}}
    return machine(links_trial=trial, cuda=cuda, **changes)


@pytest.mark.parametrize(
    ("settings", "variant"), [({}, "iommu"), ({"iommu": "identity", "acs": ["request-redirect"]}, "acs")]
)
def test_fires_when_copies_arrive_changed(settings: dict[str, Any], variant: str) -> None:
    snapshot = copied({"copy of 4096 bytes": 1024}, **settings)
    [finding] = judge(FAULT, snapshot).findings

    assert (finding.kind, finding.certainty, finding.variant) == (Kind.TROUBLE, Certainty.CERTAIN, variant)
    diagnosis = whole(snapshot)
    assert FAULT in [cause.finding.fault for cause in diagnosis.causes]
    assert "collective-results-wrong" in [one.finding.fault for one in diagnosis.consequences]


def test_changed_copies_alone_do_not_accuse_the_iommu() -> None:
    assert judge(FAULT, copied({"copy of 4096 bytes": 3}, iommu=None)).outcome is Outcome.CLEAR
    [finding] = judge(FAULT, copied({})).findings
    assert finding.kind is Kind.RISK
