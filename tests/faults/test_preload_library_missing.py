"""preload-library-missing"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

GONE = "/opt/gone/libtcmalloc.so.4"


def test_fires_as_a_risk_and_keeps_the_other_entries() -> None:
    loader = {"preload": ["/usr/lib/libgomp.so.1", GONE], "preload_missing": [GONE]}
    [finding] = judge("preload-library-missing", recording("h200-healthy", loader=loader)).findings

    assert (finding.kind, finding.severity) == ("risk", "note")
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "LD_PRELOAD", "value": "/usr/lib/libgomp.so.1"}


def test_fires_on_the_words_of_the_loader() -> None:
    line = f"ERROR: ld.so: object '{GONE}' from LD_PRELOAD cannot be preloaded (cannot open x): ignored."

    [finding] = judge("preload-library-missing", text(line)).findings
    assert finding.kind == "risk"


def test_clear_when_the_preloaded_library_exists() -> None:
    snapshot = recording("h200-healthy", loader={"preload": ["/usr/lib/libgomp.so.1"]})

    assert judge("preload-library-missing", snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_loader_was_not_read() -> None:
    snapshot = recording("h200-healthy", loader={"state": "error"})

    assert judge("preload-library-missing", snapshot).reason == "loader: error"
