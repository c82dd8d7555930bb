"""
## What it means
A shared library in the Python environment is empty, cut short or not a library at all. The loader
says "file too short" or "invalid ELF header". If torch links it directly, `import torch` fails at
once; a library that is opened late, such as a part of cuDNN, fails only when a certain layer or data
type first needs it, perhaps hours into a run.

## Why it happens
The disk or the quota was full while pip or conda unpacked, the installation was interrupted, a
network file system lost the end of a file, the environment was copied by a tool that does not follow
links, or a Git LFS pointer was checked out instead of the file. In containers, an image layer was
built on a full disk.

## When it is not a fault
Some unversioned `lib*.so` files in conda environments are small text scripts for the linker; those
are right and are not counted here.

## What to do
Make sure that the disk and the quota have room, then install the owning distribution again in the
same version with `--force-reinstall --no-deps --no-cache-dir`: without the last option pip may unpack
the same broken download again. With conda use `conda install --force-reinstall`. If the file breaks
again, look at the file system.

## How safe the fix is
The same version is put back, so nothing else changes. Running jobs that have mapped the old files
may crash when those are replaced; wait for them. The inverse is another reinstall.
"""

from collections.abc import Iterator

from codeblue.model.facts import Damaged, Loader, Python
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

BROKEN = ("empty", "truncated")
# Every file name but those of the driver (libcuda.so, libnvidia-*), which have a fault of their own;
# spelled out because the shared pattern syntax has no lookahead.
NAME = (
    r"(lib([^cn/: ]|c[^u/: ]|cu[^d/: ]|cud[^a/: ]|cuda[^./: ]|n[^v/: ]|nv[^i/: ])"
    r"|([^l/: ]|l[^i/: ]|li[^b/: ]))[^/: ]*"
)


@fault(
    "library-file-damaged",
    title=Text("A library file of the environment is damaged", "环境中的库文件已损坏"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "torch-import-failed",
        "torch-cuda-unavailable",
        "gpu-kernel-failed",
        "cudnn-not-on-loader-path",
        "cudnn-version-mismatch",
        "cuda-runtime-library-missing",
    ),
    references=(
        Reference(
            "pip install: --force-reinstall, --no-cache-dir",
            "https://pip.pypa.io/en/stable/cli/pip_install/",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"\.so(?:\.\d+)*\b",
                r"\b0 bytes|zero[- ]?(?:byte|size|length)|truncated|size 0|corrupt|damaged|"
                r"half[- ]written|interrupted (?:download|install)|disk (?:was )?full during|损坏|"
                r"不完整|大小为 ?0|0 字节",
                r"import|load|torch|error|fail|cannot|can't|unable|not found|crash|abort|missing|"
                r"unavailable|\bFalse\b|invalid|undefined|no such|segfault|segmentation|not work|"
                r"n't work|报错|错误|失败|无法|不能|找不到|崩溃|不可用|用不了|起不来",
            ),
            none=(
                r"lib(?:cuda|nvidia-ml)\.so",
                r"checkpoint",
                r"\.safetensors",
            ),
        ),
    ),
    signatures=(
        *tuple(
            Signature(words, rf"(^|[/ ])(?P<library>{NAME}\.so[0-9.]*): {words}", subject="library:{library}")
            for words in ("file too short", "invalid ELF header", "cannot read file data")
        ),
        Signature("ELF load command", r"\.so[0-9.]*: ELF load command (?:past end of file|alignment)"),
        Signature(
            "not checked",
            r"ldconfig\S*: (?:File )?\S*/lib(?:cu[a-ce-z]\w*|cudnn\w*|nccl|"
            r"torch\w*)\.so\S* is (?:empty|truncated|too small), not checked",
            Certainty.LIKELY,
        ),
    ),
    next_command="find -L $(python -c 'import sys; print(sys.prefix)')/lib -name '*.so*' -size -1k",
)
def library_file_damaged(loader: Loader, python: Python | None = None) -> Iterator[Hit]:
    by_owner: dict[str | None, list[str]] = {}
    for path, row in loader.damaged.items():
        if is_damaged(path, row):
            by_owner.setdefault(row.owner, []).append(path)
    for owner, paths in by_owner.items():
        first = loader.damaged[paths[0]]
        yield Hit(
            subject=f"library:{paths[0].rpartition('/')[2]}",
            summary=message(
                "{path} is {elf} ({size} bytes); damaged files of {owner}: {count}",
                "{path} 已损坏（{elf}，{size} 字节）；{owner} 共有 {count} 个损坏的文件",
                path=paths[0],
                elf=first.elf,
                size=first.size,
                owner=owner or "?",
                count=len(paths),
            ),
            because=cite(*(f"loader.damaged[{path}].elf" for path in paths[:5])),
            remedy=put_back(owner, python),
        )


def is_damaged(path: str, row: Damaged) -> bool:
    """True if the file cannot be a library; a plain text ``*.so`` may be a script for the linker."""
    if row.elf == "not-elf":
        return row.owner is not None or ".so." in path.rpartition("/")[2]
    return row.elf in BROKEN


def put_back(owner: str | None, python: Python | None) -> Remedy:
    """Install the owning distribution again, in the version that is there."""
    found = python.distributions.get(owner) if python is not None and owner is not None else None
    if python is None or found is None or found.installer == "conda":
        return _by_hand(owner)
    requirement = f"{owner}=={found.version}"
    step = Step(
        Verb.PIP_REINSTALL,
        message("its files on disk are not those of the package", "磁盘上的文件与软件包里的不一致"),
        {"python": python.executable, "requirement": requirement},
    )
    return Remedy(
        message("reinstall {requirement}", "重新安装 {requirement}", requirement=requirement),
        (step,),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )


def _by_hand(owner: str | None) -> Remedy:
    step = message(
        "reinstall {owner} in the same version with the tool that installed it",
        "用当初安装它的工具，以相同版本重新安装 {owner}",
        owner=owner or "the package that owns the file",
    )
    return Remedy(
        message("reinstall the package that owns the file", "重新安装该文件所属的软件包"),
        (Step(Verb.INSTRUCT, step),),
        Automation.HUMAN,
        Undo.NONE,
    )
