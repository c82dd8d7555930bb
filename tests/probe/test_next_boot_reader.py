"""next_boot: boot menus of the distributions, modules, DKMS, early images, units."""

import gzip
import lzma
import os
from pathlib import Path
from typing import Any

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead, State
from tests.probe.loading import VERSIONS, interpreters, section, tree
from tests.probe.standins import cpio

RUNNING = os.uname().release
OLD, NEW = "6.8.0-9-generic", "6.8.0-40-generic"
SIGNED = b"~Module signature appended~\n"
KO = b"\x7fELF" + b"x" * 5000 + b"\0license=NVIDIA\0version=580.95.05\0srcversion=1\0"

GRUB_CFG = """
if [ -s $prefix/grubenv ]; then
  load_env
fi
if [ "${next_entry}" ] ; then
   set default="${next_entry}"
else
   set default="%s"
fi
function gfxmode {
	set gfxpayload="${1}"
}
menuentry 'Ubuntu' --class os $menuentry_id_option 'gnulinux-simple-1' {
	linux	/boot/vmlinuz-6.8.0-40-generic root=UUID=1 ro quiet modprobe.blacklist=nouveau secret=1
	initrd	/boot/initrd.img-6.8.0-40-generic
}
submenu 'Advanced options' $menuentry_id_option 'gnulinux-advanced-1' {
	menuentry 'Ubuntu, with Linux 6.8.0-40-generic' $menuentry_id_option 'gnulinux-6.8.0-40-advanced-1' {
		linux	/boot/vmlinuz-6.8.0-40-generic root=UUID=1 ro
	}
	menuentry 'Ubuntu, with Linux 6.8.0-9-generic' $menuentry_id_option 'gnulinux-6.8.0-9-advanced-1' {
		linux	/boot/vmlinuz-6.8.0-9-generic root=UUID=1 ro modprob.blacklist=nouveau
	}
}
menuentry 'UEFI Firmware Settings' $menuentry_id_option 'uefi-firmware' {
	fwsetup
}
menuentry 'Alice'\\''s other Linux' --class it_s {
	linux	/boot/vmlinuz-6.8.0-9-generic root=/dev/vda ro  
}
submenu "Backup > new" {
	menuentry inside {
		linux	/boot/vmlinuz-6.8.0-9-generic root=/dev/vda ro
	}
}
"""


def ubuntu(root: Path, default: str = "0", environment: str = "", **more: str | bytes) -> Path:
    """Write a machine with two kernels, of which the newer one has a module by DKMS."""
    folder = f"/lib/modules/{NEW}"
    return tree(
        root,
        {
            f"/boot/vmlinuz-{OLD}": "k",
            f"/boot/vmlinuz-{NEW}": "k",
            "/boot/vmlinuz": f"->vmlinuz-{NEW}",
            f"/boot/initrd.img-{NEW}": cpio({}),
            "/boot/grub/grub.cfg": GRUB_CFG % default,
            "/boot/grub/grubenv": f"# GRUB Environment Block\n{environment}\n####",
            f"/lib/modules/{OLD}/modules.dep": "",
            f"{folder}/updates/dkms/nvidia.ko": KO + SIGNED,
            f"{folder}/kernel/drivers/gpu/drm/nouveau/nouveau.ko.zst": "n",
            f"{folder}/build": f"->../../../usr/src/linux-headers-{NEW}",
            f"/usr/src/linux-headers-{NEW}/Makefile": "",
            f"/var/lib/dkms/nvidia/580.95.05/{NEW}/x86_64/log/make.log": "",
            "/var/lib/dkms/nvidia/570.86.15/source": "->/usr/src/nvidia-570.86.15",
            f"/var/lib/dkms/nvidia/kernel-{NEW}-x86_64": f"->580.95.05/{NEW}/x86_64",
            "/etc/modprobe.d/nvidia.conf": "blacklist nouveau\noptions nouveau modeset=0\n",
            "/etc/systemd/system/multi-user.target.wants/nvidia-persistenced.service": "",
            "/etc/systemd/system/multi-user.target.wants/ssh.service": "",
            "/usr/lib/systemd/system/multi-user.target.wants/dkms.service": "",
            "/run/reboot-required": "",
            "/proc/stat": "cpu 1 2\nbtime 2000000000\n",
            **more,
        },
    )


