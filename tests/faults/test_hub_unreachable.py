"""hub-unreachable"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "hub-unreachable"
SHOWS = (
    (
        (
            "requests.exceptions.ConnectionError: HTTPSConnectionPool(host='huggingface.co', "
            "port=443): Max retries exceeded with url: /org/model/resolve/main/config.json"
        ),
    ),
    (
        (
            "OSError: We couldn't connect to 'https://huggingface.co' to load the files, and "
            "couldn't find them in the cached files."
        ),
    ),
    (
        (
            "huggingface_hub.errors.LocalEntryNotFoundError: An error happened while trying to "
            "locate the file on the Hub and we cannot find the requested files in the local cache."
        ),
    ),
    ("# note: 训练节点没有外网，保存检查点时要连 huggingface，任务就断了",),
    ("# note: the node is offline and saving a checkpoint contacts the hub",),
)
OTHERS = (
    (
        (
            "huggingface_hub.errors.GatedRepoError: 403 Client Error. Cannot access gated repo for "
            "url https://huggingface.co/x"
        ),
    ),
    ("Downloading shards: 100% from huggingface",),
    ("socket.gaierror: [Errno -2] Name or service not known: 'master-0'",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_hub_out_of_reach(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_hub_that_answers(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
