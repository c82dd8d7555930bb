"""What NCCL printed in a trial reaches the rules: as facts, and as lines that signatures know."""

from typing import Any

from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot, View
from codeblue.pipeline import judge as whole
from codeblue.pipeline import signatures
from codeblue.sources.live import view_of
from tests.conftest import judge

HEAD = "gpu7:91:91 [0] NCCL INFO "
FABRIC = {
    "state": "read",
    "gpus": {},
    "peers": {"0-1": {"level": "node", "read": "ok", "write": "ok", "nvlink": "ok"}},
}
WARN = "[2026-12-01 10:00:00] gpu7:91:91 [0] bootstrap.cc:1 NCCL WARN "


def seen(*lines: str, **rows: Any) -> View:
    """Return the view of a probe whose trial printed these lines."""
    trial = {
        "state": "read",
        "passed_over": {},
        "devices": {"0": {"rank": 0, "world": 2, "backend": "nccl", "gpu": "NVIDIA H200"} | rows},
        "words": "\n".join(lines),
    }
    host = {"state": "read", "hostname": "host-a", "boot_id": "b"}
    document = {
        "part": "final",
        "time": "2026-12-01T10:00:00Z",
        "until": "frameworks",
        "probe_python": "3.11",
        "sections": {"host": host, "nccl_trial": trial, "fabric": FABRIC},
    }
    return view_of(document, "local", signatures(), 1.0)


def causes(view: View) -> list[str]:
    return [cause.finding.fault for cause in whole(Snapshot(views=[view])).causes]


def test_a_healthy_log_accuses_nobody() -> None:
    view = seen(
        HEAD + "NCCL version 2.28.9+cuda13.0",
        HEAD + "Bootstrap: Using eth0:192.0.2.2<0>",
        HEAD + "NET/Plugin: Could not find: libnccl-net.so",
        HEAD + "NET/IB : No device found.",
        HEAD + "Using network Socket",
        HEAD + "Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM",
        HEAD + "Channel 00/0 : 1[1] -> 0[0] via P2P/CUMEM",
    )

    assert view.nccl_trial.log.transports == {"P2P/CUMEM": 2}
    assert causes(view) == []


def test_peer_transfers_that_a_file_of_nccl_forbids() -> None:
    """The variable is not in the environment of the job: NCCL has read it elsewhere."""
    speed = {"busbw": 28.7, "algbw": 28.7, "seconds": 0.019, "wrong": 0}
    view = seen(
        HEAD + "NCCL_P2P_DISABLE set by environment to 1",
        HEAD + "Channel 00 : 0[0] -> 1[1] via SHM/direct/direct",
        collectives={"all_reduce": {str(1 << 29): speed}},
    )
    [cause] = whole(Snapshot(views=[view])).causes

    assert (cause.finding.fault, cause.finding.subject) == (
        "nccl-transport-disabled-by-env",
        "env:NCCL_P2P_DISABLE",
    )
    assert cause.finding.remedy is not None
    assert any("/etc/nccl.conf" in step.why.say("en") for step in cause.finding.remedy.steps)


def test_an_interface_that_is_not_there() -> None:
    view = seen(
        HEAD + "NCCL_SOCKET_IFNAME set by environment to eth9",
        WARN + "Bootstrap : no socket interface found",
        "torch.distributed.DistBackendError: NCCL error in: x.cpp:1, invalid usage, NCCL version 2.28.9",
        error="DistBackendError: NCCL error: invalid usage",
    )

    assert view.nccl_trial.log.variables == {"NCCL_SOCKET_IFNAME": "eth9"}
    assert causes(view) == ["nccl-socket-ifname-wrong"]


def test_shared_memory_that_is_too_small() -> None:
    view = seen(
        WARN + "Error: failed to extend /dev/shm/nccl-7k3x to 33030532 bytes, error: No space left on device",
        WARN + "Error while creating shared memory segment /dev/shm/nccl-7k3x (size 33030528), error 28",
    )

    assert causes(view) == ["shm-too-small"]


def test_memory_that_may_not_be_locked() -> None:
    view = seen(WARN + "Call to ibv_create_cq failed with error Cannot allocate memory")

    assert causes(view) == ["memlock-limit-too-low"]


def test_lines_of_the_trial_belong_to_this_machine() -> None:
    view = seen(WARN + "Bootstrap : no socket interface found")

    assert all("gpu7" not in one.text for one in view.sightings.seen)
    assert judge("nccl-socket-ifname-wrong", Snapshot(views=[view])).outcome is Outcome.FIRED
