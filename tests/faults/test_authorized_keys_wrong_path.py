"""authorized-keys-wrong-path"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "authorized-keys-wrong-path"
SHOWS = (
    (("debug1: Could not open authorized keys '/root/.ssh/authorized_keys': No such file or directory"),),
    (
        "docker run -d -p 2222:22 -v $PWD/key.pub:/root/authorized_keys sshd",
        "root@localhost: Permission denied (publickey,password).",
    ),
    (
        "volumes: ./id_rsa.pub:/home/dev/.ssh/id_rsa.pub",
        "dev@10.0.0.5: Permission denied (publickey).",
    ),
    ("# note: 公钥挂载路径不对，应该放在 .ssh 目录下，登录被拒绝",),
    ("# note: I mounted the public key in the wrong place, ssh keeps asking for a password",),
)
OTHERS = (
    (
        "-v ./key.pub:/root/.ssh/authorized_keys",
        "Permission denied (publickey).",
    ),
    ("Authentication refused: bad ownership or modes for file /root/authorized_keys",),
    ("ssh: connect to host 10.0.0.5 port 22: Connection refused",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_key_in_the_wrong_place(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_key_in_the_right_place(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
