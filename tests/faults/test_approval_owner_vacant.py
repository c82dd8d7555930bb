"""approval-owner-vacant"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "approval-owner-vacant"
SHOWS = (
    ("Unknown owner on line 4: make sure @kim exists and has write access to the repository",),
    ("# note: the change needs sign-off from the cluster owner, who resigned; the driver upgrade waits",),
    (
        "waiver: allow driver 470 until reviewed",
        "approved_by: t.berg",
        "expires: 2023-12-31",
    ),
    ("# note: 驱动升级要走审批，但审批人上个月离职了，流程一直卡着",),
    ("# note: CODEOWNERS points to a team that no longer exists, nobody can merge the gpu manifests",),
)
OTHERS = (
    (
        "error: x509: certificate has expired",
        "# note: the approval service for deploys is fine",
    ),
    (
        "CODEOWNERS: /deploy @infra-team",
        "# note: review approved, merged and deployed",
    ),
    (
        "chown: invalid user: 'trainer'",
        "# note: owner: trainer, 404 Not Found from the mirror",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_owners_who_are_gone_and_dates_that_passed(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_an_expired_certificate_and_owners_who_are_there(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
