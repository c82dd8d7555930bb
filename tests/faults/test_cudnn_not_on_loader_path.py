"""cudnn-not-on-loader-path"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def test_fires_on_each_way_to_say_it() -> None:
    for line, subject in (
        (
            "Unable to load any of {libcudnn_cnn.so.9.1.0, libcudnn_cnn.so.9.1, libcudnn_cnn.so.9}",
            "library:libcudnn_cnn.so.9.1.0",
        ),
        (
            "Could not load library. Error: libcudnn_ops_infer.so.8: cannot open shared object file",
            "library:libcudnn_ops_infer.so.8",
        ),
        (
            "ImportError: libcudnn.so.9: cannot open shared object file: No such file or directory",
            "library:libcudnn.so.9",
        ),
    ):
        [finding] = judge("cudnn-not-on-loader-path", text(line)).findings

        assert finding.subject == subject


def test_clear_on_lines_that_mean_something_else() -> None:
    for line in (
        "ImportError: libcudart.so.12: cannot open shared object file",
        "Could not load library libcudnn_ops.so.9. Error: /a/libcudnn_ops.so.9: undefined symbol: x",
    ):
        assert judge("cudnn-not-on-loader-path", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("cudnn-not-on-loader-path", snapshot).outcome is Outcome.SKIPPED
