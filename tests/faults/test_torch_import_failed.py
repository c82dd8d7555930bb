"""torch-import-failed"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def test_fires_with_the_words_of_the_exception() -> None:
    trial = {"imported": False, "error": "ImportError: libfoo.so.1: cannot open shared object file"}

    [finding] = judge("torch-import-failed", recording("h200-healthy", torch_trial=trial)).findings

    assert "libfoo.so.1" in finding.summary.say("en")
    assert finding.evidence[1].path == "torch_trial.error"


def test_fires_with_the_signal_that_killed_the_import() -> None:
    trial = {"imported": False, "error": None, "signal": "SIGILL"}

    [finding] = judge("torch-import-failed", recording("h200-healthy", torch_trial=trial)).findings

    assert finding.evidence[1].value == "SIGILL"


@pytest.mark.parametrize(
    "line",
    [
        "    from torch._C import *  # noqa: F403",
        "[rank3]:     from torch._C import *",
        '  File "/venv/site-packages/torch/__init__.py", line 441, in _load_global_deps',
        "OSError: /venv/site-packages/torch/lib/libgomp.so.1: file too short",
        "ImportError: /venv/site-packages/torch/lib/../../nvidia/x.so: undefined symbol: foo",
    ],
)
def test_fires_on_the_traceback(line: str) -> None:
    assert judge("torch-import-failed", text(line)).outcome is Outcome.FIRED


def test_clear_when_torch_is_imported_or_not_installed() -> None:
    absent = recording("h200-healthy", torch={"state": "absent"}, torch_trial={"state": "absent"})

    assert judge("torch-import-failed", recording("h200-healthy")).outcome is Outcome.CLEAR
    assert judge("torch-import-failed", absent).outcome is Outcome.CLEAR
    assert judge("torch-import-failed", text("from torch import nn")).outcome is not Outcome.FIRED


def test_claims_nothing_when_the_trial_did_not_end() -> None:
    verdict = judge("torch-import-failed", recording("h200-healthy", torch_trial={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "torch_trial: timeout")
