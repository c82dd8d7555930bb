"""``docker info``: the daemon's runtimes, its cgroup driver, what kind of docker it is."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Engine
from codeblue.model.section import Section
from codeblue.sources.clues import Line

FIELD = re.compile(
    r"^ *(Server Version|Cgroup Driver|Cgroup Version|Runtimes|Default Runtime|Operating System"
    r"|Docker Root Dir): *(.*)$"
)
OPTION = re.compile(r"^ +(rootless|name=rootless)$")
DOWN = re.compile(
    r"(?:ERROR: |docker: )?(?:Cannot connect to the Docker daemon at unix://"
    r"|permission denied while trying to connect to the (?:Docker daemon socket|docker API))"
)


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield what the daemon tells, if the text shows its answer."""
    told: dict[str, str] = {}
    rootless = False
    source = ""
    for line in lines:
        if field := FIELD.match(line.text):
            told.setdefault(field.group(1), field.group(2).strip())
            source = source or line.place
        elif OPTION.match(line.text):
            rootless = True
        elif denied := DOWN.match(line.text.strip()):
            why = "denied" if "permission denied" in denied.group() else "down"
            yield Engine(reachable=False, unreachable=why, source=line.place)
            return
    if "Runtimes" in told or "Cgroup Driver" in told:
        yield _engine(told, rootless, source)


def _engine(told: dict[str, str], rootless: bool, source: str) -> Engine:
    known: dict[str, object] = {"reachable": True, "rootless": rootless}
    for name, field in (
        ("Server Version", "server_version"),
        ("Cgroup Driver", "cgroup_driver"),
        ("Cgroup Version", "cgroup_version"),
        ("Default Runtime", "default_runtime"),
    ):
        if told.get(name):
            known[field] = told[name]
    if "Runtimes" in told:
        known["runtimes"] = sorted(told["Runtimes"].split())
    if "Operating System" in told:
        known["desktop"] = told["Operating System"] == "Docker Desktop"
    if "Docker Root Dir" in told:
        known["snap"] = told["Docker Root Dir"].startswith("/var/snap/docker")
    return Engine(**known, source=source)  # type: ignore[arg-type]  # by field name
