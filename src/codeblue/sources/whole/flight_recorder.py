"""Dumps of PyTorch's flight recorder, as pickle or JSON: how far each rank got in each process group."""

import io
import json
import pickle
import re
from typing import Any

from codeblue.model.facts import Stream

LARGEST = 64 << 20
PICKLE = re.compile(rb"^\x80[\x02-\x05]")
MARKS = (b'"pg_status"', b'"pg_config"', b'"entries"', b'"nccl_version"', b'"comm_lib_version"')
RANK = re.compile(r"(?:^|[^\d])(\d{1,6})(?:\.\w{1,7})?$")
GROUPS = 64
WORD = re.compile(r"[\w:.<> -]{1,80}")


def known(head: bytes) -> bool:
    """True for the first bytes of a pickle, or of a dump in JSON."""
    return PICKLE.match(head) is not None or (
        head.lstrip().startswith(b"{") and any(mark in head for mark in MARKS)
    )


class _Plain(pickle.Unpickler):
    """Makes containers, texts and numbers, and refuses everything that would import or call something."""

    def find_class(self, module: str, name: str) -> Any:
        raise pickle.UnpicklingError(f"{module}.{name} is no plain value")

    def persistent_load(self, pid: Any) -> Any:
        raise pickle.UnpicklingError("refers to something outside")


def load(content: bytes) -> Any:
    """Return the plain values of a dump; None if it holds anything else or is damaged."""
    if len(content) > LARGEST:
        return None
    try:
        if PICKLE.match(content):
            return _Plain(io.BytesIO(content)).load()
        return json.loads(content)
    except Exception:  # noqa: BLE001 - a hostile or damaged pickle may raise anything at all
        return None


def streams(dump: Any, name: str) -> tuple[Stream, ...] | None:
    """Return one stream for each process group; None if this is no dump. The file's name tells the rank."""
    if not isinstance(dump, dict) or not isinstance(dump.get("pg_status"), dict):
        return None
    found = RANK.search(name)
    rank = int(found.group(1)) if found else None
    return tuple(
        stream
        for group, status in list(dump["pg_status"].items())[:GROUPS]
        if (stream := _stream(dump, str(group), status, name, rank)) is not None
    )


def _stream(dump: dict[str, Any], group: str, status: Any, name: str, rank: int | None) -> Stream | None:
    if not isinstance(status, dict):
        return None
    enqueued = _number(status.get("last_enqueued_collective"))
    completed = _number(status.get("last_completed_collective"))
    if enqueued is None or completed is None:
        return None
    config = dump.get("pg_config")
    described = config.get(group) if isinstance(config, dict) else None
    label = _word(described.get("desc")) if isinstance(described, dict) else ""
    return Stream(
        file=name,
        rank=rank,
        label=label or group,
        enqueued=enqueued,
        completed=completed,
        last_text=_operation(dump.get("entries"), enqueued, label),
    )


def _operation(entries: Any, sequence: int, label: str) -> str:
    """Return the name and the state of the collective that was asked for last."""
    for entry in reversed(entries[-10_000:] if isinstance(entries, list) else []):
        if not isinstance(entry, dict) or _number(entry.get("collective_seq_id")) != sequence:
            continue
        group = entry.get("process_group")
        if label and isinstance(group, list | tuple) and label not in group:
            continue
        state = _word(entry.get("state"))
        return f"collective {sequence}: {_word(entry.get('profiling_name'))} {state}".strip()
    return f"collective {sequence}"


def _number(value: Any) -> int | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, str) and re.fullmatch(r"-?\d{1,18}", value):
        return int(value)
    return value if isinstance(value, int) and abs(value) < 1 << 62 else None


def _word(value: Any) -> str:
    found = WORD.match(value) if isinstance(value, str) else None
    return found.group() if found else ""
