"""How fast the machine feeds a job."""

from collections.abc import Iterator

from codeblue.model.facts import Latency, LoaderTried, Storage
from codeblue.model.measure import Better, Measure
from codeblue.model.section import State, was_read
from codeblue.model.snapshot import View
from codeblue.model.text import Message, message

SETS = {
    "decode": message("decoded samples", "需解码的样本"),
    "memory": message("samples in memory", "内存样本"),
    "pinned": message("samples to the GPU", "送到 GPU 的样本"),
}
OPERATIONS = {
    "create": message("create a small file", "创建小文件"),
    "stat": message("stat of a small file", "小文件 stat"),
    "read": message("read of a small file", "读小文件"),
}


def measures(view: View) -> Iterator[Measure]:
    """Yield what processors, DataLoader, shared memory and file systems gave."""
    trial = view.loader_trial
    for row in trial.devices.values() if trial.state is State.READ else ():
        if was_read(row, "processors"):
            yield from _processors(row)
        if was_read(row, "feeds"):
            yield from _feeds(row)
        if was_read(row, "shm") and was_read(row.shm, "write_mbs"):
            yield _speed("shm", "write-mbs", message("write", "写"), row.shm.write_mbs)
            yield _speed("shm", "read-mbs", message("read", "读"), row.shm.read_mbs)
        if was_read(row, "storage"):
            for name, storage in row.storage.items():
                yield from _storage(name, storage)


def _processors(row: LoaderTried) -> Iterator[Measure]:
    if was_read(row.processors, "effective"):
        yield Measure(
            trial="loader",
            subject="cpus",
            key="effective-cpus",
            name=message("processors delivered", "实得处理器"),
            value=row.processors.effective,
            unit="CPU",
            note=message("{allowed} allowed", "允许使用 {allowed} 个", allowed=row.processors.allowed),
        )


def _feeds(row: LoaderTried) -> Iterator[Measure]:
    for kind, rows in row.feeds.items():
        for workers, feed in rows.items():
            if not was_read(feed, "samples_per_second"):
                continue
            yield Measure(
                trial="loader",
                subject=f"workers:{workers}",
                key=f"{kind}-samples",
                name=SETS.get(kind, message("{kind}", "{kind}", kind=kind)),
                value=feed.samples_per_second,
                unit="samples/s",
                note=message(
                    "{mbs} MB/s, starts in {seconds} s",
                    "{mbs} MB/s，启动 {seconds} s",
                    mbs=f"{feed.mbs:.0f}",
                    seconds=f"{feed.first_seconds:.2f}",
                ),
            )


def _storage(name: str, storage: Storage) -> Iterator[Measure]:
    where = f"storage:{name}"
    kind = storage.kind or "?" if was_read(storage, "kind") else "?"
    for field, prefix in (("given_files", "data-"), ("small_files", "")):
        if was_read(storage, field):
            times: dict[str, Latency] = getattr(storage, field)
            for operation, latency in times.items():
                yield _latency(where, f"{prefix}{operation}-ms", OPERATIONS[operation], latency, kind)
    if was_read(storage, "given_read_mbs"):
        read = message("read of the data", "读数据")
        yield _speed(where, "data-read-mbs", read, storage.given_read_mbs, _cached(storage.given_direct))
    if was_read(storage, "write_mbs"):
        written = message("write and fsync", "写入并 fsync")
        yield _speed(where, "write-mbs", written, storage.write_mbs)
        read = message("read", "读")
        yield _speed(where, "read-mbs", read, storage.read_mbs, _cached(storage.direct))


def _latency(where: str, key: str, name: Message, latency: Latency, kind: str) -> Measure:
    return Measure(
        trial="loader",
        subject=where,
        key=key,
        name=name,
        value=latency.p50_ms,
        unit="ms",
        better=Better.LOWER,
        note=message(
            "{kind}, p99 {slow} ms",
            "{kind}，p99 {slow} ms",
            kind=kind,
            slow=f"{latency.p99_ms:.3g}",
        ),
    )


def _speed(where: str, key: str, name: Message, value: float, note: Message | None = None) -> Measure:
    return Measure(trial="loader", subject=where, key=key, name=name, value=value, unit="MB/s", note=note)


def _cached(direct: bool) -> Message | None:
    return None if direct else message("from the page cache", "来自页缓存")
