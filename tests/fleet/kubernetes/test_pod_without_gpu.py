"""A pod that asked for no GPU sees the driver of its node and no device: rightly so."""

from typing import Any

from msgspec import structs

from codeblue.model.diagnosis import Overall
from codeblue.model.facts import Nodes
from codeblue.model.section import UNREAD, State
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge
from tests.conftest import recording

NOT_RUN = ("cuda", "nvml", "fabric", "nvidia_smi", "torch_trial")
DRIVER = ("libcuda.so", "libcuda.so.1", "libnvidia-ml.so.1")


def _pod(*, marked: bool, visible: str) -> Snapshot:
    """Return what a probe reads in a pod on a healthy node: no driver library, no device node."""
    variables = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", "NVIDIA_VISIBLE_DEVICES": visible}
    changes: dict[str, Any] = {
        "environment": {"variables": variables},
        "container": {"state": "read", "engine": "kubernetes", "injected": []},
        "container_run": {"state": "absent", "reason": "looked at from inside"},
        "loader": {"libraries": dict.fromkeys(DRIVER, ...), "libcuda_copies": [], "nvidia_ml_copies": []},
    }
    whole = recording("healthy", **changes)
    nodes = Nodes(state=State.ABSENT, reason="no /dev/nvidia*")
    unread = dict.fromkeys(NOT_RUN, UNREAD)
    views = [
        structs.replace(view, until="plain", without_gpu=marked, nodes=nodes, **unread)
        for view in whole.views
    ]
    return structs.replace(whole, views=views)


def test_it_is_not_blamed() -> None:
    found = judge(_pod(marked=True, visible="void"))
    assert found.verdict in (Overall.HEALTHY, Overall.RISK)
    assert not found.causes and not found.consequences


def test_one_that_was_to_have_gpus_and_has_none_is() -> None:
    found = judge(_pod(marked=False, visible="all"))
    assert [cause.finding.fault for cause in found.causes] == ["container-started-without-nvidia-runtime"]
