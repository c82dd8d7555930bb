"""fabric: NVLinks, peers, registration and licences, asked of a library with layouts of its own."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead, State
from tests.probe.loading import section, tree
from tests.probe.standins import ENDS, PRESENT

NVML = r"""
#include <string.h>
typedef struct { char legacy[16]; unsigned domain, bus, device, id, sub; char busId[32]; } pci_t;
typedef struct { unsigned char uuid[16]; unsigned status, clique, state; } fabric_t;
typedef struct { unsigned version; unsigned char uuid[16]; unsigned status, clique, state, mask; } fabric2_t;
typedef struct { unsigned version; unsigned char uuid[16]; unsigned status, clique, state, mask;
  unsigned char summary; } fabric3_t;
typedef struct { unsigned year; unsigned short month, day, hour, min, sec; unsigned char status; } expiry_t;
typedef struct { unsigned code, state; char info[128], product[128]; unsigned enabled;
  expiry_t expiry; } licence_t;
typedef struct { int supported; unsigned count; licence_t features[3]; } licences_t;
#define A ((void *)0x7fff00000001)
#define B ((void *)0x7fff00000002)
#ifdef BROKEN
int nvmlInit_v2(void) { return 999; }
#else
int nvmlInit_v2(void) { return 0; }
#endif
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 3; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **h) { *h = i ? B : A; return i == 2 ? 15 : 0; }
#ifndef OLD
int nvmlDeviceGetNvLinkState(void *h, unsigned l, unsigned *on) {
  if (h == B) return 3; if (l > 2) return 2; *on = l < 2; return 0; }
int nvmlDeviceGetNvLinkRemotePciInfo_v2(void *h, unsigned l, pci_t *p) {
  if (l) return 999; p->domain = 0; p->bus = 0xc1; p->device = 2; return 0; }
int nvmlDeviceGetNvLinkRemoteDeviceType(void *h, unsigned l, unsigned *t) { *t = 2; return 0; }
int nvmlDeviceGetNvLinkErrorCounter(void *h, unsigned l, unsigned c, unsigned long long *n) {
  if (l == 2 || c > 1) return 3; *n = (unsigned long long)c << 33; return 0; }
int nvmlDeviceGetGpuFabricInfoV(void *h, void *p) {
  fabric3_t *f = p;
#ifdef SECOND
  if (f->version != (sizeof(fabric2_t) | 2 << 24)) return 25;
#else
  if (f->version != (sizeof(fabric3_t) | 3 << 24)) return 25;
  f->summary = 2;
#endif
  if (h == B) return 3;
  f->uuid[15] = 1; f->status = 0; f->clique = 32766; f->state = 3; f->mask = 0x1555; return 0; }
int nvmlDeviceGetTopologyCommonAncestor(void *h, void *o, unsigned *l) {
  if (h != A || o != B) return 2; *l = 50; return 0; }
int nvmlDeviceGetP2PStatus(void *h, void *o, unsigned way, unsigned *s) {
  if (way == 3) return 3; *s = way == 2 ? 5 : way; return 0; }
int nvmlDeviceGetVbiosVersion(void *h, char *s, unsigned n) { strncpy(s, "96.00.A5.00.1A", n); return 0; }
int nvmlDeviceGetGspFirmwareVersion(void *h, char *s) { strcpy(s, "580.159.04"); return 0; }
int nvmlDeviceGetPcieReplayCounter(void *h, unsigned *n) { if (h == B) return 4; *n = 2; return 0; }
int nvmlDeviceGetVirtualizationMode(void *h, unsigned *n) { *n = h == A ? 2 : 0; return 0; }
int nvmlDeviceGetGridLicensableFeatures_v4(void *h, licences_t *l) {
  memset(l, 0, sizeof *l); if (h == B) return 0;
  l->supported = 1; l->count = 2; l->features[0].state = 5;
  l->features[1].enabled = 1; l->features[1].state = 4; return 0; }
#elif defined FIRST
int nvmlDeviceGetGpuFabricInfo(void *h, fabric_t *f) {
  memset(f, 0, sizeof *f); f->status = 999; f->state = 2; return 0; }
