"""pip-mirror-out-of-sync"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "pip-mirror-out-of-sync"
SHOWS = (
    (
        (
            "ERROR: HTTP error 404 while getting "
            "https://mirrors.example.edu.cn/pypi/web/packages/a2/1a/torch-2.9.0-cp312-none-any.whl.metadata"
        ),
    ),
    (
        (
            "ERROR: 404 Client Error: Not Found for url: "
            "https://nexus.example.org/repository/pypi/packages/vllm-0.11.0-cp38-abi3.whl"
        ),
    ),
    (
        "error: Failed to fetch: x",
        (
            "Caused by: HTTP status client error (404 Not Found) for url "
            "(https://mirror.example.edu.cn/pypi/web/packages/b/b.whl.metadata)"
        ),
    ),
    ("# note: 清华镜像上 wheel 的 metadata 文件缺失，pip 报 404",),
    ("# note: our mirror is out of sync, pip cannot get the new package",),
)
OTHERS = (
    (("ERROR: 404 Client Error: Not Found for url: https://download.pytorch.org/whl/cu999/torch-2.9.0.whl"),),
    (
        ("ERROR: Could not find a version that satisfies the requirement tb-nightly (from versions: none)"),
        "# note: 清华镜像 wheel 找不到",
    ),
    ("HTTP 404 NOT FOUND for channel nvidia <https://mirrors.example.edu.cn/anaconda/nvidia>",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_file_that_the_mirror_lacks(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_files_missing_at_the_origin(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
