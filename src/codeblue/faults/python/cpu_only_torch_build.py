"""
## What it means
torch is installed without CUDA. `torch.version.cuda` is None, `torch.cuda.is_available()` can never
become True, and `.cuda()` raises "Torch not compiled with CUDA enabled". Driver and GPU are not
involved.

## Why it happens
The wheel came from the `cpu` index or an extra index that offers a `+cpu` build, a lock file was made
on a laptop, or conda's solver chose a `cpu` build because nothing asked for CUDA, often while building
an image on a host without a GPU. A later `pip install` of another package may also have replaced torch.

## When it is not a fault
On a machine without a GPU, in a container that gets none, or where the CPU build is wanted, for example
beside another framework that has the GPU.

## What to do
Install the CUDA build of the same version with the job's interpreter, from the index that fits the driver.
A plain `pip install torch` does nothing, since the requirement is met already: name the local version
(`+cu130`) or force a reinstall. Install torchvision and torchaudio from the same index. Where the GPUs are
known, codeblue names the set that `codeblue matrix solve` finds with the smallest change. With conda ask
for the CUDA build explicitly and remove `cpuonly`.

## How safe the fix is
It replaces one package and adds several gigabytes of CUDA libraries in one environment. Note the
versions first; jobs that run from this environment must end before.
"""

from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.python.gpu_at_hand import gpu_at_hand, kept_out, other_framework
from codeblue.faults.python.torch_wheel import cuda_build, names
from codeblue.faults.told import gpu_told, symptoms
from codeblue.knowledge.wheels import local, pypi_is_cpu_only
from codeblue.model.facts import Container, Driver, Host, Loader, Nodes, Nvml, Pci, Python, Sightings, Torch
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

