"""A stand-in for the kubelet of one node: runs the program of each pod as a process of this machine.

It is no container: files, users and rights are those of the test. What it does like a kubelet is what the
engine depends on: the pod's states through the API, and its output through the port for logs.
"""

import json
import ssl
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from codeblue.fleet.engines.kubernetes.manifest import FOLDER
from tests.fleet.kubernetes.control_plane import ControlPlane

PODS = "/api/v1/namespaces/default/pods"
EVERY = 0.5


class SmallKubelet:
    """The kubelet of one node on paper."""

    def __init__(self, plane: ControlPlane, node: str, folder: Path) -> None:
        self._plane, self._node, self._folder = plane, node, folder
        self._seen: set[str] = set()
        self._over = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._threads = [threading.Thread(target=one) for one in (self._server.serve_forever, self._loop)]

    def start(self) -> None:
        """Serve logs, and look for pods."""
        key, certificate = self._folder / "key.pem", self._folder / "certificate.pem"
        words = [
            "openssl",
            "req",
            "-x509",
            "-newkey",
            "rsa:2048",
            "-nodes",
            "-days",
            "1",
            "-subj",
            "/CN=test",
        ]
        subprocess.run([*words, "-keyout", key, "-out", certificate], check=True, capture_output=True)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate, key)
        self._server.socket = context.wrap_socket(self._server.socket, server_side=True)
        endpoint = {"kubeletEndpoint": {"Port": self._server.server_port}}
        address = [{"type": "InternalIP", "address": "127.0.0.1"}]
        self._plane.put_status(
            "/api/v1/nodes", self._node, {"daemonEndpoints": endpoint, "addresses": address}
        )
        for one in self._threads:
            one.start()

    def stop(self) -> None:
        """End both."""
        self._over.set()
        self._server.shutdown()
        for one in self._threads:
            one.join(30)
        self._server.server_close()

    def _loop(self) -> None:
        where = ("get", "pods", "--field-selector", f"spec.nodeName={self._node}", "-o", "json")
        while not self._over.is_set():
            told = self._plane.kubectl(*where, fails=None)
            for pod in json.loads(told)["items"] if told else ():
                name = pod["metadata"]["name"]
                if "deletionTimestamp" in pod["metadata"]:
                    self._plane.kubectl("delete", "pod", name, "--force", "--grace-period=0", fails=None)
                elif name not in self._seen:
                    self._seen.add(name)
                    self._run(pod)
            time.sleep(EVERY)

    def _run(self, pod: dict[str, Any]) -> None:
        name = pod["metadata"]["name"]
        [container] = pod["spec"]["containers"]
        volume = next(one for one in pod["spec"]["volumes"] if one["name"] == "text")
        secret = json.loads(
            self._plane.kubectl("get", "secret", volume["secret"]["secretName"], "-o", "json")
        )
        folder = self._folder / name
        folder.mkdir()
        for file, content in secret["data"].items():
            decoded = subprocess.run(
                ["base64", "-d"], input=content.encode(), capture_output=True, check=True
            )
            (folder / file).write_bytes(decoded.stdout)
        command = [word.replace(FOLDER, str(folder)) for word in container["command"]]
        with (self._folder / f"{name}.log").open("wb") as log:
            code = subprocess.run(command, stdout=log, stderr=log, check=False, timeout=120).returncode
        ended = {"exitCode": code, "reason": "Completed" if code == 0 else "Error"}
        state = {
            "name": container["name"],
            "image": container["image"],
            "imageID": "",
            "ready": False,
            "restartCount": 0,
            "state": {"terminated": ended},
        }
        phase = "Succeeded" if code == 0 else "Failed"
        self._plane.put_status(PODS, name, {"phase": phase, "containerStatuses": [state]})

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        folder = self._folder

        class Logs(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                parts = self.path.partition("?")[0].split("/")
                log = folder / f"{parts[3]}.log" if len(parts) == 5 and parts[1] == "containerLogs" else None
                found = log is not None and log.exists()
                self.send_response(200 if found else 404)
                self.end_headers()
                if log is not None and found:
                    self.wfile.write(log.read_bytes())

            def log_message(self, format: str, *arguments: object) -> None:
                """Say nothing."""

        return Logs
