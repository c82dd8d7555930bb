"""A live probe becomes a snapshot, first a partial one, then the whole."""

import re
import time
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from codeblue import __version__
from codeblue.model import facts
from codeblue.model.section import Section, State
from codeblue.model.snapshot import SECTIONS, Snapshot, View
from codeblue.model.text import Message, message
from codeblue.sources import nccl_log
from codeblue.sources.launch import Launched
from codeblue.sources.logs import Signatures, read_lines
from codeblue.sources.target import CONTAINERS, REMOTE, Target, Unusable
from codeblue.transport import inside, local

KILLED = 137
"""Exit code of a container whose first process was ended by SIGKILL."""

GONE = re.compile(r"process (\d+) is gone$")
"""The probe's word that what it was to judge has ended meanwhile."""


def snapshots(launched: tuple[Launched, ...], signatures: Signatures) -> Iterator[Snapshot]:
    """Yield what is known of the target so far, the last snapshot being the whole.

    Raises Unusable if no probe gives an answer.
    """
    views: dict[int, View] = {}
    silent = [line for probe in launched for line in probe.lacking]
    for number, probe in enumerate(launched):
        try:
            for view in _views(probe, signatures):
                views[number] = view
                yield _snapshot(launched[0].target.name, list(views.values()), silent)
        except Unusable as failure:
            if len(launched) == 1:
                raise
            silent.append(failure.line)
    if not views:
        raise Unusable(silent[0])
    yield _snapshot(launched[0].target.name, list(views.values()), silent)


def _snapshot(target: str, views: list[View], silent: list[Message]) -> Snapshot:
    # A container has a host name of its own; that both run under one kernel is told by the boot.
    first = views[0]
    joined = [
        msgspec.structs.replace(view, host_name=first.host_name)
        if view.boot is not None and view.boot == first.boot
        else view
        for view in views
    ]
    return Snapshot(codeblue=__version__, target=target, views=joined, unreadable=list(silent))


def _views(launched: Launched, signatures: Signatures) -> Iterator[View]:
    answered = False
    for line in local.answers(launched.running, launched.marker, launched.started + launched.budget):
        document = msgspec.json.decode(line)
        if document["part"] == "error":
            raise Unusable(_failure(document["reason"]))
        answered = True
        name = "host" if launched.side == "host" else launched.target.name
        view = view_of(document, name, signatures, time.monotonic() - launched.started)
        yield msgspec.structs.replace(view, side=launched.side)
        if view.complete:  # something that was left behind may keep the pipe open
            return
    if not answered:
        raise Unusable(_no_answer(launched))


def _failure(reason: str) -> Message:
    gone = GONE.search(reason)
    if gone:
        return message("process {pid} has ended", "进程 {pid} 已结束", pid=gone.group(1))
    return message("the probe failed: {why}", "探针失败：{why}", why=reason)


def _no_answer(launched: Launched) -> Message:
    over = local.over(launched.running, launched.started + launched.budget)
    words = local.last_words(launched.running)
    if launched.target.kind in REMOTE and over and words:
        from codeblue.sources.remote import refusal

        return refusal(launched.target, words)
    kind = launched.target.kind if launched.side == "container" else ""
    if kind in CONTAINERS and (status := _status(launched.target)) != "running":
        return message(
            "{name}: the probe inside gave no answer; the container is now {status}",
            "{name}：里面的探针没有回答；容器现在的状态为 {status}",
            name=launched.target.name,
            status=status,
        )
    if not over or not words:
        return message(
            "{name}: the probe gave no answer within {budget} s",
            "{name}：探针在 {budget} 秒内没有回答",
            name=launched.target.name,
            budget=f"{launched.budget:g}",
        )
    return message("the probe ended without an answer: {words}", "探针没有回答就结束了：{words}", words=words)


def _status(target: Target) -> str:
    try:
        return inside.container(target.kind, target.value).state.status
    except inside.Refused as why:
        return str(why)


def view_of(document: dict[str, Any], name: str, signatures: Signatures, seconds: float) -> View:
    """Return the view of one document of the probe.

    A section that does not have the agreed shape becomes an error of its own; the rest stays.
    """
    sections = {key: section_of(key, raw) for key, raw in document["sections"].items() if key in SECTIONS}
    host = sections.get("host")
    read = isinstance(host, facts.Host) and host.state is State.READ
    view = View(
        kind="probe",
        name=name,
        host_name=document["sections"]["host"].get("hostname") if read else None,
        boot=document["sections"]["host"].get("boot_id") if read else None,
        time=document["time"],
        seconds=round(seconds, 3),
        until=document["until"],
        complete=document["part"] == "final",
        without_gpu=document.get("without_gpu", False),
        probe_python=document["probe_python"],
    )
    view = msgspec.structs.replace(view, **sections)
    return msgspec.structs.replace(view, sightings=seen_in(words_of(document["sections"]), signatures))


def section_of(name: str, raw: dict[str, Any]) -> Section:
    """Return a section of the probe's answer; one that has another shape says so in its state."""
    kind = SECTIONS[name]
    raw = nccl_log.told(raw) if kind is facts.NcclTrial else raw
    try:
        return msgspec.convert(raw, kind)
    except msgspec.ValidationError as error:
        return kind(state=State.ERROR, reason=f"unexpected answer: {error}")


def _of_engine(run: dict[str, Any]) -> list[str]:
    """Return what the engine says of the end of a container, in its own words."""
    killed = run.get("oom_killed") and run.get("exit_code") == KILLED and not run.get("pid")
    return ([str(run["error"])] if run.get("error") else []) + (['"OOMKilled": true'] if killed else [])


class Words(msgspec.Struct, frozen=True):
    """The lines of an answer on which the signatures are tried."""

    trial: tuple[str, ...]
    kernel: tuple[str, ...]
    engine: tuple[str, ...]
    nccl: tuple[str, ...]


def words_of(sections: Mapping[str, Any]) -> Words:
    """Return the words of the trials, the driver and the container engine."""
    trial = sections.get("torch_trial", {})
    words = [*str(trial.get("words") or "").splitlines(), str(trial.get("error") or "")]
    lines = sections.get("kernel_log", {}).get("lines") or ()
    told = (row["text"] for row in lines if row["kind"] in ("nvrm", "nouveau", "module"))
    ended = _of_engine(sections.get("container_run", {}))
    together = nccl_log.shared(str(sections.get("nccl_trial", {}).get("words") or ""))
    return Words(tuple(line for line in words if line), tuple(told), tuple(ended), tuple(together))


def seen_in(words: Words, signatures: Signatures) -> facts.Sightings:
    """Return what the signatures see in the words.

    Xids, crashes and kills in the kernel log may be old news of other jobs: rules judge those as facts.
    Nor may a line overrule the check of a fault that looks at the kernel log itself.
    """
    seen = read_lines(words.trial, "torch trial", signatures)
    kernel = read_lines(words.kernel, "kernel log", signatures)
    ended = read_lines(words.engine, "the container's state", signatures)
    told_by_lines = [one for one in kernel.seen if one.fault not in signatures.kernel_checks]
    together = read_lines(words.nccl, "nccl trial", signatures)
    every = [*seen.seen, *together.seen, *told_by_lines, *ended.seen]
    return msgspec.structs.replace(seen, seen=every, unrecognised_errors=[])
