"""nvlink5-ib-modules-missing"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "nvlink5-ib-modules-missing"


@pytest.mark.parametrize(
    ("certainty", "lines"),
    [
        (
            Certainty.CERTAIN,
            (
                (
                    'nvidia-fabricmanager-start.sh[70]: Kernel module "ib_umad" has not been loaded, '
                    "fabric manager cannot be started"
                ),
            ),
        ),
        (
            Certainty.LIKELY,
            (
                "nvidia-fabricmanager-start.sh[70]: Detected Pre-NVL5 system",
                "gpu: 8x B200",
            ),
        ),
        (
            Certainty.POSSIBLE,
            ("# note: B300 服务器上 fabric manager 起不来，原来是 mlx5_ib 和 ib_umad 没有加载",),
        ),
        (
            Certainty.LIKELY,
            (
                "CUDA error: system not yet initialized",
                "# note: linux-modules-extra was missing on the image, modprobe ib_umad fixed it",
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
            "nvidia-fabricmanager-start.sh[1]: Detected Pre-NVL5 system",
            "gpu: 2x RTX 4090",
        ),
        (
            "cudaGetDeviceCount returned 802",
            "# note: H100, nvidia-fabricmanager not started",
        ),
    ],
)
def test_clear_on_its_neighbours(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_clear_where_nvlsm_itself_is_not_there() -> None:
    words = text(
        "nvlsm: command not found",
        "fabricmanager failed to start",
        "gpu: 8x B300",
    )

    assert judge("nvlink5-ib-modules-missing", words).outcome is not Outcome.FIRED
