"""no-nvidia-gpu"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "no-nvidia-gpu"
ABSENT = {"state": "absent"}
BARE: dict[str, Any] = {
    "host": {"hypervisor": None},
    "pci": {"state": "read", "functions": {}, "nvidia_gpus": [], "nvswitches": 0},
    "modules": {"loaded": {"nvidia": ..., "nvidia_uvm": ...}, "on_disk": [], "built_in": False},
    "driver": ABSENT,
    "cuda": ABSENT,
    "nvml": ABSENT,
    "loader": {"libcuda_copies": []},
}


def laptop(**changes: Any) -> Snapshot:
    """A machine with integrated graphics and nothing of NVIDIA's."""
    return recording("h200-healthy", **(BARE | changes))


def wanting(**variables: str) -> dict[str, Any]:
    return {"variables": variables}


@pytest.mark.parametrize(
    "variables",
    [
        {"CUDA_VISIBLE_DEVICES": "0,1"},
        {"CUDA_VISIBLE_DEVICES": "GPU-5d5c1b1e-0000-0000-0000-000000000000"},
        {"NVIDIA_VISIBLE_DEVICES": "0"},
    ],
)
def test_fires_when_a_variable_names_a_gpu(variables: dict[str, str]) -> None:
    [finding] = judge(FAULT, laptop(environment=wanting(**variables))).findings

    assert (finding.subject, finding.certainty) == ("host", Certainty.LIKELY)
    assert finding.evidence[0].path == "pci.nvidia_gpus"
    assert finding.evidence[1].path == f"environment[{next(iter(variables))}]"


def test_fires_when_the_driver_is_loaded() -> None:
    driver = {"gpus": {"0000:00:06.0": ...}}
    loaded = {"loaded": {"nvidia": {"size": 1, "references": 0, "used_by": []}}}

    assert judge(FAULT, laptop(driver=driver)).findings[0].certainty is Certainty.LIKELY
    assert judge(FAULT, laptop(modules=loaded)).findings[0].certainty is Certainty.LIKELY


def test_fires_only_possibly_on_what_images_bring_along() -> None:
    on_disk = {"loaded": {"nvidia": ...}, "on_disk": ["/lib/modules/6.8.0/updates/nvidia.ko"]}
    for changes in ({"environment": wanting(NVIDIA_VISIBLE_DEVICES="all")}, {"modules": on_disk}):
        assert judge(FAULT, laptop(**changes)).findings[0].certainty is Certainty.POSSIBLE


def test_fires_in_wsl_without_a_driver_in_windows() -> None:
    host = {"wsl": True, "hypervisor": "hyperv"}

    assert judge(FAULT, laptop(host=host, environment=wanting(CUDA_VISIBLE_DEVICES="0"))).findings


def test_fires_only_possibly_on_the_words_of_a_module_that_may_be_too_new() -> None:
    [finding] = judge(FAULT, text("[3.1] NVRM: No NVIDIA GPU found.")).findings

    assert finding.certainty is Certainty.POSSIBLE


@pytest.mark.parametrize(
    "variables",
    [
        {},
        {"CUDA_VISIBLE_DEVICES": ""},
        {"CUDA_VISIBLE_DEVICES": "-1"},
        {"CUDA_VISIBLE_DEVICES": "NoDevFiles"},
        {"NVIDIA_VISIBLE_DEVICES": "void"},
        {"NVIDIA_VISIBLE_DEVICES": "none"},
        {"NVIDIA_VISIBLE_DEVICES": ""},
    ],
)
def test_clear_on_a_machine_that_expects_no_gpu(variables: dict[str, str]) -> None:
    assert judge(FAULT, laptop(environment=wanting(**variables))).outcome is Outcome.CLEAR


def test_clear_with_a_gpu_on_the_bus() -> None:
    snapshot = recording("h200-healthy", environment=wanting(CUDA_VISIBLE_DEVICES="0"))

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "seen",
    [
        {"cuda": {"init": 0, "count": 1}},
        {"nvml": {"init": 0, "count": 1}},
        {"driver": {"gpus": {"0000:00:06.0": {"minor": 0}}}},
        {"host": {"kernel": "5.15.148-tegra", "hypervisor": None}},
        {"host": {"wsl": True}, "loader": {"libcuda_copies": ["/usr/lib/wsl/lib/libcuda.so.1"]}},
        {"host": {"wsl": True}, "container": {"state": "read", "engine": "docker", "injected": []}},
    ],
)
def test_clear_where_the_bus_does_not_show_the_gpu(seen: dict[str, Any]) -> None:
    environment = wanting(CUDA_VISIBLE_DEVICES="0", NVIDIA_VISIBLE_DEVICES="all")

    assert judge(FAULT, laptop(environment=environment, **seen)).outcome is Outcome.CLEAR


def test_clear_where_there_is_no_pci_bus() -> None:
    snapshot = laptop(pci=ABSENT, environment=wanting(CUDA_VISIBLE_DEVICES="0"))

    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_cuda_was_not_asked() -> None:
    snapshot = laptop(cuda={"state": "timeout"}, environment=wanting(CUDA_VISIBLE_DEVICES="0"))

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_fires_when_nvml_timed_out() -> None:
    snapshot = laptop(environment=wanting(CUDA_VISIBLE_DEVICES="0"), nvml={"state": "timeout"})

    assert judge(FAULT, snapshot).outcome is Outcome.FIRED


SAID = (
    (
        (
            "docker: Error response from daemon: OCI runtime create failed: "
            "nvidia-container-cli: initialization error: nvml error: driver not loaded: "
            "unknown."
        ),
        "$ lspci | grep -i vga",
        "00:02.0 VGA compatible controller: Intel Corporation TigerLake-LP GT2 [Iris Xe Graphics]",
        "os: Fedora 38",
    ),
    (
        ("RuntimeError: Found no NVIDIA driver on your system. Please check that you have an NVIDIA GPU"),
        "# note: laptop with AMD Radeon graphics",
    ),
    ("# note: 云主机是 CPU 型实例，没有显卡，torch.cuda.is_available() 返回 False",),
)
NEAR = (
    "00:02.0 VGA compatible controller: Intel Corporation UHD 630",
    "01:00.0 3D controller: NVIDIA Corporation GP107M",
    "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver.",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED
