"""OpenSSH itself as the engine: hosts that answer, refuse, hang, and are not there."""

import json
import signal
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import thorough
from tests.fleet.hosts import Hosts, lacking
from tests.fleet.private import CODEBLUE, interpreter, script, states, until, whys, words

pytestmark = [pytest.mark.root, pytest.mark.skipif(bool(lacking()), reason=lacking() or "")]
OLD = sorted(Path.home().glob(".pyenv/versions/2.7.*/bin/python"))
OTHERS = [
    *Path.home().glob(".pyenv/versions/3.6.*/bin/python"),
    *Path.home().glob(".pyenv/versions/3.13.*/bin/python"),
]
NO_PYTHON = """exec unshare --mount /bin/sh -c '
for one in /usr/bin/python3* /opt/conda/bin/python3; do
    [ ! -f "$one" ] || mount --bind /dev/null "$one"
done
PATH=/nowhere; eval "$SSH_ORIGINAL_COMMAND"'"""
OWN = socket.gethostname().partition(".")[0]
LIAR = """exec unshare --uts /bin/sh -c '
echo liar > /proc/sys/kernel/hostname; eval "$SSH_ORIGINAL_COMMAND"'"""


@pytest.fixture(scope="module")
def hosts(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hosts]:
    """One host of each kind."""
    found = Hosts(tmp_path_factory.mktemp("hosts"))
    found.host("good")
    found.host("stranger", known=False)
    found.host("denied", "AuthorizedKeysFile none")
    found.host("hangs")
    found.host("silent", listens=False)
    bare = script(found.folder / "bare.sh", NO_PYTHON)
    found.host("bare", f"ForceCommand {bare}")
    for name in (OWN, f"{OWN}.site"):
        found.host(name)
    liar = script(found.folder / "liar.sh", LIAR)
    found.host("other", f"ForceCommand {liar}")
    found.stop("hangs")
    yield found
    found.end()


def checked(hosts: Hosts, names: str, *more: str) -> tuple[int, dict[str, Any]]:
    """Return exit code and report of ``fleet check``."""
    ran = hosts.codeblue("fleet", "check", "--ssh", names, "--fast", "--format", "json", *more)
    assert ran.stdout, ran.stderr
    return ran.returncode, json.loads(ran.stdout)


def test_who_did_not_answer_is_named_with_the_reason(hosts: Hosts) -> None:
    code, document = checked(hosts, "good,stranger,denied,hangs,silent,bare")

    assert states(document) == {
        "good": "answered",
        "stranger": "refused",
        "denied": "refused",
        "hangs": "silent",
        "silent": "silent",
        "bare": "refused",
    }
    said = whys(document)
    assert said["stranger"] == "Host key verification failed."
    assert "Permission denied" in said["denied"] and "Connection refused" in said["silent"]
    assert "timed out" in said["hangs"].lower() and said["bare"].startswith("no Python 3.6")
    assert code == 3


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("stranger", "its host key is not known here"),
        ("denied", "ssh does not let us in (root@127.0.0.1: Permission denied (publickey))"),
        ("silent", "not reached (ssh: connect to host 127.0.0.1 port"),
        ("bare", "no Python 3.6 or later here (tried python3"),
        ("-oProxyCommand=id", "unknown target"),
        ("", "unknown target"),
    ],
)
def test_a_target_that_cannot_be_reached_is_one_line(hosts: Hosts, host: str, told: str) -> None:
    for language in ("en", "zh"):
        ran = hosts.codeblue("--lang", language, "check", f"ssh:{host}", "--fast")
        assert (ran.returncode, len(words(ran))) == (2, 1), ran.stderr
        assert language == "zh" or told in ran.stderr


def test_a_host_is_a_target_like_any_other(hosts: Hosts, tmp_path: Path) -> None:
    ran = hosts.codeblue("check", "ssh:good", "--fast", "--format", "json")
    assert json.loads(ran.stdout)["target"] == "ssh:good", ran.stderr

    kept = tmp_path / "kept.json"
    hosts.done(*CODEBLUE, "snapshot", "ssh:good", "-o", str(kept))
    view = json.loads(kept.read_bytes())["views"][0]
    assert view["host"]["state"] == "read" and view["complete"]


@pytest.mark.skipif(not OLD, reason="no Python 2.7 here")
def test_an_old_python_is_refused(hosts: Hosts) -> None:
    _, document = checked(hosts, "good", "--python", str(OLD[0]))
    assert whys(document) == {"good": f"no Python 3.6 or later here (tried {OLD[0]})"}


@thorough
@pytest.mark.skipif(not OTHERS, reason="neither Python 3.6 nor 3.13 here")
def test_the_oldest_and_the_newest_python_answer(hosts: Hosts) -> None:
    for python in OTHERS:
        _, document = checked(hosts, "good", "--python", str(python))
        assert states(document) == {"good": "answered"}


def test_killed_it_is_gone_on_with(hosts: Hosts, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    hangs = interpreter(tmp_path / "python", f"touch {begun}; true")
    check = hosts.begun("fleet", "check", "--ssh", "silent,good", "--fast", "--python", str(hangs))
    until(begun.exists)
    check.send_signal(signal.SIGKILL)
    check.communicate()

    code, document = checked(hosts, "good,silent", "--resume", "last")

    assert states(document) == {"good": "answered", "silent": "silent"}
    assert code in (1, 3)


def test_names_that_do_not_fit_are_noted_and_no_trouble(hosts: Hosts) -> None:
    _, document = checked(hosts, f"{OWN},{OWN}.site,other")

    assert {node["node"]: node["notes"] for node in document["nodes"]} == {
        OWN: [f"is the same machine as {OWN}.site"],
        f"{OWN}.site": [f"is the same machine as {OWN}"],
        "other": [
            "calls itself otherwise than the engine does: look whether this is the machine that was meant"
        ],
    }


def test_a_full_disk_keeps_what_was_written(hosts: Hosts, tmp_path: Path) -> None:
    store = tmp_path / "store"
    store.mkdir()
    hosts.done("mount", "-t", "tmpfs", "-o", "size=8k", "none", str(store))
    try:
        ran = hosts.codeblue("fleet", "check", "--ssh", "good", "--fast", "--store", str(store))
    finally:
        hosts.done("umount", str(store))
    assert (ran.returncode, len(words(ran))) == (2, 1), ran.stderr
    assert "No space left on device" in ran.stderr
