"""From causes and barriers to one word."""

from codeblue.model.diagnosis import Overall
from codeblue.pipeline import judge
from tests.conftest import joined, recording, text

OLD_CRASH = {
    "xids": [{"code": 31, "device": "0000:00:06", "seconds": 9.0, "text": "Xid 31", "process": "python"}]
}


def test_an_old_application_error_does_not_stop_a_machine_that_works() -> None:
    diagnosis = judge(recording("h200-healthy", kernel_log=OLD_CRASH))

    assert (diagnosis.verdict, diagnosis.layer) == (Overall.RISK, None)
    assert diagnosis.causes == ()
    assert [risk.certainty.value for risk in diagnosis.risks] == ["possible"]


def test_a_merely_possible_cause_of_a_layer_that_is_shut_stays_undecided_without_a_symptom() -> None:
    shut = recording("h200-healthy", kernel_log=OLD_CRASH, cuda={"state": "timeout"})

    assert judge(shut).verdict is Overall.UNKNOWN


def test_an_error_that_nobody_knows_is_said() -> None:
    diagnosis = judge(joined(recording("h200-healthy"), text("my.own.StrangeError: 42")))

    assert diagnosis.verdict is Overall.UNKNOWN
    assert "StrangeError" in diagnosis.notes[0].say("en")
