"""gpu-count-unexpected"""

from typing import Any

import pytest

from codeblue.model.fault import Severity
from codeblue.model.finding import Outcome
from codeblue.pipeline import judge as diagnose
from tests.conftest import judge, recording
from tests.faults.expecting import expecting

FAULT = "gpu-count-unexpected"
ADDRESS = "0000:00:06.0"
DOCKER = {"state": "read", "engine": "docker", "injected": []}
NO_BUS: dict[str, Any] = {"nvidia_gpus": [], "functions": {}}
ABSENT = {"state": "absent"}


@pytest.mark.parametrize(
    ("wanted", "variant", "severity"), [(8, "fewer", Severity.ERROR), (0, "more", Severity.WARNING)]
)
def test_fires_on_another_number(wanted: int, variant: str, severity: Severity) -> None:
    [finding] = judge(FAULT, recording("h200-healthy", expectations=expecting(gpus=wanted))).findings

    assert (finding.subject, finding.variant, finding.severity) == ("host", variant, severity)
    assert [(e.path, e.value) for e in finding.evidence] == [
        ("pci.nvidia_gpus", [ADDRESS]),
        ("expectations.gpus", wanted),
    ]
    assert finding.evidence[1].source == "codeblue.toml"


@pytest.mark.parametrize(
    "sections",
    [
        {"pci": {"functions": {ADDRESS: {"config_readable": False}}}},
        {"nvml": {"gpus": {"0": {"handle": 15}}}},
        {"pci": NO_BUS, "nvml": ABSENT},
        {"pci": ABSENT, "nvml": ABSENT},
        {"container": DOCKER, "nvml": ABSENT},
    ],
    ids=["silent on the bus", "lost for NVML", "no GPU", "no bus", "container without one"],
)
def test_fires_when_the_only_gpu_does_not_count(sections: dict[str, Any]) -> None:
    snapshot = recording("h200-healthy", expectations=expecting(gpus=1), **sections)

    [finding] = judge(FAULT, snapshot).findings

    assert finding.summary.values["found"] == "0"


@pytest.mark.parametrize(
    ("wanted", "sections"),
    [
        (1, {}),
        (None, {}),
        (1, {"pci": NO_BUS}),
        (
            2,
            {
                "pci": {
                    "nvidia_gpus": ["0000:00:07.0", ADDRESS],
                    "functions": {"0000:00:07.0": {"config_readable": True}},
                }
            },
        ),
        (1, {"nvml": {"gpus": {"0": {"handle": 4}}}}),
        (1, {"container": DOCKER, "pci": {"nvidia_gpus": [ADDRESS] * 8}}),
    ],
    ids=["as expected", "nothing expected", "wsl", "slurm job with one of two", "not permitted", "container"],
)
def test_clear_when_it_is_as_expected(wanted: int | None, sections: dict[str, Any]) -> None:
    snapshot = recording("h200-healthy", expectations=expecting(gpus=wanted), **sections)

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_nobody_expects_anything_or_the_bus_was_not_read() -> None:
    unread = recording("h200-healthy", expectations=expecting(gpus=8), pci={"state": "denied"})

    assert judge(FAULT, recording("h200-healthy")).reason == "expectations: not-attempted"
    assert judge(FAULT, unread).outcome is Outcome.SKIPPED


def test_fires_as_a_consequence_of_a_gpu_that_fell_off_the_bus() -> None:
    silent = {"functions": {ADDRESS: {"config_readable": False}}}

    found = diagnose(recording("h200-healthy", expectations=expecting(gpus=1), pci=silent))

    assert FAULT in [effect.finding.fault for effect in found.consequences]
    assert found.causes[0].finding.fault == "gpu-fallen-off-bus"
