"""benign-process-list-empty-in-container"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-process-list-empty-in-container"
TEXTS = (
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: docker exec into the training container, nvidia-smi works, the "
                "processes table is empty although memory is used"
            ),
        ),
    ),
    (
        Certainty.LIKELY,
        (
            "# kubectl exec into the pod",
            "# nvidia-smi shows 20 GiB in use but does not list any process",
        ),
    ),
    (
        Certainty.LIKELY,
        (
            "root@8d3f:/job# nvidia-smi",
            "|  No running processes found    |",
            "# 容器里训练明明在跑，宿主机上能看到 python 进程",
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 在容器内执行 nvidia-smi，看不到任何进程，显存占用是正常的",)),
    (
        Certainty.POSSIBLE,
        (("# note: nvtop inside podman prints pids that are the host's, ps does not know them"),),
    ),
)
OTHERS = (
    (
        "$ docker run --rm --gpus all nvidia/cuda:12.4.1-base-ubuntu22.04 nvidia-smi",
        "|  No running processes found    |",
    ),
    (("# note: in the container nvidia-smi lists no process, yet the job ends with CUDA out of memory"),),
    (
        "$ nvidia-smi",
        "# note: the process table is empty on the workstation",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_process_list_that_means_nothing(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_empty_lists(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_fires_on_a_busy_gpu_without_processes() -> None:
    words = text(
        "| 30%   55C   P2   180W / 250W |  10100MiB / 11264MiB |     97%      Default |",
        "|  No running processes found |",
        "# note: inside the pod",
    )

    assert judge("benign-process-list-empty-in-container", words).outcome is Outcome.FIRED


def test_clear_on_memory_held_by_nobody() -> None:
    words = text(
        "| 30%   35C   P8   18W / 250W |  10100MiB / 11264MiB |      0%      Default |",
        "|  No running processes found |",
        "# note: inside the pod",
    )

    assert judge("benign-process-list-empty-in-container", words).outcome is not Outcome.FIRED
