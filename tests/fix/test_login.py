"""Keys whose file others may write: the real sshd, without a port, turns the user away until that ends."""

import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from codeblue.remedy.verbs.file_mode import FILES, ModeVerb
from tests.fix.kept import NAME, Folder

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
