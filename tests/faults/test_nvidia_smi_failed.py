"""nvidia-smi-failed"""

from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAILED = {"exit_code": 9, "words": "could not talk to the driver", "recognised": False}


def on(**changes: object) -> Snapshot:
    return recording("h200-healthy", **changes)


def test_fires_with_its_exit_code_and_words() -> None:
    [finding] = judge("nvidia-smi-failed", on(nvidia_smi=FAILED)).findings

    assert finding.summary.values == {"code": "9", "words": "could not talk to the driver"}


def test_fires_when_it_had_to_be_stopped() -> None:
    [finding] = judge("nvidia-smi-failed", on(nvidia_smi={"exit_code": None, "words": ""})).findings

    assert finding.variant == "hangs"


def test_fires_when_it_ends_well_but_shows_nothing() -> None:
    shown = {"exit_code": 0, "words": "\n  No devices were found\n", "recognised": False}

    [finding] = judge("nvidia-smi-failed", on(nvidia_smi=shown)).findings

    assert finding.variant == "shows-nothing"
    assert finding.summary.values["words"] == "No devices were found"


def test_fires_in_wsl_where_no_gpu_is_on_the_bus() -> None:
    bus = {"functions": {}, "nvidia_gpus": [], "nvswitches": 0}

    verdict = judge("nvidia-smi-failed", on(nvidia_smi=FAILED, pci=bus, host={"wsl": True}))

    assert verdict.outcome is Outcome.FIRED


def test_fires_on_its_words_in_a_text() -> None:
    line = "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver."

    assert judge("nvidia-smi-failed", text(line)).outcome is Outcome.FIRED


def test_clear_when_it_shows_its_table_or_a_banner_of_another_branch() -> None:
    newer = {"words": "NVIDIA System Management Interface", "recognised": False}

    assert judge("nvidia-smi-failed", on()).outcome is Outcome.CLEAR
    assert judge("nvidia-smi-failed", on(nvidia_smi=newer)).outcome is Outcome.CLEAR


def test_clear_when_there_is_no_gpu_for_it_to_show() -> None:
    handed_out = {"functions": {"0000:00:06.0": {"driver": "vfio-pci"}}}
    none = {"functions": {}, "nvidia_gpus": [], "nvswitches": 0}

    assert judge("nvidia-smi-failed", on(nvidia_smi=FAILED, pci=handed_out)).outcome is Outcome.CLEAR
    assert judge("nvidia-smi-failed", on(nvidia_smi=FAILED, pci=none)).outcome is Outcome.CLEAR
    assert judge("nvidia-smi-failed", on(nvidia_smi={"state": "absent"})).outcome is Outcome.CLEAR


def test_claims_nothing_when_it_was_not_run() -> None:
    verdict = judge("nvidia-smi-failed", on(nvidia_smi={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "nvidia_smi: denied")
