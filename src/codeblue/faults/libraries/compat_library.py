"""What the two faults of the forward-compatibility package share."""

from collections.abc import Iterator

from codeblue.faults.libraries.search_path import drop, folder, under
from codeblue.model.facts import Cuda, Loader, Sightings
from codeblue.model.fault import Certainty, Hit, Reference, cite
from codeblue.model.section import Unread
from codeblue.model.text import message

FORWARD_COMPATIBILITY = Reference(
    "CUDA compatibility: forward compatibility",
    "https://docs.nvidia.com/deploy/cuda-compatibility/forward-compatibility.html",
    "2026-11-30",
)


def refused(
    code: int, fault: str, cuda: Cuda | Unread | None, loader: Loader | None, sightings: Sightings | None
) -> Iterator[Hit]:
    """Yield a hit if cuInit answered ``code`` and the library comes from a compat package.

    Where CUDA was not called, a line that names the error stands for its answer.
    """
    row = loader.libraries.get("libcuda.so.1") if loader else None
    found = row.path if row is not None and row.path and under(row.path, "compat") else None
    if isinstance(cuda, Unread):
        if found is not None and loader is not None and sightings is not None and sightings.of(fault):
            yield _said(found, loader, sightings.of(fault)[0])
        return
    if cuda is None or cuda.init != code or not under(cuda.library, "compat"):
        return
    yield Hit(
        subject="library:libcuda.so.1",
        summary=message(
            "libcuda is loaded from the compat package, {library}, and cuInit returned {code}",
            "libcuda 来自 compat 软件包 {library}，cuInit 返回 {code}",
            library=cuda.library,
            code=code,
        ),
        because=cite("cuda.init", "cuda.library", *(("loader.search_path",) if loader else ())),
        remedy=drop(folder(found or cuda.library), loader) if loader else None,
    )


def _said(found: str, loader: Loader, position: int) -> Hit:
    return Hit(
        subject="library:libcuda.so.1",
        certainty=Certainty.LIKELY,
        summary=message(
            "libcuda is found in the compat package, {library}, and the job says that it is refused",
            "找到的 libcuda 来自 compat 软件包 {library}，任务的报错说它被拒绝",
            library=found,
        ),
        because=cite("loader[libcuda.so.1].path", "loader.search_path", f"sightings.seen[{position}].text"),
        remedy=drop(folder(found), loader),
    )
