"""A step that asked for no GPU rightly sees none: the node is not blamed, nothing is claimed of its GPUs."""

from typing import Any

import pytest
from msgspec import structs

from codeblue.model.diagnosis import BarrierState, Overall
from codeblue.model.layers import Layer
from codeblue.model.section import UNREAD
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge
from tests.conftest import recording

NOT_RUN = ("nodes", "cuda", "nvml", "fabric", "nvidia_smi", "torch_trial")


def read_without_gpu(variables: dict[str, str], marked: bool = True) -> Snapshot:
    """Return a healthy machine as a step without a GPU reads it."""
    whole = recording("healthy", environment={"variables": variables})
    unread = dict.fromkeys(NOT_RUN, UNREAD)
    views = [structs.replace(view, until="plain", without_gpu=marked, **unread) for view in whole.views]
    return structs.replace(whole, views=views)


@pytest.mark.parametrize(
    "visible", [{}, {"CUDA_VISIBLE_DEVICES": "NoDevFiles"}, {"CUDA_VISIBLE_DEVICES": ""}]
)
def test_a_healthy_node_stays_healthy(visible: dict[str, str]) -> None:
    found = judge(read_without_gpu({"SLURM_JOB_ID": "9", **visible}))

    assert found.verdict in (Overall.HEALTHY, Overall.RISK)
    assert not found.causes and not found.consequences
    layers = {one.layer: one.state for one in found.barriers}
    assert set(layers) == {Layer.HARDWARE, Layer.DRIVER, Layer.PYTHON}
    assert BarrierState.UNREAD not in layers.values()


def test_without_the_mark_it_is_not_called_healthy() -> None:
    assert judge(read_without_gpu({}, marked=False)).verdict is Overall.UNKNOWN


@pytest.mark.parametrize(
    ("on_disk", "verdict"),
    [(["/lib/modules/6.8/updates/nvidia.ko"], Overall.TROUBLE), (..., Overall.UNKNOWN)],
)
def test_a_driver_that_is_not_there_is_told_all_the_same(on_disk: Any, verdict: Overall) -> None:
    changes = {"loaded": {"nvidia": ...}, "built_in": False, "on_disk": on_disk}
    [other] = recording("healthy", modules=changes, driver={"state": "absent"}).views
    whole = read_without_gpu({})
    views = [structs.replace(view, modules=other.modules, driver=other.driver) for view in whole.views]

    found = judge(structs.replace(whole, views=views))

    assert found.verdict is verdict
