"""A machine with a secret in everything that is read, or that lies beside it: none is in what is written."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.probe.daemons import INFO, daemon
from tests.probe.loading import tree
from tests.probe.machines import KMSG, h200
from tests.redaction.test_planted import shipped

PERSON = "okonkwo"
HOME = f"/home/{PERSON}"
PLANTED: list[str] = [PERSON]


def secret(place: str, shape: str = "{}") -> str:
    """Return a secret of its own for this place, in whatever shape; it is looked for afterwards."""
    value = shape.format(f"{place.title().replace('-', '')}7Qz{len(PLANTED)}Fake3Kd9Wm2Xb")
    PLANTED.append(value)
    return value


ENVIRONMENT = {
    "HOME": HOME,
    "USER": PERSON,
    "WANDB_API_KEY": secret("env-wandb"),
    "DB_PASSWORD": (KNOWN := "no shape but 1 name"),
    "NCCL_COMMENT": f"asked with {KNOWN}",
    "TORCH_LOGS": f"dynamo --token={secret('env-torch')}",
    "TORCH_HOME": f"{HOME}/torch",
    "NVIDIA_X": f"hf_{secret('env-hf', 'AbCdEf{}')}",
    "LD_LIBRARY_PATH": f"{HOME}/lib:/usr/lib",
    "HTTPS_PROXY": f"http://proxy:{secret('env-proxy')}@127.0.0.1:3128",
    "PIP_INDEX_URL": f"https://ci:{secret('env-pip')}@pypi.example/simple",
}
PLANTED.append(KNOWN)
DAEMON = {
    "default-runtime": "nvidia",
    "runtimes": {"nvidia": {"path": "x", "runtimeArgs": [f"--password={secret('runtime-args')}"]}},
    "exec-opts": ["native.cgroupdriver=systemd", f"auth.password={secret('exec-opts')}"],
    "data-root": f"{HOME}/docker",
    "proxies": {"http-proxy": f"http://p:{secret('daemon-proxy')}@127.0.0.1:1"},
    "registry-mirrors": [f"https://m:{secret('daemon-mirror')}@mirror.example"],
    "log-opts": {"splunk-token": secret("daemon-log")},
}
INSPECT: dict[str, Any] = {
    "Id": "aa11",
    "Image": "sha256:99",
    "State": {
        "Status": "exited",
        "ExitCode": 1,
        "OOMKilled": False,
        "Pid": 0,
        "Error": f"mount -o username={PERSON},password={secret('inspect-error')},vers=3.0 failed",
    },
    "Config": {
        "Image": f"me:{secret('inspect-image')}@site.example/team/x:1",
        "User": PERSON,
        "Cmd": ["train.py", "--api-key", secret("inspect-cmd")],
        "Labels": {"token": secret("inspect-label")},
        "Env": [f"NCCL_X=see glpat-{secret('inspect-nccl')}", f"HF_TOKEN={secret('inspect-env')}"],
    },
    "HostConfig": {"Runtime": "nvidia", "Devices": [], "DeviceRequests": [], "Ulimits": [], "ShmSize": 1},
    "Mounts": [{"Destination": f"{HOME}/libcuda.so.1"}],
}
FILES = {
    "/proc/cmdline": f"root=/dev/vda nvidia.pw={secret('cmdline')} luks.password={secret('luks')} quiet\n",
    "/proc/78/comm": "python\n",
    "/proc/78/cmdline": f"python\0train.py\0--token\0{secret('argv')}\0",
    "/proc/79/comm": "dockerd\n",
    "/proc/79/cmdline": f"dockerd\0--log-opt\0splunk-token={secret('dockerd')}\0",
    "/run/docker.pid": "79",
    "/proc/self/mounts": "/dev/vda / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n"
    f"//10.9.8.7/d /mnt cifs rw,username={PERSON},password={secret('mounts')} 0 0\n",
    "/dev/kmsg": KMSG + f"4,901,7000001,-;NVRM: helper said password={secret('kmsg')} for {HOME}/x\n",
    "/etc/docker/daemon.json": json.dumps(DAEMON),
    "/etc/pip.conf": f"[global]\nindex-url = https://ci:{secret('pip-etc')}@pypi.example/simple\n",
    "/etc/apt/apt.conf.d/95proxy": f'Acquire::http::Proxy "http://a:{secret("apt")}@127.0.0.1:8";\n',
    "/etc/modprobe.d/x.conf": f"options nvidia NVreg_Z=password={secret('modprobe')}\n",
    "/etc/default/grub": f'GRUB_CMDLINE_LINUX="nvidia.token={secret("grub")}"\n',
    "/boot/grub/grub.cfg": f"password_pbkdf2 root {secret('grub-hash', 'grub.pbkdf2.sha512.10000.{}')}\n"
    f"linux /vmlinuz-6.8.0 nvidia.password={secret('grub-cfg')}\n",
    "/etc/systemd/system/trainer.service": f"[Service]\nEnvironment=API_TOKEN={secret('unit')}\n",
    "/etc/systemd/system/docker.service.d/p.conf": "[Service]\n"
    f"Environment=HTTP_PROXY=http://u:{secret('drop-in')}@127.0.0.1:3\n",
    "/etc/cdi/nvidia.json": json.dumps(
        {
            "cdiVersion": "0.6.0",
            "kind": "nvidia.com/gpu",
            "containerEdits": {"env": [f"A_TOKEN={secret('cdi')}"]},
            "devices": [],
        }
    ),
    "/etc/nvidia-container-runtime/config.toml": f'password = "{secret("toolkit")}"\n'
    '[nvidia-container-cli]\nldconfig = "@/sbin/ldconfig"\n',
    "/usr/share/jupyter/kernels/a/kernel.json": json.dumps(
        {"language": "python", "argv": [f"{HOME}/venv/bin/python"], "env": {"T_TOKEN": secret("kernel-json")}}
    ),
    "/var/log/dpkg.log": f"2026-11-30 10:00:00 startup {secret('dpkg')}\n",
    f"{HOME}/.bash_history": f"mysql -uroot -p{secret('history')}\npip install x\n",
    f"{HOME}/.netrc": f"machine h.example login {PERSON} password {secret('netrc')}\n",
    f"{HOME}/.condarc": f"channels: [https://c.example/t/{secret('condarc')}/ml]\n",
    f"{HOME}/.config/pip/pip.conf": f"[global]\nindex-url = https://ci:{secret('pip-home')}@p.example/s\n",
    f"{HOME}/.ssh/config": f"Host x\n  User {PERSON}\n  # password {secret('ssh')}\n",
    f"{HOME}/.docker/config.json": json.dumps({"auths": {"r.example": {"auth": secret("docker-auth")}}}),
}
LOG = (
    f"RuntimeError: cannot open postgresql://ml:{secret('log-url')}@127.0.0.1/x",
    f"ValueError: bad token hf_{secret('log-hf', 'AbCdEf{}')} of {HOME}/train.py",
    f"ImportError: helper ended: vllm serve --api-key {secret('log-flag')}",
    f"OSError: {HOME}/data: password={secret('log-password')}",
    f"torch.cuda.OutOfMemoryError: CUDA out of memory. WANDB_API_KEY={secret('log-oom')}",
)


def left(content: str) -> list[str]:
    """Return what of the planted values stands in a text."""
    return [value for value in PLANTED if value in content]


@pytest.mark.parametrize("container", [None, {"engine": "docker", "name": "job"}], ids=["host", "container"])
def test_no_input_of_the_probe_gives_a_secret_away(tmp_path: Path, container: dict[str, str] | None) -> None:
    root = h200(tmp_path / "root")
    smi = f"#!/bin/sh\necho 'Failed: token={secret('smi')}'\nexit 9\n"
    tree(root, FILES | {"/usr/bin/nvidia-smi": smi, "/usr/bin/docker": "#!/bin/sh\n"})
    for name in ("nvidia-smi", "docker"):
        (root / "usr/bin" / name).chmod(0o755)
    answers = {
        "/info": (200, INFO | {"HttpProxy": f"http://i:{secret('info')}@127.0.0.1:4"}),
        "/containers/job/json": (200, INSPECT),
    }
    config = {"container": container} if container else {"next_boot": True}

    with daemon(root / "var/run/docker.sock", answers):
        documents = shipped(root, ENVIRONMENT, python=sys.executable, cwd=str(tmp_path), **config)

    content = json.dumps(documents, ensure_ascii=False)
    sections = documents[-1]["sections"]
    assert left(content) == [], [content[max(0, content.find(v) - 80) :][:160] for v in left(content)]
    # What lies beside the secrets was read.
    assert "TORCH_LOGS" in sections["environment"]["variables"]
    assert "helper said" in json.dumps(sections["kernel_log"])
    if container:
        assert (sections["container_run"]["state"], "mount -o" in sections["container_run"]["error"]) == (
            "read",
            True,
        )
    else:
        assert sections["engine"]["daemon_json"]["default_runtime"] == "nvidia"
        assert "a" in sections["jupyter"]["kernels"]


def test_no_input_of_codeblue_gives_a_secret_away(tmp_path: Path) -> None:
    tree(tmp_path, {name: text for name, text in FILES.items() if name.startswith(HOME)})
    (tmp_path / "job.log").write_text("\n".join(LOG) + "\n", encoding="utf-8")
    home, out = tmp_path / HOME.lstrip("/"), tmp_path / "out.json"
    environment = dict(os.environ, **ENVIRONMENT) | {
        "HOME": str(home),
        "XDG_STATE_HOME": str(tmp_path / "state"),
        "LD_LIBRARY_PATH": str(home / "lib"),
        "LC_ALL": "C.UTF-8",
    }

    def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
        return subprocess.run(
            [sys.executable, "-m", "codeblue", *arguments, "--log", "job.log"],
            cwd=tmp_path,
            env=environment,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    written = run("snapshot", "-o", str(out))
    checked = run("check", "--format", "json")

    content = out.read_text(encoding="utf-8")
    assert (written.returncode, left(content + written.stdout + written.stderr)) == (0, [])
    assert left(checked.stdout + checked.stderr) == []
    assert "CUDA out of memory" in content
    assert "cannot open postgresql" in content
