"""
## What it means
The process loads the toolkit's stub of `libcuda.so` instead of the driver's library. The stub exists
only so that programs can be linked on machines without a GPU: every function in it fails. `cuInit`
returns 34 and torch says "CUDA driver is a stub library".

## Why it happens
`LD_LIBRARY_PATH` names `.../lib64/stubs`, often from a build script, a module file or a Dockerfile that
needed `-lcuda` and mixed up `LIBRARY_PATH` (for the linker) with `LD_LIBRARY_PATH` (for running
programs). Sometimes the folder, or a link to the stub, was put where `ldconfig` finds it.

## When it is not a fault
Linking against the stub at build time is right: `-L/usr/local/cuda/lib64/stubs -lcuda` in a compiler
line is no trouble. If only the unversioned name `libcuda.so` resolves to the stub, torch works, because
it opens `libcuda.so.1`; programs such as numba that open the plain name fail, so this is told as a risk.

## What to do
Take the stubs folder out of `LD_LIBRARY_PATH` in the shell, job script or image that starts the
program. Keep it in `LIBRARY_PATH` for builds. If it came through `/etc/ld.so.conf.d`, remove that line
and run `ldconfig`. `ldconfig -p | grep libcuda` must then show the driver's file.

## How safe the fix is
Nothing that runs can depend on the stub, because it cannot run anything. The change of a variable
concerns only processes started afterwards and is taken back by setting the old value.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.search_path import drop, folder, under
from codeblue.model.facts import Cuda, Library, Loader
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread
from codeblue.model.text import Message, Text, message

STUB_LIBRARY = 34
"""CUDA_ERROR_STUB_LIBRARY."""


@fault(
    "libcuda-stub-loaded",
    title=Text(
        "The CUDA toolkit's stub is loaded instead of libcuda", "加载了 CUDA 工具包的桩库而不是 libcuda"
    ),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cuda-init-failed", "torch-cuda-unavailable", "gpu-kernel-failed"),
    references=(
        Reference(
            "CUDA driver API, CUDA_ERROR_STUB_LIBRARY",
            "https://docs.nvidia.com/cuda/cuda-driver-api/group__CUDA__TYPES.html",
            "2026-11-30",
        ),
        Reference(
            "numba: cuInit fails when stubs are on LD_LIBRARY_PATH",
            "https://github.com/numba/numba/issues/8985",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"(?:LD_LIBRARY_PATH|ldconfig|ld\.so|libcuda|loader|rpath|ldd)\b.*stubs?\b|"
                r"stubs?\b.*(?:LD_LIBRARY_PATH|ldconfig|ld\.so|libcuda|loader|rpath|ldd)|桩库|存根|"
                r"/stubs(?::|$)",
                r"cuInit|CUDA_ERROR|CUDA error|error 34\b|is_available\(\)\W*False|^False\b|"
                r"No CUDA GPUs are available|no (?:CUDA|GPU|NVIDIA)[- ]?(?:capable )?(?:gpu|"
                r"device)s?\b|Found no NVIDIA driver|(?:CUDA|GPUs?) (?:is |are )?(?:not |"
                r"un)(?:available|used|found|detected|recogni[sz]ed|visible|usable)|(?:not|n't|"
                r"never) (?:use|see|find|detect|recogni[sz]e) (?:the |any |my )?(?:GPU|CUDA)|"
                r"cuda(?:GetDeviceCount|_init)|CUDA initialization|falls? back to (?:the )?CPU|"
                r"(?:only|just) (?:on |uses? )?(?:the )?CPU\b|(?:GPU|CUDA|显卡).{0,8}(?:用不了|不可用|"
                r"检测不到|识别不到|找不到|无法使用)|(?:用不了|检测不到|识别不到|找不到|没有用上|"
                r"不认).{0,6}(?:GPU|CUDA|显卡)|error|fail|cannot|can't|unable|not found|crash|abort|"
                r"missing|unavailable|\bFalse\b|invalid|undefined|no such|segfault|segmentation|"
                r"not work|n't work|报错|错误|失败|无法|不能|找不到|崩溃|不可用|用不了|起不来",
            ),
            none=(
                r"cannot find -l",
                r"undefined reference",
            ),
        ),
    ),
    signatures=(
        Signature("driver is a stub library", r"CUDA driver is a stub library"),
        Signature("CUDA_ERROR_STUB_LIBRARY", r"\bCUDA_ERROR_STUB_LIBRARY\b"),
        Signature("CudaAPIError: [34]", r"CudaAPIError: \[34\]"),
        Signature("stubs/libcuda.so", r"/stubs/libcuda\.so(\.1)?: undefined symbol"),
        Signature("rror 34", r"\b[Ee]rror 34\b", Certainty.LIKELY),
        Signature("cudaErrorStubLibrary", r"\bcudaErrorStubLibrary\b"),
        Signature("stubs", r"libcuda\.so(?:\.1)? (?:=>|->|\(libc6\S*\) =>) \S*/stubs/", Certainty.LIKELY),
    ),
    next_command="ldconfig -p | grep libcuda; echo $LD_LIBRARY_PATH",
)
def libcuda_stub_loaded(loader: Loader, cuda: Cuda | Unread | None = UNREAD) -> Iterator[Hit]:
    row = loader.libraries.get("libcuda.so.1")
    if isinstance(cuda, Unread) and row is not None and _is_stub(row):
        yield Hit(
            subject="library:libcuda.so.1",
            certainty=Certainty.LIKELY,
            summary=message(
                "the loader finds {path}, a stub of the toolkit, as libcuda",
                "加载器把 {path} 当作 libcuda，那是工具包的桩库",
                path=row.path,
            ),
            because=cite("loader[libcuda.so.1].path", "loader[libcuda.so.1].real", "loader.search_path"),
            remedy=_remedy(row.path, loader),
        )
        return
    if isinstance(cuda, Cuda) and cuda.init == STUB_LIBRARY:
        path = stub_path(cuda, loader)
        yield Hit(
            subject="library:libcuda.so.1",
            summary=_summary(path),
            because=cite("cuda.init", "cuda.library", "loader.search_path"),
            remedy=_remedy(path, loader),
        )
        return
    plain = loader.libraries.get("libcuda.so")
    if plain is not None and _is_stub(plain):
        yield Hit(
            subject="library:libcuda.so",
            variant="unversioned-name",
            kind=Kind.RISK,
            severity=Severity.NOTE,
            certainty=Certainty.POSSIBLE,
            summary=message(
                "the plain name libcuda.so resolves to the stub {path}",
                "不带版本号的 libcuda.so 会解析到桩库 {path}",
                path=plain.path,
            ),
            because=cite("loader[libcuda.so].path"),
            remedy=_remedy(plain.path, loader),
        )


def stub_path(cuda: Cuda, loader: Loader) -> str | None:
    """Return the path under which the loader found the stub; None if it cannot be told."""
    row = loader.libraries.get("libcuda.so.1")
    if row is not None and _is_stub(row):
        return row.path
    return cuda.library if under(cuda.library, "stubs") else None


def _is_stub(row: Library) -> bool:
    return row.path is not None and (under(row.path, "stubs") or under(row.real or "", "stubs"))


def _summary(path: str | None) -> Message:
    if path is None:
        return message(
            "cuInit returned 34: the library that was loaded is a stub", "cuInit 返回 34：加载的库是桩库"
        )
    return message(
        "cuInit returned 34: libcuda is loaded from {path}, a stub of the toolkit",
        "cuInit 返回 34：libcuda 来自 {path}，那是工具包的桩库",
        path=path,
    )


def _remedy(path: str | None, loader: Loader) -> Remedy | None:
    if path is None:
        return None
    if under(path, "stubs"):
        return drop(folder(path), loader)
    rename = message("this link in a system folder leads to the stub", "系统目录里的这个链接指向桩库")
    rebuild = message("let the loader forget it", "让加载器不再记得它")
    return Remedy(
        message("set the link {path} aside", "移开链接 {path}", path=path),
        (Step(Verb.FILE_RENAME, rename, {"path": path}), Step(Verb.LDCONFIG, rebuild)),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
