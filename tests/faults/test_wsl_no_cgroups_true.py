"""wsl-no-cgroups-true"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "wsl-no-cgroups-true"
SAID = (
    (
        "$ docker run --rm --gpus all ubuntu nvidia-smi",
        "Failed to initialize NVML: GPU access blocked by the operating system",
        "Failed to properly shut down NVML: GPU access blocked by the operating system",
        "os: WSL2, Ubuntu 22.04",
    ),
    (
        "$ grep no-cgroups /etc/nvidia-container-runtime/config.toml",
        "no-cgroups = true",
        "$ docker run --gpus all nvidia/cuda:12.4.1-base-ubuntu22.04 nvidia-smi",
        "Failed to initialize NVML: Unknown Error",
        "kernel: 5.15.167.4-microsoft-standard-WSL2",
    ),
    (
        "# note: WSL2 里 nvidia-smi 正常，容器里报 GPU access blocked by the operating system",
        "os: Windows 11 WSL2",
    ),
    (
        "torch.cuda.is_available() is False in the container",
        "# on Windows with WSL; I had changed no-cgroups to true following a guide",
        "docker: 27.1",
    ),
    (
        "# note: nvidia-smi is fine in the Ubuntu shell of WSL but blocked inside the container",
        "Failed to initialize NVML: GPU access blocked by the operating system",
    ),
)
OTHERS = (
    (
        "Failed to initialize NVML: GPU access blocked by the operating system",
        "# note: nvidia-smi in WSL itself, GPU is in TCC mode",
    ),
    (
        "$ /usr/lib/wsl/lib/nvidia-smi",
        "Failed to initialize NVML: GPU access blocked by the operating system",
        "os: Hyper-V guest",
    ),
    (
        "no-cgroups = true",
        "# rootless docker on Ubuntu, bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted",
    ),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
