"""
## What it means
On an ARM machine with an NVIDIA GPU the installed torch has no CUDA, because the wheel that PyPI offers
for this release on aarch64 is a CPU build. On x86_64 the same command installs CUDA.

## Why it happens
Until 2.10 the aarch64 wheels on PyPI were CPU only; since 2.11 they contain CUDA. A pin of another
package to an older torch brings the CPU build back, which is common on Grace and on DGX Spark.

## When it is not a fault
On an ARM machine without an NVIDIA GPU, or in a container that gets none. Jetson boards need NVIDIA's
own builds for their JetPack, not these wheels.

## What to do
If the job allows it, move to torch 2.11 or newer, whose standard wheel has CUDA 13 and wants driver
580.65.06 or newer. For an older torch look for an aarch64 wheel on the CUDA index of that release, or
use NVIDIA's PyTorch container, which is built for ARM.

## How safe the fix is
It replaces torch in one environment. A newer torch may not suit packages that pin an older one: check
them with `pip check` afterwards.
"""

from collections.abc import Iterator

from codeblue.faults.python.gpu_at_hand import gpu_at_hand, kept_out
from codeblue.faults.python.torch_wheel import cuda_build, names
from codeblue.knowledge.wheels import local, pypi_is_cpu_only
from codeblue.model.facts import Container, Driver, Host, Loader, Nodes, Nvml, Pci, Python, Torch
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message


@fault(
    "aarch64-pypi-wheel-is-cpu-only",
    title=Text("PyPI's ARM wheel of this torch has no CUDA", "PyPI 上该版本 torch 的 ARM wheel 不带 CUDA"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cpu-only-torch-build",
        "torch-cuda-unavailable",
        "torch-version-unexpected",
    ),
    references=(
        Reference(
            "PyTorch: previous versions and their indexes",
            "https://pytorch.org/get-started/previous-versions/",
            "2026-11-30",
        ),
        Reference(
            "PyTorch: previous versions", "https://pytorch.org/get-started/previous-versions/", "2026-11-30"
        ),
    ),
    clues=(
        Clue(
            all=(
                r"aarch64|\barm64\b|\bGH200\b|\bGrace\b|\bGB10\b|\bGB200\b|\bGB300\b|DGX Spark|"
                r"\bARM (?:server|cpu)|ARM ?架构",
                r"^['\x22(]*[12]\.\d+\.\d+(?:\+cpu)?['\x22]?,? None\b|"
                r"\d\+cpu\b|not compiled with CUDA|version\.cuda\W*None|CPU[- ]only|cpuonly|"
                r"cpu (?:build|version|wheel)|CPU ?版|built without cuda|is_available\(\)\W*False|"
                r"^False\b|No CUDA GPUs are available|no (?:CUDA|GPU|NVIDIA)[- ]?(?:capable )?(?:gpu|"
                r"device)s?\b|Found no NVIDIA driver|(?:CUDA|GPUs?) (?:is |are )?(?:not |"
                r"un)(?:available|used|found|detected|recogni[sz]ed|visible|usable)|(?:not|n't|"
                r"never) (?:use|see|find|detect|recogni[sz]e) (?:the |any |my )?(?:GPU|CUDA)|"
                r"cuda(?:GetDeviceCount|_init)|CUDA initialization|falls? back to (?:the )?CPU|"
                r"(?:only|just) (?:on |uses? )?(?:the )?CPU\b|(?:GPU|CUDA|显卡).{0,8}(?:用不了|不可用|"
                r"检测不到|识别不到|找不到|无法使用)|(?:用不了|检测不到|识别不到|找不到|没有用上|"
                r"不认).{0,6}(?:GPU|CUDA|显卡)",
                r"pip|pypi|uv |wheel|torch",
            ),
            none=(
                r"\d\+cu\d",
                r"cpu_py|conda",
                r"JetPack",
                r"no kernel image",
            ),
        ),
        Clue(
            all=(
                r"Jetson|\bOrin\b|Xavier|JetPack|L4T",
                r"pip3? install torch|pypi|from pip|pip3? install.{0,30}torch|pip 安装",
                r"^['\x22(]*[12]\.\d+\.\d+(?:\+cpu)?['\x22]?,? None\b|"
                r"\d\+cpu\b|not compiled with CUDA|version\.cuda\W*None|CPU[- ]only|cpuonly|"
                r"cpu (?:build|version|wheel)|CPU ?版|built without cuda|is_available\(\)\W*False|"
                r"^False\b|No CUDA GPUs are available|no (?:CUDA|GPU|NVIDIA)[- ]?(?:capable )?(?:gpu|"
                r"device)s?\b|Found no NVIDIA driver|(?:CUDA|GPUs?) (?:is |are )?(?:not |"
                r"un)(?:available|used|found|detected|recogni[sz]ed|visible|usable)|(?:not|n't|"
                r"never) (?:use|see|find|detect|recogni[sz]e) (?:the |any |my )?(?:GPU|CUDA)|"
                r"cuda(?:GetDeviceCount|_init)|CUDA initialization|falls? back to (?:the )?CPU|"
                r"(?:only|just) (?:on |uses? )?(?:the )?CPU\b|(?:GPU|CUDA|显卡).{0,8}(?:用不了|不可用|"
                r"检测不到|识别不到|找不到|无法使用)|(?:用不了|检测不到|识别不到|找不到|没有用上|"
                r"不认).{0,6}(?:GPU|CUDA|显卡)",
            ),
            none=(
                r"\d\+cu\d",
                r"l4t-pytorch",
            ),
        ),
    ),
)
def aarch64_pypi_wheel_is_cpu_only(
    python: Python,
    torch: Torch,
    host: Host,
    container: Container | None,
    nodes: Nodes | None,
    pci: Pci | None = None,
    loader: Loader | None = None,
    driver: Driver | None = None,
    *,
    nvml: Nvml | None = None,
) -> Iterator[Hit]:
    if torch.cuda is not None or torch.hip is not None or local(torch.version) not in ("", "cpu"):
        return
    gpu = gpu_at_hand(host, pci, loader)
    if gpu is None or kept_out(container, nodes, host) or not pypi_is_cpu_only(torch.version, host.machine):
        return
    yield Hit(
        subject="torch",
        summary=message(
            "torch {version} on {machine} has no CUDA: PyPI's wheel of this release is a CPU build",
            "{machine} 上的 torch {version} 不带 CUDA：该版本在 PyPI 上的 wheel 是 CPU 构建",
            version=torch.version,
            machine=host.machine,
        ),
        because=cite("torch.cuda", "torch.version", "host.machine", gpu),
        remedy=cuda_build(python, torch, host, driver, names(nvml)),
    )
