"""Readers of NVML and of nvidia-smi."""

import os
import shutil
import subprocess
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeblue.model.facts import NvidiaSmi, Nvml
from codeblue.model.section import NotRead, State
from tests.probe.loading import document
from tests.probe.standins import ENDS, PRESENT, script

BANNER = """Mon Nov 30 19:38:14 2026
+----------------------------------------------------------------------------+
| NVIDIA-SMI 580.159.04     Driver Version: 580.159.04     CUDA Version: 13.0 |
|----------------------------------------------------------------------------|
|    0   N/A  N/A   1234   C   /home/alice/secret.py                 100MiB  |
+----------------------------------------------------------------------------+
"""


def smi(folder: Path, text: str, seconds: int = 10) -> NvidiaSmi:
    folder.mkdir(exist_ok=True)
    script(folder / "nvidia-smi", text)
    environment = {"PATH": f"{folder}:{os.environ['PATH']}"}
    content = document("nvidia_smi", "", environment=environment, before=f"reader.SECONDS = {seconds}")
    return msgspec.convert(content, NvidiaSmi)


def test_nvidia_smi(tmp_path: Path) -> None:
    found = smi(tmp_path / "bin", f"cat <<'E'\n{BANNER}E\n")
    assert (found.path, found.exit_code, found.recognised) == (str(tmp_path / "bin/nvidia-smi"), 0, True)
    assert found.words == "NVIDIA-SMI 580.159.04 Driver Version: 580.159.04 CUDA Version: 13.0"
    renamed = BANNER.replace("Driver Version: 580.159.04", "KMD Version: 610.10")
    assert smi(tmp_path / "bin", f"cat <<'E'\n{renamed}E\n").recognised


def test_nvidia_smi_in_trouble(tmp_path: Path) -> None:
    mismatch = "Failed to initialize NVML: Driver/library version mismatch\\nNVML library version: 580.159"
    found = smi(tmp_path / "bin", f"printf '{mismatch}\\n'; exit 18\n")
    assert (found.exit_code, found.recognised) == (18, False)
    assert found.words == mismatch.replace("\\n", " ")
    garbage = smi(tmp_path / "bin", "head -c 300000 /dev/urandom; exit 1\n")
    assert garbage.exit_code == 1 and len(garbage.words) <= 400
    assert not any(ord(letter) < 32 for letter in garbage.words)


def test_nvidia_smi_that_hangs(tmp_path: Path) -> None:
    pid = tmp_path / "pid"
    found = smi(tmp_path / "bin", f"sleep 60 & echo $! > {pid}; wait\n", seconds=1)
    assert (found.exit_code, found.words) == (None, "no answer within 1 s")
    time.sleep(0.2)
    assert (
        not Path(f"/proc/{pid.read_text().strip()}").exists()
        or "Z" in Path(f"/proc/{pid.read_text().strip()}/stat").read_text()
    )


def test_no_nvidia_smi(tmp_path: Path) -> None:
    assert document("nvidia_smi", tmp_path, environment={"PATH": "/bin"})["state"] == "absent"


# NVML


FAKE_NVML = r"""
#include <string.h>
typedef struct { char legacy[16]; unsigned domain, bus, device, id, sub; char busId[32]; } pci_t;
typedef struct { unsigned version; unsigned long long total, reserved, free, used; } memory2_t;
typedef struct { unsigned long long total, free, used; } memory_t;
typedef struct { unsigned pid; unsigned long long used; unsigned gi, ci; } process_t;
typedef union { double d; unsigned ui; unsigned long ul; unsigned long long ull; } value_t;
typedef struct { unsigned id, scope; long long time, latency; unsigned type, code; value_t value; } field_t;
#ifdef BROKEN
int nvmlInit_v2(void) { return 18; }
#else
int nvmlInit_v2(void) { return 0; }
#endif
int nvmlSystemGetDriverVersion(char *s, unsigned n) { strncpy(s, "580.159.04", n); return 0; }
int nvmlDeviceGetCount_v2(unsigned *n) { *n = 2; return 0; }
int nvmlDeviceGetHandleByIndex_v2(unsigned i, void **h) { *h = (void *)0x7fff12345678; return i ? 15 : 0; }
#define ME if (h != (void *)0x7fff12345678) return 2;
int nvmlDeviceGetName(void *h, char *s, unsigned n) { ME strncpy(s, "NVIDIA H200", n); return 0; }
int nvmlDeviceGetPciInfo_v3(void *h, pci_t *p) { ME p->domain = 1; p->bus = 0xc1; p->device = 6; return 0; }
int nvmlDeviceGetMinorNumber(void *h, unsigned *n) { ME *n = 3; return 0; }
int nvmlDeviceGetCudaComputeCapability(void *h, int *a, int *b) { ME *a = 9; *b = 0; return 0; }
#ifdef OLD
int nvmlDeviceGetMemoryInfo(void *h, memory_t *m) { ME m->total = 1000; m->used = 400; return 0; }
int nvmlDeviceGetCurrentClocksThrottleReasons(void *h, unsigned long long *m) { ME *m = 4; return 0; }
#else
int nvmlDeviceGetMemoryInfo_v2(void *h, memory2_t *m) {
  ME if (m->version != (sizeof(memory2_t) | 2 << 24)) return 25; m->total = 1000; m->used = 300; return 0; }
int nvmlDeviceGetCurrentClocksEventReasons(void *h, unsigned long long *m) { ME *m = 1ULL << 33; return 0; }
int nvmlDeviceGetFieldValues(void *h, int n, field_t *f) {
  ME if (n != 1 || f->id != 230) return 2; f->code = 0; f->type = 1; f->value.ui = 2; return 0; }
#endif
int nvmlDeviceGetTemperature(void *h, int sensor, unsigned *n) { ME if (sensor) return 2; *n = 38; return 0; }
int nvmlDeviceGetPersistenceMode(void *h, int *n) { ME *n = 1; return 0; }
int nvmlDeviceGetComputeMode(void *h, int *n) { ME *n = 3; return 0; }
int nvmlDeviceGetEccMode(void *h, int *a, int *b) { ME *a = 1; *b = 1; return 0; }
int nvmlDeviceGetTotalEccErrors(void *h, int kind, int counter, unsigned long long *n) {
  ME if (kind != 1 || counter != 0) return 2; *n = 5; return 0; }
int nvmlDeviceGetRemappedRows(void *h, unsigned *a, unsigned *b, unsigned *c, unsigned *d) {
  ME *a = 9; *b = 9; *c = 1; *d = 0; return 0; }
int nvmlDeviceGetMigMode(void *h, unsigned *a, unsigned *b) { ME *a = 1; *b = 0; return 0; }
int nvmlDeviceGetMaxMigDeviceCount(void *h, unsigned *n) { ME *n = 7; return 0; }
int nvmlDeviceGetMigDeviceHandleByIndex(void *h, unsigned i, void **m) { ME return i < 2 ? 0 : 6; }
int nvmlDeviceGetCurrPcieLinkWidth(void *h, unsigned *n) { ME return 4; }
int nvmlDeviceGetMaxPcieLinkWidth(void *h, unsigned *n) { ME *n = 16; return 0; }
int nvmlDeviceGetComputeRunningProcesses_v3(void *h, unsigned *n, process_t *p) {
  ME if (*n < 2) return 7; p[0].pid = 1; p[0].used = 7ULL << 32;
  p[1].pid = 4194305; p[1].used = ~0ULL; *n = 2; return 0; }
"""


