"""
## What it means
ONNX Runtime in this interpreter is the build without CUDA. A session that asks for
`CUDAExecutionProvider` gets a warning and runs on the CPU.

## Why it happens
`onnxruntime` and `onnxruntime-gpu` are two distributions that put their files into the same folder.
Many packages (insightface, rembg, speech and OCR tools) require plain `onnxruntime`; installed after
`onnxruntime-gpu`, it overwrites the GPU build while pip still lists both. Or only the CPU one was ever
installed.

## When it is not a fault
On a machine without a GPU, or where the model is meant for the CPU. If both are listed but the GPU build
was installed last, it works. A missing `TensorrtExecutionProvider` alone is no fault. Beside torch the
overwritten package may be unused: without the warning this is a risk.

## What to do
Remove both and install one: `pip uninstall onnxruntime onnxruntime-gpu`, then `pip install
onnxruntime-gpu`. Its release must fit the CUDA major version that is installed. Check with `python -c
'import onnxruntime; print(onnxruntime.get_available_providers())'`. Tell the package that pulled the
CPU build: an override in uv, or `--no-deps` in pip.

## How safe the fix is
Uninstalling one of the two removes files of the other: never stop halfway. Both can be installed again.
"""

from collections.abc import Iterator

from codeblue.faults.python.framework_intent import gpu_unwanted, others_beside
from codeblue.faults.python.gpu_at_hand import gpu_at_hand, kept_out
from codeblue.faults.seen import seen_here
from codeblue.model.facts import (
    Container,
    Environment,
    Host,
    Loader,
    Nodes,
    Pci,
    Python,
    Sightings,
    Torch,
)
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ID = "cpu-only-onnxruntime"
CPU, GPU = "onnxruntime", "onnxruntime-gpu"
CORE = "onnxruntime_pybind11_state"
"""The extension module that both builds have; its size tells whose it is."""


@fault(
    ID,
    title=Text("ONNX Runtime runs as its CPU build", "ONNX Runtime 实际用的是 CPU 构建"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    references=(
        Reference(
            "ONNX Runtime: install (only one of the packages in an environment)",
            "https://onnxruntime.ai/docs/install/",
            "2026-11-30",
        ),
        Reference(
            "ONNX Runtime: CUDA execution provider, requirements",
            "https://onnxruntime.ai/docs/execution-providers/CUDA-ExecutionProvider.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"onnxruntime",
                r"CUDAExecutionProvider|get_available_providers|CPUExecutionProvider",
                r"onnxruntime-gpu.{0,60}(?:both|too|also|not|uninstall)|both onnxruntime|"
                r"onnxruntime *[= ]+\d|pip (?:list|install) .*onnxruntime\b|同时|只有 ?CPU|"
                r"only (?:the )?cpu",
            ),
            none=(
                r"cannot open shared",
                r"libcu\w+",
                r"Failed to load library",
            ),
        ),
    ),
    signatures=(
        Signature(
            "is not in available provider names",
            r"Specified provider 'CUDAExecutionProvider' is not in available provider names",
            Certainty.LIKELY,
        ),
        Signature(
            "CPUExecutionProvider",
            r"^\[(?:'AzureExecutionProvider', ?)?'CPUExecutionProvider'\]",
            Certainty.LIKELY,
        ),
    ),
    remedy=Remedy(
        message("keep only onnxruntime-gpu", "只保留 onnxruntime-gpu"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "in the interpreter of the job: pip uninstall onnxruntime onnxruntime-gpu, "
                    "then pip install onnxruntime-gpu",
                    "用作业的解释器先执行 pip uninstall onnxruntime onnxruntime-gpu，"
                    "再执行 pip install onnxruntime-gpu",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="python -c 'import onnxruntime as o; print(o.__version__, o.get_available_providers())'",
)
def cpu_only_onnxruntime(
    python: Python,
    torch: Torch | None,
    host: Host,
    container: Container | None,
    nodes: Nodes | None,
    pci: Pci | None = None,
    loader: Loader | None = None,
    environment: Environment | None = None,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    if not _overwritten(python):
        return
    gpu = gpu_at_hand(host, pci, loader)
    if gpu is None or kept_out(container, nodes, host) or gpu_unwanted(environment):
        return
    trouble = seen_here(ID, sightings, host) or not others_beside(python, torch, GPU)
    yield Hit(
        subject=f"distribution:{GPU}",
        variant="overwritten",
        summary=message(
            "onnxruntime {cpu} has overwritten files of onnxruntime-gpu {gpu}",
            "onnxruntime {cpu} 覆盖了 onnxruntime-gpu {gpu} 的文件",
            cpu=python.distributions[CPU].version,
            gpu=python.distributions[GPU].version,
        ),
        because=cite(f"python[{GPU}].missing_files", f"python[{CPU}].version", gpu),
        kind=Kind.TROUBLE if trouble else Kind.RISK,
        severity=Severity.ERROR if trouble else Severity.WARNING,
        certainty=Certainty.LIKELY if trouble else Certainty.CERTAIN,
        remedy=_only_gpu(python),
    )


def _overwritten(python: Python) -> bool:
    """Return whether the extension module on disk is that of the CPU build."""
    cpu, gpu = python.distributions.get(CPU), python.distributions.get(GPU)
    if cpu is None or gpu is None or cpu.location != gpu.location:
        return False
    return _lacks_core(gpu.missing_files) and not _lacks_core(cpu.missing_files)


def _lacks_core(missing: list[str]) -> bool:
    return any(CORE in file for file in missing)


def _only_gpu(python: Python) -> Remedy:
    shared = message("the two share one folder, so both go", "两者共用一个目录，所以都要卸载")
    back = message("puts the GPU build back", "重新装上 GPU 构建")
    own = {"python": python.executable}
    return Remedy(
        message("keep only onnxruntime-gpu", "只保留 onnxruntime-gpu"),
        (
            Step(Verb.PIP_UNINSTALL, shared, own | {"distribution": CPU}),
            Step(Verb.PIP_UNINSTALL, shared, own | {"distribution": GPU}),
            Step(
                Verb.PIP_INSTALL,
                back,
                own | {"requirement": f"{GPU}=={python.distributions[GPU].version}"},
            ),
        ),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
