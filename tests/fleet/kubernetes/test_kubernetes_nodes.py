"""What the API tells of nodes and pods, and what becomes of it."""

import msgspec
import pytest

from codeblue.fleet.engines.kubernetes import nodes, pods
from codeblue.fleet.engines.kubernetes.cluster import Cluster
from codeblue.model.facts import KubernetesNode
from codeblue.model.fleet import NodeState
from codeblue.model.section import State, was_read
from codeblue.transport.calling import Answer


def _node(**told: object) -> nodes.Node:
    ready = {"type": "Ready", "status": "True"}
    raw = {
        "metadata": {"name": "gpu001", "labels": told.get("labels", {})},
        "spec": {"unschedulable": told.get("cordoned", False)},
        "status": {
            "allocatable": {"cpu": "8", "nvidia.com/gpu": "8", "nvidia.com/mig-1g.10gb": "0"},
            "conditions": [told.get("ready", ready)],
        },
    }
    return msgspec.convert(raw, nodes.Node)


def test_a_free_node_is_asked_with_all_its_gpus() -> None:
    node = _node(labels={"cloud.google.com/gke-nodepool": "a100", "nvidia.com/gpu.product": "A100"})
    listed = nodes.listed(node, {}, gpus=True, cordoned=False)
    assert (listed.state, listed.group) == (None, "a100")
    assert nodes.request(node) == {"nvidia.com/gpu": 8}


def test_a_node_whose_gpus_pods_hold_is_left_alone_unless_none_is_wanted() -> None:
    listed = nodes.listed(_node(), {"gpu001": 3}, gpus=True, cordoned=False)
    assert (listed.state, listed.why) == (NodeState.ALLOCATED, "pods hold 3 of 8 GPUs")
    assert nodes.listed(_node(), {"gpu001": 3}, gpus=False, cordoned=False).state is None


@pytest.mark.parametrize(
    ("told", "why"),
    [
        (
            {
                "ready": {
                    "type": "Ready",
                    "status": "Unknown",
                    "reason": "NodeStatusUnknown",
                    "message": "gone",
                }
            },
            "NotReady: NodeStatusUnknown: gone",
        ),
        ({"ready": {"type": "DiskPressure", "status": "False"}}, "NotReady: its kubelet has never reported"),
        ({"cordoned": True}, "cordoned: somebody took it out of scheduling"),
    ],
)
def test_what_the_cluster_takes_for_down_is_told_with_its_words(told: dict[str, object], why: str) -> None:
    listed = nodes.listed(_node(**told), {}, gpus=True, cordoned=False)
    assert (listed.state, listed.why) == (NodeState.DOWN, why)


def test_a_cordoned_node_is_asked_on_demand() -> None:
    assert nodes.listed(_node(cordoned=True), {}, gpus=True, cordoned=True).state is None


def test_of_a_gpu_in_time_slices_one_share_is_asked_for() -> None:
    assert nodes.request(_node(labels={"nvidia.com/gpu.replicas": "4"})) == {"nvidia.com/gpu": 1}


@pytest.mark.parametrize(
    ("text", "count"), [("8", 8), ("1k", 1000), ("", 0), ("x", 0), ("NaN", 0), ("Infinity", 0)]
)
def test_quantities(text: str, count: int) -> None:
    assert nodes.whole(text) == count


def _pod(**status: object) -> pods.Pod:
    return msgspec.convert(
        {"metadata": {"name": "x", "labels": {"job-name": "j"}}, "status": status}, pods.Pod
    )


@pytest.mark.parametrize("reason", ["ErrImagePull", "ImagePullBackOff", "CreateContainerConfigError"])
def test_a_pod_that_cannot_start_is_told_at_once(reason: str) -> None:
    waiting = {"reason": reason, "message": "no such\nthing"}
    fate = pods.stuck(_pod(phase="Pending", containerStatuses=[{"state": {"waiting": waiting}}]))
    assert fate == pods.Fate(NodeState.REFUSED, f"{reason}: no such thing")


def test_a_pod_that_is_being_made_is_waited_for() -> None:
    waiting = {"reason": "ContainerCreating"}
    pod = _pod(phase="Pending", containerStatuses=[{"state": {"waiting": waiting}}])
    assert pods.stuck(pod) is None and pods.unplaced(pod) is None and not pod.over


