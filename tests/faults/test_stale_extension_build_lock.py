"""stale-extension-build-lock"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "stale-extension-build-lock"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            ('  File "/opt/venv/lib/python3.11/site-packages/torch/utils/file_baton.py", line 49, in wait'),
            "    time.sleep(self.wait_seconds)",
            "KeyboardInterrupt",
        ),
    ),
    (
        Certainty.LIKELY,
        (
            ("Using /home/alice/.cache/torch_extensions/py311_cu124 as PyTorch extensions root..."),
            "# nothing happens after this line",
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: the import of the CUDA extension hangs; an old file called lock in the "
                "build folder had to be deleted"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 加载扩展时卡住，删除 torch_extensions 里的 lock 文件后正常",)),
)
OTHERS = (
    (
        ("Using /home/alice/.cache/torch_extensions/py311_cu124 as PyTorch extensions root..."),
        "FAILED: multi_tensor_adam.cuda.o",
        "# stuck here",
    ),
    (
        "E: Could not get lock /var/lib/dpkg/lock-frontend",
        "# waits forever, extension",
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_lock_that_stayed(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_waiting(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