#endif
"""

Build = Callable[..., dict[str, str]]


@pytest.fixture(scope="module")
def nvml(tmp_path_factory: pytest.TempPathFactory) -> Build:
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler at hand")

    def build(*options: str) -> dict[str, str]:
        folder = tmp_path_factory.mktemp("nvml")
        (folder / "nvml.c").write_text(NVML)
        library = folder / "libnvidia-ml.so.1"
        command = [compiler, "-shared", "-fPIC", "-w", *options, "-o", str(library), str(folder / "nvml.c")]
        subprocess.run(command, check=True)
        return {"LD_LIBRARY_PATH": str(folder)}

    return build


def read(environment: dict[str, str], root: Path | str = "", python: str | None = None) -> facts.Fabric:
    return section(facts.Fabric, root, environment=environment, python=python)


@pytest.mark.parametrize("version", ENDS)
def test_a_gpu_with_links_says_all(version: str, nvml: Build) -> None:
    found = read(nvml(), python=PRESENT.get(version))

    assert list(found.gpus) == ["0", "1"]
    gpu = found.gpus["0"]
    assert [gpu.links[number].active for number in "012"] == [True, True, False]
    assert (gpu.links["0"].remote, gpu.links["0"].remote_kind) == ("0000:c1:02.0", "switch")
    assert gpu.link_errors == {"0": {"recovery": 1 << 33}, "1": {"recovery": 1 << 33}}
    assert (gpu.fabric.state, gpu.fabric.clique, gpu.fabric.multi_node) == ("completed", 32766, True)
    assert (gpu.fabric.health, gpu.fabric.health_mask) == ("unhealthy", 0x1555)
    assert (gpu.vbios, gpu.gsp_firmware, gpu.pcie_replays) == ("96.00.A5.00.1A", "580.159.04", 2)
    assert (gpu.virtualisation, gpu.licence, gpu.unread) == ("vgpu", "unlicensed", {})


def test_a_gpu_without_links_is_not_an_unread_one(nvml: Build) -> None:
    gpu = read(nvml()).gpus["1"]

    assert (gpu.links, gpu.licence, gpu.virtualisation) == ({}, None, "none")
    assert gpu.unread == {
        "link_errors": "unsupported",
        "fabric": "unsupported",
        "pcie_replays": "denied",
    }
    with pytest.raises(NotRead, match="pcie_replays: denied"):
        _ = gpu.pcie_replays


def test_how_two_gpus_reach_each_other(nvml: Build) -> None:
    found = read(nvml())

    assert list(found.peers) == ["0-1"]
    peer = found.peers["0-1"]
    assert (peer.level, peer.read, peer.write, peer.nvlink) == (
        "system",
        "ok",
        "chipset-not-supported",
        "not-supported",
    )
    with pytest.raises(NotRead):
        _ = peer.atomics


def test_the_second_version_of_the_fabric_has_no_summary(nvml: Build) -> None:
    fabric = read(nvml("-DSECOND")).gpus["0"].fabric

    assert (fabric.state, fabric.health_mask) == ("completed", 0x1555)
    with pytest.raises(NotRead):
        _ = fabric.health


def test_a_library_without_these_calls_leaves_everything_unsupported(nvml: Build) -> None:
    found = read(nvml("-DOLD"))

    assert set(found.gpus["0"].unread.values()) == {"unsupported"}
    assert set(found.gpus["0"].unread) == {
        "links",
        "link_errors",
        "fabric",
        "vbios",
        "gsp_firmware",
        "pcie_replays",
        "virtualisation",
        "licence",
    }
    assert found.unread["peers"] is State.UNSUPPORTED


def test_the_first_version_of_the_fabric(nvml: Build) -> None:
    fabric = read(nvml("-DOLD", "-DFIRST")).gpus["0"].fabric

    assert (fabric.state, fabric.status, fabric.multi_node) == ("in-progress", 999, False)


def test_nvml_that_does_not_start_still_lets_files_be_read(nvml: Build, tmp_path: Path) -> None:
    channels = "/dev/nvidia-caps-imex-channels"
    nodes = "# the domain\n10.0.0.1\n\n10.0.0.2 # second\n"
    root = tree(
        tmp_path,
        {f"{channels}/channel0": "", f"{channels}/channel7": "", "/etc/nvidia-imex/nodes_config.cfg": nodes},
    )

    found = read(nvml("-DBROKEN"), root)

    assert (found.imex_channels, found.imex_nodes) == ([0, 7], 2)
    assert found.unread == {"gpus": State.ERROR, "peers": State.ERROR}


def test_no_imex_is_absent(nvml: Build, tmp_path: Path) -> None:
    found = read(nvml(), tmp_path)

    assert (found.imex_channels, found.imex_nodes) == (None, None)


def test_no_library_is_absent(tmp_path: Path) -> None:
    (tmp_path / "libnvidia-ml.so.1").write_bytes(b"")

    assert read({"LD_LIBRARY_PATH": str(tmp_path)}).state is State.ABSENT
