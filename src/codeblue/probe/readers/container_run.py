"""One container as its engine describes it: how it was started, and what became of it."""

import json
import re

from codeblue_probe.docker_socket import Daemon, Unreachable, endpoint
from codeblue_probe.readers.container import DRIVER_FILE, MOST
from codeblue_probe.readers.environment import chosen
from codeblue_probe.report import Absent, Report, Unread
from codeblue_probe.running import output

NAME = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_.-]*$")
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?=\.|Z)")
SECONDS = 4


def read(context, sections):
    """Read the container_run section."""
    if not context.container:
        raise Absent("the target is no container")
    engine, name = context.container["engine"], context.container["name"]
    if not NAME.match(name):
        raise Unread("error", "not the name of a container: %s" % name[:100])
    told = _docker(name, context.environment) if engine == "docker" else _podman(name)
    report = Report("%s inspect" % engine)
    report.put("engine", engine)
    for field, function in FIELDS.items():
        report.attempt(field, lambda function=function: function(told))
    return report


def _docker(name, environment):
    where = endpoint(environment)
    if where.host is None:
        raise Unreachable("no-such-context", "error", "docker has no context %s" % where.context)
    if where.remote:
        raise Unread("unsupported", "the docker daemon is on another machine")
    status, answer = Daemon(where.path).get("/containers/%s/json" % name)
    if status == 404:
        raise Absent("no such container: %s" % name)
    if status != 200:
        raise Unread("error", str(answer.get("message", status)))
    return answer


def _podman(name):
    try:
        code, out, words = output(["podman", "container", "inspect", name], SECONDS)
    except FileNotFoundError:
        raise Unread("unsupported", "podman is not installed")
    if code != 0 and "no such container" in words.lower():
        raise Absent("no such container: %s" % name)
    if code != 0:
        raise Unread("error", words)
    return json.loads(out)[0]


def _state(told):
    return told["State"]


def _moment(field):
    def moment(told):
        found = MOMENT.match(str(_state(told).get(field)))
        return found.group() + "Z" if found and not found.group().startswith("0001") else None

    return moment


def _host(told):
    return told["HostConfig"]


def _config(told):
    return told["Config"]


def _requests(told):
    return [
        {
            "driver": row.get("Driver") or "",
            "count": row.get("Count") or 0,
            "devices": row.get("DeviceIDs") or [],
            "capabilities": sorted({name for group in row.get("Capabilities") or [] for name in group}),
        }
        for row in _host(told).get("DeviceRequests") or []
    ]


def _devices(told):
    return [row.get("PathOnHost", "") for row in _host(told).get("Devices") or []][:MOST]


def _ulimits(told):
    return {_limit_name(row): _limit(row) for row in _host(told).get("Ulimits") or []}


def _limit_name(row):
    return row["Name"].lower().replace("rlimit_", "")


def _limit(row):
    # podman writes "unlimited" as the largest number that fits.
    values = {"soft": row.get("Soft"), "hard": row.get("Hard")}
    return {key: None if value in (-1, 2**63 - 1, 2**64 - 1) else value for key, value in values.items()}


def _variables(told):
    rows = [row.partition("=") for row in _config(told).get("Env") or []]
    return chosen({name: value for name, _, value in rows})


def _mounts(told):
    targets = {row.get("Destination", "") for row in told.get("Mounts") or []}
    return sorted(target for target in targets if DRIVER_FILE.search(target))[:MOST]


def _image(told):
    name = told.get("ImageName") or _config(told).get("Image") or None
    return re.sub(r"^[^/@]*:[^/@]*@(?=[^/]+/)", "", name) if name else None


FIELDS = {
    "name": lambda told: (told.get("Name") or "").lstrip("/") or None,
    "started": _moment("StartedAt"),
    "ended": _moment("FinishedAt"),
    "status": lambda told: _state(told)["Status"],
    "exit_code": lambda told: None if _state(told)["Status"] == "created" else _state(told)["ExitCode"],
    "error": lambda told: _state(told).get("Error") or None,
    "oom_killed": lambda told: bool(_state(told).get("OOMKilled")),
    "pid": lambda told: _state(told).get("Pid") or None,
    "image": _image,
    "image_id": lambda told: told.get("ImageDigest") or told.get("Image") or None,
    "runtime": lambda told: told.get("OCIRuntime") or _host(told).get("Runtime") or None,
    "device_requests": _requests,
    "devices": _devices,
    "privileged": lambda told: bool(_host(told).get("Privileged")),
    "shm_size": lambda told: _host(told).get("ShmSize"),
    "ipc_mode": lambda told: _host(told).get("IpcMode") or None,
    "ulimits": _ulimits,
    "cgroup_parent": lambda told: _host(told).get("CgroupParent") or None,
    "variables": _variables,
    "driver_mounts": _mounts,
    "root": lambda told: ((told.get("GraphDriver") or {}).get("Data") or {}).get("MergedDir"),
    "user": lambda told: _config(told).get("User") or None,
    "network_mode": lambda told: _host(told).get("NetworkMode") or None,
}
