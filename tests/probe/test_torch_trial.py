"""The torch trial against fake torch packages: what it reports, and that it always comes back."""

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeblue.model.facts import TorchTrial
from codeblue.model.section import NotRead, State
from tests.probe.loading import PROBE, VERSIONS, interpreters

RUNNER = """
import json, os, sys, time, types
SETTINGS = json.loads(sys.stdin.read())
for name, folder in SETTINGS["packages"].items():
    package = types.ModuleType(name)
    package.__path__ = [folder]
    sys.modules[name] = package
from codeblue_probe.context import Context
from codeblue_probe.trials.torch_trial import TorchTrial, wanted
trial = TorchTrial(Context(SETTINGS["config"]))
deadline = time.time() + SETTINGS["wait_for_import"]
while time.time() < deadline and not os.path.exists(SETTINGS["config"]["cwd"] + "/imported"):
    time.sleep(0.01)
touched = os.path.exists(SETTINGS["config"]["cwd"] + "/touched")
started = time.time()
section = trial.finish(wanted(SETTINGS["sections"]), SETTINGS["seconds"])
section["touched_early"] = touched
section["finish_seconds"] = time.time() - started
sys.stdout.write(json.dumps(section))
"""

HEALTHY = """
import os, sys
HERE = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
print("torch says hello on standard output")
sys.stderr.write("a warning\\x1b[31m in red\\n")

class version:
    cuda, hip = "13.0", None

class _C:
    @staticmethod
    def _cuda_getArchFlags():
        return "sm_80 sm_90"

class backends:
    class cudnn:
        @staticmethod
        def version():
            return 91900

class Number:
    def __init__(self, value):
        self.value = value
    def __add__(self, other):
        return Number(self.value + other.value)
    def sum(self):
        return Number(self.value * 64 * 64)
    def item(self):
        return self.value

def ones(height, width, device):
    return Number(1)

def mm(left, right):
    return Number(64)

class cuda:
    @staticmethod
    def is_available():
        open(HERE + "/touched", "w").close()
        return True
    @staticmethod
    def init():
        pass
    @staticmethod
    def device_count():
        return 2
    @staticmethod
    def get_device_name(index):
        return "NVIDIA H200"
    @staticmethod
    def get_device_capability(index):
        return (9, 0)
    @staticmethod
    def synchronize(index):
        pass

open(HERE + "/imported", "w").close()
"""

READ = {"torch": {"state": "read", "hip": None}, "python": {"state": "read"}}
PRESENT = interpreters()


