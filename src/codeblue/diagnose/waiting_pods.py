"""What a reader of pod events wants to know first: who waits, how long, and why."""

from collections.abc import Iterator

from codeblue.model.facts import Pod, Pods
from codeblue.model.section import NotRead, State
from codeblue.model.snapshot import View
from codeblue.model.text import Message, message

MOST = 3
"""Pods that are named; the others are counted."""


def waiting_pods(view: View) -> tuple[Message, ...]:
    """Return one line for each pod that waits, the longest first."""
    try:
        section = view.section(Pods)
        pods = section.pods if section.state is State.READ else {}
    except NotRead:
        return ()
    rows = sorted(
        ((_seconds(pod), name, pod) for name, pod in pods.items()), key=lambda row: (-row[0], row[1])
    )
    shown = [line for waited, name, pod in rows[:MOST] for line in _told(name, pod, waited)]
    if len(rows) > MOST:
        shown.append(message("{n} more pods wait", "另有 {n} 个 pod 在等待", n=len(rows) - MOST))
    return tuple(shown)


def _told(name: str, pod: Pod, waited: int) -> Iterator[Message]:
    phase, why, since = (_fact(pod, field) for field in ("phase", "reason", "since"))
    if not (waited or why):
        return
    long = _long(waited) if waited else "?"
    began = f", {since}" if since else ""
    yield message(
        "pod {name}: {phase} for {long}{began}: {why}",
        "pod {name}：{phase} 已 {long}{began}：{why}",
        name=name,
        phase=phase or "Pending",
        long=long,
        began=began,
        why=why or "?",
    )


def _fact(pod: Pod, field: str) -> str:
    try:
        return str(getattr(pod, field))
    except NotRead:
        return ""


def _seconds(pod: Pod) -> int:
    waited = _fact(pod, "waiting")
    return int(waited) if waited else 0


def _long(seconds: int) -> str:
    """Return a duration as kubectl writes it: the two largest units."""
    days, rest = divmod(seconds, 86400)
    hours, rest = divmod(rest, 3600)
    minutes, rest = divmod(rest, 60)
    parts = [(days, "d"), (hours, "h"), (minutes, "m"), (rest, "s")]
    return "".join(f"{number}{unit}" for number, unit in [p for p in parts if p[0]][:2]) or "0s"
