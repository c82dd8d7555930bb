"""Do cuDNN, NCCL and TensorRT fit the build, the GPU and the driver?"""

from collections.abc import Iterator
from typing import Any

from codeblue.knowledge.cudnn import line_of
from codeblue.knowledge.drivers import Reach, reach
from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import older, parts
from codeblue.knowledge.wheels import local, plain
from codeblue.matrix import builds
from codeblue.matrix.cited import cited, trusted
from codeblue.matrix.devices import device
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message

LAST_WITH_8 = "2.3"
"""Last minor release of torch that binds libcudnn.so.8; the next binds libcudnn.so.9."""
FLOORS = {"cu11": "450.80.02", "cu12": "525.60.13", "cu13": "580.65.06"}
"""Drivers from which TensorRT of a CUDA flavour starts; source: notes of the table tensorrt."""
SHIM_TO_CU13 = "10.13.2"
"""First TensorRT whose plain package requires the cu13 flavour; source: as above."""


def cudnn_fits(asked: Combination) -> Iterator[Judgement]:
    """Judge a cuDNN that is named, or else the one that torch brings, where it has dropped the GPU."""
    if asked.cudnn is None:
        yield from _brought(asked)
        return
    if asked.torch is not None:
        yield from _bound(asked, asked.cudnn.value)
        yield from _older(builds.of(asked), asked.cudnn)
    yield from _on_gpus(asked, asked.cudnn.value)


def _brought(asked: Combination) -> Iterator[Judgement]:
    build = builds.of(asked)
    if build is not None and build.cudnn is not None:
        yield from (one for one in _on_gpus(asked, build.cudnn) if one.answer is Answer.NO)


def _on_gpus(asked: Combination, version: str) -> Iterator[Judgement]:
    line = line_of(version)
    for part in asked.gpus if line else ():
        gpu = device(part)
        if gpu is not None and line is not None and line.trusted:
            yield _supports(version, gpu.name, gpu.cc, line.first, line.last, line.row)


def _bound(asked: Combination, version: str) -> Iterator[Judgement]:
    """Judge the major version, which is part of the name of the library."""
    assert asked.torch is not None
    if parts(asked.torch.value) < parts("1.13") or asked.targets:
        return
    needs = 8 if not older(LAST_WITH_8, ".".join(map(str, parts(asked.torch.value)[:2]))) else 9
    build = builds.of(asked)
    fits = parts(version)[0] == needs
    yield Judgement(
        rule="cudnn-major",
        answer=Answer.YES if fits else Answer.NO,
        parts=("cudnn", "torch"),
        text=message(
            "torch {torch} binds cuDNN {needs}; {version} is named",
            "torch {torch} 绑定 cuDNN {needs}；给出的是 {version}",
            torch=asked.torch.value,
            needs=needs,
            version=version,
        ),
        sources=build.sources if build else (),
        way=None if fits else message("leave cuDNN to the wheel", "由 wheel 自带 cuDNN"),
    )
    if fits and build is not None and build.cudnn is not None and asked.cudnn is not None:
        yield from _pinned("cudnn", build, build.cudnn, asked.cudnn)


def _older(build: builds.Build | None, cudnn: Part) -> Iterator[Judgement]:
    """Judge the minor version: torch refuses one that is older than that which it was compiled with.

    Source: torch.backends.cudnn, which compares them at first use; newer ones of the major version serve.
    """
    if build is None or build.cudnn is None or not _is_minor_older(cudnn.value, build.cudnn):
        return
    yield Judgement(
        rule="cudnn-not-older",
        answer=Answer.NO,
        parts=("cudnn", "torch"),
        text=message(
            "torch {torch} was compiled with cuDNN {wanted} and refuses the older {version}",
            "torch {torch} 用 cuDNN {wanted} 编译，会拒绝更旧的 {version}",
            torch=build.name,
            wanted=build.cudnn,
            version=cudnn.value,
        ),
        sources=build.sources,
        way=message("leave cuDNN to the wheel", "由 wheel 自带 cuDNN"),
    )


def _is_minor_older(version: str, wanted: str) -> bool:
    here, there = parts(version), parts(wanted)
    return here[0] == there[0] and len(here) > 1 and here[1] < there[1]


def _pinned(name: str, build: builds.Build, wanted: str, part: Part) -> Iterator[Judgement]:
    """Judge a distribution that the wheel pins: pip refuses any other version of it."""
    version = part.value
    if not part.distribution or _same(wanted, version):
        return
    yield Judgement(
        rule=f"{name}-pin",
        answer=Answer.NO,
        parts=(name, "torch"),
        text=message(
            "torch {torch} requires {name} {wanted}; {version} is asked for",
            "torch {torch} 要求 {name} {wanted}；却要求安装 {version}",
            torch=build.name,
            name=name,
            wanted=wanted,
            version=version,
        ),
        sources=build.sources,
        way=message("leave the pin out", "去掉这个固定版本"),
    )


