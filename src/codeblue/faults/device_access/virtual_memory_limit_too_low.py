"""
## What it means
The process may use only so much address space (`ulimit -v`), and CUDA reserves far more of it than it
will ever fill: the driver wants one address range for the memory of all GPUs and the host. The
reservation fails, and `cuInit` returns 2, out of memory, although GPU and host have plenty of both.

## Why it happens
A shell start-up file, `limits.conf` (item `as`), an old batch system or a judge for student programs sets
`ulimit -v` to stop runaway programs. A limit that looks generous, such as the size of the host's memory,
is still too small for CUDA.

## When it is not a fault
Any limit under which CUDA starts is fine. Out of memory at a later allocation is about real memory.
Control groups limit memory that is used, not addresses, and do not cause this.

## What to do
`ulimit -v unlimited` in the shell or script that starts the job; the soft limit can be raised up to the
hard one. If the hard limit is set too, remove the line `as` in `/etc/security/limits.conf` or `limits.d`
and log in again. To keep a job from eating the host's memory use a control group (`systemd-run -p
MemoryMax=…`, Slurm).

## How safe the fix is
It concerns this shell and what it starts, and ends with it.
"""

from collections.abc import Iterator

from codeblue.model.facts import Cuda, Limit, Limits
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

OUT_OF_MEMORY = 2
GIB = 1 << 30

LIFT = Remedy(
    message("lift the address-space limit of this shell", "解除当前 shell 的地址空间限制"),
    (
        Step(
            Verb.LIMIT_RAISE,
            message(
                "CUDA reserves more addresses than it uses memory", "CUDA 预留的地址空间远多于实际使用的内存"
            ),
            {"flag": "-v", "value": "unlimited"},
        ),
    ),
    Automation.APPROVAL,
    Undo.EXACT,
)

ASK = Remedy(
    message("have the hard limit removed", "请管理员去掉硬限制"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "remove the item `as` in /etc/security/limits.conf or limits.d and log in again",
                "删除 /etc/security/limits.conf 或 limits.d 中的 `as` 一项，然后重新登录",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "virtual-memory-limit-too-low",
    title=Text("The address-space limit is too low for CUDA", "地址空间限制太小，CUDA 无法使用"),
    layer=Layer.DEVICE_ACCESS,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "torch-import-failed",
        "gpu-memory-exhausted",
        "host-memory-exhausted",
        "rank-raised-exception",
        "gpu-kernel-failed",
    ),
    references=(
        Reference(
            "CUDA programming guide: unified virtual address space",
            "https://docs.nvidia.com/cuda/cuda-programming-guide/02-basics/understanding-memory.html#memory-unified-virtual-address-space",
            "2026-11-30",
        ),
        Reference(
            "Linux: getrlimit(2), RLIMIT_AS",
            "https://man7.org/linux/man-pages/man2/getrlimit.2.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "failed to map segment",
            r"failed to map segment from shared object: Cannot allocate memory",
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                r"ulimit -v|RLIMIT_AS|address[- ]space|virtual memory|h_vmem|\bvmem\b|max virtual"
                "|RLIMIT|虚拟(?:内存|地址)|地址空间",
                "out of memory|cannot allocate|Cannot allocate|MemoryError|bad_alloc|cuInit"
                r"|CUDA_ERROR|is_available|failed to map segment|error 2\b|initialization error|OOM\b"
                "|无法分配|内存不足|失败",
            ),
            none=(
                r"swap|vm\.overcommit|VMM|cuMemAddressReserve|expandable_segments|memory pool|MMIO"
                r"|KASLR|HMM|\bBAR\d|memlock|max locked",
            ),
        ),
    ),
    remedy=LIFT,
    next_command="ulimit -v; ulimit -Hv",
)
def virtual_memory_limit_too_low(limits: Limits, cuda: Cuda) -> Iterator[Hit]:
    limit = limits.limits.get("address_space")
    if limit is None or limit.soft is None or cuda.init != OUT_OF_MEMORY:
        return
    yield Hit(
        subject="cuda",
        summary=message(
            "cuInit returned 2, out of memory, with the address space limited to {size} GiB (ulimit -v)",
            "cuInit 返回 2（内存不足），而地址空间被限制为 {size} GiB（ulimit -v）",
            size=f"{limit.soft / GIB:.1f}",
        ),
        because=cite("limits[address_space].soft", "cuda.init"),
        remedy=_lift(limit),
    )


def _lift(limit: Limit) -> Remedy:
    return LIFT if limit.hard is None else ASK
