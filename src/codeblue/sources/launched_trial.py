"""Collectives across hosts: the site's own launcher starts the workers, and what they print is read here.

The launcher is started directly, without a shell. Its workers answer on its standard output, between
whatever else is printed there, behind a marker; launchers may put tags in front of lines.
"""

import json
import os
import shlex
import shutil
import signal
import socket
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from typing import Any

import msgspec
from msgspec import Struct

from codeblue.model.facts import NcclTrial, Sightings
from codeblue.model.section import State
from codeblue.model.text import message
from codeblue.sources import nccl_log
from codeblue.sources.launch import new_marker
from codeblue.sources.logs import KEEP, Signatures, read_lines
from codeblue.sources.redaction import Redactor
from codeblue.sources.target import Unusable
from codeblue.sources.trial_text import worker
from codeblue.state import Pseudonyms
from codeblue.transport.starting import started

PATIENCE = 150
"""Seconds from which a worker that has not finished its trial ends itself."""
JOINING = 60
"""Seconds in which all ranks must have met."""
KEPT = 1 << 20
"""Bytes kept of what the launcher and NCCL print."""
LONGEST = 1 << 20
"""Bytes of one line; more is no answer of ours."""
PIECES = 4096
"""Parts of an answer that are put together for one rank."""
TIDY = 5.0
"""Seconds in which a launcher that was told to stop ends its workers."""
OUTSIDE = {"NCCL_DEBUG": "INFO", "NCCL_DEBUG_FILE": None, "NCCL_DEBUG_SUBSYS": None}
"""NCCL is to say which way it takes, and to say it to us."""


class Launcher(Struct, frozen=True):
    """A launcher of the site, as the user wrote it."""

    argv: tuple[str, ...]

    @property
    def name(self) -> str:
        """Its name without folders."""
        return os.path.basename(self.argv[0])


class Heard(Struct):
    """What the workers have said so far."""

    rows: dict[int, dict[str, Any]] = {}
    hosts: dict[int, str] = {}
    failed: dict[int, str] = {}
    done: set[int] = set()
    alone: int = 0
    """Workers to whom the launcher told no rank."""
    world: int = 0
    words: bytearray = bytearray()
    pieces: dict[str, list[str]] = {}


def launcher(words: str) -> Launcher:
    """Return the launcher. Raises Unusable if the words make no command or the program is not there."""
    try:
        argv = tuple(shlex.split(words))
    except ValueError as error:
        raise Unusable(
            message("--launch {words}: {why}", "--launch {words}：{why}", words=words, why=error)
        ) from None
    if not argv:
        raise Unusable(message("--launch: no launcher is named", "--launch：没有写启动器"))
    if shutil.which(argv[0]) is None:
        raise Unusable(
            message(
                "--launch: there is no program {name} here; name srun, torchrun, mpirun or a path",
                "--launch：这里没有程序 {name}；请写 srun、torchrun、mpirun 或路径",
                name=argv[0],
            )
        )
    return Launcher(argv)


def run(
    launcher: Launcher,
    python: str,
    changed: Mapping[str, str | None],
    small: bool,
    seconds: float,
    salt: str,
    signatures: Signatures,
) -> tuple[NcclTrial, Sightings]:
    """Run the trial once; return its section, and what the signatures see in everything that was printed.

    ``python`` is the interpreter on every host, ``changed`` are variables of the workers, ``seconds``
    bound the whole. Whatever ends this ends the launcher.
    """
    marker = new_marker()
    begun = time.monotonic()
    settings = {
        "launched": True,
        "marker": marker,
        "device": "local",
        "small": small,
        "environment": {**OUTSIDE, **changed},
        "orders": [
            {
                "trial": "nccl",
                "limit": min(PATIENCE, int(seconds)),
                "joining": JOINING,
                "address": socket.gethostname(),
                "port": _free_port(),
            }
        ],
    }
    heard = Heard()
    child = started(
        [*launcher.argv, python, "-c", worker(), json.dumps(settings)],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        start_new_session=True,
    )
    try:
        ended = _listen(child, marker, begun + seconds, heard)
    finally:
        _end(child)
    section = _section(launcher, heard, Pseudonyms(salt), ended, seconds, time.monotonic() - begun)
    return section, _seen(heard, salt, signatures)


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("", 0))
        return int(found.getsockname()[1])


def _listen(child: "subprocess.Popen[bytes]", marker: str, deadline: float, heard: Heard) -> bool:
    """Take lines until the launcher ends; False if the time was over before."""
    stream = child.stdout
    assert stream is not None
    buffer = b""
    with DefaultSelector() as selector:
        selector.register(stream, EVENT_READ)
        while (left := deadline - time.monotonic()) > 0 and len(buffer) < LONGEST:
            if not selector.select(left):
                break
            chunk = os.read(stream.fileno(), 1 << 16)
            if not chunk:
                return True
            *lines, buffer = (buffer + chunk).split(b"\n")
            for line in lines:
                take(heard, line, marker)
    return False


