"""nvlsm-missing-on-nvlink5"""

from typing import Any

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Finding, Outcome, Verdict
from codeblue.model.remedy import Automation, Undo, Verb
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge as whole
from tests.conftest import judge, recording, text
from tests.faults.remedies import asked, only, verbs

FAULT = "nvlsm-missing-on-nvlink5"
GPU = "0000:00:06.0"
B200, GB200, H200 = "2901", "2941", "2335"
NOTHING: dict[str, Any] = {"services": {}, "processes_visible": True}


def board(device: str = B200, **changes: Any) -> Snapshot:
    broken: dict[str, Any] = {
        "cuda": {"init": 802},
        "pci": {"functions": {GPU: {"device": device}}},
        "host": {"hypervisor": None},
        "services": NOTHING,
    }
    return recording("h200-healthy", **(broken | changes))


def judged(device: str = B200, **changes: Any) -> Verdict:
    return judge(FAULT, board(device, **changes))


def nvlsm(**row: Any) -> dict[str, Any]:
    return NOTHING | {"services": {"nvlsm": row}}


def test_fires_when_it_is_not_installed() -> None:
    [finding] = judged().findings

    assert (finding.variant, finding.certainty) == ("not-installed", Certainty.CERTAIN)


def test_fires_when_it_does_not_run() -> None:
    [finding] = judged(services=nvlsm(running=False)).findings

    assert (finding.variant, finding.certainty) == ("not-running", Certainty.LIKELY)


def test_it_explains_that_the_fabric_manager_gave_up() -> None:
    failed = {"nvidia-fabricmanager": {"state": "failed", "running": False}}

    diagnosis = whole(board(services=NOTHING | {"services": failed}))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert "fabric-manager-not-running" in [effect.finding.fault for effect in diagnosis.consequences]


@pytest.mark.parametrize("device", [H200, GB200, "20F1", "ffff"])
def test_clear_on_boards_that_do_not_need_it_here(device: str) -> None:
    assert judged(device).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "changes",
    [
        {"services": nvlsm(running=True)},
        {"cuda": {"init": 0}},
        {"cuda": {"init": 999}},
        {"host": {"hypervisor": "kvm"}},
        {"container": {"state": "read", "engine": "docker", "injected": []}},
        {"services": NOTHING | {"processes_visible": False}},
    ],
    ids=["runs", "healthy", "another error", "virtual machine", "container", "hidden processes"],
)
def test_clear_where_it_runs_or_cannot_be_seen(changes: dict[str, Any]) -> None:
    assert judged(**changes).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_services_are_unread() -> None:
    assert judged(services={"state": "error"}).outcome is Outcome.SKIPPED
    assert judged(services={"processes_visible": ...}).outcome is Outcome.SKIPPED


def test_comes_first_where_its_program_is_not_there() -> None:
    words = text(
        "nvidia-fabricmanager-start.sh[9]: /opt/nvidia/nvlsm/sbin/nvlsm: not found",
        "systemd[1]: nvidia-fabricmanager.service: Failed with result 'exit-code'.",
        "gpu: 8x B300",
    )

    assert pipeline.judge(words).causes[0].finding.fault == "nvlsm-missing-on-nvlink5"


def test_fires_on_a_note_about_the_package() -> None:
    words = text(
        "Error 802: system not yet initialized",
        "# note: 这台 B200 装了 fabricmanager，没装 nvlsm",
    )

    assert judge("nvlsm-missing-on-nvlink5", words).outcome is Outcome.FIRED


FAILED = {"nvidia-fabricmanager": {"state": "failed", "running": False}}
MODULES = [(Verb.MODULE_LOAD, {"module": "mlx5_ib"}), (Verb.MODULE_LOAD, {"module": "ib_umad"})]
RESTART = (Verb.SERVICE_RESTART, {"service": "nvidia-fabricmanager"})


def of(services: dict[str, Any], distribution: str = "ubuntu") -> Finding:
    host = {"hypervisor": None, "distribution": distribution}
    return only(FAULT, board(services=NOTHING | {"services": services}, host=host))


def test_the_remedy_installs_loads_and_restarts() -> None:
    finding = of(FAILED)

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.NONE)
    assert asked(finding) == [(Verb.PACKAGE_INSTALL, {"package": "nvlsm"}), *MODULES, RESTART]


def test_the_remedy_of_one_that_does_not_run_installs_nothing() -> None:
    assert asked(of(FAILED | {"nvlsm": {"running": False}})) == [*MODULES, RESTART]


def test_the_remedy_is_a_persons_without_fabric_manager_or_a_certain_package() -> None:
    for finding in (of({}), of({"nvlsm": {"running": False}}), of(FAILED, "sles")):
        assert verbs(finding) == [Verb.INSTRUCT]
