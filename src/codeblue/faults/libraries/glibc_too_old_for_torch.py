"""
## What it means
The libraries of this torch were built for a newer C library than the system has. The import fails
with "version `GLIBC_2.28' not found (required by .../libtorch...)". The C library is part of the
distribution; no Python package can change it.

## Why it happens
Official wheels need glibc 2.28 from release 2.7 on (2.6 for some CUDA variants), that is RHEL 8,
Debian 10, Ubuntu 20.04 or newer; older ones were content with 2.17 of CentOS 7. pip refuses a wheel that
is too new, so it usually came another way: an environment built on one machine and used on another,
a wheel that was renamed or forced, a home directory shared by nodes with different systems.

## When it is not a fault
Conda builds have minimums of their own, often lower than those of the wheels. If torch imports, the
C library is new enough. The same words about node or an editor's server concern that program only.

## What to do
Run the job in a container with a newer base: it needs only the kernel and the driver of the host.
Where that is impossible, install the last release for the old C library, from pip on this very
machine so that pip checks the tag. Upgrade the distribution if it is yours to decide. Never put another
`libc.so.6` on `LD_LIBRARY_PATH`.

## How safe the fix is
A container changes nothing on the host. An older torch may lack what the job uses, and support for
newer GPUs: check that before.
"""

from collections.abc import Iterator

from codeblue.knowledge import table
from codeblue.model.facts import Host, Torch, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message


@fault(
    "glibc-too-old-for-torch",
    title=Text(
        "The C library of the system is older than torch needs", "系统 C 库太旧，满足不了 torch 的要求"
    ),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "torch-import-failed",
        "torch-cuda-unavailable",
        "wheel-not-built-for-python-version",
    ),
    references=(
        Reference(
            "manylinux: distributions and their glibc",
            "https://github.com/pypa/manylinux",
            "2026-11-30",
        ),
        Reference(
            "PyTorch: release compatibility",
            "https://github.com/pytorch/pytorch/blob/main/RELEASE.md",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"glibc|manylinux_?2_(?:2[4-9]|3\d)|manylinux2014|ldd --version",
                r"centos|rhel|red ?hat|scientific linux|ubuntu (?:14|16|18|20)|debian (?:8|9|10)|"
                r"GNU libc\) 2\.(?:1\d|2\d|3[01])|glibc[ _-]?2\.(?:1\d|2[0-7])\b|2\.17|too old|太旧|"
                r"过低|版本低|older than",
                r"torch|vllm|wheel|flash|sglang|triton|jax|tensorflow|import|pip",
            ),
            none=(
                r"libstdc\+\+",
                r"\blib(?:cudnn|nccl|cublas)\S*\)",
            ),
        ),
    ),
    signatures=(
        Signature(
            "not found (required by",
            r"version .(?P<version>GLIBC_[0-9.]+). not found "
            r"\(required by [^ )]*/(libtorch\w*|libc10\w*|libshm|libcaffe2\w*|_C)[^/ )]*\)",
        ),
        Signature(
            "not found (required by",
            r"version .GLIBC_[0-9.]+. not found \(required by [^ )]*/(?:site|"
            r"dist)-packages/(?:[^ )]*/)?(?:_\w+|[a-km-z]\w*|lib[abd-mo-z]\w*)[^/ )]*\)",
            Certainty.LIKELY,
        ),
    ),
    next_command="ldd --version | head -1",
)
def glibc_too_old_for_torch(host: Host, torch: Torch, torch_trial: TorchTrial) -> Iterator[Hit]:
    if torch_trial.imported or "GLIBC_" not in (torch_trial.error or "") or host.glibc is None:
        return
    needed = needed_by(torch.version)
    if needed is None or numbers(host.glibc) >= numbers(needed):
        return
    yield Hit(
        subject="torch",
        summary=message(
            "torch {version} needs glibc {needed}, this system has {glibc}",
            "torch {version} 需要 glibc {needed}，本系统是 {glibc}",
            version=torch.version,
            needed=needed,
            glibc=host.glibc,
        ),
        because=cite("host.glibc", "torch.version", "torch_trial.error"),
        remedy=_elsewhere(host.glibc),
    )


def needed_by(version: str) -> str | None:
    """Return the oldest glibc for which the official wheel of this release was built."""
    release = version.partition("+")[0]
    rows = table("torch_releases")["rows"]
    found = (str(row["glibc_min"]) for row in rows if row["version"] == release)
    return next(found, None)


def newest_for(glibc: str) -> str | None:
    """Return the newest release whose wheel runs with this glibc."""
    rows = table("torch_releases")["rows"]
    fitting = [str(row["version"]) for row in rows if numbers(row["glibc_min"]) <= numbers(glibc)]
    return max(fitting, key=numbers, default=None)


def numbers(version: str) -> tuple[int, ...]:
    """Return ``2.28`` as numbers that compare."""
    return tuple(int(part) for part in version.split(".") if part.isdigit())


def _elsewhere(glibc: str) -> Remedy:
    newest = newest_for(glibc)
    container = message(
        "run the job in a container of a newer distribution",
        "在较新发行版的容器里运行任务",
    )
    older = message(
        "or install torch {version}, the last release whose wheel runs with glibc {glibc}",
        "或者安装 torch {version}，它是 wheel 能在 glibc {glibc} 上运行的最后一个版本",
        version=newest or "-",
        glibc=glibc,
    )
    steps = [Step(Verb.INSTRUCT, container)]
    if newest is not None:
        steps.append(Step(Verb.INSTRUCT, older))
    return Remedy(
        message("use a newer system or an older torch", "使用较新的系统或较旧的 torch"),
        tuple(steps),
        Automation.HUMAN,
        Undo.NONE,
    )
