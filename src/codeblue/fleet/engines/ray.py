"""The nodes of a Ray cluster: one task pinned to each, by the user's own interpreter and ray."""

import shutil
import socket
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

from msgspec import MsgspecError, Struct, json

from codeblue.fleet.engines.base import Order
from codeblue.model.fleet import Listed, NodeState, Reply
from codeblue.model.text import message
from codeblue.sources.target import Unusable, job_interpreter
from codeblue.transport.calling import Answer, call
from codeblue.transport.fanout import Ended, Job, Told, told_by_many

PROGRAM = Path(__file__).with_name("ray_program.py")
"""Shipped as text: beside it on the path, this module would be taken for Ray."""
NAME = "ray"
"""The only label of our only program."""
CONNECTING = 10.0
"""Seconds in which the address must take a connection: Ray itself tries for a minute."""
JOINING = 60.0
"""Seconds for joining the cluster, beside those for the answers."""
WORKER = 20.0
"""Seconds in which a node starts the worker that runs the task."""
ENDING = 5.0
"""Seconds in which it tells who has not answered."""
SHORT = 8
"""Digits of a node's number, where several have the name of one host."""


class Node(Struct, frozen=True):
    """A node as Ray tells it."""

    id: str
    alive: bool
    name: str = ""
    address: str = ""
    why: str = ""


class Ray:
    """The cluster at an address; ``auto`` is the one that this machine belongs to."""

    name = NAME

    def __init__(self, address: str, python: str | None = None) -> None:
        self._address = address
        self._python = python or job_interpreter()
        self._ids: dict[str, str] = {}

    def nodes(self) -> list[Listed]:
        """Return all nodes, with Ray's words for those that are gone. Raises Unusable."""
        if shutil.which(self._python) is None:
            raise Unusable(
                message(
                    "--ray-python {path}: no such executable; give an interpreter that has ray",
                    "--ray-python {path}：没有这个可执行文件；请指定装有 ray 的解释器",
                    path=self._python,
                )
            )
        self._reach()
        answer = call(self._command("list"), seconds=JOINING)
        try:
            found = json.decode(answer.out.splitlines()[-1], type=list[Node])
        except (MsgspecError, IndexError):
            raise self._unusable(answer) from None
        return list(self._listed(found))

    def run(self, order: Order, nodes: Sequence[Listed]) -> Iterator[Reply]:
        """Start a task on each node at once: tasks without a CPU of their own wait for nobody."""
        known = {node.name: node for node in nodes}
        found = self._known(known)
        ids = {name: found[name] for name in known if name in found}
        text = f"{json.encode(ids).decode()}\n{order.text}"
        seconds = order.seconds + WORKER
        job = Job(NAME, self._command("run", order.marker, f"{seconds:g}"), labelled=True)
        wait = JOINING + seconds + ENDING
        with closing(told_by_many([job], text, order.marker, limit=1, seconds=wait)) as news:
            for one in news:
                for reply in _replies(one, order.marker, known):
                    known.pop(reply.node)
                    yield reply

    def _known(self, names: dict[str, Listed]) -> dict[str, str]:
        """Return the numbers of nodes by name; of a resumed run they are looked up again."""
        if not all(name in self._ids for name in names):
            self.nodes()
        return self._ids

    def _command(self, verb: str, *rest: str) -> list[str]:
        return [self._python, "-B", "-c", PROGRAM.read_text(encoding="utf-8"), verb, self._address, *rest]

    def _listed(self, found: Sequence[Node]) -> Iterator[Listed]:
        """Yield the nodes; of those that are gone only the ones in whose place no other has come."""
        alive = Counter(node.address for node in found if node.alive)
        # Several at one address are raylets of one host; none of them has taken another's place.
        shown = [node for node in found if node.alive or alive[node.address] != 1]
        shared = Counter(node.name or node.address for node in shown)
        for node in shown:
            name = node.name or node.address
            name = f"{name}-{node.id[:SHORT]}" if shared[name] > 1 else name
            self._ids[name] = node.id
            why = " ".join(node.why.split())[:400] or "Ray lists it as dead"
            yield Listed(name) if node.alive else Listed(name, NodeState.DOWN, why)

    def _reach(self) -> None:
        """Raise Unusable if nobody listens at an address of a host and a port."""
        host, _, port = self._address.rpartition("://")[2].rpartition(":")
        if not host or not port.isdecimal():
            return
        try:
            socket.create_connection((host.strip("[]"), int(port)), CONNECTING).close()
        except (OSError, OverflowError) as error:
            raise self._silent(str(error)) from None

    def _silent(self, why: str) -> Unusable:
        return Unusable(
            message(
                "--ray {address}: no such Ray cluster answers ({why}); see ray status",
                "--ray {address}：没有 Ray 集群响应（{why}）；请查看 ray status",
                address=self._address,
                why=why,
            )
        )

    def _unusable(self, answer: Answer) -> Unusable:
        lines = [line.strip() for line in answer.words.splitlines() if line.strip()]
        why = lines[-1][:400] if lines else f"ended with {answer.code}"
        if "No module named 'ray'" in why:
            return Unusable(
                message(
                    "{python} has no ray; name the interpreter of the cluster: --ray-python PATH",
                    "{python} 没有安装 ray；请指定集群所用的解释器：--ray-python 路径",
                    python=self._python,
                )
            )
        if "ConnectionError" in why or answer.code != 1:
            return self._silent(why)
        return Unusable(
            message("--ray {address}: {why}", "--ray {address}：{why}", address=self._address, why=why)
        )


def _replies(one: Told | Ended, marker: str, known: dict[str, Listed]) -> Iterator[Reply]:
    if isinstance(one, Told):
        if one.name in known and one.document is not None:
            yield Reply(
                node=one.name,
                state=NodeState.ANSWERED if one.document else NodeState.UNUSABLE,
                document=one.document or None,
                seconds=one.seconds,
            )
        return
    rows = (line.split("\t") for line in one.complaints)
    told = {row[1]: row for row in rows if len(row) == 4 and row[0] == marker}
    for name in list(known):
        silent = ("", name, "silent", one.words or "the program in Ray ended without an answer of this node")
        _, _, state, why = told.get(name, silent)
        yield Reply(node=name, state=NodeState(state), why=why, seconds=one.seconds)