def take(heard: Heard, line: bytes, marker: str) -> None:
    """Take one line: an answer, a piece of one, or other words."""
    _, found, rest = line.partition(marker.encode())
    if not found:
        heard.words += (line + b"\n")[: max(0, KEPT - len(heard.words))]
        return
    with suppress(ValueError, KeyError, TypeError, AttributeError):  # a line that the launcher has cut
        answer = json.loads(rest)
        if "piece" in answer:
            pieces = heard.pieces.setdefault(str(answer["sender"]), [])
            pieces.append(str(answer["piece"]))
            if not answer["last"]:
                del pieces[PIECES:]
                return
            answer = json.loads("".join(heard.pieces.pop(str(answer["sender"]))))
        _answered(heard, answer)


def _answered(heard: Heard, answer: dict[str, Any]) -> None:
    rank = int(answer["rank"])
    if "ready" in answer:
        if answer["ready"]:
            heard.hosts[rank] = str(answer["host"])
        else:
            heard.failed[rank] = str(answer["error"])
    elif "trial" in answer:
        row = answer["row"]
        if row.get("alone"):
            heard.alone += 1
        heard.world = max(heard.world, int(row.get("world", 0)))
        heard.rows.setdefault(rank, {}).update(row)
        if answer.get("done"):
            heard.done.add(rank)


def _section(
    launcher: Launcher, heard: Heard, names: Pseudonyms, ended: bool, seconds: float, taken: float
) -> NcclTrial:
    """Return what the ranks told; a rank that is missing has a row that says so."""
    if heard.alone:
        why = f"{launcher.name} started {heard.alone} process(es) and told them no rank beside another"
        return NcclTrial(state=State.NOT_ATTEMPTED, reason=why, launcher=launcher.name)
    if not heard.rows:
        last = next((one for one in heard.failed.values()), "") or _last_words(heard, names)
        over = "" if ended else f" within {seconds:.0f} s"
        why = f"no rank answered{over}; {launcher.name}: {last or 'it said nothing'}"
        return NcclTrial(state=State.ERROR, reason=why, launcher=launcher.name)
    rows = {str(rank): _row(heard, rank, names) for rank in range(max(heard.world, *heard.rows, 0))}
    raw = {
        "source": f"codeblue trial nccl, by {launcher.name}",
        "devices": rows | {str(rank): _row(heard, rank, names) for rank in heard.rows},
        "passed_over": {},
        "seconds": round(taken, 3),
        "launcher": launcher.name,
        "words": bytes(heard.words).decode("utf-8", "replace"),
    }
    return msgspec.convert(nccl_log.told(raw), NcclTrial)


def _row(heard: Heard, rank: int, names: Pseudonyms) -> dict[str, Any]:
    row = dict(heard.rows.get(rank, {}), rank=rank)
    if rank in heard.hosts:
        row["host"] = names.pseudonym("host", heard.hosts[rank])
    if rank not in heard.done and not row.get("error"):
        at = f"; it was last at: {row['at']}" if row.get("at") else ""
        row["error"] = heard.failed.get(rank) or f"no answer from this rank{at}"
    return row


def _redactor(heard: Heard, names: Pseudonyms) -> Redactor:
    redactor = Redactor(names)
    redactor.learn_hosts(set(heard.hosts.values()))
    return redactor


def _last_words(heard: Heard, names: Pseudonyms) -> str:
    lines = [line.strip() for line in bytes(heard.words).decode("utf-8", "replace").splitlines()]
    said: Sequence[str] = [line for line in lines if line]
    return _redactor(heard, names).text(said[-1][:300]) if said else ""


def _seen(heard: Heard, salt: str, signatures: Signatures) -> Sightings:
    words = nccl_log.shared(bytes(heard.words).decode("utf-8", "replace"))
    redactor = _redactor(heard, Pseudonyms(salt))
    return redactor.sightings(read_lines(words, "nccl trial", signatures, KEEP), KEEP)


def _end(child: "subprocess.Popen[bytes]") -> None:
    """End the launcher, which ends its workers; they end themselves if it cannot."""
    for number, patience in ((signal.SIGTERM, TIDY), (signal.SIGKILL, 1.0)):
        if child.poll() is None:
            with suppress(ProcessLookupError):
                os.killpg(child.pid, number)
            with suppress(subprocess.TimeoutExpired):
                child.wait(patience)
    with suppress(ProcessLookupError, PermissionError):
        os.killpg(child.pid, signal.SIGKILL)  # what it has left in its group
    assert child.stdout is not None
    child.stdout.close()
