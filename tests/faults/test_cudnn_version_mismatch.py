"""cudnn-version-mismatch"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def test_fires_on_each_way_to_say_it() -> None:
    for line, subject in (
        (
            "RuntimeError: cuDNN version incompatibility: PyTorch was compiled  against (9, 1, 0)",
            "log",
        ),
        (
            "RuntimeError: cuDNN version mismatch: PyTorch was compiled against 7005",
            "log",
        ),
        ("E Loaded runtime CuDNN library: 8.1.1 but source was compiled with: 8.6.0.", "log"),
        ("cuDNN error: CUDNN_STATUS_SUBLIBRARY_VERSION_MISMATCH", "log"),
    ):
        [finding] = judge("cudnn-version-mismatch", text(line)).findings

        assert finding.subject == subject


def test_clear_on_lines_that_mean_something_else() -> None:
    for line in (
        "RuntimeError: cuDNN error: CUDNN_STATUS_NOT_INITIALIZED",
        "PyTorch was compiled with CUDA 12.8",
    ):
        assert judge("cudnn-version-mismatch", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("cudnn-version-mismatch", snapshot).outcome is Outcome.SKIPPED
