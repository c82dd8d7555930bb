"""rdma-device-not-mounted-in-container"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text
from tests.faults.remedies import asked, only, verbs

FAULT = "rdma-device-not-mounted-in-container"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.LIKELY,
            (
                "gpu7:41:77 [0] NCCL INFO NET/IB : No device found.",
                "gpu7:41:77 [0] NCCL INFO Using network Socket",
                ("# note: our servers have ConnectX-6 cards, the job runs in docker on both of them"),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "$ ls /dev/infiniband",
                "ls: cannot access '/dev/infiniband': No such file or directory",
                "# note: inside the training pod; ibstat on the node shows an active port",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: 容器里 ibv_devices 什么都没有，宿主机上能看到 mlx5_0",),
        ),
        (
            Certainty.LIKELY,
            (
                "Failed to get IB devices list: No such file or directory",
                "container: pytorch image, started with --gpus all",
                "# note: the same command on the host lists four adapters",
            ),
        ),
    ],
)
def test_fires_on_what_people_show(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding, *_] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "lines",
    [
        (
            "NCCL INFO NET/IB : No device found.",
            "NCCL INFO Using network Socket",
            "# note: docker on a single node with two cards",
        ),
        (
            "NCCL INFO NET/IB : No device found.",
            "# note: two machines without InfiniBand, in docker",
        ),
        (
            "NCCL INFO Failed to open libibverbs.so[.1]",
            "# note: in our container, nodes have InfiniBand",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).findings == ()


def cluster(
    state: str = "active", layer: str = "infiniband", nodes: tuple[str, ...] = (), **changes: Any
) -> Snapshot:
    port = {"state": state, "link_layer": layer, "rate": "400 Gb/sec (4X NDR)"}
    network = {
        "state": "read",
        "interfaces": {},
        "rdma": {"mlx5_0": {"driver": "mlx5_core", "firmware": "28.42", "ports": {"1": port}}},
        "rdma_nodes": list(nodes),
        "peermem": None,
    }
    docker = {"state": "read", "engine": "docker", "injected": []}
    return recording("h200-healthy", **{"network": network, "container": docker, **changes})


def test_fires_in_a_container_without_the_nodes() -> None:
    [finding] = judge(FAULT, cluster()).findings

    assert (finding.kind, finding.subject) == (Kind.RISK, "folder:/dev/infiniband")
    assert finding.evidence[0].value == "active"


@pytest.mark.parametrize(
    "snapshot",
    [
        cluster(nodes=("uverbs0",)),
        cluster(state="down"),
        cluster(layer="ethernet"),
        cluster(pci={"nvidia_gpus": []}),
    ],
    ids=["handed-in", "down", "ethernet", "no-gpu"],
)
def test_clear_where_nothing_is_missing(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_outside_of_a_container() -> None:
    assert judge(FAULT, cluster(container={"state": "absent"})).findings == ()


def test_claims_nothing_when_the_network_is_unread() -> None:
    snapshot = cluster(network={"state": "denied"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_the_remedy_has_the_options_of_the_engine() -> None:
    finding = only("rdma-device-not-mounted-in-container", cluster())

    assert asked(finding)[1] == (
        Verb.CONTAINER_FLAGS,
        {"flags": "--device=/dev/infiniband --ulimit memlock=-1 --cap-add=IPC_LOCK"},
    )


def test_the_remedy_of_a_pod_has_none() -> None:
    pod = {"state": "read", "engine": "kubernetes", "injected": []}

    found = only("rdma-device-not-mounted-in-container", cluster(container=pod))
    assert set(verbs(found)) == {Verb.INSTRUCT}
