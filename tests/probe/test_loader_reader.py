"""The reader of what the dynamic loader finds."""

import os
import shutil
import struct
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeblue.model.facts import Loader
from codeblue.model.section import State
from tests.probe.loading import VERSIONS, document, tree
from tests.probe.standins import ENDS, PRESENT, dist, elf


def ld_cache(*entries: tuple[str, str, int]) -> bytes:
    """Return /etc/ld.so.cache in glibc's newer format, behind the older one as some systems write it."""
    strings = b"".join(name.encode() + b"\0" + path.encode() + b"\0" for name, path, _ in entries)
    start = 48 + 24 * len(entries)
    rows, at = b"", start
    for name, path, flags in entries:
        rows += struct.pack("=iIIIQ", flags, at, at + len(name) + 1, 0, 0)
        at += len(name) + len(path) + 2
    header = b"glibc-ld.so.cache1.1" + struct.pack("=II", len(entries), len(strings)) + b"\x02" + bytes(19)
    return b"ld.so-1.7.0\0" + struct.pack("=I", 0) + header + rows + strings


HOST = {"x86_64": 0x0303, "aarch64": 0x0A03}.get(os.uname().machine, 0x0303)
SITE = "/env/lib/python3.12/site-packages"


def loader_section(
    root: Path,
    environment: dict[str, str] | None = None,
    path: list[str] | None = None,
    probe: str | None = None,
) -> Loader:
    python: dict[str, Any] = {
        "state": "read",
        "path": [".", SITE] if path is None else path,
        "distributions": {"nvidia-cudnn-cu12": {"version": "9.1.0.70"}},
    }
    sections = {"python": python}
    content = document("loader", root, python=probe, environment=environment, sections=sections, cwd="/job")
    return msgspec.convert(content, Loader)


@pytest.mark.parametrize("version", [v for v in VERSIONS if v in PRESENT] or [""])
def test_resolution(version: str, tmp_path: Path) -> None:
    cache = ld_cache(
        ("libnvidia-ml.so.1", "/drv/libnvidia-ml.so.1", HOST),
        ("libcudart.so.12", "/gone/libcudart.so.12", HOST),
        ("libcuda.so.1", "/drv32/libcuda.so.1", 0x0003),
        ("libcuda.so.1", "/drv/libcuda.so.1", HOST),
        ("libcuda.so.1", "/lib/libcuda.so.1", HOST),
    )
    files: dict[str, str | bytes] = {
        "etc/ld.so.cache": cache,
        "drv/libcuda.so.1": "->libcuda.so.580.1",
        "drv/libcuda.so.580.1": elf(),
        "lib/libcuda.so.1": elf(300),
        "drv32/libcuda.so.1": elf(machine=b"\x03\x00"),
        "drv/libnvidia-ml.so.1": elf(),
        "usr/lib64/libgomp.so.1": elf(),
        "a/libnccl.so.2": elf(machine=b"\xf7\x00"),  # of another machine: passed over
        "b/libnccl.so.2": b"",  # empty: the search ends here with an error
        "c/libnccl.so.2": elf(),
        "usr/local/cuda-12.4/compat/libcuda.so.550.54": elf(),
        "usr/local/cuda": "->cuda-12.4",
    }
    tree(tmp_path, files)
    found = loader_section(tmp_path, {"LD_LIBRARY_PATH": "/a:/b::/c"}, probe=PRESENT.get(version))
    libraries = found.libraries
    assert set(libraries) == {"libcuda.so.1", "libnvidia-ml.so.1", "libgomp.so.1", "libnccl.so.2"}
    cuda = libraries["libcuda.so.1"]
    assert (cuda.path, cuda.real, cuda.via) == ("/drv/libcuda.so.1", "/drv/libcuda.so.580.1", "ldcache")
    assert (cuda.version, cuda.elf, cuda.size) == ("580.1", "ok", 256)
    assert (libraries["libgomp.so.1"].via, libraries["libgomp.so.1"].path) == (
        "default",
        "/usr/lib64/libgomp.so.1",
    )
    nccl = libraries["libnccl.so.2"]
    assert (nccl.path, nccl.via, nccl.elf) == ("/b/libnccl.so.2", "LD_LIBRARY_PATH", "empty")
    assert found.search_path == ["/a", "/b", "/job", "/c"]
    assert found.libcuda_copies == [
        "/drv/libcuda.so.580.1",
        "/lib/libcuda.so.1",
        "/usr/local/cuda-12.4/compat/libcuda.so.550.54",
    ]
    assert found.nvidia_ml_copies == ["/drv/libnvidia-ml.so.1"]
    assert (found.preload, found.environment, found.damaged) == ([], {}, {})


def test_nothing_found(tmp_path: Path) -> None:
    found = loader_section(tmp_path)
    assert {name: row.path for name, row in found.libraries.items()} == {
        "libcuda.so.1": None,
        "libnvidia-ml.so.1": None,
    }
    assert document("loader", tmp_path)["unread"] == dict.fromkeys(
        ("environment", "shadowed", "damaged"), "not-attempted"
    )


def test_preload(tmp_path: Path) -> None:
    tree(tmp_path, {"x/libjemalloc.so": elf(), "usr/lib64/libgomp.so.1": elf()})
    preload = "/x/libjemalloc.so:/x/gone.so libgomp.so.1 libnothere.so"
    root = tmp_path
    # The probe itself must start, so the variable is set for the job only.
    found = msgspec.convert(
        document("loader", root, sections={}, environment={"LD_PRELOAD": preload}), Loader
    )
    assert found.preload == ["/x/libjemalloc.so", "/x/gone.so", "libgomp.so.1", "libnothere.so"]
    assert found.preload_missing == ["/x/gone.so", "libnothere.so"]


