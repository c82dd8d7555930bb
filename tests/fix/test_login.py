"""Keys whose file others may write: the real sshd turns the user away until that ends."""

import json
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeblue.remedy.verbs.file_mode import FILES, ModeVerb
from tests.conftest import thorough
from tests.fix.kept import NAME, Folder
from tests.fix.verbs.machine import Machine

pytestmark = [
    pytest.mark.root,
    pytest.mark.skipif(
        not shutil.which("sshd") or not shutil.which("ssh"), reason="OpenSSH is not installed"
    ),
]

CONFIG = """HostKey {folder}/host
AuthorizedKeysFile {folder}/authorized_keys
PermitRootLogin prohibit-password
StrictModes yes
UsePAM no
PidFile none
"""


@pytest.fixture
def keys() -> Iterator[Path]:
    """A folder that only root may write, all the way up: sshd looks at that too."""
    folder = Path(tempfile.mkdtemp(prefix=".codeblue-test", dir="/var/lib"))
    for name in ("host", "key"):
        argv = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / name)]
        subprocess.run(argv, check=True)
    (folder / "key.pub").rename(folder / "authorized_keys")
    (folder / "config").write_text(CONFIG.format(folder=folder), encoding="ascii")
    yield folder
    shutil.rmtree(folder)


def logs_in(folder: Path) -> bool:
    """Return whether the key opens a session; sshd talks through a pipe and sees a private /run."""
    daemon = (
        f"mount -t tmpfs none /run && mkdir -m 755 /run/sshd && exec /usr/sbin/sshd -i -f {folder}/config"
    )
    options = {
        "ProxyCommand": f'unshare -m sh -c "{daemon}"',
        "StrictHostKeyChecking": "no",
        "UserKnownHostsFile": "/dev/null",
        "IdentitiesOnly": "yes",
        "BatchMode": "yes",
    }
    flags = [word for name, value in options.items() for word in ("-o", f"{name}={value}")]
    argv = ["ssh", "-F", "none", "-i", str(folder / "key"), *flags, "root@private", "true"]
    return subprocess.run(argv, capture_output=True, timeout=30, check=False).returncode == 0


def test_the_mode_of_the_keys_decides(keys: Path, keep: Folder) -> None:
    path = keys / "authorized_keys"
    path.chmod(0o600)
    assert logs_in(keys), "a healthy login works here"
    path.chmod(0o666)
    assert not logs_in(keys)
    verb, args = ModeVerb(FILES), {"path": str(path), "mode": "0600"}
    before = verb.apply(args, verb.look(args).before, NAME, keep)
    assert logs_in(keys)
    verb.back(args, before, NAME, keep)
    assert not logs_in(keys)


FAULT = "authorized-keys-bad-ownership-or-mode"
USER = "cb-alice"
PORT = "2222"
HOME = f"/home/{USER}"
"""The user lives on a copy of this machine, and so do the port and the keys."""
DAEMON = f"""HostKey /srv/host
Port {PORT}
StrictModes yes
UsePAM no
PidFile none
"""
TARGET = "python:/usr/bin/python3"
"""An interpreter that the user may run, too."""
ON = ("--on", TARGET, "--as-user", USER)
APPROVAL = 'plan = "{plan}"\nowner = "ops"\nuntil = 2099-12-31\n'
CLIENT = (
    *("ssh", "-F", "none", "-i", "/srv/key", "-p", PORT, "-o", "BatchMode=yes", "-o", "IdentitiesOnly=yes"),
    *("-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"),
    *(f"{USER}@127.0.0.1", "true"),
)
START = f"""set -e
ip link set lo up
ssh-keygen -q -t ed25519 -N '' -f /srv/host
ssh-keygen -q -t ed25519 -N '' -f /srv/key
useradd --create-home --user-group {USER}
usermod --password '*' {USER}
chmod 755 {HOME}
install -d -m 700 -o {USER} -g {USER} {HOME}/.ssh
install -m 600 -o {USER} -g {USER} /srv/key.pub {HOME}/.ssh/authorized_keys
mkdir -p -m 755 /run/sshd
/usr/sbin/sshd -f /srv/config
"""


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Machine]:
    """A machine of its own with a user, and with the real sshd on a port of its own network."""
    copy = Machine(tmp_path)
    copy.environment |= {"XDG_STATE_HOME": "/srv/state", "HOME": "/root"}
    try:
        copy.write("/srv/config", DAEMON)
        copy.done("sh", "-c", START)
        yield copy
    finally:
        copy.end()


def codeblue(copy: Machine, *words: str, code: int) -> str:
    """Run codeblue there; return what it prints."""
    done = copy.run([sys.executable, "-m", "codeblue", *words])
    assert done.returncode == code, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize(
    ("spoil", "shows"),
    [
        pytest.param(f"chmod 666 {HOME}/.ssh/authorized_keys", "mode 0666 -> 0600", marks=thorough),
        (f"chmod 777 {HOME}/.ssh", "mode 0777 -> 0700"),
        pytest.param(f"chmod 757 {HOME}", "mode 0757 -> 0755", marks=thorough),
        (
            f"chown 4242:4242 {HOME}/.ssh/authorized_keys && chmod 664 {HOME}/.ssh/authorized_keys",
            "owner 4242",
        ),
    ],
)
def test_a_user_who_is_turned_away_is_let_in_again(served: Machine, spoil: str, shows: str) -> None:
    def let_in() -> bool:
        return served.run(CLIENT).returncode == 0

    assert let_in(), "a healthy login works here"
    served.done("sh", "-c", spoil)
    assert not let_in()
    checked = json.loads(
        codeblue(served, "check", TARGET, "--as-user", USER, "--fast", "--format", "json", code=0)
    )
    assert FAULT in {one["fault"] for one in checked["risks"]}

    codeblue(served, "fix", FAULT, *ON, "--plan", "/srv/plan.json", code=0)
    plan = json.loads(served.done("cat", "/srv/plan.json"))
    told = [step["tells"][0] for item in plan["items"] for step in item["steps"]]
    assert any(shows in one["text"]["en"].format(**one["values"]) for one in told)
    served.write("/srv/ok.toml", APPROVAL.format(plan=plan["digest"]))
    saved = ("--plan", "/srv/plan.json", "--approval", "/srv/ok.toml", *ON)
    assert f"{FAULT}: fixed" in codeblue(served, "fix", *saved, "--apply", code=0)
    assert let_in()

    codeblue(served, "undo", code=0)
    assert not let_in()


@pytest.mark.parametrize(("group", "trusted"), [(USER, True), ("users", False)])
def test_a_group_of_one_is_trusted_where_sshd_trusts_it(served: Machine, group: str, trusted: bool) -> None:
    if "ID=debian" not in served.done("cat", "/etc/os-release"):
        pytest.skip("only the sshd of Debian and its kin trusts such a group")
    keys = f"{HOME}/.ssh/authorized_keys"
    served.done("sh", "-c", f"chgrp {group} {keys} && chmod 660 {keys}")

    checked = json.loads(
        codeblue(served, "check", TARGET, "--as-user", USER, "--fast", "--format", "json", code=0)
    )

    assert (FAULT not in {one["fault"] for one in checked["risks"]}) is trusted
    assert (served.run(CLIENT).returncode == 0) is trusted
