"""mkl-2024-1-removed-symbol"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def test_fires_on_each_way_to_say_it() -> None:
    for line, subject in (
        (
            "ImportError: /env/torch/lib/libtorch_cpu.so: undefined symbol: iJIT_NotifyEvent",
            "log",
        ),
    ):
        [finding] = judge("mkl-2024-1-removed-symbol", text(line)).findings

        assert finding.subject == subject


def test_clear_on_lines_that_mean_something_else() -> None:
    for line in (
        "ImportError: /env/torch/lib/libtorch_cpu.so: undefined symbol: iomp_foo",
        "hook iJIT_NotifyEvent registered",
    ):
        assert judge("mkl-2024-1-removed-symbol", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("mkl-2024-1-removed-symbol", snapshot).outcome is Outcome.SKIPPED
