"""The lab's recordings, replayed: the right first cause for every fault, no trouble for the controls."""

from pathlib import Path

import pytest

from codeblue.model.diagnosis import Overall
from codeblue.model.fault import Kind
from codeblue.pipeline import judge
from lab.experiment import Experiment
from lab.experiments import ALL
from lab.trials import TRIALS
from tests.conftest import recording

EXPERIMENTS = (*ALL, *TRIALS)
FAULTS = [experiment for experiment in EXPERIMENTS if experiment.expect]
CONTROLS = [experiment for experiment in EXPERIMENTS if not experiment.expect]


@pytest.mark.parametrize("experiment", FAULTS, ids=lambda experiment: experiment.name)
def test_the_injected_fault_is_the_first_cause(experiment: Experiment) -> None:
    diagnosis = judge(recording(experiment.name))

    assert [cause.finding.fault for cause in diagnosis.causes[:1]] == [experiment.expect]
    assert diagnosis.verdict is Overall.TROUBLE
    assert diagnosis.broken == ()


@pytest.mark.parametrize("experiment", CONTROLS, ids=lambda experiment: experiment.name)
def test_a_control_gives_no_trouble(experiment: Experiment) -> None:
    diagnosis = judge(recording(experiment.name))

    assert diagnosis.causes == ()
    assert diagnosis.verdict in (Overall.HEALTHY, Overall.RISK)
    assert diagnosis.broken == ()


def test_the_healthy_machine_gives_nothing_at_all() -> None:
    diagnosis = judge(recording("healthy"))

    assert diagnosis.verdict is Overall.HEALTHY
    assert (diagnosis.risks, diagnosis.harmless) == ((), ())
    assert {barrier.state.value for barrier in diagnosis.barriers} == {"open", "not-applicable"}


def test_the_lab_is_as_large_as_promised() -> None:
    assert len({experiment.expect for experiment in FAULTS}) >= 30
    assert len(CONTROLS) >= 6


def test_every_cause_of_the_lab_has_evidence_a_source_and_a_way_out(recordings: Path) -> None:
    for experiment in FAULTS:
        finding = judge(recording(experiment.name)).causes[0].finding
        assert finding.kind is Kind.TROUBLE
        assert all(evidence.source for evidence in finding.evidence), experiment.name
        assert finding.remedy or finding.next_command, experiment.name
