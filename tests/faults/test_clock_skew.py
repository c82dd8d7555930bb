"""clock-skew"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "clock-skew"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        ("[2026-11-30T10:00:00.1] error: Munge decode failed: Rewound credential", Certainty.CERTAIN),
        ("[2026-11-30T10:00:00.1] error: authentication: Rewound credential ", Certainty.CERTAIN),
        ("unmunge: Error: Rewound credential", Certainty.CERTAIN),
        ("[2026-11-30T10:00:00.1] error: Munge decode failed: Expired credential", Certainty.LIKELY),
        ("[2026-11-30T10:00:00.1] error: Check for out of sync clocks", Certainty.CERTAIN),
        ("error: Invalid job credential from node7: Job credential expired.", Certainty.LIKELY),
        ("kinit: Clock skew too great while getting initial credentials", Certainty.CERTAIN),
        ("An error occurred (RequestTimeTooSkewed) when calling the GetObject operation", Certainty.CERTAIN),
        (
            "tls: failed to verify certificate: x509: certificate has expired or is not yet valid: "
            "current time 2019-01-01T00:00:07Z is before 2026-05-01T00:00:00Z",
            Certainty.LIKELY,
        ),
        (
            "[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate is not yet valid (_s",
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_on_words_that_only_wrong_clocks_cause(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("slurmd started", line)).findings

    assert finding.certainty is certainty
    assert finding.evidence[0].source == "train.log:2"


@pytest.mark.parametrize(
    "line",
    [
        "error: Munge decode failed: Invalid credential",
        "x509: certificate has expired or is not yet valid: current time 2026-11-30T00:00:00Z is after",
        "make: warning:  Clock skew detected.  Your build may be incomplete.",
        "certificate verify failed: unable to get local issuer certificate",
    ],
)
def test_clear_on_other_refusals(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
