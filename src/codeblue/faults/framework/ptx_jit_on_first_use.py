"""
## What it means
The build has no machine code for this GPU, only PTX of an older architecture. It works: the driver
compiles every kernel when it is first used and keeps the result in a cache.

## Why it happens
The GPU is newer than the build, and the build carries PTX on purpose for such GPUs, or was compiled
with `+PTX` in `TORCH_CUDA_ARCH_LIST`.

## When it is not a fault
When a first start that takes minutes is acceptable. Results are right; kernels that are tuned for the
architecture may be missing, so it can stay slower than a build made for the GPU.

## What to do
Take a build that contains the architecture; the newest release usually does. Until then keep the cache:
`~/.nv/ComputeCache` on a local disk that survives the container, large enough (`CUDA_CACHE_MAXSIZE`),
and not disabled.

## How safe the fix is
Keeping a cache is harmless. Another build of torch replaces packages of the environment and asks for
the usual care.
"""

from collections.abc import Iterator

from codeblue.knowledge.architectures import needs_jit
from codeblue.model.facts import TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text, message

FIRST_SLOW = (
    r"(?:first|1st|initial) (?:call|use|run|cuda|gpu|step|iteration|kernel|forward|tensor|op\w*|time|"
    r"launch|pass|batch|"
    r"\.?cuda\(\)|\.?to\()\b.{0,60}(?:minutes?\b|\bmins?\b|takes|took|slow\w*|long\b|forever|\d{2,} ?s)|"
    r"(?:minutes?\b|\bmins?\b|takes|took|slow\w*|long\b|hang\w*).{0,60}(?:first|1st|initial) (?:call|use|"
    r"run|cuda|gpu|step|iteration|"
    r"kernel|forward|tensor|op\w*|time|launch|pass|batch)|首次.{0,24}(?:慢|分钟|卡|久)|第一次.{0,24}(?:慢|分钟|卡|久)|"
    r"(?:zeros|ones|randn?|tensor|empty)\([^)]*\)\.(?:cuda|to)\(.{0,60}time|(?:cuda\(\)|"
    r"\.to\().{0,60}(?:minutes|takes|took|slow)"
)
TO_GPU = r"\.cuda\(|\.to\(.{0,8}cuda|device=.{0,3}cuda|cuInit|cudaMalloc|cudaFree"
JIT = (
    r"\bPTX\b|\bJIT(?:-?compil\w*|[ -]compil\w*|ted|ting|s)?\b|just[- ]in[- ]time|ComputeCache|"
    r"CUDA_CACHE_\w+|"
    r"compute_\d\d|get_arch_list|arch[_ ]list|即时编译"
)
BUILD = (
    r"\bgpu: |\bconda\b|wheel|\bbinar(?:y|ies)\b|\bbuilt\b|\bbuild\b|compiled for|Pascal|Maxwell|Kepler|"
    r"Volta|Turing|Ampere|"
    r"Hopper|Blackwell|\bRTX|\bGTX|Titan|Tesla|cuda ?\d|\+cu\d|sm_\d\d|compute capability"
)
MINUTES = (
    r"(?:two|three|four|five|six|seven|eight|ten|several|many|few|couple of|\d) ?-?min(?:ute)?s?\b|"
    r"minutes\b| 0:0[1-9]:\d\d|"
    r"分钟"
)
ELSEWHERE = (
    r"torch\.compile|torch_extensions|\bninja\b|triton|inductor|\bnvcc\b|torch\.jit|jit\.(?:script|trace|"
    r"load)|numba|\bjax|\bxla|"
    r"tensorrt|\bTRT\b|cudnn[._ ]benchmark|data ?loader|dataset|\bnfs\b|lustre|download|persistence|"
    r"\bNCCL\b|rendezvous|init_process_group|"
    r"no kernel image|not compatible with the current"
)


