"""system-library-missing-in-image"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def test_fires_on_each_way_to_say_it() -> None:
    for line, subject in (
        (
            "ImportError: libGL.so.1: cannot open shared object file: No such file or directory",
            "library:libGL.so.1",
        ),
        ("OSError: libgthread-2.0.so.0: cannot open shared object file", "library:libgthread-2.0.so.0"),
        (
            "prog: error while loading shared libraries: libssl.so.1.1: cannot open shared object file",
            "library:libssl.so.1.1",
        ),
    ):
        [finding] = judge("system-library-missing-in-image", text(line)).findings

        assert finding.subject == subject


def test_clear_on_lines_that_mean_something_else() -> None:
    for line in (
        "Warning: couldn't load 'libfoo-rdmav34.so': libfoo-rdmav34.so: cannot open shared object file",
        "ImportError: libcudart.so.12: cannot open shared object file",
    ):
        assert judge("system-library-missing-in-image", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("system-library-missing-in-image", snapshot).outcome is Outcome.SKIPPED
