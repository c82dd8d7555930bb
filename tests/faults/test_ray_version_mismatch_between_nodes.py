"""ray-version-mismatch-between-nodes"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ray-version-mismatch-between-nodes"
TEXTS = (
    (
        Certainty.CERTAIN,
        (
            "RuntimeError: Version mismatch: The cluster was started with:",
            "    Ray: 2.40.0",
            "    Python: 3.11.9",
            "This process on node 10.0.0.7 was started with:",
            "    Ray: 2.44.1",
        ),
    ),
    (Certainty.POSSIBLE, ("# note: vllm was installed with a different ray than the running cluster",)),
    (
        Certainty.POSSIBLE,
        (
            "# note: ray 版本和集群不一致，worker 节点加入失败",
            "# note: 各节点 ray 版本不一致",
        ),
    ),
)
OTHERS = (
    (
        "RuntimeError: Failed to initialize NVML: Driver/library version mismatch",
        "# ray cluster",
    ),
    ("# note: ray worker died on a node",),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_another_ray(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_words_on_ray(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
