"""What the two faults of the forward-compatibility package share."""

from collections.abc import Iterator

from codeblue.faults.libraries.search_path import drop, folder, under
from codeblue.model.facts import Cuda, Loader
from codeblue.model.fault import Hit, Reference, cite
from codeblue.model.text import message

FORWARD_COMPATIBILITY = Reference(
    "CUDA compatibility: forward compatibility",
    "https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html",
    "2026-11-30",
)


def refused(cuda: Cuda, loader: Loader, code: int) -> Iterator[Hit]:
    """Yield a hit if cuInit answered ``code`` and the library comes from a compat package."""
    if cuda.init != code or not under(cuda.library, "compat"):
        return
    row = loader.libraries.get("libcuda.so.1")
    found = row.path if row is not None and row.path and under(row.path, "compat") else cuda.library
    yield Hit(
        subject="library:libcuda.so.1",
        summary=message(
            "libcuda is loaded from the compat package, {library}, and cuInit returned {code}",
            "libcuda 来自 compat 软件包 {library}，cuInit 返回 {code}",
            library=cuda.library,
            code=code,
        ),
        because=cite("cuda.init", "cuda.library", "loader.search_path"),
        remedy=drop(folder(found), loader),
    )
