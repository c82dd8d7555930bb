"""A pasted report often shows a symptom that many faults share: the fault behind it comes first."""

import pytest

from codeblue import pipeline
from tests.conftest import text

REPORTS = (
    (
        "nvidia-not-default-runtime-for-kubelet",
        "Failed to initialize NVML: could not load NVML library.",
        "If this is a GPU node, did you set the docker default runtime to `nvidia`?",
    ),
    (
        "nvidia-not-default-runtime-for-kubelet",
        "  nvidia.com/gpu:  0",
        "0/1 nodes are available: 1 Insufficient nvidia.com/gpu.",
        "# containerd on this node, the CRI's default runtime is runc",
    ),
    (
        "gpu-node-taint-not-tolerated",
        "0/3 nodes are available: 2 Insufficient nvidia.com/gpu, "
        "1 node(s) had untolerated taint {nvidia.com/gpu: true}.",
    ),
    (
        "node-disk-pressure",
        "0/2 nodes are available: 1 Insufficient nvidia.com/gpu, "
        "1 node(s) had untolerated taint {node.kubernetes.io/disk-pressure: }.",
    ),
    (
        "slurm-cgroup-devices-not-constrained",
        "$ srun --gres=gpu:1 --container-image=pytorch python train.py",
        "CUDA_VISIBLE_DEVICES=3",
        "RuntimeError: No CUDA GPUs are available",
    ),
    (
        "job-memory-limit-too-low",
        "torch.distributed.elastic: failed (exitcode: -9) local_rank: 1 (pid: 9) of binary: python",
        "slurmstepd: error: Detected 1 oom_kill event in StepId=7.0.",
    ),
    (
        "pod-shm-missing",
        "RuntimeError: DataLoader worker (pid 9) is killed by signal: Bus error.",
        "# the pod's manifest has no emptyDir for /dev/shm",
    ),
    (
        "mig-instances-lost-on-reboot",
        "No MIG devices found",
        "RuntimeError: No CUDA GPUs are available",
        "# all MIG instances are gone since the node was rebooted",
    ),
    (
        "mirror-excludes-package",
        "Looking in indexes: https://mirrors.example.edu.cn/pypi/simple",
        "ERROR: Could not find a version that satisfies the requirement torch==2.9.0.dev20260101 "
        "(from versions: 2.7.0, 2.8.0)",
    ),
    (
        "rendezvous-host-not-resolvable",
        "[rank1]: ValueError: host not found: Name or service not known",
        "MASTER_ADDR=train-master-0",
    ),
    (
        "service-link-env-collides",
        "[rank0]: ValueError: invalid literal for int() with base 10: 'tcp://10.43.0.9:6379'",
    ),
    (
        "ssh-session-loses-container-env",
        "bash: nvcc: command not found",
        "# only over ssh; in docker exec the container has nvcc in PATH, the variable is missing in ssh",
    ),
    (
        "sudo-drops-environment",
        "$ sudo python setup.py install",
        "/bin/sh: 1: nvcc: not found",
    ),
    (
        "network-storage-stall",
        "Watchdog caught collective operation timeout: WorkNCCL(SeqNum=9, OpType=ALLREDUCE)",
        "kernel: nfs: server store1 not responding, still trying",
    ),
)


@pytest.mark.parametrize("report", REPORTS, ids=[report[0] for report in REPORTS])
def test_the_fault_behind_the_symptom_comes_first(report: tuple[str, ...]) -> None:
    wanted, *lines = report

    assert pipeline.judge(text(*lines)).causes[0].finding.fault == wanted