def read(root: Path | str, **settings: Any) -> facts.NextBoot:
    return section(facts.NextBoot, root, **settings)


@pytest.mark.parametrize("version", VERSIONS)
def test_a_machine_with_grub_and_dkms_under_every_python(version: str, tmp_path: Path) -> None:
    python = interpreters().get(version)
    if python is None:
        pytest.skip(f"no CPython {version} at hand")

    seen = read(ubuntu(tmp_path), python=python)

    assert (seen.kernel, seen.chosen_by, seen.entry) == (NEW, "grub", "Ubuntu")
    assert seen.parameters == ["modprobe.blacklist=nouveau"]
    assert seen.kernels == [OLD, NEW]
    assert seen.modules == [f"/lib/modules/{NEW}/updates/dkms/nvidia.ko"]
    assert (seen.module_version, seen.module_signed) == ("580.95.05", True)
    assert (seen.nouveau, seen.headers, seen.reboot_required) == (True, True, True)
    assert list(seen.nouveau_disabled) == ["/etc/modprobe.d/nvidia.conf"]
    assert seen.dkms == {"nvidia/570.86.15": "added", "nvidia/580.95.05": "installed"}
    assert seen.initramfs == f"/boot/initrd.img-{NEW}"
    assert seen.enabled == ["dkms", "nvidia-persistenced"]
    assert not seen.unread


@pytest.mark.parametrize(
    ("default", "environment", "kernel", "how"),
    [
        ("1>1", "", OLD, "grub"),
        ("1", "", NEW, "grub"),
        ("gnulinux-advanced-1>gnulinux-6.8.0-9-advanced-1", "", OLD, "grub"),
        ("Advanced options>Ubuntu, with Linux 6.8.0-9-generic", "", OLD, "grub"),
        ("Alice's other Linux", "", OLD, "grub"),
        ("${saved_entry}", "saved_entry=Backup >> new>inside", OLD, "grub"),
        ("${saved_entry}", "saved_entry=1>1", OLD, "grub"),
        ("${saved_entry}", "", NEW, "grub"),
        ("no such entry", "", NEW, "grub"),
        ("9", "", NEW, "grub"),
        ("0", "next_entry=1>1", OLD, "grub-once"),
    ],
)
def test_grub_takes_the_entry_that_its_default_names(
    default: str, environment: str, kernel: str, how: str, tmp_path: Path
) -> None:
    seen = read(ubuntu(tmp_path, default, environment))

    assert (seen.kernel, seen.chosen_by) == (kernel, how)


def test_misspelt_parameters_of_the_entry_are_kept(tmp_path: Path) -> None:
    assert read(ubuntu(tmp_path, "1>1")).parameters == ["modprob.blacklist=nouveau"]


def test_an_entry_without_a_kernel_leaves_its_files_unread(tmp_path: Path) -> None:
    seen = read(ubuntu(tmp_path, "uefi-firmware"))

    assert (seen.kernel, seen.entry) == (None, "UEFI Firmware Settings")
    with pytest.raises(NotRead):
        _ = seen.modules


@pytest.mark.parametrize(
    ("name", "content", "expected"),
    [
        ("nvidia.ko", KO, ("580.95.05", False)),
        ("nvidia.ko.xz", lzma.compress(KO + SIGNED), ("580.95.05", True)),
        ("nvidia.ko.gz", gzip.compress(KO), ("580.95.05", False)),
        ("nvidia.ko", b"x" * ((1 << 20) - 8) + KO + SIGNED, ("580.95.05", True)),
    ],
    ids=["plain", "xz", "gz", "over two chunks"],
)
def test_version_and_signature_of_the_module(
    name: str, content: bytes, expected: tuple[str, bool], tmp_path: Path
) -> None:
    root = ubuntu(tmp_path)
    (root / f"lib/modules/{NEW}/updates/dkms/nvidia.ko").unlink()
    seen = read(tree(root, {f"/lib/modules/{NEW}/updates/dkms/{name}": content}))

    assert (seen.module_version, seen.module_signed) == expected


