"""The state directory: the key of the pseudonyms, the last and the last good snapshot of each target."""

import hashlib
import hmac
import os
import re
from contextlib import suppress
from pathlib import Path

from codeblue import patience


def directory() -> Path:
    """Return the state directory, after the XDG base directory specification."""
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return Path(base) / "codeblue"


JOURNAL = "journal.jsonl"
SYSTEM = Path("/var/lib/codeblue")
"""For root: HOME may still be that of the user who called sudo."""


def journal() -> Path:
    """Return the path of the journal of changes: the system's for root, in the state directory for others."""
    if os.geteuid() == 0 and not os.environ.get("XDG_STATE_HOME"):
        return SYSTEM / JOURNAL
    return directory() / JOURNAL


def shown(path: str) -> str:
    """Return the path as it may stand in a snapshot: without the user's name."""
    home = os.path.expanduser("~").rstrip("/")
    return f"~{path[len(home) :]}" if home and path.startswith(f"{home}/") else path


def salt() -> str:
    """Return the key of this user's pseudonyms, made on first use.

    Where the directory cannot be written the key lives for this run only.
    """
    path = directory() / "pseudonym-key"
    try:
        if patience.answers(str(path.parent)):
            return path.read_text(encoding="ascii").strip()
    except (OSError, UnicodeDecodeError):
        pass  # the first run, or a damaged key: a new one is made
    key = os.urandom(16).hex()
    _write(path, key.encode())
    return key


class Pseudonyms:
    """Pseudonyms of this machine's own names, and the way back for display on this machine."""

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        names = [("host", os.uname().nodename), *(("user", name) for name, _, _ in patience.accounts())]
        self._real = {self.pseudonym(kind, name): name for kind, name in names}
        self._pattern = re.compile(r"(?:host|user)-[0-9a-f]{12}")

    def pseudonym(self, kind: str, value: str) -> str:
        """Return the pseudonym that the probe gives ``value`` under the same key."""
        digest = hmac.new(self._key, value.encode("utf-8", "surrogateescape"), hashlib.sha256)
        return f"{kind}-{digest.hexdigest()[:12]}"

    def name(self, pseudonym: str) -> str | None:
        """Return the name of this machine or of a user here, None if the pseudonym is of another."""
        return self._real.get(pseudonym)

    def reveal(self, text: str) -> str:
        """Return the text with this machine's pseudonyms turned back into names."""
        return self._pattern.sub(lambda found: self._real.get(found.group(), found.group()), text)


def remember(target: str, snapshot: bytes) -> None:
    """Keep an encoded snapshot as the last one of its target, if the directory can be written."""
    _write(_last(target), snapshot)


def last(target: str) -> bytes | None:
    """Return the last kept snapshot of a target, encoded, or None."""
    return _kept(_last(target))


def remember_good(target: str, snapshot: bytes) -> None:
    """Keep an encoded snapshot as the last one of its target that worked."""
    _write(_last(target, "good"), snapshot)


def last_good(target: str) -> bytes | None:
    """Return the last kept snapshot of a target that worked, encoded, or None."""
    return _kept(_last(target, "good"))


MOST_TRIALS = 100
"""Runs that are kept for each target."""


def remember_trial(target: str, run: bytes) -> None:
    """Keep an encoded run of a trial beside the earlier ones of its target; the oldest go."""
    _write(_last(target, "trials"), b"".join(line + b"\n" for line in [*trials(target), run][-MOST_TRIALS:]))


def trials(target: str) -> list[bytes]:
    """Return the encoded runs of trials that are kept of a target, the oldest first."""
    return (_kept(_last(target, "trials")) or b"").splitlines()


def _kept(path: Path) -> bytes | None:
    try:
        return path.read_bytes() if patience.answers(str(path.parent)) else None
    except OSError:
        return None


def _last(target: str, folder: str = "last") -> Path:
    safe = re.sub(r"[^A-Za-z0-9._-]", "_", target)[:80]
    name = f"{safe}-{hashlib.sha256(target.encode()).hexdigest()[:8]}.json"
    return directory() / folder / name


def _write(path: Path, content: bytes) -> None:
    if not patience.answers(str(path.parent)):
        return
    temporary = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        temporary.write_bytes(content)
        temporary.chmod(0o600)
        temporary.replace(path)
    except OSError:
        # A full or read-only disk must not stop a check: what is lost is only the memory of it.
        with suppress(OSError):
            temporary.unlink()