@pytest.fixture(scope="module")
def fake_nvml(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Compile libnvidia-ml.so.1 from declarations of its own, so that layouts are compared."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if compiler is None:
        pytest.skip("no C compiler at hand")

    def build(*options: str) -> dict[str, str]:
        folder = tmp_path_factory.mktemp("nvml")
        (folder / "nvml.c").write_text(FAKE_NVML)
        library = folder / "libnvidia-ml.so.1"
        command = [compiler, "-shared", "-fPIC", "-w", *options, "-o", str(library), str(folder / "nvml.c")]
        subprocess.run(command, check=True)
        return {"LD_LIBRARY_PATH": str(folder)}

    return build


def nvml_section(environment: dict[str, str], probe: str | None = None) -> Nvml:
    return msgspec.convert(document("nvml", "", python=probe, environment=environment), Nvml)


@pytest.mark.parametrize("version", ENDS)
def test_nvml(version: str, fake_nvml: Any) -> None:
    environment = fake_nvml()
    found = nvml_section(environment, PRESENT.get(version))
    assert (found.init, found.driver_version, found.count) == (0, "580.159.04", 2)
    assert found.library == environment["LD_LIBRARY_PATH"] + "/libnvidia-ml.so.1"
    gpu = found.gpus["0"]
    assert (gpu.handle, gpu.name, gpu.pci, gpu.minor) == (0, "NVIDIA H200", "0001:c1:06.0", 3)
    assert (gpu.capability, gpu.memory_total, gpu.memory_used) == ("9.0", 1000, 300)
    assert (gpu.temperature, gpu.persistence, gpu.compute_mode) == (38, True, "exclusive-process")
    assert (gpu.ecc, gpu.ecc_uncorrected) == (True, 5)
    assert (gpu.remapped_pending, gpu.remapped_failed, gpu.recovery_action) == (True, False, 2)
    assert (gpu.mig, gpu.mig_instances, gpu.throttle) == (True, 2, 1 << 33)
    assert gpu.link_width_max == 16
    for field in ("link_width", "uuid"):
        with pytest.raises(NotRead):
            getattr(gpu, field)
    assert [(row.pid, row.memory_bytes) for row in gpu.processes] == [(1, 7 << 32), (4194305, None)]
    assert gpu.processes[0].name == Path("/proc/1/comm").read_text().strip()
    assert gpu.processes[1].name is None
    assert found.gpus["1"].handle == 15


def test_older_nvml(fake_nvml: Any) -> None:
    gpu = nvml_section(fake_nvml("-DOLD")).gpus["0"]
    assert (gpu.memory_total, gpu.memory_used, gpu.throttle) == (1000, 400, 4)
    with pytest.raises(NotRead):
        _ = gpu.recovery_action


def test_nvml_that_does_not_start(fake_nvml: Any) -> None:
    found = nvml_section(fake_nvml("-DBROKEN"))
    assert (found.state, found.init, found.driver_version, found.count) == (State.READ, 18, None, None)
    with pytest.raises(NotRead, match="gpus: error"):
        _ = found.gpus


def test_nvml_that_cannot_be_loaded(tmp_path: Path) -> None:
    (tmp_path / "libnvidia-ml.so.1").write_bytes(b"")
    found = document("nvml", "", environment={"LD_LIBRARY_PATH": str(tmp_path)})
    assert found["state"] == "absent" and "file too short" in found["reason"]
