"""Is there enough shared and lockable memory in a container?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.container import ContainerRun
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

SHM = "/dev/shm"  # noqa: S108 - the subject, not a temporary file
SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)i?(?:b|ytes)?$", re.IGNORECASE)
UNITS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
DEFAULT = 64 << 20
"""What docker and podman give without an option."""
SEVERAL = re.compile(
    r"(?:--nproc[-_]per[-_]node|--num[-_]processes|--num[-_]gpus|--tensor-parallel-size|-tp|--tp(?:-size)?|--num-shard"
    r"|--pipeline-parallel-size)[= ](?:[2-9]|\d\d+|gpu|auto)\b"
)
"""Options of launchers and servers for more than one GPU."""
LOADERS = re.compile(r"(?:^|/)nvidia/(?:pytorch|nemo)$|(?:^|/)pytorch/pytorch$")
RDMA = "/dev/infiniband"
UNLIMITED = ("-1", "unlimited")


@rule("shm-too-small")
def size_is_more_than_the_default(run: ContainerRun) -> Iterator[Problem]:
    """A number without a unit is bytes; and 64 MB is what one has without the option."""
    size = _bytes(run.shm.text) if run.shm else None
    if run.shm is None or size is None or size > DEFAULT:
        return
    if not run.has_gpus and size >= 1 << 20:
        return
    yield Problem(
        place=run.shm.place,
        variant="size",
        message=message(
            "{owner}: /dev/shm of {size} is {bytes} bytes; without a unit the number counts bytes",
            "{owner}：/dev/shm 为 {size}，即 {bytes} 字节；不写单位时数字的单位是字节",
            owner=run.owner,
            size=run.shm.text,
            bytes=size,
        )
        if size < 1 << 20
        else message(
            "{owner}: /dev/shm of {size} is no more than the default",
            "{owner}：/dev/shm 为 {size}，不比默认值大",
            owner=run.owner,
            size=run.shm.text,
        ),
        severity=None if size < 1 << 20 else Severity.WARNING,
    )


def _bytes(text: str) -> int | None:
    found = SIZE.match(text.strip("\"' "))
    return int(float(found[1]) * UNITS[found[2].lower()]) if found else None


@rule("shm-too-small")
def several_gpus_share_memory(run: ContainerRun) -> Iterator[Problem]:
    """Work on several GPUs wants more than the default 64 MB; loaders of PyTorch mostly do."""
    if run.open or not run.has_gpus or _has_shm(run):
        return
    several = SEVERAL.search(" ".join(word.text for word in run.command)) is not None
    loaders = run.image is not None and LOADERS.search(run.image.repository) is not None
    if several or loaders:
        how = "shm_size: 16gb" if run.program == "compose" else "--shm-size=16g"
        yield Problem(
            place=run.gpus[0].place if run.gpus else run.place,
            variant="default",
            message=message(
                "{owner} has GPUs but only the 64 MB /dev/shm that every container gets: add {how}",
                "{owner} 使用 GPU，但 /dev/shm 只有每个容器默认的 64 MB：请加上 {how}",
                owner=run.owner,
                how=how,
            ),
            certainty=Certainty.LIKELY if several else Certainty.POSSIBLE,
            severity=Severity.WARNING,
        )


def _has_shm(run: ContainerRun) -> bool:
    shares = run.ipc is not None and run.ipc.text not in ("private", "none", "shareable")
    return run.shm is not None or shares or any(SHM in one.text for one in run.volumes)


@rule("memlock-limit-too-low")
def rdma_may_lock_memory(run: ContainerRun) -> Iterator[Problem]:
    """A container with RDMA devices locks what it transfers."""
    device = next((one for one in run.devices if one.text.startswith(RDMA)), None)
    limit = run.ulimits.get("memlock")
    if run.open or device is None:
        return
    if limit is None:
        yield Problem(
            place=device.place,
            message=message(
                "{owner} has RDMA devices but no ulimit memlock: RDMA cannot register its memory",
                "{owner} 有 RDMA 设备，但没有设置 memlock 上限：RDMA 无法注册内存",
                owner=run.owner,
            ),
            certainty=Certainty.LIKELY,
            severity=Severity.WARNING,
        )
    elif (
        limit is not None
        and limit.text.isdecimal()
        and limit.text not in UNLIMITED
        and int(limit.text) < 1 << 30
    ):
        yield Problem(
            place=limit.place,
            message=message(
                "{owner} has RDMA devices, and memlock is {limit}: RDMA wants it unlimited (-1)",
                "{owner} 有 RDMA 设备，但 memlock 只有 {limit}：RDMA 需要不限制（-1）",
                owner=run.owner,
                limit=limit.text,
            ),
            certainty=Certainty.LIKELY,
        )


RULES = (size_is_more_than_the_default, several_gpus_share_memory, rdma_may_lock_memory)
