"""driver and driver_files."""

from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead
from tests.probe.loading import section, tree
from tests.probe.machines import h200

LIB = "/usr/lib/x86_64-linux-gnu"


def test_the_open_module_describes_itself(tmp_path: Path) -> None:
    driver = section(facts.Driver, h200(tmp_path))

    assert (driver.module_version, driver.flavour) == ("580.159.04", "open")
    assert driver.params == {"ModifyDeviceFiles": "1", "DeviceFileMode": "438", "RegistryDwords": ""}
    gpu = driver.gpus["0000:00:06.0"]
    assert (gpu.model, gpu.firmware, gpu.excluded) == ("NVIDIA H200", "580.159.04", False)


@pytest.mark.parametrize(
    ("line", "version", "flavour"),
    [
        (
            "NVIDIA UNIX x86_64 Kernel Module  535.183.01  Sun May 12 19:39:15 UTC 2024",
            "535.183.01",
            "proprietary",
        ),
        ("NVIDIA UNIX x86_64 Kernel Module  460.39  Thu Jan 21 21:54:06 UTC 2021", "460.39", "proprietary"),
        ("NVIDIA UNIX Open Kernel Module for aarch64  540.4.0  Release Build  (x@y)  Thu", "540.4.0", "open"),
    ],
)
def test_the_version_line_of_every_flavour(line: str, version: str, flavour: str, tmp_path: Path) -> None:
    driver = section(facts.Driver, tree(tmp_path, {"/proc/driver/nvidia/version": f"NVRM version: {line}\n"}))

    assert (driver.module_version, driver.flavour) == (version, flavour)
    assert driver.unread == {"params": "error"}


def test_an_older_driver_says_less_about_a_gpu(tmp_path: Path) -> None:
    information = "Model: \t Tesla V100\nGPU Firmware: \t N/A\nDevice Minor: \t 3\n"
    gpus = {"/proc/driver/nvidia/gpus/0000:3B:00.0/information": information}
    gpu = section(facts.Driver, tree(tmp_path, gpus)).gpus["0000:3b:00.0"]

    assert (gpu.minor, gpu.firmware) == (3, None)
    with pytest.raises(NotRead):
        _ = gpu.excluded


def test_no_driver_is_absent(tmp_path: Path) -> None:
    assert section(facts.Driver, tree(tmp_path, {"/proc/version": ""})).state == "absent"


@pytest.mark.parametrize(("taint", "flavour"), [("POE", "proprietary"), ("OE", "open")])
def test_a_loaded_module_with_a_hidden_folder_still_tells_its_version(
    taint: str, flavour: str, tmp_path: Path
) -> None:
    module = {"/sys/module/nvidia/version": "580.159.04\n", "/sys/module/nvidia/taint": f"{taint}\n"}
    driver = section(facts.Driver, tree(tmp_path, module))

    assert (driver.state, driver.module_version, driver.flavour) == ("read", "580.159.04", flavour)
    assert driver.unread == {"params": "unsupported", "gpus": "unsupported"}


def test_driver_libraries_are_counted_once_and_dead_links_are_named(tmp_path: Path) -> None:
    files = section(facts.DriverFiles, h200(tmp_path))

    assert list(files.libraries) == [f"{LIB}/libcuda.so.580.159.04"]
    assert files.stale_links == {f"{LIB}/libnvidia-ml.so.1": "libnvidia-ml.so.570.86.15"}


def test_a_second_copy_elsewhere_is_another_library(tmp_path: Path) -> None:
    root = h200(tmp_path)
    tree(root, {"/usr/local/nvidia/lib64/libcuda.so.535.54": "x", "/usr/lib64/libcuda.so": "->nowhere"})
    files = section(facts.DriverFiles, root)

    found = {path: (row.soname, row.version, row.size) for path, row in files.libraries.items()}
    assert found["/usr/local/nvidia/lib64/libcuda.so.535.54"] == ("libcuda.so.1", "535.54", 1)
    assert len(found) == 2


def test_a_plain_file_with_the_name_of_a_link_has_no_version(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {"/usr/lib/wsl/lib/libcuda.so.1.1": "x", "/usr/lib/wsl/lib/libcuda.so.1": "->libcuda.so.1.1"},
    )
    files = section(facts.DriverFiles, root)

    assert {path: row.version for path, row in files.libraries.items()} == {
        "/usr/lib/wsl/lib/libcuda.so.1.1": None
    }
    assert files.stale_links == {}


def test_a_folder_that_debian_nests_is_found(tmp_path: Path) -> None:
    path = f"{LIB}/nvidia/current/libcuda.so.535.183.01"

    assert list(section(facts.DriverFiles, tree(tmp_path, {path: "x"})).libraries) == [path]
