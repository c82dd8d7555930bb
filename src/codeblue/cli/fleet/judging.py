"""Judge a kept run on two processors: one file of nodes is judged here, the next one by a second process."""

import subprocess
import sys
from collections.abc import Sequence
from tempfile import TemporaryFile
from typing import IO

from msgspec import MsgspecError, Struct, msgpack

from codeblue.fleet import verdicts
from codeblue.fleet.judging import Judge
from codeblue.fleet.store import Store
from codeblue.model.fleet import Judged, Run
from codeblue.pipeline import catalogue, signatures
from codeblue.sources.site import Loaded

PROGRAM = "import sys; sys.path[:] = {path!r}; from codeblue.cli.fleet.judging import serve; serve()"
"""The second process sees the same modules as this one."""


class Asked(Struct, frozen=True):
    """What a second process is to judge."""

    root: str
    run: Run
    files: Sequence[str]
    site: Loaded


def judged(store: Store, run: Run, site: Loaded) -> list[Judged]:
    """Return the verdicts on all nodes of a run, by name, and keep them beside it. Raises Unusable."""
    nodes = verdicts.known(store, run, site)
    if nodes is None:
        nodes = judged_now(store, run, site)
        verdicts.keep(store, run, site, nodes)
    return nodes


def judged_now(store: Store, run: Run, site: Loaded) -> list[Judged]:
    """Return the verdicts on all nodes of a run, by name. Raises Unusable."""
    files = store.batches(run)
    # Starting a process costs as much as judging some hundred nodes; what is in memory no other process sees.
    second = _second(Asked(store.files.root, run, files[1::2], site)) if _worth(store, files) else None
    try:
        mine = list(new_judge(site).run(store, run, files[::2] if second else files))
        theirs = second.answer() if second else []
        if theirs is None:
            theirs = list(new_judge(site).run(store, run, files[1::2]))
    finally:
        if second:
            second.end()
    return sorted([*mine, *theirs], key=lambda node: node.node)


def new_judge(site: Loaded) -> Judge:
    """Return a judge with the whole catalogue."""
    return Judge(catalogue(), signatures(), site)


def serve() -> None:
    """Judge what standard input asks for; the verdicts go to standard output."""
    asked = msgpack.decode(sys.stdin.buffer.read(), type=Asked)
    found = list(new_judge(asked.site).run(Store(asked.root), asked.run, asked.files))
    sys.stdout.buffer.write(msgpack.encode(found))


class _Second:
    """A second process at work."""

    def __init__(self, child: "subprocess.Popen[bytes]", output: IO[bytes]) -> None:
        self._child = child
        self._output = output

    def answer(self) -> list[Judged] | None:
        """Wait for its verdicts; None if it came to a bad end."""
        if self._child.wait():
            return None
        self._output.seek(0)
        try:
            return msgpack.decode(self._output.read(), type=list[Judged])
        except MsgspecError:
            return None

    def end(self) -> None:
        """Leave nothing at work."""
        self._child.kill()
        self._child.wait()
        self._output.close()


def _worth(store: Store, files: Sequence[str]) -> bool:
    return len(files) > 2 and not store.files.root.startswith("memory:")


def _second(asked: Asked) -> _Second | None:
    output = TemporaryFile()  # noqa: SIM115 - closed when the second process has been heard
    with TemporaryFile() as given:
        given.write(msgpack.encode(asked))
        given.seek(0)
        try:
            child = subprocess.Popen(  # noqa: S603 - our own interpreter with our own program
                [sys.executable, "-c", PROGRAM.format(path=sys.path)],
                stdin=given,
                stdout=output,
                stderr=subprocess.DEVNULL,
            )
        except OSError:  # no second process: one is enough
            output.close()
            return None
    return _Second(child, output)