@pytest.mark.parametrize(("ending", "state"), [("zst", State.UNSUPPORTED), ("xz", State.ERROR)])
def test_a_module_that_cannot_be_unpacked_is_unread(ending: str, state: State, tmp_path: Path) -> None:
    root = ubuntu(tmp_path)
    (root / f"lib/modules/{NEW}/updates/dkms/nvidia.ko").unlink()
    seen = read(tree(root, {f"/lib/modules/{NEW}/updates/dkms/nvidia.ko.{ending}": b"no such format"}))

    assert len(seen.modules) == 1
    assert seen.unread == {"module_version": state, "module_signed": state}


def rocky(root: Path, environment: str, **more: str | bytes) -> Path:
    """Write a machine with the boot loader specification."""
    options = "options root=/dev/sda $kernelopts rd.driver.blacklist=nouveau"
    entry = "title Rocky ({0})\nversion {0}\nlinux /vmlinuz-{0}\n" + options + "\n"
    kernels = ("5.14.0-9.el9.x86_64", "5.14.0-503.el9.x86_64", "0-rescue-abc")
    entries = {f"/boot/loader/entries/abc-{one}.conf": entry.format(one) for one in kernels}
    images = {f"/boot/vmlinuz-{one}": "k" for one in kernels}
    modules = {f"/usr/lib/modules/{one}/modules.dep": "" for one in kernels[:2]}
    return tree(
        root,
        {
            "/boot/grub2/grub.cfg": 'set default="${saved_entry}"\ninsmod blscfg\nblscfg\n',
            "/boot/grub2/grubenv": f"{environment}\nkernelopts=iommu=pt quiet\n",
            "/boot/initramfs-5.14.0-503.el9.x86_64.img": cpio({}),
            "/usr/lib/modules/5.14.0-503.el9.x86_64/extra/nvidia.ko": KO,
            "/lib": "->usr/lib",
            **entries,
            **images,
            **modules,
            **more,
        },
    )


@pytest.mark.parametrize(
    ("environment", "kernel", "how"),
    [
        ("", "5.14.0-503.el9.x86_64", "bls"),
        ("saved_entry=abc-5.14.0-9.el9.x86_64", "5.14.0-9.el9.x86_64", "bls"),
        ("saved_entry=1", "5.14.0-9.el9.x86_64", "bls"),
        ("saved_entry=abc-5.14.0-8.el9.x86_64", "5.14.0-503.el9.x86_64", "bls"),
        ("next_entry=abc-5.14.0-9.el9.x86_64", "5.14.0-9.el9.x86_64", "grub-once"),
    ],
)
def test_the_boot_loader_specification(environment: str, kernel: str, how: str, tmp_path: Path) -> None:
    seen = read(rocky(tmp_path, environment))

    assert (seen.kernel, seen.chosen_by) == (kernel, how)
    assert seen.parameters == ["iommu=pt", "rd.driver.blacklist=nouveau"]
    assert bool(seen.modules) is (kernel == "5.14.0-503.el9.x86_64")


def test_a_menu_that_is_denied_leaves_a_guess(tmp_path: Path) -> None:
    denied = "def choice():\n    raise PermissionError(13, 'grub.cfg')\nreader.boot_menu.choice = choice\n"

    seen = read(rocky(tmp_path, ""), before=denied)

    assert (seen.kernel, seen.chosen_by) == ("5.14.0-503.el9.x86_64", "newest-file")
    assert seen.unread == {"entry": State.DENIED, "parameters": State.DENIED}


