"""``kubectl get pods``, ``get events`` and ``describe pod``: which pods wait, how long, and why."""

import re
from collections.abc import Iterable, Iterator, Sequence

from codeblue.model.facts import Pod, Pods
from codeblue.model.section import Section
from codeblue.sources.clues import Line

AGE = r"(?:\d+[dhms])+"
STATES = "Pending|ContainerCreating|ImagePullBackOff|ErrImagePull|Init:[\\w/]+|ContainerStatusUnknown"
LISTED = re.compile(rf"^\s*(?:(\S+)\s+)?(\S+)\s+\d+/\d+\s+({STATES})\s+\d+(?: \([^)]*\))?\s+({AGE})\b")
EVENT = re.compile(
    rf"^\s*(?:\S+\s+)?(?P<age>{AGE}|<unknown>)(?: \(x\d+ over (?P<over>{AGE})\))?\s+Warning\s+(?P<reason>\w+)"
    r"\s+pod/(?P<pod>\S+)\s+(?P<message>.+)"
)
DESCRIBED = re.compile(
    rf"^\s*Warning\s+(?P<reason>\w+)\s+(?P<age>{AGE}|<unknown>)(?: \(x\d+ over (?P<over>{AGE})\))?"
    r"\s+\S+\s+(?P<message>.+)"
)
NAME = re.compile(r"^Name:\s+(\S+)$")
STATUS = re.compile(r"^Status:\s+(\S+)$")
STARTED = re.compile(r"^Start Time:\s+(\S.*\S)$")
HOLDS = ("FailedScheduling", "FailedMount", "FailedCreatePodSandBox", "Failed", "FailedAttachVolume")
"""Reasons of events that keep a pod waiting."""
PREEMPTION = re.compile(r"\.? preemption: .*$")
UNITS = {"d": 86400, "h": 3600, "m": 60, "s": 1}


def seconds(age: str) -> int:
    """Return the seconds of an age such as ``2h10m``."""
    return sum(int(number) * UNITS[unit] for number, unit in re.findall(r"(\d+)([dhms])", age))


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the pods that wait."""
    found: dict[str, dict[str, object]] = {}
    source = ""
    described = ""
    for line in lines:
        if name := NAME.match(line.text):
            described = name.group(1)
        facts = _listed(line.text) or _event(line.text) or _described(line.text, described)
        if facts:
            pod, known = _full(facts[0], found), facts[1]
            source = source or f"{line.file}:{line.number}"
            _join(found.setdefault(pod, {}), known)
    waiting = {name: Pod(**facts) for name, facts in found.items() if facts}  # type: ignore[arg-type]  # by field name
    if waiting:
        yield Pods(pods=waiting, source=source)


def _full(pod: str, known: Iterable[str]) -> str:
    """Return the name with the namespace that a list showed for it."""
    same = [name for name in known if name.endswith(f"/{pod}")]
    return same[0] if len(same) == 1 else pod


def _join(known: dict[str, object], more: dict[str, object]) -> None:
    """Add facts; the longest wait and the first reason count."""
    longest = max(int(str(known.get("waiting", 0))), int(str(more.get("waiting", 0))))
    known.update({key: value for key, value in more.items() if key not in known})
    if longest:
        known["waiting"] = longest


def _listed(text: str) -> tuple[str, dict[str, object]] | None:
    row = LISTED.match(text)
    if not row:
        return None
    namespace, name, phase, age = row.groups()
    return (f"{namespace}/{name}" if namespace else name), {"phase": phase, "waiting": seconds(age)}


def _event(text: str) -> tuple[str, dict[str, object]] | None:
    row = EVENT.match(text)
    return (row["pod"], _held(row)) if row and row["reason"] in HOLDS else None


def _described(text: str, pod: str) -> tuple[str, dict[str, object]] | None:
    if not pod:
        return None
    if status := STATUS.match(text):
        return (pod, {"phase": status.group(1)}) if status.group(1) == "Pending" else None
    if started := STARTED.match(text):
        return pod, {"since": started.group(1)}
    row = DESCRIBED.match(text)
    return (pod, _held(row)) if row and row["reason"] in HOLDS else None


def _held(row: re.Match[str]) -> dict[str, object]:
    ages = [seconds(age) for age in (row["age"], row["over"]) if age and age != "<unknown>"]
    known: dict[str, object] = {"reason": PREEMPTION.sub("", row["message"]).strip()}
    return known | ({"waiting": max(ages)} if ages else {})
