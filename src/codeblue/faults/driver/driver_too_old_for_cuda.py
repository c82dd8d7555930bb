"""
## What it means
PyTorch, or another program, was built with a CUDA release that this driver cannot run. The CUDA version
that `nvidia-smi` prints is the newest one that the driver supports, not one that is installed.

## Why it happens
`pip install torch` takes the newest build, and the driver of the machine is older. Within one CUDA major
version a newer build does run on an older driver (minor-version compatibility: CUDA 12.x from driver
525.60.13, CUDA 13.x from 580.65.06); across a major version it does not. Containers state their need as
`cuda>=…` and are refused before they start.

## When it is not a fault
If the program works, nothing is wrong, although the two numbers differ. Error 35, "driver version is
insufficient", is also what a program says that finds no libcuda at all, and a stub libcuda leads to
similar words: look at the loader first when the driver is not old.

## What to do
Either upgrade the driver, or take a build for an older CUDA: for PyTorch choose the index that fits,
such as `pip install torch --index-url https://download.pytorch.org/whl/cu126`. codeblue takes the set that
`codeblue matrix solve` finds with the smallest change, and never the driver. On data-centre GPUs a
cuda-compat package is the third way. Users without root take the second.

## How safe the fix is
Another build in the same environment touches only that environment; note the old version so that you can
go back. A driver upgrade needs a reboot.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.python.torch_wheel import names, wished
from codeblue.faults.told import symptoms
from codeblue.faults.words import CUDA_FAILS, NO_GPU
from codeblue.knowledge.drivers import Reach, reach
from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import cuda_text, older, parts
from codeblue.knowledge.wheels import driver_runs
from codeblue.model.facts import Cuda, Driver, Host, Nvml, Python, Sightings, Torch, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

SYMPTOMS = ("torch-cuda-unavailable", "cuda-init-failed", "gpu-kernel-failed")
CHOOSE = Remedy(
    message(
        "install a build for an older CUDA, or upgrade the driver", "安装面向较旧 CUDA 的版本，或升级驱动"
    ),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "reinstall torch from the index of a CUDA that this driver runs, or ask for a newer driver",
                "从该驱动支持的 CUDA 对应的 index 重装 torch，或申请更新驱动",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "driver-too-old-for-cuda",
    title=Text("The driver is too old for the program's CUDA", "驱动太旧，无法运行程序所用的 CUDA"),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "torch-cuda-unavailable",
        "cuda-init-failed",
        "gpu-kernel-failed",
        "container-started-without-nvidia-runtime",
    ),
    references=(
        Reference("CUDA compatibility", "https://docs.nvidia.com/deploy/cuda-compatibility/", "2026-11-30"),
        Reference(
            "CUDA toolkit release notes, toolkit and driver versions",
            "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "driver on your system is too old",
            r"driver on your system is too old \(found version (?P<found>\d+)",
        ),
        Signature("unsatisfied condition: cuda", r"unsatisfied condition: cuda ?>= ?(?P<needed>[\d.]+)"),
        Signature(
            "compatibility mode is UNAVAILABLE",
            r"version (?P<driver>[\d.]+) was detected and compatibility mode is UNAVAILABLE",
        ),
        Signature(
            "CUDA driver version is insufficient",
            r"CUDA driver version is insufficient for CUDA runtime version",
            Certainty.LIKELY,
        ),
        Signature("cudaErrorInsufficientDriver", "cudaErrorInsufficientDriver", Certainty.LIKELY),
        Signature("unsatisfied condition", "unsatisfied condition: (?:brand|driver)", Certainty.LIKELY),
        Signature(
            "please update your driver", "please update your driver to a newer version", Certainty.LIKELY
        ),
        Signature("older than the", "(?:driver|CUDA) version.*older than the", Certainty.POSSIBLE),
        Signature("river too old", "[Dd]river too old", Certainty.LIKELY),
        Signature("update your GPU driver", "[Pp]lease update your GPU driver", Certainty.LIKELY),
        Signature(
            "driver ",
            (
                "(?:requires"
                r"|needs?) (?:an? )?(?:NVIDIA )?driver (?:version )?(?:>=? ?)?\d{3}[\d.]* or (?:newer"
                "|later|higher)"
            ),
            Certainty.LIKELY,
        ),
        Signature("or later, but", r"built for NVIDIA Driver Release [\d.]+ or later, but", Certainty.LIKELY),
        Signature(
            "outdated, please upgrade your driver", "outdated, please upgrade your driver", Certainty.LIKELY
        ),
        Signature("which is too old", "driver.{0,60}which is too old", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"cuInit\(0\) returned 803|error 803|\(803\)|unsupported display driver"
                "|system has unsupported",
                r"container|image|compat|forward|docker|\bNGC\b|镜像|容器",
            ),
            none=(
                r"reboot|upgrad\w+ the driver|apt upgrade|重启",
                r"/compat\b|LD_LIBRARY_PATH|API mismatch|has the version",
            ),
        ),
        Clue(
            all=(
                "driver.{0,40}(?:too old|outdated|older than|not new enough|below the (?:minimum"
                "|required))|(?:old|older|outdated) (?:NVIDIA |GPU )?driver"
                "|driver (?:only )?supports? (?:at most|up to|only)|driver only supports"
                r"|CUDA Version: (?:9|10|11)\.\d|驱动.{0,8}(?:太旧|过旧|太老|版本低|版本过低|较低"
                "|不够新|只支持|最高支持)|旧驱动",
                r"(?:\+cu|cuda[-_: ]*|CUDA )1[1-3]|cu1[1-3]\d|cuda:? ?1[1-3]|CUDA ?1[1-3]",
                NO_GPU + "|insufficient|not support|unsupported|RuntimeError|报错|不支持",
            ),
            none=(
                r"Compute Capability|compute capability|no kernel image|sm_\d+|\bTrue\b|dkms"
                r"|fails to build|forward compatibility|\b804\b|PTX|kernel \d\.\d+.{0,10}fail|mismatch",
            ),
        ),
        Clue(
            all=(
                r"driver:? (?:is |version )?(?:3\d\d|4[0-6]\d|470|495)\b|Driver Version: (?:3\d\d"
                r"|4[0-6]\d|470|495)\.",
                r"torch: .*\+cu1[23]|cuda: 1[23]\b|cuda:1[23]\.|CUDA 1[23]\.|cu12\d|cu13\d"
                r"|container: .*1[23]\.\d",
                CUDA_FAILS + "|insufficient|not support|requirement error",
            ),
            none=("no kernel image|compute capability|forward compatibility|dkms",),
        ),
    ),
    remedy=CHOOSE,
    next_command="nvidia-smi | grep -i 'driver version'; python -c 'import torch; print(torch.version.cuda)'",
)
def driver_too_old_for_cuda(
    torch: Torch,
    driver: Driver | Unread | None = UNREAD,
    cuda: Cuda | Unread = UNREAD,
    trial: TorchTrial | None = None,
    *,
    sightings: Sightings | None = None,
    python: Python | None = None,
    host: Host | None = None,
    nvml: Nvml | None = None,
) -> Iterator[Hit]:
    if not isinstance(cuda, Cuda):
        if not was_read(torch, "location"):
            yield from _by_release(torch, driver, trial, symptoms(sightings, *SYMPTOMS))
        return
    if isinstance(driver, UnsetType):
        return
    wanted, number = torch.cuda, cuda.driver_version
    if wanted is None or not number or not older(cuda_text(number), wanted) or (trial and trial.available):
        return
    module = driver.module_version if driver is not None else None
    if module is not None and reach(module, wanted) is Reach.MINOR:
        return
    if module is None and parts(cuda_text(number))[0] == parts(wanted)[0]:
        return
    said = trial is not None and ("too old" in trial.words or "insufficient" in trial.words)
    yield Hit(
        subject="driver",
        certainty=Certainty.CERTAIN if said else Certainty.LIKELY,
        summary=message(
            "torch {torch} was built with CUDA {wanted}; the driver ({module}) supports up to CUDA {has}",
            "torch {torch} 基于 CUDA {wanted} 构建，而驱动（{module}）最高支持 CUDA {has}",
            torch=torch.version,
            wanted=wanted,
            module=module or "-",
            has=cuda_text(number),
        ),
        because=cite(
            "cuda.driver_version", "torch.cuda", *(("torch_trial.available",) if trial is not None else ())
        ),
        remedy=wished(python, torch, host, driver, names(nvml)) if driver is not None else None,
    )


def _by_release(
    torch: Torch, driver: Driver | Unread | None, trial: TorchTrial | None, seen: list[str]
) -> Iterator[Hit]:
    """Judge a text that names the driver's release and the CUDA of torch, where torch found no GPU."""
    failed = trial is not None and was_read(trial, "available") and not trial.available
    if not isinstance(driver, Driver) or not (failed or seen):
        return
    if not was_read(driver, "module_version") or not was_read(torch, "cuda") or torch.cuda is None:
        return
    module, wanted = driver.module_version, torch.cuda
    if wanted not in by_key("cuda_toolkits", "version") or driver_runs(module, wanted):
        return
    yield Hit(
        subject="driver",
        certainty=Certainty.LIKELY,
        summary=message(
            "torch {torch} was built with CUDA {wanted}, which driver {module} does not run",
            "torch {torch} 基于 CUDA {wanted} 构建，驱动 {module} 无法运行它",
            torch=torch.version,
            wanted=wanted,
            module=module,
        ),
        because=cite(
            "driver.module_version", "torch.cuda", *(("torch_trial.available",) if failed else ()), *seen
        ),
    )
