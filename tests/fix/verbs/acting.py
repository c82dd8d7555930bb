"""One method of one verb in a process of its own, which can be killed before each thing that it changes.

Reads a request as JSON from standard input and prints what came of it as JSON.
"""

import hashlib
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from codeblue.model.plan import Refused
from codeblue.model.remedy import Verb
from codeblue.remedy.run import Failed
from codeblue.remedy.verbs.system import ACTIONS

CHANGING = frozenset(
    (
        "os.chmod",
        "os.chown",
        "os.link",
        "os.mkdir",
        "os.remove",
        "os.rename",
        "os.rmdir",
        "os.setxattr",
        "os.symlink",
        "os.truncate",
        "subprocess.Popen",
    )
)
"""Events of the interpreter (PEP 578) that come before a change; so does ``open`` for writing."""


OWN = ("/dev/null", "/proc/self/fd/")
"""What the runner opens for its programs."""


class Folder:
    """Keeps before-images in a folder."""

    def __init__(self, path: Path) -> None:
        self._path = path
        path.mkdir(parents=True, exist_ok=True)

    def put(self, content: bytes) -> str:
        """Keep the content."""
        digest = hashlib.sha256(content).hexdigest()
        self._path.joinpath(digest).write_bytes(content)
        return digest

    def get(self, digest: str) -> bytes:
        """Return kept content."""
        return self._path.joinpath(digest).read_bytes()


class Points:
    """Counts what is about to be changed, and kills this process at one of these points."""

    def __init__(self, kill_at: int) -> None:
        self.seen: list[str] = []
        self._kill_at = kill_at
        sys.addaudithook(self._event)

    def _event(self, event: str, about: tuple[Any, ...]) -> None:
        writes = event == "open" and isinstance(about[2], int) and about[2] & (os.O_WRONLY | os.O_RDWR)
        if (event not in CHANGING and not writes) or str(about[0]).startswith(OWN):
            return
        self.seen.append(f"{event} {about[0]}")
        if len(self.seen) == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Answer the request."""
    asked = json.load(sys.stdin)
    action = ACTIONS[Verb(asked["verb"])]
    args, before, name = asked["args"], asked.get("before", {}), asked.get("name", "cb-test")
    keep = Folder(Path(asked["keep"]))
    calls = {
        "root": lambda: action.root(args),
        "look": lambda: _look(action.look(args)),
        "apply": lambda: action.apply(args, before, name, keep),
        "verify": lambda: action.verify(args),
        "back": lambda: action.back(args, before, name, keep),
        "by_hand": lambda: [list(words) for words in action.by_hand(args, before)],
        "sweep": lambda: action.sweep(args, name),
    }
    points = Points(asked.get("kill_at", 0))
    try:
        answer = {"value": calls[asked["method"]]()}
    except Refused as refused:
        answer = {"refused": refused.line.say("en"), "zh": refused.line.say("zh")}
    except Failed as failed:
        answer = {"failed": failed.line.say("en"), "zh": failed.line.say("zh")}
    print(json.dumps(answer | {"points": list(points.seen)}))


def _look(look: Any) -> dict[str, Any]:
    return {"needed": look.needed, "shows": look.shows, "before": look.before}


if __name__ == "__main__":
    main()
