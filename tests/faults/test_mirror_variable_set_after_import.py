"""mirror-variable-set-after-import"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "mirror-variable-set-after-import"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            "from huggingface_hub import snapshot_download",
            'os.environ["HF_ENDPOINT"] = "https://mirror.example"',
            ("ProxyError: HTTPSConnectionPool(host='huggingface.co', port=443): Max retries exceeded"),
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: HF_ENDPOINT is set in the script below the imports, it has no effect "
                "and the download goes to the original site"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 在代码里设置了 HF_ENDPOINT 镜像，但还是连接 huggingface.co 超时",)),
    (
        Certainty.LIKELY,
        (
            "- ENDPOINT: https://huggingface.co",
            "# HF_ENDPOINT points to the mirror, I set it with os.environ",
        ),
    ),
)
OTHERS = (
    (
        "$ export HF_ENDPOINT=https://mirror.example",
        (
            "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='mirror.example', "
            "port=443): Max retries exceeded"
        ),
    ),
    (
        (
            "requests.exceptions.ConnectTimeout: HTTPSConnectionPool(host='huggingface.co', "
            "port=443): Max retries exceeded"
        ),
    ),
    (
        'os.environ["CUDA_VISIBLE_DEVICES"] = "1"',
        "# it still connects to huggingface.co",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_mirror_variable_that_comes_too_late(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_trouble_with_the_hub(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
