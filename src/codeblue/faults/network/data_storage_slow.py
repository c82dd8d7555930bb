"""
## What it means
Reading from the file system takes long: each small file costs milliseconds, a large one comes slower than
over a gigabit network, or nothing came at all. A job that reads its samples from there leaves the GPUs at
0 %.

## Why it happens
The data lies on a network file system, and each open is a round trip to a busy server; on a bucket that
is mounted by FUSE; on a spinning disk that seeks for each file; or others use the same storage. An
overlay of a container, or encryption, seldom costs as much.

## When it is not a fault
Large files that are read in sequence (webdataset, TFRecord, Parquet) do not mind the latency of small
ones. Data that fits into the page cache is slow in the first epoch only: what was measured is without the
cache, where the kernel allowed it. A slow working directory matters only if the data is there, so it is a
risk; for a folder given with `--path` it is a trouble. Small trials are not judged by speed.

## What to do
Copy the data to a local disk at the start of the job, or pack the samples into few large files. Raise
`num_workers` and `prefetch_factor` to hide latency. NFS: `nconnect=8`, `actimeo`; Lustre: stripe large
files. Look at the server and the way to it before blaming the client.

## How safe the fix is
Copies take room and must be kept up to date. Mount options concern everybody on the machine.
"""

from collections.abc import Iterator

from codeblue.faults.feeding import tried
from codeblue.model.facts import LoaderTrial, Storage
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Message, Text, message

LATENCY = 5.0
"""Milliseconds for one small file. Eight workers then read 1600 files a second at most; one A100 trains
ResNet-50 with some 2500 images a second (NVIDIA's examples). A local SSD takes 0.1."""
SLOW = 100.0
"""MB/s: less than a gigabit network or one spinning disk gives."""
SILENT = "no answer within"

LOCAL = Remedy(
    message("read the data from a local disk, or from few large files", "从本地磁盘或少数大文件读取数据"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "copy the data to a local disk at the start of the job, or pack samples into large files; "
                "raise num_workers and prefetch_factor meanwhile",
                "任务开始时把数据拷到本地磁盘，或把样本打包成大文件；"
                "在此之前可以加大 num_workers 和 prefetch_factor",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "data-storage-slow",
    title=Text("The data's file system is slow", "数据所在的文件系统很慢"),
    layer=Layer.NETWORK,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    references=(
        Reference(
            "nfs(5): nconnect, actimeo", "https://man7.org/linux/man-pages/man5/nfs.5.html", "2026-12-01"
        ),
        Reference(
            "NVIDIA: ResNet-50 for PyTorch, training performance",
            "https://github.com/NVIDIA/DeepLearningExamples/blob/master/PyTorch/Classification/ConvNets/resnet50v1.5/README.md",
            "2026-12-01",
        ),
    ),
    remedy=LOCAL,
    next_command="df -hT .; findmnt -T .; codeblue trial loader --path DATA",
)
def data_storage_slow(loader_trial: LoaderTrial) -> Iterator[Hit]:
    found = tried(loader_trial)
    if found is None or not was_read(found.row, "storage"):
        return
    for name, storage in found.row.storage.items():
        where = f"{found.path}.storage[{name}]"
        if storage.error is not None:
            if SILENT in storage.error:
                yield _silent(name, storage, where)
        elif not found.row.small:
            yield from _slow(name, storage, where)


def _silent(name: str, storage: Storage, where: str) -> Hit:
    return Hit(
        subject=f"storage:{name}",
        variant="silent",
        severity=Severity.ERROR,
        certainty=Certainty.LIKELY,
        summary=message(
            "the file system at {path} does not answer ({error})",
            "{path} 所在的文件系统没有应答（{error}）",
            path=storage.path,
            error=storage.error,
        ),
        because=cite(f"{where}.error", f"{where}.kind"),
    )


def _slow(name: str, storage: Storage, where: str) -> Iterator[Hit]:
    data = name.startswith("data")
    if not data and not storage.network:
        return  # a local disk that holds the working directory says nothing about the data
    for field in ("given_files", "small_files"):
        if was_read(storage, field) and "read" in getattr(storage, field):
            latency = getattr(storage, field)["read"].p50_ms
            if latency >= LATENCY:
                words = message(
                    "reading one small file at {path} ({kind}) takes {ms} ms",
                    "在 {path}（{kind}）读一个小文件要 {ms} ms",
                    path=storage.path,
                    kind=storage.kind,
                    ms=f"{latency:.3g}",
                )
                yield _hit(name, "latency", data, words, f"{where}.{field}[read].p50_ms", f"{where}.kind")
            break
    for field, direct in (("given_read_mbs", "given_direct"), ("read_mbs", "direct")):
        if was_read(storage, field):
            speed = getattr(storage, field)
            if speed < SLOW and getattr(storage, direct):
                words = message(
                    "large files at {path} ({kind}) are read with {speed} MB/s",
                    "在 {path}（{kind}）读大文件只有 {speed} MB/s",
                    path=storage.path,
                    kind=storage.kind,
                    speed=f"{speed:.3g}",
                )
                yield _hit(name, "bandwidth", data, words, f"{where}.{field}", f"{where}.kind")
            break


def _hit(name: str, variant: str, data: bool, summary: Message, *paths: str) -> Hit:
    return Hit(
        subject=f"storage:{name}",
        variant=variant,
        kind=Kind.TROUBLE if data else Kind.RISK,
        certainty=Certainty.LIKELY,
        summary=summary,
        because=cite(*paths),
    )
