"""nvml-init-failed"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def test_fires_with_the_name_of_the_code() -> None:
    [finding] = judge("nvml-init-failed", recording("h200-healthy", nvml={"init": 9})).findings

    assert finding.summary.values["name"] == "NVML_ERROR_DRIVER_NOT_LOADED"
    assert finding.evidence[0].value == 9


def test_fires_on_a_code_that_no_table_knows() -> None:
    [finding] = judge("nvml-init-failed", recording("h200-healthy", nvml={"init": 4711})).findings

    assert finding.summary.values["name"] == "unknown code"


def test_fires_on_the_words_of_nvidia_smi_and_of_the_container_toolkit() -> None:
    assert (
        judge("nvml-init-failed", text("Failed to initialize NVML: Unknown Error")).outcome is Outcome.FIRED
    )
    hook = "nvidia-container-cli: initialization error: nvml error: driver not loaded: unknown."
    assert judge("nvml-init-failed", text(hook)).outcome is Outcome.FIRED


def test_clear_when_it_starts_or_has_nothing_to_start_for() -> None:
    handed_out = {"functions": {"0000:00:06.0": {"driver": "vfio-pci"}}}

    assert judge("nvml-init-failed", recording("h200-healthy")).outcome is Outcome.CLEAR
    failed_without_gpus = recording("h200-healthy", nvml={"init": 9}, pci=handed_out)
    assert judge("nvml-init-failed", failed_without_gpus).outcome is Outcome.CLEAR


def test_claims_nothing_when_nvml_was_not_called() -> None:
    verdict = judge("nvml-init-failed", recording("h200-healthy", nvml={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "nvml: timeout")
