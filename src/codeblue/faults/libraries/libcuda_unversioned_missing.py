"""
## What it means
The driver's `libcuda.so.1` is there and CUDA works, but the plain name `libcuda.so` is not found.
Whatever links with `-lcuda` at run time or opens the library by its plain name fails: older Triton
when it compiles its first kernel (so also `torch.compile`), some builds, programs with their own
loader.

## Why it happens
`libcuda.so` is a development link. Many driver packages, container runtimes and WSL bring only
`libcuda.so.1`; under WSL both files exist in `/usr/lib/wsl/lib`, but the loader's cache lists one name
only.

## When it is not a fault
Torch by itself never needs the plain name, and current Triton links with `libcuda.so.1`. Without such
an error a missing `libcuda.so` is normal and not reported. If `libcuda.so.1` is missing too, the
trouble is another one.

## What to do
For the one who runs programs: make the link beside the real library, `sudo ln -s libcuda.so.1
libcuda.so` in its folder, or move to a Triton that does not need it. For builds: give the linker the
stub, `-L/usr/local/cuda/lib64/stubs -lcuda`, or put that folder in `LIBRARY_PATH`; never in
`LD_LIBRARY_PATH`. Under WSL set `LD_LIBRARY_PATH=/usr/lib/wsl/lib` for that program.

## How safe the fix is
The link adds a name and changes no file. In a container it lasts as long as the container: put it in
the image's start script.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.search_path import folder
from codeblue.model.facts import Loader, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

FAULT = "libcuda-unversioned-missing"


@fault(
    FAULT,
    title=Text("The plain name libcuda.so is not found", "找不到不带版本号的 libcuda.so"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    references=(
        Reference(
            "triton: runtime builds fail on images lacking libcuda.so",
            "https://github.com/triton-lang/triton/issues/8667",
            "2026-11-30",
        ),
        Reference(
            "WSL: libcuda.so is not in the loader's cache",
            "https://github.com/microsoft/WSL/issues/8587",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"libcuda\.so\b(?:[^.]|$)|-lcuda\b|unversioned",
                r"libcuda\.so\.1\b|only .{0,20}\.so\.1|without the version|by name|plain name|symlink|"
                r"ln -s|软链接|符号链接|带版本",
                r"error|fail|cannot|can't|unable|not found|crash|abort|missing|unavailable|\bFalse\b|"
                r"invalid|undefined|no such|segfault|segmentation|not work|n't work|报错|错误|失败|"
                r"无法|不能|找不到|崩溃|不可用|用不了|起不来",
            ),
            none=(
                r"stubs/libcuda",
                r"libcuda\.so\.1: cannot",
                r"mismatch",
                r"is not a symbolic link",
                r"compat",
                r"-> libcuda\.so\.\d{3}.*image",
            ),
        ),
    ),
    signatures=(
        Signature("cannot find -lcuda", r"cannot find -lcuda(:|\s|$)", Certainty.LIKELY),
        Signature(
            "libcuda.so: cannot open", r"(^|[^/\w])libcuda\.so: cannot open shared object", Certainty.LIKELY
        ),
        Signature("libcuda.so cannot found", r"libcuda\.so cannot found", Certainty.LIKELY),
        Signature("symlink of libcuda.so", r"Please create a symlink of libcuda\.so"),
        Signature(
            "libcuda.so",
            r"(?:[Cc]ould not|[Cc]annot|[Ff]ailed to|[Uu]nable to) (?:load|open|find|"
            r"dlopen) (?:shared )?(?:library )?['\x22]?libcuda\.so['\x22]?(?:$|[^.\w])",
            Certainty.LIKELY,
        ),
        Signature(
            " -lcuda",
            r"(?:library not found for|unable to find library|" r"[Cc]ould not find library:?) -lcuda\b",
            Certainty.LIKELY,
        ),
    ),
    next_command="ldconfig -p | grep libcuda.so",
)
def libcuda_unversioned_missing(loader: Loader, sightings: Sightings) -> Iterator[Hit]:
    versioned, plain = loader.libraries.get("libcuda.so.1"), loader.libraries.get("libcuda.so")
    seen = sightings.of(FAULT)
    if not seen or versioned is None or plain is None or plain.path is not None or versioned.path is None:
        return
    yield Hit(
        subject="library:libcuda.so",
        summary=message(
            "{path} exists, but no libcuda.so is found beside it",
            "{path} 存在，但找不到 libcuda.so",
            path=versioned.path,
        ),
        because=cite(
            "loader[libcuda.so].path", "loader[libcuda.so.1].path", f"sightings.seen[{seen[0]}].text"
        ),
        remedy=_link(versioned.path),
    )


def _link(path: str) -> Remedy:
    step = message(
        "run `sudo ln -s libcuda.so.1 {folder}/libcuda.so`",
        "执行 `sudo ln -s libcuda.so.1 {folder}/libcuda.so`",
        folder=folder(path),
    )
    return Remedy(
        message("make the link libcuda.so beside {path}", "在 {path} 旁边建立链接 libcuda.so", path=path),
        (Step(Verb.INSTRUCT, step),),
        Automation.HUMAN,
        Undo.COMPENSATING,
    )
