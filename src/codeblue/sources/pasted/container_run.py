"""``docker run`` and ``podman run`` command lines, and ``docker inspect``: how a container is started."""

import re
import shlex
from collections.abc import Iterator, Sequence
from typing import Any

from codeblue.model.facts import ContainerRun, DeviceRequest
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.documents import decoded, documents
from codeblue.sources.pasted.transcript import command
from codeblue.sources.variables import chosen

RUN = re.compile(r"^(docker|podman|nerdctl) (?:container )?(run|create)\b")
CONTINUED = 40
"""Lines that a command may go on for with a backslash at the end."""
LONE = {
    *(
        "-d",
        "--detach",
        "-i",
        "--interactive",
        "-t",
        "--tty",
        "--rm",
        "--privileged",
        "--init",
        "-P",
        "--read-only",
    ),
    *(
        "--publish-all",
        "--no-healthcheck",
        "--oom-kill-disable",
        "--sig-proxy",
        "--replace",
        "--tls-verify",
        "-q",
    ),
}
"""Options without a value; a cluster such as -it is one as well."""
CLUSTER = re.compile(r"-[ditPq]+$")
SIZE = re.compile(r"(\d+(?:\.\d+)?)([bkmgt]?)b?$", re.IGNORECASE)
UNITS = {"": 0, "b": 0, "k": 10, "m": 20, "g": 30, "t": 40}
CDI = re.compile(r"[\w.-]+/[\w.-]+=\S+$")


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the container that the text starts or describes.

    Of several that are started one that asks for a GPU counts, else the last.
    """
    started = list(_started(lines))
    if started:
        yield next((run for run in started if run.device_requests or run.devices or run.runtime), started[-1])
        return
    for first, text in documents(lines):
        told = decoded(text)
        if isinstance(told, list) and told and isinstance(told[0], dict) and "HostConfig" in told[0]:
            yield _inspected(told[0], first.place)
            return


def _started(lines: Sequence[Line]) -> Iterator[ContainerRun]:
    behind = 0
    for position, line in enumerate(lines):
        typed = command(line) or line.text.strip()
        found = RUN.match(typed) if position >= behind else None
        if found:
            parts = _parts(typed, lines[position + 1 : position + CONTINUED])
            behind = position + len(parts)  # what goes on is no command of its own
            run = _run(found.group(1), _words(" ".join(parts)), line.place)
            if run is not None:
                yield run


def _parts(typed: str, below: Sequence[Line]) -> list[str]:
    """Return the lines of a command that goes on behind a backslash."""
    parts = [typed]
    for line in below:
        if not parts[-1].rstrip().endswith("\\"):
            break
        parts[-1] = parts[-1].rstrip().removesuffix("\\")
        parts.append(line.text.strip().removeprefix("> "))
    return parts


def _words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError:  # a quotation that goes on in a line that was not pasted
        return text.split()


def _options(words: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield option and value up to the image, whose name has an empty option."""
    position = 0
    while position < len(words):
        word = words[position]
        name, sep, value = word.partition("=")
        if not word.startswith("-"):
            yield "", word
            return
        if sep or word in LONE or CLUSTER.match(word):
            yield name, value
            position += 1
        elif re.match(r"-[evpwuhm].", word) and not word.startswith("--"):
            yield word[:2], word[2:]
            position += 1
        else:
            yield word, words[position + 1] if position + 1 < len(words) else ""
            position += 2


def _run(engine: str, words: Sequence[str], place: str) -> ContainerRun | None:
    """Return what the command asks for; None without an image: the command was cut."""
    begin = next(n for n, word in enumerate(words) if word in ("run", "create")) + 1
    image: str | None = None
    requests: list[DeviceRequest] = []
    devices: list[str] = []
    variables: dict[str, str] = {}
    known: dict[str, object] = {"privileged": False, "runtime": None, "shm_size": None, "ipc_mode": None}
    for name, value in _options(words[begin:]):
        if not name:
            image = value
        elif name == "--gpus":
            requests.append(_gpus(value))
        elif name == "--device":
            if CDI.match(value):
                requests.append(DeviceRequest(driver="cdi", count=0, devices=[value], capabilities=[]))
            else:
                devices.append(value.partition(":")[0])
        elif name in ("-e", "--env"):
            variable, _, content = value.partition("=")
            variables |= {variable: content} if chosen(variable) else {}
        else:
            known |= _setting(name, value)
    if image is None:
        return None
    return ContainerRun(
        engine=engine,
        image=image,
        device_requests=requests,
        devices=devices,
        variables=variables,
        driver_mounts=[],
        source=place,
        **known,  # type: ignore[arg-type]  # by field name
    )


def _setting(name: str, value: str) -> dict[str, object]:
    if name == "--runtime":
        return {"runtime": value}
    if name == "--privileged":
        return {"privileged": value.lower() != "false"}
    if name == "--shm-size":
        size = SIZE.match(value)
        return {"shm_size": int(float(size.group(1)) * (1 << UNITS[size.group(2).lower()]))} if size else {}
    if name == "--ipc":
        return {"ipc_mode": value}
    if name in ("--network", "--net"):
        return {"network_mode": value}
    return {"user": value} if name in ("-u", "--user") else {}


def _gpus(value: str) -> DeviceRequest:
    plain = value.strip("\"'")
    devices = plain.removeprefix("device=").split(",") if plain.startswith("device=") else []
    count = -1 if plain == "all" else int(plain) if plain.isdigit() else 0
    return DeviceRequest(driver="", count=count, devices=devices, capabilities=["gpu"])


def _inspected(told: dict[str, Any], place: str) -> ContainerRun:
    host, config = _table(told.get("HostConfig")), _table(told.get("Config"))
    state = _table(told.get("State"))
    known: dict[str, object] = {}
    for field, value, kind in (
        ("image", config.get("Image"), str),
        ("runtime", host.get("Runtime"), str),
        ("privileged", host.get("Privileged"), bool),
        ("shm_size", host.get("ShmSize"), int),
        ("ipc_mode", host.get("IpcMode"), str),
        ("network_mode", host.get("NetworkMode"), str),
        ("status", state.get("Status"), str),
        ("exit_code", state.get("ExitCode"), int),
        ("oom_killed", state.get("OOMKilled"), bool),
    ):
        if isinstance(value, kind):
            known[field] = value
    if isinstance(state.get("Error"), str):
        known["error"] = state["Error"] or None
    pairs = [str(row).partition("=") for row in _rows(config.get("Env"))]
    return ContainerRun(
        engine="docker",
        device_requests=[_request(row) for row in _rows(host.get("DeviceRequests")) if isinstance(row, dict)],
        devices=[
            str(row.get("PathOnHost", "")) for row in _rows(host.get("Devices")) if isinstance(row, dict)
        ],
        variables={name: value for name, _, value in pairs if chosen(name)},
        driver_mounts=[],
        source=place,
        **known,  # type: ignore[arg-type]  # by field name
    )


def _request(row: dict[str, Any]) -> DeviceRequest:
    count = row.get("Count")
    groups = [group for group in _rows(row.get("Capabilities")) if isinstance(group, list)]
    return DeviceRequest(
        driver=str(row.get("Driver") or ""),
        count=count if isinstance(count, int) else 0,
        devices=[str(one) for one in _rows(row.get("DeviceIDs"))],
        capabilities=sorted({str(name) for group in groups for name in group}),
    )


def _table(value: Any) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _rows(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