@pytest.fixture
def trial(tmp_path: Path) -> Any:
    """Run the trial on a fake torch in its working directory; returns plain data."""

    def run(
        torch: str | None,
        python: str = sys.executable,
        sections: dict[str, Any] | None = None,
        seconds: float = 20,
        wait_for_import: float = 0,
        environment: dict[str, str] | None = None,
        **config: Any,
    ) -> dict[str, Any]:
        if torch is not None:
            (tmp_path / "torch").mkdir(exist_ok=True)
            (tmp_path / "torch/__init__.py").write_text(torch)
        names = ("", ".readers", ".trials")
        settings = {
            "packages": {"codeblue_probe" + name: str(PROBE) + name.replace(".", "/") for name in names},
            "config": {"python": python, "cwd": str(tmp_path)} | config,
            "sections": READ | (sections or {}),
            "seconds": seconds,
            "wait_for_import": wait_for_import,
        }
        done = subprocess.run(
            [python if Path(python).exists() else sys.executable, "-I", "-B", "-c", RUNNER],
            input=json.dumps(settings),
            env={"PATH": os.environ["PATH"], "HOME": "/"} | (environment or {}),
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        section: dict[str, Any] = json.loads(done.stdout)
        return section

    return run


def decoded(section: dict[str, Any]) -> TorchTrial:
    return msgspec.convert(section, TorchTrial)


@pytest.mark.parametrize("version", VERSIONS)
def test_healthy(version: str, trial: Any) -> None:
    if version not in PRESENT:
        pytest.skip(f"no python {version} at hand")
    found = decoded(trial(HEALTHY, PRESENT[version]))
    assert found.state is State.READ
    assert (found.imported, found.available, found.count) == (True, True, 2)
    assert (found.cuda, found.cudnn, found.arch_list) == ("13.0", 91900, ["sm_80", "sm_90"])
    assert [found.devices[n].ok for n in ("0", "1")] == [True, True]
    assert found.devices["1"].capability == "9.0" and found.devices["1"].error is None
    assert (found.error, found.signal, found.words) == (None, None, "a warning in red")
    assert found.import_seconds >= 0 and found.kernel_seconds >= 0


def test_no_gpu_is_touched_before_finish(trial: Any) -> None:
    section = trial(HEALTHY, wait_for_import=20)
    assert section["touched_early"] is False
    assert section["available"] is True


def test_mapped_libraries_are_named_by_soname(trial: Any, tmp_path: Path) -> None:
    trial(HEALTHY)
    mapping = """
import mmap
for name in ("libcuda.so.580.159.04", "libcudart.so.11.8.89", "libcudnn_ops.so.9", "libgomp-a34b3233.so.1"):
    with open(HERE + "/" + name, "wb+") as stream:
        stream.write(b"x" * 4096)
        stream.flush()
        globals()[name] = mmap.mmap(stream.fileno(), 4096)
"""
    found = decoded(trial(HEALTHY + mapping))
    names = {soname: Path(path).name for soname, path in found.libraries.items()}
    assert names["libcuda.so.1"] == "libcuda.so.580.159.04"
    assert names["libcudart.so.11.0"] == "libcudart.so.11.8.89"
    assert names["libcudnn_ops.so.9"] == "libcudnn_ops.so.9"
    assert names["libgomp.so.1"] == "libgomp-a34b3233.so.1"


def test_import_error_is_quoted(trial: Any) -> None:
    found = decoded(trial("raise ImportError('libcudnn.so.9: file too short')"))
    assert found.imported is False
    assert found.error == "ImportError: libcudnn.so.9: file too short"
    with pytest.raises(NotRead):
        _ = found.devices


def test_exit_during_import(trial: Any) -> None:
    assert trial("import sys; sys.exit(3)")["error"] == "SystemExit: 3"
    found = decoded(trial("import os; os._exit(3)"))
    assert found.imported is False
    assert found.error == "ended with status 3 while importing torch"


CRASH = "import ctypes; ctypes.string_at(0)"


def test_crash_during_import(trial: Any, tmp_path: Path) -> None:
    found = decoded(trial(CRASH))
    assert (found.imported, found.signal) == (False, "SIGSEGV")
    assert "Fatal Python error: Segmentation fault" in found.words
    assert not list(tmp_path.glob("core*"))


def test_crash_in_a_kernel_keeps_what_was_known(trial: Any) -> None:
    torch = HEALTHY + f"\ndef mm(a, b):\n    {CRASH}\n"
    found = decoded(trial(torch))
    assert (found.imported, found.available, found.count, found.signal) == (True, True, 2, "SIGSEGV")
    with pytest.raises(NotRead, match="devices: error"):
        _ = found.devices


@pytest.mark.parametrize("version", [v for v in ("3.6", "3.13") if v in PRESENT])
def test_hang_during_import(version: str, trial: Any) -> None:
    section = trial("import time; time.sleep(100)", PRESENT[version], seconds=1)
    assert section["state"] == "timeout"
    assert section["reason"] == "no answer within 1 s, while importing torch"
    assert "__init__.py" in section["words"]  # the stack says where it hangs
    assert section["finish_seconds"] < 2


def test_hang_in_cuda_kills_the_whole_group(trial: Any, tmp_path: Path) -> None:
    hang = """
def hang():
    import subprocess
    child = subprocess.Popen(["sleep", "100"])
    with open(HERE + "/pids", "w") as stream:
        stream.write("%d %d" % (os.getpid(), child.pid))
    child.wait()
cuda.is_available = hang
"""
    section = trial(HEALTHY + hang, seconds=2)
    assert section["state"] == "timeout" and section["reason"].endswith("in CUDA calls")
    assert section["imported"] is True
    time.sleep(0.3)
    for pid in (tmp_path / "pids").read_text().split():
        status = Path(f"/proc/{pid}/status")
        assert not status.exists() or "State:\tZ" in status.read_text()


def test_a_grandchild_that_holds_the_pipes_is_not_waited_for(trial: Any) -> None:
    fork = "\nimport subprocess; subprocess.Popen(['sleep', '30'], close_fds=False)\n"
    section = trial(HEALTHY + fork)
    assert section["state"] == "read" and section["finish_seconds"] < 5
    section = trial(fork + "import os; os._exit(1)")
    assert section["error"].startswith("ended with status 1") and section["finish_seconds"] < 5


def test_cpu_only_build(trial: Any) -> None:
    torch = (
        HEALTHY.replace('"13.0"', "None")
        .replace("return True", "return False")
        .replace("return 2", "return 0")
    )
    found = decoded(trial(torch))
    assert (found.cuda, found.available, found.count, found.devices, found.error) == (
        None,
        False,
        0,
        {},
        None,
    )


def test_no_driver_gives_the_words_of_init(trial: Any) -> None:
    init = """
def init():
    raise RuntimeError("Found no NVIDIA driver on your system.")
cuda.init = init
cuda.is_available = lambda: False
"""
    found = decoded(trial(HEALTHY + init))
    assert (found.available, found.count, found.devices) == (False, 2, {})
    assert found.error == "RuntimeError: Found no NVIDIA driver on your system."


def test_one_device_fails(trial: Any) -> None:
    broken = """
def ones(height, width, device):
    if device == "cuda:1":
        raise RuntimeError("CUDA error: uncorrectable ECC error encountered")
    return Number(2)
"""
    found = decoded(trial(HEALTHY + broken))
    assert found.devices["0"].ok is False and found.devices["0"].error == "wrong result: 270336.0"
    assert found.devices["1"].ok is False
    assert found.devices["1"].error == "RuntimeError: CUDA error: uncorrectable ECC error encountered"


def test_cudnn_that_does_not_fit(trial: Any) -> None:
    broken = """
def version_of_cudnn():
    raise RuntimeError("cuDNN version incompatibility")
backends.cudnn.version = version_of_cudnn
"""
    found = decoded(trial(HEALTHY + broken))
    assert found.cudnn is None and "cuDNN version incompatibility" in found.words
    assert found.devices["0"].ok


def test_much_standard_error(trial: Any) -> None:
    flood = "\nsys.stderr.write('x' * 300000 + 'last words\\n')\n"
    found = decoded(trial(HEALTHY + flood))
    assert len(found.words) == 4000 and found.words.endswith("last words")


def test_folder_without_init(trial: Any, tmp_path: Path) -> None:
    (tmp_path / "torch").mkdir()
    found = decoded(trial(None))
    assert found.imported is True
    assert found.error and found.error.startswith("AttributeError: module 'torch' has no attribute")


GPU = {"pci": "0000:00:06.0", "memory_total": 80 << 30, "memory_used": 0, "compute_mode": "default"}
FULL = GPU | {"pci": "0000:00:07.0", "memory_used": (80 << 30) - (600 << 20)}
CUDA = {"state": "read", "devices": {"0": {"pci": "0000:00:06.0"}, "1": {"pci": "0000:00:07.0"}}}


def nvml(*gpus: dict[str, Any]) -> dict[str, Any]:
    return {"state": "read", "gpus": {str(n): gpu for n, gpu in enumerate(gpus)}}


def test_full_gpu_is_left_alone(trial: Any) -> None:
    found = decoded(trial(HEALTHY, sections={"nvml": nvml(GPU, FULL), "cuda": CUDA}))
    assert list(found.devices) == ["0"] and found.devices["0"].ok
    found = decoded(trial(HEALTHY, sections={"nvml": nvml(FULL)}))
    assert found.available is True
    assert found.unread == {"devices": State.BUSY}


def test_exclusive_gpu_is_not_even_asked(trial: Any, tmp_path: Path) -> None:
    gpus = nvml(GPU | {"compute_mode": "exclusive-process"})
    found = decoded(trial(HEALTHY, sections={"nvml": gpus, "cuda": CUDA}))
    assert found.imported is True and found.cuda == "13.0"
    assert set(found.unread) == {"available", "count", "devices"}
    assert not (tmp_path / "touched").exists()


@pytest.mark.parametrize(
    ("sections", "state"),
    [
        ({"torch": {"state": "absent", "reason": "no torch"}}, "absent"),
        ({"torch": {"state": "read", "hip": "6.2"}}, "unsupported"),
        ({"torch": {"state": "not-attempted"}, "python": {"state": "timeout"}}, "not-attempted"),
    ],
)
def test_nothing_to_try(sections: dict[str, Any], state: str, trial: Any, tmp_path: Path) -> None:
    section = trial(HEALTHY, sections=sections, wait_for_import=0.3)
    assert section["state"] == state and section["reason"]
    assert not section["touched_early"]


def test_interpreter_that_is_not_there(trial: Any) -> None:
    section = trial(HEALTHY, python="/no/such/python")
    assert section["state"] == "error" and "/no/such/python" in section["reason"]


@pytest.mark.root
@pytest.mark.skipif(os.geteuid() != 0, reason="needs root to become another user")
def test_runs_as_the_judged_user(trial: Any, tmp_path: Path) -> None:
    for folder in (tmp_path, *list(tmp_path.parents)[:-2]):
        folder.chmod(0o777 if folder == tmp_path else 0o755)
    torch = HEALTHY + "\nraise RuntimeError('uid %d' % os.getuid())\n"
    python = "/usr/bin/python3"  # the interpreters of root's home are closed to others
    assert trial(torch, python=python, as_user="nobody")["error"] == "RuntimeError: uid 65534"
