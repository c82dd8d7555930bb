"""A Kubernetes of the tests' own: etcd, API server, controllers and scheduler.

The programs are those of ``scripts/kubernetes.sh``; all ports, sockets and files are private.
"""

import os
import shutil
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import msgspec

ROOT = Path(__file__).parents[3]
BIN = Path(os.environ.get("CODEBLUE_KUBERNETES_BIN") or ROOT / ".kubernetes" / "bin")
STARTING = 120
GATES = "--feature-gates=TTLAfterFinished=true"
"""On by default from 1.21 on."""
TOKENS = {"admin": "system:masters", "reader": "readers", "nobody": "guests"}


def unusable() -> str | None:
    """Return why no cluster can be started here."""
    missing = [
        name
        for name in ("kube-apiserver", "kube-controller-manager", "kube-scheduler")
        if not (BIN / name).exists()
    ]
    missing += [name for name in ("etcd", "kubectl", "openssl") if not shutil.which(name)]
    return f"no Kubernetes here ({', '.join(missing)}): sh scripts/kubernetes.sh" if missing else None


def free_port() -> int:
    """Return a port that nobody uses now."""
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return int(one.getsockname()[1])


class ControlPlane:
    """One cluster in one folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self._children: list[subprocess.Popen[bytes]] = []

    def config(self, user: str) -> Path:
        """Return the kubeconfig of a user."""
        path = self.folder / f"{user}.conf"
        if path.exists():  # kubectl may be reading it for somebody else
            return path
        content = {
            "apiVersion": "v1",
            "kind": "Config",
            "current-context": "test",
            "clusters": [
                {
                    "name": "test",
                    "cluster": {
                        "server": f"https://127.0.0.1:{self.port}",
                        "insecure-skip-tls-verify": True,
                    },
                }
            ],
            "users": [{"name": user, "user": {"token": f"token-{user}"}}],
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": user}}],
        }
        path.write_bytes(msgspec.json.encode(content))
        return path

    def environment(self, user: str = "admin") -> dict[str, str]:
        """Return the variables with which kubectl talks to this cluster as a user."""
        return {**os.environ, "KUBECONFIG": str(self.config(user)), "HOME": str(self.folder)}

    def start(self) -> None:
        """Start all, and wait until the API answers."""
        etcd, peer = free_port(), free_port()
        self._spawn(
            "etcd",
            f"--data-dir={self.folder}/etcd",
            f"--listen-client-urls=http://127.0.0.1:{etcd}",
            f"--advertise-client-urls=http://127.0.0.1:{etcd}",
            f"--listen-peer-urls=http://127.0.0.1:{peer}",
            "--unsafe-no-fsync",
        )
        key = self.folder / "sa.key"
        subprocess.run(["openssl", "genrsa", "-out", str(key), "2048"], check=True, capture_output=True)
        rows = [f"token-{user},{user},{user},{group}" for user, group in TOKENS.items()]
        (self.folder / "tokens").write_text("\n".join(rows) + "\n", encoding="ascii")
        self._spawn(
            str(BIN / "kube-apiserver"),
            f"--etcd-servers=http://127.0.0.1:{etcd}",
            "--bind-address=127.0.0.1",
            "--advertise-address=127.0.0.1",
            f"--secure-port={self.port}",
            f"--cert-dir={self.folder}/certificates",
            f"--token-auth-file={self.folder}/tokens",
            "--authorization-mode=RBAC",
            f"--service-account-key-file={key}",
            f"--service-account-signing-key-file={key}",
            "--service-account-issuer=https://test",
            "--service-cluster-ip-range=10.250.0.0/24",
            "--kubelet-preferred-address-types=InternalIP",
            # It taints new nodes until the controller that is left out below has seen them.
            "--disable-admission-plugins=TaintNodesByCondition",
            GATES,
        )
        self._wait("get", "--raw", "/readyz")
        common = (f"--kubeconfig={self.config('admin')}", "--port=0", "--bind-address=127.0.0.1", GATES)
        self._spawn(
            str(BIN / "kube-controller-manager"),
            *common,
            f"--secure-port={free_port()}",
            f"--cert-dir={self.folder}/certificates",
            f"--service-account-private-key-file={key}",
            "--leader-elect=false",
            # Nodes that exist on paper send no signs of life; their states are the tests' business.
            "--controllers=*,-nodelifecycle,-attachdetach,-persistentvolume-binder,-csrsigning",
        )
        self._spawn(
            str(BIN / "kube-scheduler"),
            *common,
            f"--secure-port={free_port()}",
            f"--cert-dir={self.folder}/certificates",
            "--leader-elect=false",
        )
        self._wait("get", "serviceaccount", "default")

    def kubectl(self, *arguments: str, text: str = "", fails: bool | None = False) -> str:
        """Run kubectl as the administrator; return what it printed. ``fails=None``: either will do."""
        done = subprocess.run(
            ["kubectl", *arguments],
            input=text,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env=self.environment(),
        )
        assert fails is None or bool(done.returncode) is fails, done.stdout + done.stderr
        return done.stdout if done.returncode == 0 else ""

    def put_status(self, kind: str, name: str, status: dict[str, Any]) -> None:
        """Set the status of an object as its kubelet would. ``kind`` is the path without the name."""
        told = msgspec.json.decode(self.kubectl("get", "--raw", f"{kind}/{name}"))
        told["status"] = {**told.get("status", {}), **status}
        text = msgspec.json.encode(told).decode()
        self.kubectl("replace", "--raw", f"{kind}/{name}/status", "-f", "-", text=text)

    def add_node(self, name: str, *, ready: bool = True, gpus: int = 0, **spec: Any) -> None:
        """Add a node that exists on paper: no kubelet runs for it."""
        labels = {"kubernetes.io/os": "linux", "pool": "paper"}
        metadata = {"name": name, "labels": labels}
        node = {"apiVersion": "v1", "kind": "Node", "metadata": metadata, "spec": spec}
        self.kubectl("create", "-f", "-", text=msgspec.json.encode(node).decode())
        room = {"cpu": "8", "memory": "32Gi", "pods": "110"} | ({"nvidia.com/gpu": str(gpus)} if gpus else {})
        condition = {
            "type": "Ready",
            "status": "True" if ready else "Unknown",
            "reason": "KubeletReady" if ready else "NodeStatusUnknown",
            "message": "" if ready else "Kubelet stopped posting node status.",
        }
        status = {"capacity": room, "allocatable": room, "conditions": [condition]}
        self.put_status("/api/v1/nodes", name, status)

    def log(self, name: str) -> str:
        """Return the end of what a program said."""
        return (self.folder / f"{name}.log").read_text(encoding="utf-8", errors="replace")[-3000:]

    def stop(self) -> None:
        """End all programs, the last one first."""
        for child in reversed(self._children):
            child.terminate()
            try:
                child.wait(10)
            except subprocess.TimeoutExpired:
                with suppress(OSError):
                    os.killpg(child.pid, signal.SIGKILL)
                child.wait(10)
        mounts = Path("/proc/self/mounts").read_text(encoding="utf-8").splitlines()
        points = [row.split(" ")[1] for row in mounts]
        for point in reversed([one for one in points if one.startswith(str(self.folder))]):
            subprocess.run(["umount", "--lazy", point], check=False)

    def _spawn(self, program: str, *arguments: str) -> None:
        with (self.folder / f"{Path(program).name}.log").open("ab") as log:
            child = subprocess.Popen(
                [program, *arguments],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
            self._children.append(child)

    def _wait(self, *asked: str) -> None:
        end = time.monotonic() + STARTING
        while not self.kubectl(*asked, fails=None):
            assert time.monotonic() < end, self.log("kube-apiserver")
            assert all(child.poll() is None for child in self._children), self.log("kube-apiserver")
            time.sleep(0.5)
