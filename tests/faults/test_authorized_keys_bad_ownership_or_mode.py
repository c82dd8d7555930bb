"""authorized-keys-bad-ownership-or-mode"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "authorized-keys-bad-ownership-or-mode"
SHOWS = (
    ("Authentication refused: bad ownership or modes for directory /root",),
    (
        "$ ls -ln /home/dev/.ssh/authorized_keys",
        "-rw-rw-r-- 1 1000 1000 400 authorized_keys",
        "Permission denied (publickey).",
    ),
    ("# note: bind mounted authorized_keys is owned by the host uid, ssh login denied",),
    ("# note: 挂载进去的 authorized_keys 属主不对，ssh 登录还是要密码",),
)
OTHERS = (
    ("Permission denied (publickey).",),
    (
        "Permissions 0644 for '/home/alice/.ssh/id_rsa' are too open.",
        "Permission denied (publickey).",
    ),
    (
        "-v ./key.pub:/root/authorized_keys",
        "Permission denied (publickey,password).",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_key_file_of_somebody_else(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_refusals(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
