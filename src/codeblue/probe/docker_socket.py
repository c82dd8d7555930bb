"""Which docker daemon the docker command talks to, and questions to it over its socket.

The daemon is asked directly: that needs no docker command and takes milliseconds.
"""

import errno
import hashlib
import json
import os
import socket
import struct
import time

from codeblue_probe import files
from codeblue_probe.report import Unread

SECONDS = 3
LARGEST = 4 << 20
USUAL = "/var/run/docker.sock"
PID_FILES = ("/run/docker.pid", "/var/run/docker.pid")


class Unreachable(Unread):
    """The daemon gave no answer; ``why`` is one word for it."""

    def __init__(self, why, state, reason):
        super().__init__(state, reason)
        self.why = why


class Endpoint:
    """Where the docker command looks for its daemon."""

    def __init__(self, context, host):
        self.context = context
        self.host = host

    @property
    def path(self):
        """Path of the local socket, or None."""
        return self.host[len("unix://") :] if self.host and self.host.startswith("unix://") else None

    @property
    def podman(self):
        """True if podman answers behind the socket, in docker's words."""
        return "podman" in (self.path or "") + (files.target(self.path or "") or "")

    @property
    def remote(self):
        """True if the daemon is not behind a socket of this machine."""
        return self.host is not None and self.path is None


def endpoint(environment):
    """Return the endpoint that the docker command would use in this environment."""
    if environment.get("DOCKER_HOST"):
        return Endpoint("default", environment["DOCKER_HOST"])
    folder = environment.get("DOCKER_CONFIG") or environment.get("HOME", "") + "/.docker"
    name = environment.get("DOCKER_CONTEXT") or _json(folder + "/config.json").get("currentContext")
    if not name or name == "default":
        return Endpoint("default", "unix://" + USUAL)
    digest = hashlib.sha256(name.encode("utf-8")).hexdigest()
    meta = _json("%s/contexts/meta/%s/meta.json" % (folder, digest))
    return Endpoint(name, ((meta.get("Endpoints") or {}).get("docker") or {}).get("Host"))


def _json(path):
    try:
        content = json.loads(files.text(path))
    except (OSError, ValueError):
        return {}
    return content if isinstance(content, dict) else {}


class Daemon:
    """A daemon behind a local socket. Raises Unreachable if it does not answer."""

    def __init__(self, path):
        self.path = path
        self.pid = None

    def get(self, resource):
        """Return HTTP status and decoded body of a GET."""
        if asleep(self.path):
            raise Unreachable("asleep", "not-attempted", "docker does not run; asking would start it")
        deadline = time.time() + SECONDS
        try:
            answer = self._exchange(resource, deadline)
        except socket.timeout:
            raise Unreachable("timeout", "timeout", "the docker daemon gave no answer in %d s" % SECONDS)
        except OSError as error:
            raise _explained(error, self.path)
        head, _, body = answer.partition(b"\r\n\r\n")
        try:
            return int(head.split(b" ", 2)[1]), json.loads(body.decode("utf-8", "replace"))
        except (ValueError, IndexError):
            raise Unread("error", "unexpected answer of the docker daemon")

    def _exchange(self, resource, deadline):
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            client.settimeout(SECONDS)
            client.connect(files.ROOT + self.path)
            size = struct.calcsize("3i")
            credentials = client.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size)
            self.pid = struct.unpack("3i", credentials)[0]
            client.sendall(("GET %s HTTP/1.0\r\nHost: docker\r\n\r\n" % resource).encode("ascii"))
            return _received(client, deadline)
        finally:
            client.close()

    def arguments(self):
        """Return the command line of the daemon, empty if it cannot be found."""
        for pid in [self.pid] + [_number(path) for path in PID_FILES]:
            try:
                if pid and files.line("/proc/%d/comm" % pid) == "dockerd":
                    return files.text("/proc/%d/cmdline" % pid).split("\0")
            except OSError:  # another PID namespace, or it has ended
                continue
        return []


def asleep(path):
    """True if connecting would make systemd start the daemon: a probe changes nothing."""
    if path not in (USUAL, "/run/docker.sock") or not files.exists("/run/systemd/system"):
        return False
    if not files.exists(path) or any(files.exists(pid) for pid in PID_FILES):
        return False
    try:
        files.line("/proc/1/comm")
    except OSError:  # processes of others are hidden: nothing is known
        return False
    return not any(_comm(entry) in ("dockerd", "docker-containe") for entry in files.names("/proc"))


def _comm(entry):
    try:
        return files.line("/proc/%s/comm" % entry) if entry.isdigit() else ""
    except OSError:  # it has ended
        return ""


def _received(client, deadline):
    chunks, size = [], 0
    while size < LARGEST:
        left = deadline - time.time()
        if left <= 0:
            raise socket.timeout()
        client.settimeout(left)
        chunk = client.recv(1 << 16)
        if not chunk:
            break
        chunks.append(chunk)
        size += len(chunk)
    return b"".join(chunks)


def _explained(error, path):
    if error.errno in (errno.EACCES, errno.EPERM):
        return Unreachable("denied", "denied", "%s: permission denied" % path)
    if error.errno == errno.ENOENT:
        return Unreachable("no-socket", "error", "%s does not exist" % path)
    return Unreachable("down", "error", "%s: %s" % (path, os.strerror(error.errno or 0)))


def _number(path):
    try:
        return int(files.line(path))
    except (OSError, ValueError):
        return None