RECORD = "nvidia/cudnn/lib/libcudnn.so.9,sha256=x,1\nnvidia/cudnn/lib/libcudnn_ops.so.9,sha256=x,1\n"


def wheels(tag: int, **changes: bytes) -> dict[str, str | bytes]:
    files: dict[str, str | bytes] = {
        "nvidia/cudnn/lib/libcudnn.so.9": elf(),
        "nvidia/cudnn/lib/libcudnn_ops.so.9": elf(),
        "nvidia/cudnn/lib/libother.so.1": elf(),
        "torch/lib/libtorch_cuda.so": elf(tag=tag),
        "torch/lib/libgomp-a34b3233.so.1": elf(),
        "numpy.libs/libopenblas.so.0": elf(),
    }
    files |= dist("nvidia_cudnn_cu12", "9.1.0.70", RECORD)
    files |= {name.replace("__", "/"): content for name, content in changes.items()}
    return {f"{SITE}/{name}": content for name, content in files.items()}


@pytest.mark.parametrize("version", ENDS)
def test_environment_and_damaged(version: str, tmp_path: Path) -> None:
    tree(tmp_path, wheels(15))
    lib = tmp_path / SITE[1:] / "nvidia/cudnn/lib"
    (lib / "libcudnn_ops.so.9").write_bytes(elf(4096)[:2048])
    (lib / "libempty.so.1").write_bytes(b"")
    (lib / "libpage.so.1").write_bytes(b"<html>")
    (tmp_path / SITE[1:] / "torch/lib/libgomp-a34b3233.so.1").write_bytes(b"")
    found = loader_section(tmp_path, probe=PRESENT.get(version))
    assert set(found.environment) == {"libcudnn.so.9", "libcudnn_ops.so.9", "libgomp.so.1"}
    cudnn = found.environment["libcudnn.so.9"]
    assert (cudnn.path, cudnn.via) == (f"{SITE}/nvidia/cudnn/lib/libcudnn.so.9", "environment")
    assert (cudnn.version, cudnn.elf) == ("9.1.0.70", "ok")
    damaged = {path[len(SITE) + 1 :]: (row.elf, row.size, row.owner) for path, row in found.damaged.items()}
    assert damaged == {
        "nvidia/cudnn/lib/libcudnn_ops.so.9": ("truncated", 2048, "nvidia-cudnn-cu12"),
        "nvidia/cudnn/lib/libempty.so.1": ("empty", 0, None),
        "nvidia/cudnn/lib/libpage.so.1": ("not-elf", 6, None),
        "torch/lib/libgomp-a34b3233.so.1": ("empty", 0, "torch"),
    }


@pytest.mark.parametrize(
    ("tag", "hidden"), [(15, {}), (29, {"libcudnn.so.9": "/cuda/libcudnn.so.9"})], ids=["rpath", "runpath"]
)
def test_shadowed_only_where_the_path_wins(tag: int, hidden: dict[str, str], tmp_path: Path) -> None:
    tree(tmp_path, wheels(tag))
    tree(tmp_path, {"cuda/libcudnn.so.9": elf(300)})
    assert loader_section(tmp_path, {"LD_LIBRARY_PATH": "/cuda"}).shadowed == hidden


def test_the_own_folder_on_the_path_shadows_nothing(tmp_path: Path) -> None:
    tree(tmp_path, wheels(29))
    environment = {"LD_LIBRARY_PATH": f"{SITE}/nvidia/cudnn/lib"}
    assert loader_section(tmp_path, environment).shadowed == {}


def test_cudnn_part_is_asked_for_by_cudnn(tmp_path: Path) -> None:
    tree(tmp_path, wheels(15))
    tree(tmp_path, {"cuda/libcudnn_ops.so.9": elf(300)})
    found = loader_section(tmp_path, {"LD_LIBRARY_PATH": "/cuda"})
    assert found.shadowed == {"libcudnn_ops.so.9": "/cuda/libcudnn_ops.so.9"}


def test_this_machines_cache_as_ldconfig_reads_it() -> None:
    program = shutil.which("ldconfig") or "/sbin/ldconfig"
    if not Path(program).exists() or not Path("/etc/ld.so.cache").exists():
        pytest.skip("no loader cache on this machine")
    listing = subprocess.run([program, "-p"], capture_output=True, text=True, check=True).stdout
    first: dict[str, str] = {}
    for row in listing.splitlines():
        name, arrow, path = row.strip().partition(" => ")
        if arrow and "x86-64" in name and "hwcap" not in name:
            first.setdefault(name.split()[0], path)
    found = msgspec.convert(document("loader", ""), Loader)
    ours = {name: row.path for name, row in found.libraries.items() if row.via == "ldcache"}
    assert "libstdc++.so.6" in ours or "libstdc++.so.6" not in first
    assert ours == {name: first[name] for name in ours}


def test_damaged_cache(tmp_path: Path) -> None:
    cache = ld_cache(("libcuda.so.1", "/drv/libcuda.so.1", HOST))
    for content in (
        b"",
        b"garbage",
        cache[:40],
        cache[:90],
        cache.replace(b"\x01\0\0\0", b"\xff\xff\xff\x7f", 1),
    ):
        tree(tmp_path, {"etc/ld.so.cache": content})
        assert loader_section(tmp_path).state is State.READ
