"""conda-mirror-lacks-nvidia-channel"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "conda-mirror-lacks-nvidia-channel"
SHOWS = (
    (
        (
            "UnavailableInvalidChannel: HTTP 404 NOT FOUND for channel nvidia "
            "<https://mirrors.example.edu.cn/anaconda/cloud/nvidia>"
        ),
    ),
    (
        "  channel name: nvidia",
        "  channel url: https://mirrors.ustc.edu.cn/anaconda/nvidia",
        "  error code: 404",
    ),
    (
        (
            "CondaHTTPError: HTTP 404 NOT FOUND for url "
            "<https://mirrors.aliyun.com/anaconda/cloud/nvidia/linux-64/repodata.json>"
        ),
    ),
    ("# note: 用清华镜像装 pytorch-cuda，提示 nvidia 频道 404",),
    (
        "PackagesNotFoundError: The following packages are not available from current channels:",
        "  - pytorch-cuda=12.1",
        "  - https://mirrors.example.org/anaconda/pkgs/main/linux-64",
    ),
)
OTHERS = (
    (
        (
            "UnavailableInvalidChannel: HTTP 404 NOT FOUND for channel bioconda "
            "<https://mirrors.example.edu.cn/anaconda/cloud/bioconda>"
        ),
    ),
    ("HTTP 404 NOT FOUND for channel nvidia <https://conda.anaconda.org/nvidia>",),
    (
        (
            "404 Client Error: Not Found for url: "
            "https://mirrors.example.edu.cn/pypi/web/packages/aa/nvidia_cublas-12.whl"
        ),
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_mirror_without_the_channel(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_channels_and_other_causes(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
