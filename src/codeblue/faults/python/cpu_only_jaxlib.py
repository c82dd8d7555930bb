"""
## What it means
The package `jaxlib` that is installed knows only the CPU. JAX noticed a GPU, or was asked for one, and
has nothing to drive it; the program runs on the CPU, many times slower, or stops with an unknown
backend.

## Why it happens
`pip install jax` without the extra installs the CPU build. An upgrade of `jax` alone removed the fit
with the plugin (`jax-cuda12-plugin` and `jax-cuda12-pjrt` must have jaxlib's version), and the plugin
is then skipped with a warning. A package that depends on `jax` pulled a newer one.

## When it is not a fault
On a machine without an NVIDIA GPU the CPU is what JAX should use; set `JAX_PLATFORMS=cpu` to silence
the line. Messages that the TPU or ROCm backend is absent mean nothing. Beside torch or another
framework JAX is often only a dependency: without a line that says so this is a risk, not trouble.

## What to do
Install `jax[cuda12]` or `jax[cuda13]`; the wheels bring CUDA and cuDNN, and only the driver has to be
new enough. Unset `LD_LIBRARY_PATH` if it names another CUDA. `jax.devices()` must list `CudaDevice`. If
the plugin is there and the backend still missing, read the warning above this line: it says why the
plugin did not start.

## How safe the fix is
pip changes several NVIDIA packages that torch in the same environment uses too; give JAX an environment
of its own if both are needed.
"""

from collections.abc import Iterator

from codeblue.faults.python.framework_intent import gpu_unwanted, others_beside
from codeblue.faults.python.gpu_at_hand import gpu_at_hand, kept_out
from codeblue.faults.seen import seen_here
from codeblue.knowledge.wheels import local
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

ID = "cpu-only-jaxlib"
BACKENDS = ("jax-cuda", "jax-rocm", "jax-metal")


@fault(
    ID,
    title=Text("JAX is installed without its CUDA backend", "安装的 JAX 没有 CUDA 后端"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    references=(
        Reference("JAX: installation", "https://docs.jax.dev/en/latest/installation.html", "2026-11-30"),
    ),
    clues=(
        Clue(
            all=(
                r"\bjax(?:lib)?\b",
                r"CpuDevice|falling back to cpu|only (?:the )?cpu|cpu backend|No GPU/TPU|"
                r"backend 'cuda'|只有 ?CPU|default_backend\W+cpu|jax\.devices\(\).*cpu",
                r"pip3? install (?:-U |--upgrade )*jax\b|jaxlib|jax\[cpu\]|conda|poetry|requirements|"
                r"nvidia-smi|GPU",
            ),
            none=(
                r"cuda1\d[-_ ](?:plugin|pjrt).{0,40}(?:incompat|not compatible)",
                r"libcu\w+\.so",
                r"CUDA_ERROR",
                r"cudnn",
                r"rocm|tpu_driver|libtpu\.so.*not found",
            ),
        ),
    ),
    signatures=(
        Signature("jaxlib is not installed", r"CUDA-enabled jaxlib is not installed"),
        Signature("No GPU/TPU found", r"No GPU/TPU found, falling back to CPU", Certainty.POSSIBLE),
        Signature(
            "Unknown backend",
            r"Unknown backend:? '?(?:gpu|cuda)'? requested, but no platforms",
            Certainty.LIKELY,
        ),
        Signature(
            "initialize backend '",
            r"initialize backend '(?:cuda|gpu)': module 'jaxlib\.xla_extension' has no attribute",
        ),
        Signature("CpuDevice(id=0)", r"^\[CpuDevice\(id=0\)\]", Certainty.POSSIBLE),
        Signature("nknown backend", r"[Uu]nknown backend:? '?(?:gpu|cuda)\b", Certainty.LIKELY),
        Signature(
            "Backend '",
            r"Backend '(?:gpu|cuda)' (?:is not in the list of known backends|failed to initialize)",
            Certainty.POSSIBLE,
        ),
    ),
    remedy=Remedy(
        message("install JAX with its CUDA plugin", "安装带 CUDA 插件的 JAX"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    'pip install -U "jax[cuda12]" (or cuda13), in the interpreter of the job',
                    '用作业的解释器执行 pip install -U "jax[cuda12]"（或 cuda13）',
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="python -m pip list | grep -i jax; python -c 'import jax; print(jax.devices())'",
)
def cpu_only_jaxlib(
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
    if not _without_cuda(python):
        return
    gpu = gpu_at_hand(host, pci, loader)
    if gpu is None or kept_out(container, nodes, host) or gpu_unwanted(environment):
        return
    trouble = seen_here(ID, sightings, host) or not others_beside(python, torch)
    version = python.distributions["jaxlib"].version
    yield Hit(
        subject="distribution:jaxlib",
        summary=message(
            "jaxlib {version} has no CUDA plugin beside it, and the machine has an NVIDIA GPU",
            "jaxlib {version} 没有配套的 CUDA 插件，而机器上有 NVIDIA GPU",
            version=version,
        ),
        because=cite("python[jaxlib].version", "python[jaxlib].installer", gpu),
        kind=Kind.TROUBLE if trouble else Kind.RISK,
        severity=Severity.ERROR if trouble else Severity.NOTE,
        certainty=Certainty.LIKELY if trouble else Certainty.CERTAIN,
    )


def _without_cuda(python: Python) -> bool:
    """Return whether JAX came as the wheel that knows only the CPU.

    Before the plugins CUDA stood in jaxlib's own version; conda's and self-built packages do not tell.
    """
    jaxlib = python.distributions.get("jaxlib")
    if jaxlib is None or jaxlib.installer in (None, "conda") or local(jaxlib.version):
        return False
    return not any(name.startswith(BACKENDS) for name in python.distributions)
