"""A pod that asked for no GPU sees the driver of its node and no device: rightly so."""

from msgspec import structs

from codeblue.model.diagnosis import Overall
from codeblue.model.section import UNREAD, State
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge
from tests.conftest import recording

NOT_RUN = ("nodes", "cuda", "nvml", "fabric", "nvidia_smi", "torch_trial")
CONTAINER = {"state": "read", "engine": "kubernetes", "injected": []}
DRIVER = ("libcuda.so", "libcuda.so.1", "libnvidia-ml.so.1")
LOADER = {"libraries": dict.fromkeys(DRIVER, ...), "libcuda_copies": [], "nvidia_ml_copies": []}


def _pod(*, marked: bool, **variables: str) -> Snapshot:
    """Return what a probe reads in a pod on a healthy node: no driver library, no device node."""
    here = {"KUBERNETES_SERVICE_HOST": "10.0.0.1", **variables}
    whole = recording(
        "healthy", environment={"variables": here}, container=CONTAINER, loader={"libraries": {}}
    )
    unread = dict.fromkeys(NOT_RUN, UNREAD)
    gone = {"nodes": type(whole.views[0].nodes)(state=State.ABSENT, reason="no /dev/nvidia*")}
    views = [
        structs.replace(view, until="plain", without_gpu=marked, **{**unread, **gone}) for view in whole.views
    ]
    return structs.replace(whole, views=views)


def test_it_is_not_blamed() -> None:
    found = judge(_pod(marked=True, NVIDIA_VISIBLE_DEVICES="void"))
    assert found.verdict in (Overall.HEALTHY, Overall.RISK)
    assert not found.causes and not found.consequences


def test_one_that_asked_for_gpus_and_got_none_is() -> None:
    found = judge(_pod(marked=False, NVIDIA_VISIBLE_DEVICES="all"))
    assert "container-started-without-nvidia-runtime" in {cause.finding.fault for cause in found.causes}
