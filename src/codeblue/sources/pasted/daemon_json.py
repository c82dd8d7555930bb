"""A pasted /etc/docker/daemon.json: is it sound, and the settings that matter here."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any

from codeblue.model.facts import DaemonJson, Engine
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.documents import decoded, documents
from codeblue.sources.pasted.transcript import outputs

CAT = re.compile(r"cat (/\S*/daemon\.json)$")
ROOTFUL = "/etc/docker/daemon.json"
TELLING = {"runtimes", "default-runtime", "exec-opts"}
KEYS = TELLING | {
    "default-shm-size",
    "default-ulimits",
    "data-root",
    "registry-mirrors",
    "storage-driver",
    "features",
    "log-driver",
    "log-opts",
    "insecure-registries",
    "live-restore",
    "dns",
}
"""A document with nothing but such keys at its top is one, whatever stands above it."""


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the file's settings. That it is broken is said only where the command above names it."""
    for output in outputs(lines, CAT):
        yield from _printed(output)
    for first, text in documents(lines):
        settings = decoded(text)
        if isinstance(settings, dict) and TELLING & set(settings) and set(settings) <= KEYS:
            yield _engine(_chosen(settings), first.place)


def _printed(output: Sequence[Line]) -> Iterator[Section]:
    text = "\n".join(line.text for line in output).strip()
    if not text.startswith("{"):
        return
    try:
        settings = json.JSONDecoder().raw_decode(text)[0]
    except (ValueError, RecursionError) as error:
        # An excerpt ends in the middle; what is wrong before its end is wrong in the file.
        if isinstance(error, json.JSONDecodeError) and error.pos < len(text.rstrip("}] \n\t")):
            broken = DaemonJson(path=ROOTFUL, error=error.msg, line=error.lineno, column=error.colno)
            yield _engine(broken, output[0].place)
        return
    if isinstance(settings, dict):
        yield _engine(_chosen(settings), output[0].place)


def _engine(row: DaemonJson, place: str) -> Engine:
    return Engine(daemon_json=row, sources={"daemon_json": place})


def _chosen(settings: dict[str, Any]) -> DaemonJson:
    cdi = _table(settings.get("features")).get("cdi")
    options = settings.get("exec-opts")
    return DaemonJson(
        path=ROOTFUL,
        error=None,
        line=None,
        column=None,
        runtimes=sorted(_table(settings.get("runtimes"))),
        default_runtime=_text(settings.get("default-runtime")),
        exec_opts=[str(option) for option in options] if isinstance(options, list) else [],
        default_shm_size=_text(settings.get("default-shm-size")),
        default_ulimits=sorted(_table(settings.get("default-ulimits"))),
        cdi=cdi if isinstance(cdi, bool) else None,
        data_root=_text(settings.get("data-root")),
    )


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