@pytest.mark.parametrize(
    ("configuration", "once", "kernel"),
    [
        ("timeout 3\n", "", "6.12.1-arch1-1"),
        ("default lts*\n", "", "6.6.63-1-lts"),
        ("default lts.conf\n", "arch.conf", "6.12.1-arch1-1"),
    ],
)
def test_systemd_boot(configuration: str, once: str, kernel: str, tmp_path: Path) -> None:
    variable = "LoaderEntryOneShot-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"
    root = tree(
        tmp_path,
        {
            "/boot/loader/loader.conf": configuration,
            "/boot/loader/entries/arch.conf": "title Arch\nlinux /vmlinuz-linux\noptions nomodeset rw\n",
            "/boot/loader/entries/lts.conf": "title LTS\nlinux /vmlinuz-linux-lts\noptions nomodeset rw\n",
            "/boot/vmlinuz-linux": "k",
            "/usr/lib/modules/6.12.1-arch1-1/pkgbase": "linux\n",
            "/usr/lib/modules/6.6.63-1-lts/pkgbase": "linux-lts\n",
            "/lib": "->usr/lib",
            **(
                {f"/sys/firmware/efi/efivars/{variable}": b"\7\0\0\0" + once.encode("utf-16-le")}
                if once
                else {}
            ),
        },
    )
    if "arch" in kernel and not once:
        (root / "boot/loader/entries/lts.conf").unlink()

    seen = read(root)

    assert (seen.kernel, seen.chosen_by, seen.parameters) == (kernel, "systemd-boot", ["nomodeset"])
    assert seen.kernels == ["6.6.63-1-lts", "6.12.1-arch1-1"]


def test_without_a_boot_loader_the_newest_image_is_a_guess(tmp_path: Path) -> None:
    root = tree(tmp_path, {f"/boot/vmlinuz-{one}": "k" for one in (OLD, NEW)})
    seen = read(tree(root, {f"/lib/modules/{NEW}/modules.dep": ""}))

    assert (seen.kernel, seen.chosen_by, seen.entry, seen.parameters) == (NEW, "newest-file", None, None)
    assert (seen.modules, seen.module_signed, seen.initramfs, seen.headers) == ([], None, None, False)


def test_the_name_of_the_image_counts_more_than_the_entrys_version(tmp_path: Path) -> None:
    entry = f"version 1\nlinux /ostree/fedora-coreos-abc/vmlinuz-{NEW}\n"
    folder = f"/lib/modules/{NEW}/vmlinuz"

    seen = read(tree(tmp_path, {"/boot/loader/entries/ostree-1.conf": entry, folder: "k"}))

    assert (seen.kernel, seen.kernels) == (NEW, [NEW])


def test_a_kernel_without_modules_is_not_taken_for_a_release(tmp_path: Path) -> None:
    seen = read(tree(tmp_path, {"/boot/vmlinuz-6.8-custom": "k", "/lib/modules/6.8.0/modules.dep": ""}))

    assert (seen.kernel, seen.kernels) == (None, ["6.8-custom"])


def test_absent_in_a_container_and_where_nothing_is_installed(tmp_path: Path) -> None:
    inside = {"container": {"state": "read", "engine": "docker", "injected": []}}

    assert read(ubuntu(tmp_path / "a"), sections=inside).state is State.ABSENT
    assert read(tree(tmp_path / "b", {"/proc/version": ""})).state is State.ABSENT


@pytest.mark.parametrize(("written", "booted"), [(1_900_000_000, True), (2_100_000_000, False)])
def test_the_image_that_this_boot_has_used(written: int, booted: bool, tmp_path: Path) -> None:
    image = f"/boot/initramfs-{RUNNING}.img"
    root = tree(
        tmp_path,
        {
            f"/boot/vmlinuz-{RUNNING}": "k",
            f"/lib/modules/{RUNNING}/x": "",
            image: cpio({}),
            "/proc/stat": "btime 2000000000\n",
        },
    )
    os.utime(root / image[1:], (written, written))

    seen = read(root)

    assert (seen.initramfs_time, seen.initramfs_booted) == (written, booted)


def test_this_machine_can_be_read() -> None:
    assert read("").state in (State.READ, State.ABSENT)
