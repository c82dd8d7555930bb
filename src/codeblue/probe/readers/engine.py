"""Container engines: which there are, whether docker's daemon answers, and how it is set up."""

from codeblue_probe import daemon_json, files, toolkit_files
from codeblue_probe.docker_socket import USUAL, Daemon, Unreachable, endpoint
from codeblue_probe.report import Absent, Report, Unread

ENGINES = ("docker", "podman")
SERVER = (
    "server_version",
    "cgroup_driver",
    "cgroup_version",
    "rootless",
    "desktop",
    "snap",
    "runtimes",
    "default_runtime",
)
SNAP_ROOT = "/var/snap/docker"
DESKTOP = ("/.docker/desktop/", "/.docker/run/")


def read(context, sections):
    """Read the engine section."""
    variables = context.environment
    found = _programs(variables.get("PATH", ""))
    where = endpoint(variables)
    socket = bool(variables.get("DOCKER_HOST")) or files.exists(USUAL)
    docker = ("docker" in found or socket) and not where.podman
    if not docker and not found:
        raise Absent("neither docker nor podman")
    report = Report("GET /info of the docker daemon")
    report.attempt(
        "programs",
        lambda: {name: toolkit_files.tool(path, variables) for name, path in found.items()},
        "--version",
    )
    report.put("context", where.context if docker else None, "DOCKER_HOST, DOCKER_CONTEXT, ~/.docker")
    report.put("remote", docker and where.remote, "DOCKER_HOST, DOCKER_CONTEXT, ~/.docker")
    report.put("endpoint", _endpoint(where) if docker else None)
    daemon = _server(report, where, docker)
    _daemon_json(report, daemon, variables)
    report.attempt("cdi_specs", toolkit_files.cdi_specs, "{key}")
    report.attempt("toolkit", lambda: toolkit_files.tools(variables), "{key} --version")
    report.attempt("toolkit_config", toolkit_files.config, toolkit_files.CONFIG)
    if "toolkit_config" in report.facts:
        there = toolkit_files.ldconfig_there(report.facts["toolkit_config"])
        report.put("ldconfig_there", there, toolkit_files.CONFIG)
    return report


def _programs(variable):
    found = {name: toolkit_files.program(name, variable) for name in ENGINES}
    return {name: path for name, path in found.items() if path and not (name == "docker" and _wrapper(path))}


def _wrapper(path):
    """True for the script with which podman stands in for docker."""
    try:
        content = files.text(path, 4096)
    except OSError:
        return False
    return content.startswith("#!") and "podman" in content


def _endpoint(where):
    # A remote address would name other machines of the site.
    return where.host.partition(":")[0] if where.remote else where.host


def _server(report, where, docker):
    """Ask the daemon; return it, or None if it was not asked."""
    daemon = None
    try:
        if not docker:
            raise Unreachable("no-docker", "not-attempted", "no docker")
        if where.host is None:
            raise Unreachable("no-such-context", "error", "no such context")
        if where.remote:
            report.put("unreachable", None)
            report.unread["reachable"] = "not-attempted"
            raise Unread("not-attempted", "the daemon is on another machine")
        daemon = Daemon(where.path)
        status, answer = daemon.get("/info")
        if status != 200 or not isinstance(answer, dict):
            raise Unread("error", "the docker daemon refused: %s" % status)
        _told(report, answer)
        report.put("reachable", True)
        report.put("unreachable", None)
    except Unreachable as error:
        report.put("reachable", False)
        report.put("unreachable", error.why)
        _unread(report, error)
        _from_outside(report, where, docker)
    except Unread as error:
        _unread(report, error)
    return daemon


def _unread(report, error):
    for field in SERVER:
        report.unread[field] = error.state


def _from_outside(report, where, docker):
    """Say what is known of a daemon that does not answer."""
    snap = docker and files.exists("/snap/bin/docker") and not files.exists("/usr/bin/dockerd")
    known = {"snap": snap, "desktop": any(part in (where.host or "") for part in DESKTOP)}
    for field, value in known.items():
        del report.unread[field]
        report.put(field, value, "paths")


def _told(report, answer):
    options = answer.get("SecurityOptions") or []
    report.put("server_version", answer.get("ServerVersion"))
    report.put("cgroup_driver", answer.get("CgroupDriver"))
    report.put("cgroup_version", answer.get("CgroupVersion"))
    report.put("rootless", any("name=rootless" in option for option in options))
    report.put("desktop", answer.get("OperatingSystem") == "Docker Desktop")
    report.put("snap", str(answer.get("DockerRootDir", "")).startswith(SNAP_ROOT))
    report.put("runtimes", sorted(answer.get("Runtimes") or {}))
    report.put("default_runtime", answer.get("DefaultRuntime"))


def _daemon_json(report, daemon, variables):
    facts = report.facts
    if daemon is None or facts.get("desktop"):
        report.unread["daemon_json"] = "not-attempted"
        return
    rootless = facts.get("rootless", daemon.path.startswith("/run/user/"))
    path = daemon_json.place(daemon.arguments(), rootless, facts.get("snap"), variables)
    report.attempt("daemon_json", lambda: daemon_json.read(path), path)