def _same(one: str, other: str) -> bool:
    shorter = min(len(parts(one)), len(parts(other)))
    return parts(one)[:shorter] == parts(other)[:shorter]


def _supports(version: str, gpu: str, cc: str, first: str, last: str, row: dict[str, Any]) -> Judgement:
    late = older(last, cc)
    # Machine code runs on later GPUs of the same major, so a list that ends earlier decides nothing there.
    later = late and parts(last)[0] == parts(cc)[0]
    return Judgement(
        rule="cudnn-supports-gpu",
        answer=Answer.UNKNOWN if later else Answer.NO if late or older(cc, first) else Answer.YES,
        parts=("cudnn", "gpus"),
        text=message(
            "cuDNN {version} supports compute capabilities {first} to {last}; the {gpu} has {cc}",
            "cuDNN {version} 支持计算能力 {first} 至 {last}；{gpu} 为 {cc}",
            version=version,
            first=first,
            last=last,
            gpu=gpu,
            cc=cc,
        ),
        sources=cited("cudnn", row["versions"], row),
    )


def nccl_fits(asked: Combination) -> Iterator[Judgement]:
    """Judge an NCCL that is asked for besides the one that the wheel pins."""
    build = builds.of(asked)
    if asked.nccl is not None and build is not None and build.nccl is not None:
        yield from _pinned("nccl", build, build.nccl, asked.nccl)


def tensorrt_fits(asked: Combination) -> Iterator[Judgement]:
    """Judge TensorRT against the driver and the GPU."""
    if asked.tensorrt is None:
        return
    version = plain(asked.tensorrt.value)
    row = _tensorrt_row(version)
    if row is None or _flavour(asked.tensorrt.value) not in FLOORS:
        yield Judgement(
            rule="tensorrt-exists",
            answer=Answer.UNKNOWN,
            parts=("tensorrt",),
            text=message(
                "no table knows TensorRT {version}",
                "表中没有 TensorRT {version} 的数据",
                version=asked.tensorrt.value,
            ),
        )
        return
    if asked.driver is not None:
        yield _tensorrt_driver(asked.driver.value, asked.tensorrt.value, row)
    for part in asked.gpus:
        gpu = device(part)
        if gpu is not None:
            yield _tensorrt_gpu(version, gpu.name, gpu.cc, row)


def _tensorrt_row(version: str) -> dict[str, Any] | None:
    return next((row for row in table("tensorrt")["rows"] if _same(row["version"], version)), None)


def _flavour(version: str) -> str:
    """Return the CUDA flavour of a package: named, or what the plain package requires."""
    if local(version):
        return local(version)
    if older(version, "8.6"):
        return "cu11"
    return "cu12" if older(version, SHIM_TO_CU13) else "cu13"


def _tensorrt_driver(driver: str, version: str, row: dict[str, Any]) -> Judgement:
    flavour = _flavour(version)
    floor = FLOORS[flavour]
    how = reach(driver, {"cu11": "11.0", "cu12": "12.0", "cu13": "13.0"}[flavour])
    fits = how in (Reach.OWN, Reach.MINOR)
    return Judgement(
        rule="tensorrt-driver",
        answer=Answer.YES if fits else Answer.NO if how is Reach.TOO_OLD else Answer.UNKNOWN,
        parts=("tensorrt", "driver"),
        text=message(
            "TensorRT {version} is built for {flavour}, which needs driver {floor}; here is {driver}",
            "TensorRT {version} 为 {flavour} 构建，需要驱动 {floor}；此处为 {driver}",
            version=plain(version),
            flavour=flavour,
            floor=floor,
            driver=driver,
        ),
        sources=cited("tensorrt", row["version"], row),
        way=None
        if fits
        else message(
            "driver {floor} or newer, or the package of an older CUDA (tensorrt-cu12)",
            "升级到 {floor} 或更新的驱动，或改用较旧 CUDA 的包（tensorrt-cu12）",
            floor=floor,
        ),
    )


def _tensorrt_gpu(version: str, gpu: str, cc: str, row: dict[str, Any]) -> Judgement:
    fits = not older(cc, row["cc_min"])
    sure = trusted(row, "cc_min")
    return Judgement(
        rule="tensorrt-supports-gpu",
        answer=(Answer.YES if fits else Answer.NO) if sure else Answer.UNKNOWN,
        parts=("tensorrt", "gpus"),
        text=message(
            "TensorRT {version} supports compute capability {first} and newer; the {gpu} has {cc}",
            "TensorRT {version} 支持计算能力 {first} 及更新的 GPU；{gpu} 为 {cc}",
            version=version,
            first=row["cc_min"],
            gpu=gpu,
            cc=cc,
        ),
        sources=cited("tensorrt", row["version"], row),
    )
