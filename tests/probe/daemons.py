"""A stand-in for the docker daemon: answers on a local socket, or does not."""

import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

INFO: dict[str, Any] = {
    "ServerVersion": "28.5.1",
    "CgroupDriver": "systemd",
    "CgroupVersion": "2",
    "SecurityOptions": ["name=seccomp,profile=builtin"],
    "OperatingSystem": "Ubuntu 24.04.3 LTS",
    "DockerRootDir": "/var/lib/docker",
    "Runtimes": {"runc": {"path": "runc"}, "nvidia": {"path": "nvidia-container-runtime"}},
    "DefaultRuntime": "runc",
}


@contextmanager
def daemon(path: Path, answers: dict[str, tuple[int, Any]] | None = None) -> Iterator[None]:
    """Serve these answers (status and body by resource) on a socket; without answers, stay silent."""
    path.parent.mkdir(parents=True, exist_ok=True)
    held: list[socket.socket] = []
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))
        server.listen()

        def serve() -> None:
            while True:
                try:
                    client, _ = server.accept()
                except OSError:
                    return
                if answers is None:
                    held.append(client)
                    continue
                resource = client.recv(4096).split(b" ")[1].decode()
                status, body = answers.get(resource, (404, {"message": "page not found"}))
                text = json.dumps(body) if not isinstance(body, str) else body
                client.sendall(f"HTTP/1.0 {status} x\r\nA: b\r\n\r\n{text}".encode())
                client.close()

        thread = threading.Thread(target=serve)
        thread.start()
        yield
        server.shutdown(socket.SHUT_RDWR)
        thread.join()
    for client in held:
        client.close()