WITH_CUDA = Remedy(
    message("install a build of torch with CUDA", "安装带 CUDA 的 torch"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "take the index of a CUDA that the driver runs: https://pytorch.org/get-started/locally/",
                "选择驱动支持的 CUDA 对应的 index：https://pytorch.org/get-started/locally/",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "cpu-only-torch-build",
    title=Text("The installed torch has no CUDA", "安装的 torch 不带 CUDA"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("torch-cuda-unavailable",),
    references=(
        Reference("PyTorch: start locally", "https://pytorch.org/get-started/locally/", "2026-11-30"),
        Reference(
            "PyTorch: previous versions", "https://pytorch.org/get-started/previous-versions/", "2026-11-30"
        ),
    ),
    clues=(
        Clue(
            all=(
                r"\d\+cpu\b|cpuonly|py3[\d.]*_cpu|_cpu_|mutex.{0,20}cpu|version\.cuda\W*None|"
                r"CPU[- ]only|cpu (?:build|version|variant|wheel)|CPU ?版|not compiled with CUDA|"
                r"(?:built|compiled) without CUDA|whl/cpu|index.{0,24}\bcpu\b|"
                r"\bcpu (?:index|channel)|CPU ?源",
                r"is_available\(\)\W*False|^False\b|No CUDA GPUs are available|no (?:CUDA|GPU|"
                r"NVIDIA)[- ]?(?:capable )?(?:gpu|device)s?\b|Found no NVIDIA driver|(?:CUDA|"
                r"GPUs?) (?:is |are )?(?:not |un)(?:available|used|found|detected|recogni[sz]ed|"
                r"visible|usable)|(?:not|n't|never) (?:use|see|find|detect|recogni[sz]e) (?:the |any |"
                r"my )?(?:GPU|CUDA)|cuda(?:GetDeviceCount|_init)|CUDA initialization|"
                r"falls? back to (?:the )?CPU|(?:only|just) (?:on |uses? )?(?:the )?CPU\b|(?:GPU|CUDA|"
                r"显卡).{0,8}(?:用不了|不可用|检测不到|识别不到|找不到|无法使用)|(?:用不了|检测不到|"
                r"识别不到|找不到|没有用上|不认).{0,6}(?:GPU|CUDA|显卡)|not compiled with CUDA|"
                r"device_count\(\)\W*0\b|Torch is not able",
                r"torch",
            ),
            none=(
                r"aarch64|\barm64\b|\bGH200\b|\bGrace\b|\bGB10\b|\bGB200\b|\bGB300\b|DGX Spark|"
                r"\bARM (?:server|cpu)|ARM ?架构",
                r"login[- ]?node|head[- ]?node|front[- ]?end|(?:without|no|has no|lacks?) (?:a |"
                r"any )?(?:gpu|nvidia driver)s?\b|gpu-?less|登录节点|管理节点|没有 ?(?:GPU|显卡)",
                r"numpy is not available",
                r"onnxruntime|jaxlib|tensorflow",
                r"ipykernel|kernelspec",
            ),
        ),
        Clue(
            all=(
                r"^['\x22(]*[12]\.\d+\.\d+(?:\+cpu)?['\x22]?,? None\b",
                r"torch\.version\.cuda",
            ),
            none=(
                r"aarch64|\barm64\b|\bGH200\b|\bGrace\b|\bGB10\b|\bGB200\b|\bGB300\b|DGX Spark",
                r"\bROCm|\bhip\b|\bMPS\b|\bDarwin\b|gpu-?less|登录节点|login[- ]?node",
            ),
        ),
        Clue(
            # torch says of itself whether it was built with CUDA.
            all=(
                r"cuda\.is_built\(\)|cuda\.is_built\b|_C\._has_cuda\b|has_cuda\b",
                r"^False\b|is_built\(?\)?\)?\W{1,6}False|has_cuda\)?\W{1,6}False",
            ),
            none=(
                r"^True\b|is_built\(?\)?\)?\W{1,6}True",
                r"aarch64|\barm64\b|\bGH200\b|\bGrace\b|\bGB10\b|\bGB200\b|\bGB300\b|DGX Spark",
                r"login[- ]?node|head[- ]?node|gpu-?less|登录节点|管理节点|没有 ?(?:GPU|显卡)",
            ),
        ),
    ),
    signatures=(
        Signature("Torch not compiled with CUDA enabled", r"Torch not compiled with CUDA enabled"),
        Signature("CUDA used to build PyTorch", r"^CUDA used to build PyTorch: None", Certainty.POSSIBLE),
        Signature(
            "+cpu",
            r"^(?:torch==\d|torch  +\d|torch [12]\.|PyTorch version: +\d)[\w.]*\+cpu\b",
            Certainty.POSSIBLE,
            "torch",
        ),
        Signature("+cpu'", r"^'\d+\.\d[\w.]*\+cpu'$", Certainty.POSSIBLE),
        Signature("_cpu_", r"^pytorch +\d\S* +py\S*_cpu_\d", Certainty.POSSIBLE),
        Signature("torch.version.cuda", r"torch\.version\.cuda\)?['\x22]*\W{1,8}None\b", Certainty.LIKELY),
        Signature("built without CUDA", r"(?:[Tt]orch|PyTorch)\b.{0,30}built without CUDA", Certainty.LIKELY),
        Signature("cpuonly", r"^cpuonly +\S+ +(?:0|cpu)\b", Certainty.LIKELY),
        Signature("pytorch-mutex", r"^pytorch-mutex +\S+ +cpu\b", Certainty.LIKELY),
    ),
    next_command="python -c 'import torch; print(torch.__version__, torch.version.cuda, torch.__file__)'",
)
def cpu_only_torch_build(
    torch: Torch,
    python: Python | Unread = UNREAD,
    host: Host | Unread = UNREAD,
    container: Container | Unread | None = UNREAD,
    nodes: Nodes | Unread | None = UNREAD,
    pci: Pci | None = None,
    loader: Loader | None = None,
    driver: Driver | None = None,
    *,
    nvml: Nvml | None = None,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    if not was_read(torch, "location"):
        yield from _by_version(torch, gpu_told(nvml, driver), symptoms(sightings, "torch-cuda-unavailable"))
        return
    if isinstance(python, UnsetType) or isinstance(host, UnsetType):
        return
    if isinstance(container, UnsetType) or isinstance(nodes, UnsetType):
        return
    if torch.cuda is not None or torch.hip is not None or local(torch.version) not in ("", "cpu"):
        return
    gpu = gpu_at_hand(host, pci, loader)
    if gpu is None or kept_out(container, nodes, host) or pypi_is_cpu_only(torch.version, host.machine):
        return
    yield Hit(
        subject="torch",
        summary=message(
            "torch {version} in {location} is built without CUDA, and the machine has an NVIDIA GPU",
            "{location} 中的 torch {version} 不带 CUDA，而机器上有 NVIDIA GPU",
            version=torch.version,
            location=torch.location,
        ),
        because=cite("torch.cuda", "torch.version", gpu),
        certainty=Certainty.POSSIBLE if other_framework(python) else Certainty.CERTAIN,
        remedy=cuda_build(python, torch, host, driver, names(nvml)),
    )


def _by_version(torch: Torch, gpu: str | None, seen: list[str]) -> Iterator[Hit]:
    """Judge what a list of packages says, where a GPU was named or torch found none."""
    if not was_read(torch, "cuda") or torch.cuda is not None or local(torch.version) not in ("", "cpu"):
        return
    if (was_read(torch, "hip") and torch.hip is not None) or not (gpu or seen):
        return
    yield Hit(
        subject="torch",
        certainty=Certainty.LIKELY,
        summary=message(
            "torch {version} is built without CUDA",
            "torch {version} 不带 CUDA",
            version=torch.version,
        ),
        because=cite("torch.cuda", "torch.version", *((gpu,) if gpu else ()), *seen),
        remedy=WITH_CUDA,
    )
