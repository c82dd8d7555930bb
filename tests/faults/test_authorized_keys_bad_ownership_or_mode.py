"""authorized-keys-bad-ownership-or-mode"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import joined, judge, recording, text
from tests.faults.remedies import asked, only

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

PATHS = ("~", "~/.ssh", "~/.ssh/authorized_keys")
CLOSED = ("0755", "0700", "0600")


def machine(
    modes: tuple[str, str, str] = CLOSED,
    distribution: str = "rocky",
    name: str | None = "alice",
    **row: Any,
) -> Snapshot:
    """Return a healthy machine on which alice has keys; ``row`` is about the file with the keys."""
    files = {
        path: {"mode": mode, "uid": 1000, "private_group": False}
        for path, mode in zip(PATHS, modes, strict=True)
    }
    files[PATHS[2]] |= row
    user = {"uid": 1000, "gid": 1000, "name": name}
    login = {"state": "read", "source": "stat {key}", "files": files}
    return recording("h200-healthy", login=login, user=user, host={"distribution": distribution})


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_key_file_of_somebody_else(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_refusals(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, joined(machine(), text(*lines))).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    ("modes", "row", "steps"),
    [
        (
            ("0755", "0700", "0664"),
            {},
            [(Verb.FILE_MODE, {"path": "~alice/.ssh/authorized_keys", "mode": "0600"})],
        ),
        (("0755", "0777", "0600"), {}, [(Verb.FILE_MODE, {"path": "~alice/.ssh", "mode": "0700"})]),
        (("2775", "0700", "0600"), {}, [(Verb.FILE_MODE, {"path": "~alice", "mode": "2755"})]),
        (
            ("0755", "0700", "0602"),
            {"uid": 1234},
            [
                (
                    Verb.FILE_OWNER,
                    {"path": "~alice/.ssh/authorized_keys", "user": "1000", "group": "1000"},
                ),
                (Verb.FILE_MODE, {"path": "~alice/.ssh/authorized_keys", "mode": "0600"}),
            ],
        ),
    ],
)
def test_what_others_may_write_is_closed(
    modes: tuple[str, str, str], row: dict[str, Any], steps: list[tuple[Verb, dict[str, str]]]
) -> None:
    finding = only(FAULT, machine(modes, **row))

    assert finding.kind is Kind.RISK
    assert asked(finding) == steps
    assert finding.remedy is not None and finding.remedy.appliable
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.EXACT)
    assert steps[0][1]["path"].replace("alice", "") in finding.summary.say("zh")


@pytest.mark.parametrize("modes", [CLOSED, ("0700", "0755", "0644"), ("1755", "0700", "0400")])
def test_clear_on_what_only_the_user_writes(modes: tuple[str, str, str]) -> None:
    assert judge(FAULT, joined(machine(modes), text("no line of sshd"))).outcome is Outcome.CLEAR


def test_keys_of_root_are_as_good() -> None:
    assert judge(FAULT, joined(machine(uid=0), text("no line of sshd"))).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    ("distribution", "private", "outcome"),
    [
        ("debian", True, Outcome.CLEAR),
        ("ubuntu", False, Outcome.FIRED),
        ("rocky", True, Outcome.FIRED),
    ],
)
def test_debian_trusts_a_group_of_one(distribution: str, private: bool, outcome: Outcome) -> None:
    snapshot = machine(("0755", "0700", "0660"), distribution, private_group=private)

    assert judge(FAULT, joined(snapshot, text("no line of sshd"))).outcome is outcome


def test_a_user_without_a_name_gets_instructions() -> None:
    nameless = machine(("0755", "0700", "0666"), name=None)

    assert {verb for verb, _ in asked(only(FAULT, nameless))} == {Verb.INSTRUCT}


def test_claims_nothing_where_neither_text_nor_files_were_read() -> None:
    unread = {"state": "not-attempted"}
    denied = recording("h200-healthy", login={"state": "denied"}, sightings=unread)

    assert judge(FAULT, recording("h200-healthy", sightings=unread)).outcome is Outcome.SKIPPED
    assert judge(FAULT, denied).outcome is Outcome.SKIPPED
