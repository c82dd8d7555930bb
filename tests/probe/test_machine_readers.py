"""host, modules and pci; and every machine-side reader under every interpreter of the promise."""

import os
import struct
from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead
from tests.probe.loading import VERSIONS, interpreters, section, tree
from tests.probe.machines import h200

RELEASE = os.uname().release


@pytest.mark.parametrize("version", VERSIONS)
def test_all_readers_describe_the_same_machine_under_every_python(version: str, tmp_path: Path) -> None:
    python = interpreters().get(version)
    if python is None:
        pytest.skip(f"no CPython {version} at hand")
    root, read = h200(tmp_path), {"python": python}
    variables = {"CUDA_VISIBLE_DEVICES": "0", "HOME": "/srv/train"}

    host = section(facts.Host, root, **read)
    assert (host.distribution_version, host.memory_bytes, host.hypervisor) == ("24.04", 16777216, "kvm")
    assert section(facts.KernelModules, root, **read).loaded["nvidia"].used_by == ["nvidia_uvm"]
    assert section(facts.Pci, root, **read).nvidia_gpus == ["0000:00:06.0"]
    assert section(facts.Driver, root, **read).gpus["0000:00:06.0"].minor == 0
    assert len(section(facts.DriverFiles, root, **read).libraries) == 1
    assert section(facts.User, root, **read).uid == os.getuid()
    assert section(facts.Limits, root, **read).limits["files"].soft
    systems = section(facts.Filesystems, root, environment=variables, cwd="/srv/train", **read)
    assert set(systems.filesystems) == {"/dev/shm", "/tmp", "/", "home", "cwd"}
    assert section(facts.Cgroup, root, **read).memory_max == 8 << 30
    assert section(facts.Container, root, **read).state == "absent"
    assert section(facts.Environment, root, environment=variables, **read).variables == {
        "CUDA_VISIBLE_DEVICES": "0"
    }
    assert [xid.code for xid in section(facts.KernelLog, root, **read).xids] == [79]
    assert section(facts.Services, root, **read).services["nvidia-persistenced"].running


@pytest.mark.parametrize(
    "kind",
    [
        facts.Host,
        facts.KernelModules,
        facts.Limits,
        facts.User,
        facts.Filesystems,
        facts.Environment,
        facts.DriverFiles,
    ],
)
def test_this_machine_can_be_read(kind: type[facts.Host]) -> None:
    read = section(kind, "")

    assert read.state == "read"
    assert not read.unread


def test_kernel_parameters_are_taken_by_name_misspelt_ones_too(tmp_path: Path) -> None:
    assert section(facts.Host, h200(tmp_path)).cmdline == ["iommu=pt", "modprob.blacklist=nouveau"]


def test_bare_metal_has_no_hypervisor_whatever_its_firmware_is_called(tmp_path: Path) -> None:
    root = h200(tmp_path)
    (root / "proc/cpuinfo").write_text("flags : fpu\n")

    assert section(facts.Host, root).hypervisor is None


def test_secure_boot_is_unread_where_the_firmware_is_hidden_and_none_without_uefi(tmp_path: Path) -> None:
    assert section(facts.Host, h200(tmp_path / "bios")).secure_boot is None
    assert (
        section(facts.Host, tree(tmp_path / "container", {"/proc/version": ""})).unread["secure_boot"]
        == "unsupported"
    )


@pytest.mark.parametrize(("byte", "expected"), [(b"\x01", True), (b"\x00", False)])
def test_secure_boot_is_the_fifth_byte_of_its_variable(byte: bytes, expected: bool, tmp_path: Path) -> None:
    variable = "/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c"

    assert section(facts.Host, tree(tmp_path, {variable: b"\x06\0\0\0" + byte})).secure_boot is expected


def test_module_files_are_found_for_this_kernel_and_for_others(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            "/proc/version": "",
            f"/lib/modules/{RELEASE}/updates/dkms/nvidia-uvm.ko.zst": "",
            f"/lib/modules/{RELEASE}/kernel/drivers/video/fbdev/nvidia/nvidiafb.ko": "",
            "/lib/modules/5.15.0-1/updates/dkms/nvidia.ko": "",
            "/lib/modules/5.15.0-2/kernel/nvidia-580-open/nvidia.ko": "",
            "/lib/modules/5.15.0-3/extra/e1000.ko": "",
            "/sys/module/nvidia/version": "580.1\n",
        },
    )
    modules = section(facts.KernelModules, root)

    assert (modules.on_disk, modules.other_kernels) == ([], ["5.15.0-1", "5.15.0-2"])
    assert modules.built_in

    tree(tmp_path, {f"/lib/modules/{RELEASE}/extra/nvidia/nvidia.ko.xz": ""})
    modules = section(facts.KernelModules, root)

    assert modules.on_disk == [f"/lib/modules/{RELEASE}/extra/nvidia/nvidia.ko.xz"]
    assert not modules.built_in


