"""libgomp-static-tls-exhausted"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def test_fires_on_each_way_to_say_it() -> None:
    for line, subject in (
        (
            "ImportError: /env/libs/libgomp-d22c30c5.so.1.0.0: cannot allocate memory in static TLS block",
            "library:libgomp-d22c30c5.so.1.0.0",
        ),
        ("cannot allocate memory in static TLS block", "log"),
    ):
        [finding] = judge("libgomp-static-tls-exhausted", text(line)).findings

        assert finding.subject == subject


def test_clear_on_lines_that_mean_something_else() -> None:
    for line in ("OSError: [Errno 12] Cannot allocate memory",):
        assert judge("libgomp-static-tls-exhausted", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("libgomp-static-tls-exhausted", snapshot).outcome is Outcome.SKIPPED
