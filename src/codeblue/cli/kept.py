"""Snapshots that a verb is pointed at: a file, or one that ``check`` has kept."""

from pathlib import Path

from msgspec import structs

from codeblue import state
from codeblue.diagnose.compare import causes, compare
from codeblue.model.diagnosis import Diagnosis, Overall
from codeblue.model.snapshot import Snapshot
from codeblue.model.text import message
from codeblue.pipeline import read
from codeblue.report.changes import brief
from codeblue.sources.recording import readable
from codeblue.sources.site import Loaded
from codeblue.sources.target import Target, Unusable


def from_file(name: str) -> Snapshot:
    """Return the snapshot in a file, written as a path or as ``file:PATH``. Raises Unusable."""
    path = name.removeprefix("file:")
    *_, whole = read(Target("file", path, name), (), (), "", Loaded())
    return whole


def pointed_at(name: str) -> Snapshot:
    """Return the snapshot in a file, or the last kept one of a live target. Raises Unusable."""
    kept = None if name.startswith("file:") else state.last(name)
    if kept is not None:
        return _decoded(kept, name)
    if name == "local" or (":" in name and not name.startswith("file:") and not Path(name).exists()):
        raise _nothing_kept(name)
    return from_file(name)


def good_and_last(target: str) -> tuple[Snapshot, Snapshot]:
    """Return the last snapshot of the target that worked, and the last one. Raises Unusable."""
    good, latest = state.last_good(target), state.last(target)
    if latest is None:
        raise _nothing_kept(target)
    if good is None:
        raise Unusable(
            message(
                "no check of {target} has found it working yet; there is nothing to compare with",
                "对 {target} 的检查还没有一次是正常的；没有可比较的对象",
                target=target,
            )
        )
    return _decoded(good, target), _decoded(latest, target)


def since_good(snapshot: Snapshot, diagnosis: Diagnosis) -> Diagnosis:
    """Add to a diagnosis of trouble what changed since the same machine last worked."""
    kept = state.last_good(snapshot.target) if diagnosis.verdict is Overall.TROUBLE else None
    good = readable(kept) if kept else None
    # The state directory may be shared by many machines.
    host = good.machine.host_name if good and good.machine else None
    if good is None or good.machine is None or not host or host != diagnosis.host:
        return diagnosis
    changes = causes(compare(good, snapshot))[:3]
    if not changes:
        return diagnosis
    target = "" if snapshot.target == "local" else f" {snapshot.target}"
    note = message(
        "what changed since it last worked ({time}): {changes} — codeblue diff --since-good{target}",
        "自上次正常（{time}）以来的变化：{changes} — codeblue diff --since-good{target}",
        time=good.machine.time,
        changes=", ".join(brief(change) for change in changes),
        target=target,
    )
    return structs.replace(diagnosis, notes=(*diagnosis.notes, note))


def _decoded(content: bytes, target: str) -> Snapshot:
    snapshot = readable(content)
    if snapshot is None:
        raise Unusable(
            message(
                "the kept snapshot of {target} is damaged or of another version; "
                "run codeblue check {target} again",
                "{target} 保留的快照已损坏或来自其他版本；请重新运行 codeblue check {target}",
                target=target,
            )
        )
    return snapshot


def _nothing_kept(target: str) -> Unusable:
    return Unusable(
        message(
            "no snapshot of {target} is kept yet; run codeblue check {target} first",
            "还没有保留 {target} 的快照；请先运行 codeblue check {target}",
            target=target,
        )
    )