def test_a_module_is_disabled_by_blacklist_install_or_alias_in_the_file_that_counts(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            "/etc/modprobe.d/a.conf": "blacklist nouveau # says the installer\n# blacklist nvidia\n",
            "/etc/modprobe.d/b.conf": "install nvidia-drm /bin/false\nalias nova_core off\nblacklist pc\n",
            "/etc/modprobe.d/c.conf": "install nvidia /sbin/modprobe -i nvidia\nalias nvidia char\n",
            "/etc/modprobe.d/note.txt": "blacklist nvidia\n",
            "/usr/lib/modprobe.d/c.conf": "blacklist nvidia\n",
        },
    )

    assert section(facts.KernelModules, root).blacklisted == {
        "nouveau": "/etc/modprobe.d/a.conf",
        "nvidia_drm": "/etc/modprobe.d/b.conf",
        "nova_core": "/etc/modprobe.d/b.conf",
    }


def test_modules_that_cannot_be_unloaded_leave_their_references_unread(tmp_path: Path) -> None:
    root = tree(tmp_path, {"/proc/modules": "nvidia 14299136 - - Live 0xffffffffc0400000 (O)\n"})
    loaded = section(facts.KernelModules, root).loaded["nvidia"]

    assert loaded.size == 14299136
    with pytest.raises(NotRead):
        _ = loaded.references


def _function(address: str, kind: str, **values: str | bytes) -> dict[str, str | bytes]:
    values = {"class": f"0x{kind}\n", "vendor": "0x10de\n", "device": "0x2335\n", **values}
    return {f"/sys/bus/pci/devices/{address}/{name}": value for name, value in values.items()}


def test_pci_lists_gpus_and_switches_and_leaves_the_rest(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            **_function("0000:01:00.0", "030200", config=b"\xff\xff\xff\xff"),
            **_function("0000:01:00.4", "030200", config=b"\xff" * 4, physfn="->../0000:01:00.0"),
            **_function("0000:02:00.0", "068000", current_link_speed="Unknown\n", numa_node="1\n"),
            **_function("0000:03:00.0", "020000"),
            **_function("0000:04:00.0", "030000", vendor="0x1a03\n", numa_node="-1\n"),
        },
    )
    pci = section(facts.Pci, root)

    assert sorted(pci.functions) == ["0000:01:00.0", "0000:01:00.4", "0000:02:00.0", "0000:04:00.0"]
    assert (pci.nvidia_gpus, pci.nvswitches) == (["0000:01:00.0"], 1)
    dead = pci.functions["0000:01:00.0"]
    assert (dead.driver, dead.link_width, dead.config_readable) == (None, None, False)
    assert (pci.functions["0000:02:00.0"].link_speed, pci.functions["0000:02:00.0"].numa) == (None, 1)
    assert pci.functions["0000:04:00.0"].numa is None
    with pytest.raises(NotRead):
        _ = pci.functions["0000:01:00.4"].config_readable


def test_no_pci_bus_is_absent_but_no_sys_is_an_error(tmp_path: Path) -> None:
    assert section(facts.Pci, tree(tmp_path / "a", {"/sys/bus/usb/x": ""})).state == "absent"
    assert section(facts.Pci, tree(tmp_path / "b", {"/proc/version": ""})).state == "error"


EFIVARS = "/sys/firmware/efi/efivars"
SHIM = "605dab50-e046-4300-abb6-3dd810dd8b23"
X509 = bytes.fromhex("a159c0a5e494a74a87b5ab155c2bf072")


def _signatures(kind: bytes, count: int, each: int = 100) -> bytes:
    body = bytes(count * each)
    return kind + struct.pack("<III", 28 + len(body), 0, each) + body


def test_keys_of_the_owner_are_counted(tmp_path: Path) -> None:
    enrolled = _signatures(X509, 1, 900) + _signatures(b"\x26" * 16, 7, 48) + _signatures(X509, 1, 700)
    root = tree(tmp_path, {f"{EFIVARS}/MokListRT-{SHIM}": b"\6\0\0\0" + enrolled})

    host = section(facts.Host, root)
    assert (host.mok_keys, host.mok_validation) == (2, None)


@pytest.mark.parametrize(("byte", "checks"), [(b"\1", False), (b"\0", True)])
def test_shim_may_be_told_not_to_check(byte: bytes, checks: bool, tmp_path: Path) -> None:
    root = tree(tmp_path, {f"{EFIVARS}/MokSBStateRT-{SHIM}": b"\6\0\0\0" + byte})

    assert section(facts.Host, root).mok_validation is checks


@pytest.mark.parametrize("content", [b"\6\0\0\0" + _signatures(X509, 1)[:60], b"\6\0\0\0" + bytes(28)])
def test_a_damaged_list_of_keys_is_unread(content: bytes, tmp_path: Path) -> None:
    root = tree(tmp_path, {f"{EFIVARS}/MokListRT-{SHIM}": content})

    assert section(facts.Host, root).unread["mok_keys"] == "error"


def test_keys_are_none_without_shim_and_unread_where_the_firmware_is_hidden(tmp_path: Path) -> None:
    bios, efi = h200(tmp_path / "bios"), tree(tmp_path / "efi", {f"{EFIVARS}/BootOrder-1": b"\0"})
    hidden = tree(tmp_path / "container", {"/proc/version": ""})

    assert (section(facts.Host, bios).mok_keys, section(facts.Host, efi).mok_keys) == (None, None)
    assert section(facts.Host, hidden).unread["mok_keys"] == "unsupported"
