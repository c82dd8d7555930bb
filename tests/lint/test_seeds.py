"""The examples that lint was made for: each is found, at its place, in a file as somebody would write it."""

import pytest

from tests.lint.case import clear, fires, judged

HEAD = """
apiVersion: v1
kind: Pod
metadata:
  name: trainer
spec:
"""
END = """
  volumes:
  - name: shm
    emptyDir:
      medium: Memory
"""
MAIN = """
  containers:
  - name: main
    image: registry.example/train@sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa
    resources:
      limits:
        nvidia.com/gpu: 2
    volumeMounts:
    - name: shm
      mountPath: /dev/shm
"""


def pod(extra: str, containers: str = MAIN, before: str = "") -> str:
    """Return a pod that is right, but for what is added to its last container."""
    parts = (HEAD, before, containers, extra, END)
    return "\n".join(part.strip("\n") for part in parts if part.strip()) + "\n"


def changed(old: str, new: str) -> str:
    """Return the right pod with one change."""
    whole = pod("")
    assert old in whole
    return whole.replace(old, new)


SEEDS = (
    (
        "env slid two columns right",
        "manifest-field-misplaced",
        "pod.yaml",
        pod("      «env:\n      - name: NCCL_DEBUG\n        value: WARN".replace("«env:", "«env»:")),
    ),
    (
        "one space too many",
        "config-syntax-error",
        "pod.yaml",
        pod("     «env»:\n    - name: NCCL_DEBUG\n      value: WARN"),
    ),
    (
        "variables of an init container only",
        "env-only-in-init-container",
        "pod.yaml",
        pod(
            "",
            before="  initContainers:\n  - name: setup\n    image: registry.example/a@sha256:"
            + "b" * 64
            + "\n    env:\n    - name: «NCCL_SOCKET_IFNAME»\n      value: eth0\n",
        ),
    ),
    (
        "used before it is defined",
        "env-reference-undefined",
        "pod.yaml",
        pod(
            '    env:\n    - name: MASTER\n      value: «"$(HOST):29500"»\n    - name: HOST\n'
            "      value: trainer-0"
        ),
    ),
    (
        "defined twice",
        "env-name-defined-twice",
        "pod.yaml",
        pod(
            "    env:\n    - name: NCCL_DEBUG\n      value: WARN\n    - name: «NCCL_DEBUG»\n      value: INFO"
        ),
    ),
    (
        "wrong case",
        "env-name-misspelt",
        "pod.yaml",
        pod('    env:\n    - name: «Nccl_ib_disable»\n      value: "1"'),
    ),
    (
        "value out of range",
        "env-value-invalid",
        "pod.yaml",
        pod("    env:\n    - name: NCCL_DEBUG\n      value: «VERBOSE»"),
    ),
    (
        "deprecated name",
        "env-name-deprecated",
        "pod.yaml",
        pod('    env:\n    - name: «NCCL_ASYNC_ERROR_HANDLING»\n      value: "1"'),
    ),
    (
        "GPU only requested",
        "pod-gpu-request-invalid",
        "pod.yaml",
        changed("limits:\n        nvidia.com/gpu", "requests:\n        «nvidia.com/gpu»"),
    ),
    (
        "half a GPU",
        "pod-gpu-request-invalid",
        "pod.yaml",
        changed("nvidia.com/gpu: 2", "nvidia.com/gpu: «0.5»"),
    ),
    (
        "no shared memory",
        "pod-shm-missing",
        "pod.yaml",
        changed("mountPath: /dev/shm", "mountPath: /data").replace(
            "        nvidia.com/gpu", "        «nvidia.com/gpu»"
        ),
    ),
    (
        "RDMA without IPC_LOCK",
        "memlock-limit-too-low",
        "pod.yaml",
        changed("nvidia.com/gpu: 2\n", "nvidia.com/gpu: 2\n        «rdma/hca_shared_devices_a»: 1\n"),
    ),
    (
        "taint not tolerated",
        "gpu-node-taint-not-tolerated",
        "pod.yaml",
        changed("        nvidia.com/gpu: 2", "        cpu: 2").replace(
            "  containers:", '  nodeSelector:\n    «nvidia.com/gpu.present»: "true"\n  containers:'
        ),
    ),
    (
        "hostPID",
        "pod-rights-unneeded",
        "pod.yaml",
        changed("  containers:", "  «hostPID»: true\n  containers:"),
    ),
    (
        "mutable tag",
        "image-tag-mutable",
        "pod.yaml",
        changed("registry.example/train@sha256:" + "a" * 64, "«registry.example/train:latest»"),
    ),
    (
        "impatient liveness probe",
        "liveness-probe-kills-slow-start",
        "pod.yaml",
        pod("    «livenessProbe»:\n      httpGet: {path: /health, port: 8000}\n      periodSeconds: 10"),
    ),
    (
        "visible devices beside a limit",
        "unrequested-gpu-visible-via-image-env",
        "pod.yaml",
        pod("    env:\n    - name: «NVIDIA_VISIBLE_DEVICES»\n      value: all"),
    ),
    (
        "a MIG profile that is none",
        "mig-profile-unknown",
        "pod.yaml",
        changed("nvidia.com/gpu: 2", "«nvidia.com/mig-1g.99gb»: 1"),
    ),
    (
        "GPU never requested",
        "container-started-without-nvidia-runtime",
        "compose.yaml",
        "services:\n  llm:\n    image: «vllm/vllm-openai:v0.8.5»\n    command: [--model, m]\n",
    ),
    (
        "CPU wheel on a CUDA image",
        "cpu-only-torch-build",
        "Dockerfile",
        "FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n"
        "RUN pip install torch==2.7.0 --index-url «https://download.pytorch.org/whl/cpu»\n",
    ),
    (
        "an index without this version",
        "cuda-index-does-not-exist",
        "Dockerfile",
        "FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n"
        "RUN pip install torch==2.7.0 --index-url «https://download.pytorch.org/whl/cu121»\n",
    ),
    (
        "a driver inside an image",
        "driver-libs-inside-image",
        "Dockerfile",
        "FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n"
        "RUN apt-get update && apt-get install -y «nvidia-driver-550»\n",
    ),
    (
        "stubs on the loader's path",
        "libcuda-stub-loaded",
        "Dockerfile",
        "FROM nvidia/cuda:12.8.1-devel-ubuntu24.04\n"
        "ENV LD_LIBRARY_PATH=«/usr/local/cuda/lib64/stubs:/usr/local/cuda/lib64»\n",
    ),
    (
        "capabilities without compute",
        "nvidia-driver-capabilities-lack-compute",
        "Dockerfile",
        "FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\nENV NVIDIA_DRIVER_CAPABILITIES=«graphics»\n",
    ),
    (
        "no visible devices",
        "nvidia-visible-devices-none",
        "Dockerfile",
        "FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\nENV NVIDIA_VISIBLE_DEVICES=«none»\n",
    ),
    (
        "building on a runtime image",
        "cuda-compiler-missing",
        "Dockerfile",
        "FROM nvidia/cuda:12.8.1-runtime-ubuntu24.04\n"
        "RUN pip install torch==2.8.0 && pip install --no-build-isolation «flash-attn»\n",
    ),
    ("latest", "image-tag-mutable", "Dockerfile", "FROM «pytorch/pytorch:latest»\n"),
    (
        "a secret in a layer",
        "secret-in-configuration",
        "Dockerfile",
        "FROM python:3.12-slim\nENV HF_TOKEN=«hf_" + "aB3d" * 9 + "\n",
    ),
    (
        "small shared memory of a container",
        "shm-too-small",
        "run.sh",
        "docker run --gpus all --shm-size «64m» img torchrun --nproc_per_node=8 train.py\n",
    ),
    (
        "a comma in daemon.json",
        "daemon-json-invalid",
        "etc/docker/daemon.json",
        '{\n  "default-runtime": "runc"«,»\n}\n',
    ),
    (
        "an undefined default runtime",
        "docker-runtime-undefined",
        "etc/docker/daemon.json",
        '{"default-runtime": «"nvidia"»}\n',
    ),
    (
        "no-cgroups",
        "no-cgroups-true-with-rootful-engine",
        "etc/nvidia-container-runtime/config.toml",
        "[nvidia-container-cli]\nno-cgroups = «true»\n",
    ),
    (
        "a misspelt kernel parameter",
        "grub-cmdline-typo",
        "etc/default/grub",
        'GRUB_CMDLINE_LINUX_DEFAULT="quiet «iommmu»=pt"\n',
    ),
    (
        "unattended upgrades",
        "driver-packages-upgrade-unattended",
        "etc/apt/apt.conf.d/50unattended-upgrades",
        'Unattended-Upgrade::Allowed-Origins {\n    «"origin=NVIDIA";»\n};\n',
    ),
    (
        "a playbook that sets node modes",
        "playbook-sets-device-node-mode",
        "site.yml",
        "- hosts: gpu\n  tasks:\n  - name: nodes\n    ansible.builtin.file:\n"
        '      path: /dev/nvidiactl\n      mode: «"0644"»\n',
    ),
    (
        "a playbook that edits grub.cfg",
        "grub-config-edited-unsafely",
        "site.yml",
        "- hosts: gpu\n  tasks:\n  - name: x\n    ansible.builtin.lineinfile:\n"
        "      path: «/boot/grub/grub.cfg»\n      line: x\n",
    ),
    (
        "pip over conda",
        "two-torch-installs-mixed",
        "setup.sh",
        "set -e\nconda install -y pytorch\npip install «torch»\n",
    ),
    (
        "no set -e around set-up",
        "setup-continues-after-failure",
        "setup.sh",
        "«apt-get install -y nvidia-driver-570\nmodprobe nvidia\npython train.py\n",
    ),
    (
        "visible devices fixed",
        "cuda-visible-devices-hard-coded",
        "job.sbatch",
        "#!/bin/bash\n#SBATCH --gres=gpu:2\nexport «CUDA_VISIBLE_DEVICES»=0,1\nsrun python train.py\n",
    ),
    (
        "a fixed port",
        "rendezvous-port-in-use",
        "job.sbatch",
        "#!/bin/bash\n#SBATCH --gres=gpu:2\nexport MASTER_PORT=«29500»\nsrun python train.py\n",
    ),
    (
        "a minimum driver that is wrong",
        "document-version-impossible",
        "guide.md",
        "CUDA 12.8 needs driver «470.57.02» or newer.\n",
    ),
    (
        "a wheel that never existed",
        "cuda-index-does-not-exist",
        "guide.md",
        "```bash\npip install «torch==2.7.0+cu121»\n```\n",
    ),
    ("a wrong architecture", "document-version-impossible", "guide.md", "The H100 is «sm_80».\n"),
    ("a driver at its end", "document-version-stale", "guide.md", "All nodes run driver «535.288.01».\n"),
    ("a dead command", "retired-command", "guide.md", "```bash\n«nvidia-docker run» img\n```\n"),
    (
        "a vacant owner",
        "approval-owner-vacant",
        "guide.md",
        "| change | approved by |\n| --- | --- |\n| driver 580 | «TBD» |\n",
    ),
)


@pytest.mark.parametrize(("name", "fault", "path", "text"), SEEDS, ids=[seed[0] for seed in SEEDS])
def test_it_is_found_at_its_place(name: str, fault: str, path: str, text: str) -> None:
    case = fires(fault, path, text)
    found = {(f.fault, f.place.line, f.place.column) for f in judged(case).findings}

    assert {(fault, line, column) for line, column in case.places} <= found


def test_the_pod_without_a_change_is_right() -> None:
    assert not [
        f for f in judged(clear("config-syntax-error", "pod.yaml", pod(""))).findings if not f.pedantic
    ]