@pytest.mark.parametrize(
    ("words", "state"),
    [
        ("0/9 nodes are available: 1 Insufficient nvidia.com/gpu.", NodeState.ALLOCATED),
        ("0/9 nodes are available: 1 node(s) had taint {dedicated: a}.", NodeState.REFUSED),
    ],
)
def test_the_scheduler_says_whether_somebody_was_quicker(words: str, state: NodeState) -> None:
    row = {"type": "PodScheduled", "status": "False", "reason": "Unschedulable", "message": words}
    fate = pods.unplaced(_pod(phase="Pending", conditions=[row]))
    assert fate == pods.Fate(state, f"Unschedulable: {words}")


@pytest.mark.parametrize(
    ("status", "state", "why"),
    [
        ({"reason": "OutOfnvidia.com/gpu", "message": "m"}, NodeState.ALLOCATED, "OutOfnvidia.com/gpu: m"),
        ({"reason": "DeadlineExceeded"}, NodeState.SILENT, "DeadlineExceeded"),
        ({"reason": "Evicted", "message": "low on memory"}, NodeState.REFUSED, "Evicted: low on memory"),
        (
            {"containerStatuses": [{"state": {"terminated": {"reason": "OOMKilled", "exitCode": 137}}}]},
            NodeState.REFUSED,
            "OOMKilled, exit code 137",
        ),
    ],
)
def test_a_pod_that_ended_without_an_answer(status: dict[str, object], state: NodeState, why: str) -> None:
    assert pods.ended(_pod(phase="Failed", **status)) == pods.Fate(state, why)


def _told(claims: list[str] | None, **status: dict[str, str]) -> dict[str, object]:
    labels = {"nvidia.com/gpu.present": "true", "kubernetes.io/hostname": "gpu001"}
    raw = {"metadata": {"name": "gpu001", "labels": labels}, "status": status}
    return nodes.told(msgspec.convert(raw, nodes.Node), claims)


def test_what_the_cluster_says_of_gpus_is_told_and_of_network_cards_not() -> None:
    counts = {
        "cpu": "8",
        "nvidia.com/gpu": "7",
        "nvidia.com/rdma_shared_device_a": "63",
        "hugepages-2Mi": "0",
    }

    section = _told(None, allocatable=counts, capacity=counts | {"nvidia.com/gpu": "8"})

    assert (section["allocatable"], section["capacity"]) == ({"nvidia.com/gpu": 7}, {"nvidia.com/gpu": 8})
    assert section["labels"] == {"nvidia.com/gpu.present": "true"}
    assert "claims" not in section and "unread" not in section


@pytest.mark.parametrize(("claims", "state"), [(None, State.DENIED), ([], None), (["gpu.nvidia.com"], None)])
def test_other_offers_of_a_node_without_gpus_are_told_if_they_may_be_seen(
    claims: list[str] | None, state: State | None
) -> None:
    section = msgspec.convert(_told(claims, allocatable={"cpu": "8"}), KubernetesNode)

    assert section.unread.get("claims") is state
    if claims is None:
        assert not was_read(section, "claims")
    else:
        assert section.claims == claims


@pytest.mark.parametrize(
    ("answer", "claims"),
    [
        (Answer(0, b"n2\tgpu.nvidia.com\nn1\tgpu.nvidia.com\nn1\tgpu.nvidia.com\n", ""), {"n1", "n2"}),
        (Answer(0, b"", ""), set()),
        (Answer(1, b"", 'error: the server doesn\'t have a resource type "resourceslices"'), set()),
        (Answer(1, b"", "Error from server (Forbidden): resourceslices is forbidden"), None),
    ],
)
def test_claims_are_told_by_node(
    answer: Answer, claims: set[str] | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With answers made up: the API server of the tests is older than claims."""
    cluster = Cluster(None, None)
    monkeypatch.setattr(cluster, "call", lambda *_, **__: answer)

    found = cluster.claims()

    assert (None if found is None else set(found)) == claims
    assert not found or found["n1"] == ["gpu.nvidia.com"]
