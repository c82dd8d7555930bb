"""gpu-diagnostic-failed"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-diagnostic-failed"


def test_fires_on_a_failed_test_of_the_document() -> None:
    words = "DcgmDiagnosticError: test Memory failed on GPU 3: cannot allocate"

    [finding] = judge(FAULT, text(words)).findings

    assert finding.subject == "gpu:3"


def test_fires_on_the_table() -> None:
    row = "| PCIe                      | Fail - GPU: 1                                  |"

    assert judge(FAULT, text(row)).outcome is Outcome.FIRED


def test_fires_on_the_table_of_dcgm_4() -> None:
    rows = (
        "| memory                    | Fail                                           |",
        "|                           | GPU0: Pass                                     |",
        "|                           | GPU1: Fail                                     |",
    )

    assert judge(FAULT, text(*rows)).outcome is Outcome.FIRED


def test_clear_when_tests_pass_or_are_skipped_or_only_a_setting_is_wrong() -> None:
    rows = (
        "| Memory                    | Pass - All                                     |",
        "| EUD Test                  | Skip - All                                     |",
        "| Persistence Mode          | Fail - All                                     |",
        "| software                  | Fail                                           |",
        "| memory                    | Pass                                           |",
        "DcgmDiagnosticError: test Persistence Mode failed on GPU 0,1: disabled",
    )

    assert judge(FAULT, text(*rows)).outcome is Outcome.CLEAR


def test_claims_nothing_when_no_text_was_given() -> None:
    assert judge(FAULT, recording("h200-healthy", sightings={"state": "denied"})).outcome is Outcome.SKIPPED
