"""Runs in the user's Ray with the user's interpreter: lists the nodes, or runs one text on each of them.

Started as ``python -c TEXT list ADDRESS`` or ``python -c TEXT run ADDRESS MARKER SECONDS``; the latter reads
a line of JSON, the ids of the nodes by name, and then the text to run. Answers go to standard output behind
the name of their node; a node without one gets a line of complaint on standard error: marker, name, state
and reason, split by tabs.
"""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

import ray
from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

DEVICES = "CUDA_VISIBLE_DEVICES"
ENDED = {"TaskUnschedulableError": "down", "NodeDiedError": "down", "GetTimeoutError": "silent"}
"""What Ray raises about a node that has left, or hangs; all else was refused there."""
LARGEST = 64 << 20
"""Bytes of one answer; more is none of ours."""
WORDS = 400
WAIT = 0.5
"""Seconds in which answers are waited for at once."""
ENDING = 1.0
"""Seconds before the end in which tasks that have not answered are called back."""


def main(verb: str, address: str, *rest: str) -> None:
    """Join the cluster and do one of two things; end without Ray's tidying, which may wait for the dead."""
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    ray.init(address=address, logging_level="ERROR", log_to_driver=False, namespace="codeblue")
    if verb == "list":
        print(json.dumps([_listed(node) for node in ray.nodes()]))  # noqa: T201 - the answer
    else:
        marker, seconds = rest
        nodes = json.loads(sys.stdin.readline())
        _run(sys.stdin.read(), marker, float(seconds), nodes)
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(0)


def _listed(node: dict[str, Any]) -> dict[str, Any]:
    return {
        "id": node["NodeID"],
        "alive": node["Alive"],
        "name": node.get("NodeManagerHostname") or node.get("NodeName") or "",
        "address": node.get("NodeName") or node.get("NodeManagerAddress") or "",
        "why": node.get("DeathReasonMessage") or "",
        "gpus": node.get("Resources", {}).get("GPU", 0),
    }


def probe(text: str, seconds: float) -> tuple[int, bytes, bytes]:
    """Run the text in an interpreter of its own; return its status, output and last complaints.

    A task without GPUs is shown none: the program gets the variable that the node's own daemon has.
    """
    environment = dict(os.environ)
    environment.pop(DEVICES, None)
    with suppress(OSError), open(f"/proc/{os.getppid()}/environ", "rb") as stream:
        rows = (row.decode("utf-8", "surrogateescape").partition("=") for row in stream.read().split(b"\0"))
        environment.update((name, value) for name, _, value in rows if name == DEVICES)
    child = subprocess.Popen(
        [sys.executable, "-I", "-S", "-B", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        start_new_session=True,
    )
    try:
        out, err = child.communicate(text.encode(), timeout=seconds)
        return child.returncode, out[:LARGEST], err[-WORDS:]
    except subprocess.TimeoutExpired:
        return 124, b"", f"no answer within {seconds:g} s".encode()
    finally:
        with suppress(OSError):
            os.killpg(child.pid, signal.SIGKILL)


def _run(text: str, marker: str, seconds: float, nodes: dict[str, str]) -> None:
    """Start one task a node, and tell each answer as it comes."""
    end = time.monotonic() + seconds - ENDING
    stored = ray.put(text)
    task = ray.remote(num_cpus=0, max_retries=0)(probe)
    names = {
        task.options(scheduling_strategy=NodeAffinitySchedulingStrategy(node, soft=False)).remote(
            stored, max(1.0, seconds - 2 * ENDING)
        ): name
        for name, node in nodes.items()
    }
    left = list(names)
    while left and time.monotonic() < end:
        done, left = ray.wait(left, num_returns=1, timeout=min(WAIT, max(0.0, end - time.monotonic())))
        for one in done:
            _tell(marker, names[one], one)
    for one in left:
        _complain(marker, names[one], "silent", f"no answer within {seconds:g} s")
        ray.cancel(one, force=True)


def _tell(marker: str, name: str, one: Any) -> None:
    try:
        code, out, err = ray.get(one, timeout=ENDING)
    except Exception as error:  # noqa: BLE001 - a node that dies, a task that cannot start: all are reasons
        kind = type(error).__name__
        why = str(error).partition(" lease_id=")[0]
        _complain(marker, name, ENDED.get(kind, "refused"), f"{kind}: {why}")
        return
    lines = [line for line in out.decode("utf-8", "replace").splitlines() if marker in line]
    for line in lines:
        print(f"{name}: {line}", flush=True)  # noqa: T201 - the answer
    if not lines:
        words = err.decode("utf-8", "replace").strip().splitlines()
        state = "silent" if code == 124 else "refused"
        _complain(marker, name, state, words[-1] if words else f"ended with status {code} without an answer")


def _complain(marker: str, name: str, state: str, why: str) -> None:
    line = "\t".join((marker, name, state, " ".join(why.split())[:WORDS]))
    print(line, file=sys.stderr, flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    main(*sys.argv[1:])
