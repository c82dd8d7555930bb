"""next_boot looks into the early image: several archives, packed in every usual way."""

import bz2
import gzip
import lzma
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import State
from tests.probe.loading import section, tree
from tests.probe.standins import ENDS, PRESENT, cpio

KERNEL = "6.8.0-40-generic"
IMAGE = f"/boot/initrd.img-{KERNEL}"
DRM = f"usr/lib/modules/{KERNEL}/kernel/drivers/gpu/drm/nouveau/nouveau.ko"
BLACKLIST = b"# by hand\nblacklist nouveau\noptions nouveau modeset=0\n"
FORCEDETH = f"usr/lib/modules/{KERNEL}/kernel/drivers/net/ethernet/nvidia/forcedeth.ko"


EARLY = cpio({"kernel/x86/microcode/GenuineIntel.bin": b"m" * 1001})
MAIN = cpio(
    {
        "usr/bin/sh": b"s" * 300_001,
        FORCEDETH: b"f",
        f"{DRM}.zst": b"n" * 70_000,
        f"usr/lib/modules/{KERNEL}/updates/dkms/nvidia-drm.ko": b"d",
        "etc/modprobe.d/nvidia.conf": BLACKLIST,
        "etc/modprobe.d/readme": b"blacklist nvidia\n",
    }
)


def read(folder: Path, image: bytes, python: str | None = None, before: str = "") -> facts.NextBoot:
    files = {f"/boot/vmlinuz-{KERNEL}": b"k", f"/lib/modules/{KERNEL}/modules.dep": b"", IMAGE: image}
    return section(facts.NextBoot, tree(folder, files), python=python, before=before)


def zstd(data: bytes) -> bytes:
    if shutil.which("zstd") is None:
        pytest.skip("zstd is not installed")
    return subprocess.run(["zstd", "-qc"], input=data, capture_output=True, check=True).stdout


def _damaged(data: bytes) -> bytes:
    return data[:20] + b"\xff" * 40 + data[60:]


@pytest.mark.parametrize("version", ENDS)
@pytest.mark.parametrize("kind", ["plain", "gzip", "xz", "lzma", "bzip2", "zstd"])
@pytest.mark.parametrize("early", [b"", EARLY, EARLY + EARLY], ids=["alone", "microcode", "two before"])
def test_modules_and_configuration_in_the_image(
    early: bytes, kind: str, version: str, tmp_path: Path
) -> None:
    ways: dict[str, Callable[[bytes], bytes]] = {
        "plain": bytes,
        "gzip": gzip.compress,
        "xz": lzma.compress,
        "lzma": lambda data: lzma.compress(data, lzma.FORMAT_ALONE),
        "bzip2": bz2.compress,
        "zstd": zstd,
    }

    seen = read(tmp_path, early + ways[kind](MAIN), PRESENT.get(version))

    assert seen.initramfs_modules == ["nouveau.ko", "nvidia_drm.ko"]
    assert (seen.initramfs_disabled, seen.initramfs_version) == (["nouveau"], None)


def test_the_version_of_the_module_in_the_image(tmp_path: Path) -> None:
    updates = f"usr/lib/modules/{KERNEL}/updates/dkms"
    module = (
        b"\x7fELF"
        + b"x" * ((1 << 18) - 12)
        + b"\0license=NVIDIA\0version=570.86.15\0srcversion=1\0"
        + b"y" * 9999
    )
    plain = cpio(
        {f"{updates}/nvidia.ko": module, f"{updates}/nvidia-uvm.ko": b"u", "etc/modprobe.d/n.conf": BLACKLIST}
    )
    packed = cpio({f"{updates}/nvidia.ko.zst": module})
    debian = cpio({f"{updates}/nvidia-current.ko": module, f"{updates}/nvidia-current-drm.ko": b"d"})

    seen = read(tmp_path / "plain", gzip.compress(plain))
    assert (seen.initramfs_version, seen.initramfs_disabled) == ("570.86.15", ["nouveau"])
    assert seen.initramfs_modules == ["nvidia.ko", "nvidia_uvm.ko"]
    assert read(tmp_path / "debian", debian).initramfs_version == "570.86.15"
    again = read(tmp_path / "packed", packed)
    assert (again.initramfs_modules, again.unread) == (
        ["nvidia.ko"],
        {"initramfs_version": State.UNSUPPORTED},
    )


def test_an_image_without_gpu_modules_holds_none(tmp_path: Path) -> None:
    seen = read(tmp_path, gzip.compress(cpio({"usr/bin/sh": b"s", FORCEDETH: b"f"})))

    assert (seen.initramfs_modules, seen.initramfs_disabled, seen.unread) == ([], [], {})


def test_a_link_in_modprobe_d_is_no_configuration(tmp_path: Path) -> None:
    seen = read(tmp_path, cpio({"etc/modprobe.d/nvidia.conf": BLACKLIST}, mode=0o120777))

    assert seen.initramfs_disabled == []


@pytest.mark.parametrize(
    ("image", "before", "state"),
    [
        (b"", "", State.ERROR),
        (b"not an image at all", "", State.UNSUPPORTED),
        (gzip.compress(MAIN)[:-50], "", State.ERROR),
        (MAIN[:1000], "", State.ERROR),
        (_damaged(gzip.compress(MAIN)), "", State.ERROR),
        (_damaged(lzma.compress(MAIN)), "", State.ERROR),
        (_damaged(bz2.compress(MAIN)), "", State.ERROR),
        (gzip.compress(b"no archive" * 100), "", State.ERROR),
        (gzip.compress(MAIN), "reader.initramfs.PATIENCE = -1", State.TIMEOUT),
        (b"\x28\xb5\x2f\xfdzzzz", "reader.initramfs.FOLDERS = ()", State.UNSUPPORTED),
        (b"\x28\xb5\x2f\xfdzzzz", "", State.ERROR),
    ],
    ids=[
        "empty",
        "unknown",
        "cut",
        "cut plain",
        "damaged gzip",
        "damaged xz",
        "damaged bzip2",
        "no archive",
        "slow",
        "no zstd",
        "broken zstd",
    ],
)
def test_an_image_that_cannot_be_looked_into_is_unread(
    image: bytes, before: str, state: State, tmp_path: Path
) -> None:
    seen = read(tmp_path, image, before=before)

    assert seen.initramfs == IMAGE
    names = ("initramfs_modules", "initramfs_disabled", "initramfs_version")
    assert {seen.unread[name] for name in names} == {state}


def test_without_an_image_there_is_nothing_in_it(tmp_path: Path) -> None:
    files = {f"/boot/vmlinuz-{KERNEL}": "k", f"/lib/modules/{KERNEL}/modules.dep": ""}

    seen = section(facts.NextBoot, tree(tmp_path, files))

    assert (seen.initramfs_modules, seen.initramfs_disabled, seen.initramfs_version) == (None, None, None)


def test_a_huge_image_takes_little_memory(tmp_path: Path) -> None:
    image = gzip.compress(cpio({f"{number}": bytes(1 << 24) for number in range(12)}), 1)
    limit = "import resource\nresource.setrlimit(resource.RLIMIT_AS, (200 << 20, 200 << 20))\n"

    assert read(tmp_path, image, before=limit).initramfs_modules == []
