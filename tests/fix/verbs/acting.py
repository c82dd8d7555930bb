"""One verb in a process of its own, which can be killed before each thing that it changes.

Reads a request as JSON from standard input and prints what came of each call, one line of JSON each.
"""

import hashlib
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

from codeblue.model.plan import Refused
from codeblue.model.remedy import Verb
from codeblue.remedy.registry import ACTIONS
from codeblue.remedy.run import Failed

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

    def __init__(self) -> None:
        self.seen: list[str] = []
        self._kill_at: int | None = None
        sys.addaudithook(self._event)

    def begin(self, kill_at: int) -> None:
        """Count from now on; 0 kills nowhere."""
        self._kill_at = kill_at
        self.seen.clear()

    def end(self) -> None:
        """Reach the last point, after which nobody hears of what was done, and count no more."""
        self.reach("the end")
        self._kill_at = None

    def _event(self, event: str, about: tuple[Any, ...]) -> None:
        writes = event == "open" and isinstance(about[2], int) and about[2] & (os.O_WRONLY | os.O_RDWR)
        if (event not in CHANGING and not writes) or str(about[0]).startswith(OWN):
            return
        self.reach(f"{event} {' '.join(map(str, about[1])) if event == 'subprocess.Popen' else about[0]}")

    def reach(self, point: str) -> None:
        """Note a point, and die there if it is the one."""
        if self._kill_at is None:
            return
        self.seen.append(point)
        if len(self.seen) == self._kill_at:
            os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    """Answer the calls of the request, one line each."""
    asked = json.load(sys.stdin)
    acting, points = Acting(asked), Points()
    for method in asked["calls"]:
        if method == "apply":
            points.begin(asked.get("kill_at", 0))
        try:
            answer = {"value": getattr(acting, method)()}
        except Refused as refused:
            answer = {"refused": refused.line.say("en"), "zh": refused.line.say("zh")}
        except Failed as failed:
            answer = {"failed": failed.line.say("en"), "zh": failed.line.say("zh")}
        if method == "apply":
            points.end()
        json.dump(answer | {"points": points.seen}, sys.stdout)
        print(flush=True)  # noqa: T201 - this is the answer


class Acting:
    """The methods of a verb, each with what came before it."""

    def __init__(self, asked: dict[str, Any]) -> None:
        self._action, self._args, self._name = ACTIONS[Verb(asked["verb"])], asked["args"], asked["name"]
        self._keep = Folder(Path(asked["keep"]))
        self._before: dict[str, str] = asked.get("before", {})

    def root(self) -> bool:
        """Return whether this user lacks rights."""
        return self._action.root(self._args)

    def look(self) -> dict[str, Any]:
        """Look, and remember what was there before."""
        look = self._action.look(self._args)
        self._before = look.before
        shows = [*look.shows, *(told.say("en") for told in look.tells)]
        return {"needed": look.needed, "shows": shows, "before": look.before}

    def apply(self) -> dict[str, str]:
        """Apply, and remember what going back needs."""
        self._before = self._action.apply(self._args, self._before, self._name, self._keep)
        return self._before

    def verify(self) -> bool:
        """Verify."""
        return self._action.verify(self._args)

    def back(self) -> None:
        """Go back."""
        self._action.back(self._args, self._before, self._name, self._keep)

    def sweep(self) -> None:
        """Sweep."""
        self._action.sweep(self._args, self._name)

    def by_hand(self) -> list[list[str]]:
        """Return the commands that finish the step."""
        return [list(words) for words in self._action.by_hand(self._args, self._before)]

    def finish(self) -> list[int]:
        """Type these commands, if the step is not done; return their exit codes."""
        commands = [] if self.verify() else self.by_hand()
        return [subprocess.run(words, stdout=subprocess.DEVNULL).returncode for words in commands]


if __name__ == "__main__":
    main()