@fault(
    "ptx-jit-on-first-use",
    title=Text("Kernels are compiled by the driver at first use", "内核在首次使用时由驱动编译"),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    references=(
        Reference(
            "CUDA programming guide: the CUDA platform, just-in-time compilation",
            "https://docs.nvidia.com/cuda/cuda-programming-guide/01-introduction/cuda-platform.html#just-in-time-compilation",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("jit-compiled from PTX", r"CUDA kernels will be jit-compiled from PTX", Certainty.LIKELY),
        Signature(
            "not built with CUDA kernel binaries compatible",
            r"was not built with CUDA kernel binaries compatible with compute capability",
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                r"first (?:use|run|call|iteration|time|kernel|launch|start|inference|step|batch|"
                r"execution|forward|\.cuda\(\)|\.to)|\bthe first\b|initial (?:call|run)|start-?up|"
                r"第一次|首次|第一个|启动",
                r"slow|minutes?\b|\bmins?\b|takes? (?:very |so )?(?:long|forever|\d+)|delay|seconds|"
                r"hangs? for|很慢|分钟|很久|半天",
                r"\bJIT|\bPTX|jit-compil|ComputeCache|machine code|CUDA_CACHE|compute capability|"
                r"pascal|titan|maxwell|turing|ampere|GTX|RTX|A100|\bsm_\d\d|即时编译|架构",
            ),
            none=(
                r"persistence",
                r"CUDA_CACHE_DISABLE",
                r"download",
                r"torch\.compile|inductor|triton",
                r"NCCL",
                r"nvidia-smi (?:takes|is slow|itself)",
                r"JIT cache",
                r"NFS|lustre|gpfs",
                r"no kernel image",
                r"\bevery (?:run|start|call|process|time)|每次",
                ELSEWHERE,
            ),
        ),
        Clue(all=(JIT, FIRST_SLOW), none=(ELSEWHERE,)),
        Clue(all=(r"real\s+(?:[2-9]|\d\d)m\d", TO_GPU, r"cuobjdump|" + JIT), none=(ELSEWHERE,)),
        Clue(
            all=(FIRST_SLOW, MINUTES, BUILD),
            none=(ELSEWHERE, r"\bevery (?:run|start|call|process|time)|每次"),
        ),
        Clue(
            # The build's list ends with PTX of an older generation than the card.
            all=(
                r"compute_(?:[3-7]\d|80|86)\b",
                r"\bA100\b|\bA800\b|\bH100\b|\bH200\b|\bH800\b|\bL40S|RTX ?(?:A\d000|[345]0\d0)|"
                r"\bB200\b|\bGH200\b|Ampere|Hopper|Blackwell|sm_(?:8|9|1[012])\d",
                r"minutes?\b|seconds|\bmins?\b|\btime\.(?:time|perf_counter)|^real\s|slow|hang|"
                r"\b(?:one|single) (?:CPU )?core|100 ?% CPU|首次|第一次|分钟|很慢|很久",
                r"\.cuda\(\)|first|second|again|warm|once|import|init|首次|第一次|第二次|再次",
            ),
            none=(
                r"['\x22 ]sm_(?:8\d|9\d|1[012]\d)['\x22, ]",
                r"persistence|no kernel image|torch\.compile|inductor|CUDA_CACHE_DISABLE|NCCL|NFS|"
                r"lustre|download",
            ),
        ),
    ),
)
def ptx_jit_on_first_use(trial: TorchTrial) -> Iterator[Hit]:
    if trial.cuda is None:
        return
    for index, device in trial.devices.items():
        if device.ok and needs_jit(device.capability, trial.arch_list):
            yield Hit(
                kind=Kind.RISK,
                severity=Severity.NOTE,
                subject=f"gpu:{index}",
                summary=message(
                    "{name} ({capability}) has no machine code in this build; the driver compiles its PTX",
                    "这个构建没有 {name}（{capability}）的机器码，由驱动编译其 PTX",
                    name=device.name,
                    capability=device.capability,
                ),
                because=cite(f"torch_trial[{index}].capability", "torch_trial.arch_list"),
            )
