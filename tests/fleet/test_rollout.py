"""Waves of a repair: whatever becomes of the nodes, no more of them are touched than may be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codeblue.fleet.rollout import Rollout, Verdict
from codeblue.model.rollout import Pace, Stop

VERDICTS = st.sampled_from(Verdict)
FATES = st.lists(VERDICTS, max_size=60)
PACES = st.builds(
    Pace,
    canary=st.integers(1, 5),
    batch=st.integers(1, 20),
    stop_above=st.floats(0, 0.9),
    in_a_row=st.integers(1, 5),
)


def waves(fates: list[Verdict], pace: Pace) -> tuple[list[list[str]], Rollout]:
    """Return the waves of a repair in which each node has its fate."""
    names = [f"n{number}" for number in range(len(fates))]
    fate = dict(zip(names, fates, strict=True))
    rollout, found = Rollout(names, pace), []
    while wave := rollout.wave():
        found.append(list(wave))
        for name in wave:
            rollout.tell(name, fate[name])
    return found, rollout


def of(wave: list[str], fates: list[Verdict]) -> list[Verdict]:
    """Return what became of the nodes of a wave."""
    return [fates[int(name[1:])] for name in wave]


@given(FATES, PACES)
def test_every_node_once_or_named_as_left(fates: list[Verdict], pace: Pace) -> None:
    found, rollout = waves(fates, pace)
    touched = [name for wave in found for name in wave]
    assert [*touched, *rollout.left] == [f"n{number}" for number in range(len(fates))]
    assert bool(rollout.left) <= bool(rollout.stopped)


@given(FATES, PACES)
def test_no_batch_before_the_canaries_were_helped(fates: list[Verdict], pace: Pace) -> None:
    found, _ = waves(fates, pace)
    helped = 0
    for wave in found:
        missing = pace.canary - helped
        assert len(wave) <= (missing if missing > 0 else pace.batch)
        helped += of(wave, fates).count(Verdict.HELPED)


@given(FATES, PACES)
def test_nothing_after_a_wave_in_which_too_many_failed(fates: list[Verdict], pace: Pace) -> None:
    found, rollout = waves(fates, pace)
    helped = 0
    for number, wave in enumerate(found):
        told = of(wave, fates)
        failed, canary = told.count(Verdict.FAILED), helped < pace.canary
        bad = failed > pace.stop_above * len(wave) or (canary and (failed or Verdict.WAITING in told))
        if bad:
            assert number == len(found) - 1
            assert rollout.stopped is not None
        helped += told.count(Verdict.HELPED)


@given(FATES, PACES)
def test_no_row_of_failures_is_longer_than_a_row_and_a_batch(fates: list[Verdict], pace: Pace) -> None:
    found, _ = waves(fates, pace)
    row = longest = 0
    for told in (fate for wave in found for fate in of(wave, fates)):
        row = {Verdict.FAILED: row + 1, Verdict.HELPED: 0}.get(told, row)
        longest = max(longest, row)
    assert longest < pace.in_a_row + max(pace.batch, pace.canary)


def test_a_canary_without_the_fault_shows_nothing() -> None:
    fates = [Verdict.NOTHING, Verdict.HELPED, Verdict.HELPED, Verdict.HELPED]
    found, rollout = waves(fates, Pace(canary=1, batch=2))
    assert found == [["n0"], ["n1"], ["n2", "n3"]]
    assert rollout.stopped is None


@pytest.mark.parametrize(
    ("fates", "stop"),
    [
        ("F", Stop.CANARY),
        ("W", Stop.CANARY),
        ("HF", Stop.SHARE),
        ("HHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHHFFF", Stop.ROW),
    ],
)
def test_why_it_was_stopped(fates: str, stop: Stop) -> None:
    named = {"F": Verdict.FAILED, "W": Verdict.WAITING, "H": Verdict.HELPED}
    _, rollout = waves([named[one] for one in fates], Pace(batch=35 if stop is Stop.ROW else 2))
    assert rollout.stopped is stop


def test_an_open_wave_is_waited_for() -> None:
    rollout = Rollout(["a", "b"], Pace())
    rollout.wave()
    with pytest.raises(ValueError, match="no verdict on 1 nodes"):
        rollout.wave()
    with pytest.raises(KeyError):
        rollout.tell("b", Verdict.HELPED)
