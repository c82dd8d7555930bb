"""Fleets that no site has lent us: real recordings, varied as nodes of one model differ.

Every node has its own names, numbers and addresses; what a fleet shares, its software, stays shared unless
``different`` asks for fleets in which no two nodes hold an equal section.
"""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import json

from codeblue.model.fleet import Listed, NodeState, Reply, Run

RECORDINGS = Path(__file__).parents[1] / "tests" / "recordings"
FAULTS = ("nvidiactl-0644", "nvidia-uvm-missing", "shm-4m", "memlock-64k", "libcudnn-empty")
"""Real faults of the lab that some nodes have."""
EVERY = 50
"""One node in so many has a fault."""
NOT_OF_A_PROBE = ("sightings", "expectations")

Sections = dict[str, dict[str, Any]]
Change = Callable[[int, Sections], None]


def machine(name: str) -> tuple[dict[str, Any], Sections]:
    """Return header and sections of a recording, as a probe would have answered."""
    view = json.decode((RECORDINGS / f"{name}.json").read_bytes())["views"][0]
    sections = {
        key: value
        for key, value in view.items()
        if isinstance(value, dict) and "state" in value and key not in NOT_OF_A_PROBE
    }
    header = {"part": "final", "time": view["time"], "until": view["until"], "seconds": view["seconds"]}
    return {**header, "probe_python": view["probe_python"]}, sections


def run_of(nodes: int, name: str = "20261201T000000-0001", group: str = "gpu") -> Run:
    """Return a run over so many nodes, ``gpu00001`` and on."""
    listed = tuple(Listed(f"gpu{number:05}", group=group) for number in range(1, nodes + 1))
    return Run(id=name, engine="ssh", asked=("synthetic",), nodes=listed, codeblue="0", data="2026-12-01")


def replies(
    run: Run,
    base: str = "h200-healthy",
    *,
    faults: bool = True,
    identical: bool = False,
    different: bool = False,
    change: Change | None = None,
) -> Iterator[Reply]:
    """Yield the answers of all nodes of a run.

    ``identical`` nodes differ in their names only; ``change`` edits the sections of a node by its number.
    """
    bases = {name: machine(name) for name in (base, *FAULTS)}
    for number, node in enumerate(run.nodes):
        faulty = faults and number % EVERY == EVERY - 1
        header, sections = bases[FAULTS[number // EVERY % len(FAULTS)] if faulty else base]
        varied = dict(sections)
        varied["host"] = {**sections["host"], "hostname": f"host-{number:012x}"}
        if not identical:
            varied |= _own(number, varied)
        if different:
            varied = {name: {**section, "reason": f"{number}"} for name, section in varied.items()}
        if change is not None:
            change(number, varied)
        yield reply(node, {**header, "sections": varied})


def reply(node: Listed, document: Mapping[str, Any]) -> Reply:
    """Return the reply that brings this answer."""
    body = json.encode(document)
    return Reply(
        node=node.name,
        state=NodeState.ANSWERED,
        document=body,
        seconds=document.get("seconds", 1.0),
        group=node.group,
    )


def _own(number: int, sections: Mapping[str, dict[str, Any]]) -> Sections:
    """Return the sections in which two nodes of one model are never equal."""
    own = {"host": {**sections["host"], "boot_id": f"boot-{number:012x}", "uptime_seconds": 1e6 + number}}
    if memory := sections["host"].get("memory_bytes"):
        own["host"]["memory_bytes"] = memory + number % 64 * 4096
    if lines := sections.get("kernel_log", {}).get("lines"):
        later = [{**line, "seconds": line["seconds"] + number * 1e-6} for line in lines]
        own["kernel_log"] = {**sections["kernel_log"], "lines": later}
    if "memory_current" in sections.get("cgroup", {}):
        own["cgroup"] = {**sections["cgroup"], "memory_current": 10**9 + number * 4096}
    if table := sections.get("filesystems", {}).get("filesystems"):
        mounts = {path: {**row, "free": 10**10 + number * 4096} for path, row in table.items()}
        own["filesystems"] = {**sections["filesystems"], "filesystems": mounts}
    if gpus := sections.get("nvml", {}).get("gpus"):
        rows = {
            key: {
                **gpu,
                "uuid": f"gpu-{number:08x}{key}",
                "temperature": 35 + number % 20,
                "throttle": number % 2,
            }
            for key, gpu in gpus.items()
        }
        own["nvml"] = {**sections["nvml"], "gpus": rows}
    for name in ("cuda", "torch_trial"):
        for field in ("init_seconds", "import_seconds", "kernel_seconds"):
            if sections.get(name, {}).get(field) is not None:
                own[name] = {**own.get(name, sections[name]), field: 0.2 + number * 1e-6}
    return own
