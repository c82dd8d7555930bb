"""Does the driver drive this GPU, and with which kernel modules?"""

from collections.abc import Iterator

from codeblue.knowledge.drivers import branch_row, cuda_of, oldest_cuda
from codeblue.knowledge.versions import branch, older
from codeblue.matrix.cited import cited, rule_of
from codeblue.matrix.devices import Device, device
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import Message, message

OPEN_BY_DEFAULT = 560
"""First branch whose installer takes the open modules if nothing else is asked."""


def driver_drives_gpu(asked: Combination) -> Iterator[Judgement]:
    """Judge each GPU against the range of branches that drive it."""
    for part in asked.gpus:
        known = device(part)
        if known is None:
            yield Judgement(
                rule="driver-drives-gpu",
                answer=Answer.UNKNOWN,
                parts=("gpus",),
                text=message("no table knows the GPU {name}", "表中没有 GPU {name} 的数据", name=part.value),
            )
        elif asked.driver is not None:
            yield _driven(known, asked.driver.value)


def _driven(gpu: Device, driver: str) -> Judgement:
    answer, text, way = _answer(gpu, driver)
    return Judgement(
        rule="driver-drives-gpu",
        answer=answer,
        parts=("driver", "gpus"),
        text=text,
        sources=gpu.sources + cited("drivers", branch(driver), branch_row(driver)),
        way=way,
    )


def _answer(gpu: Device, driver: str) -> tuple[Answer, Message, Message | None]:
    values = {"gpu": gpu.name, "driver": driver, "arch": gpu.arch}
    number = branch(driver)
    if gpu.last_branch is not None and number > gpu.last_branch:
        return (
            Answer.NO,
            message(
                "driver {driver} does not drive the {gpu} any more; {last} is the last branch for {arch}",
                "驱动 {driver} 已不再支持 {gpu}；{arch} 的最后一个分支是 {last}",
                **values,
                last=gpu.last_branch,
            ),
            message("driver branch {last}", "使用 {last} 分支的驱动", last=gpu.last_branch),
        )
    own = cuda_of(driver)
    if own is None and gpu.first_branch is None and older(gpu.min_cuda, oldest_cuda()):
        return _before_tables(values)
    early = gpu.first_branch is not None and number < gpu.first_branch
    before = own is None or older(own, gpu.min_cuda)
    if not early and not (before and gpu.first_branch is None):
        return (
            Answer.YES,
            message("driver {driver} drives the {gpu}", "驱动 {driver} 支持 {gpu}", **values),
            None,
        )
    first = gpu.first_branch or f"CUDA {gpu.min_cuda}"
    if before:
        return (
            Answer.NO,
            message(
                "driver {driver} is older than the {gpu}; the first branch for it is {first}",
                "驱动 {driver} 早于 {gpu}；支持它的第一个分支是 {first}",
                **values,
                first=first,
            ),
            message("driver branch {first} or newer", "使用 {first} 或更新分支的驱动", first=first),
        )
    return (
        Answer.UNKNOWN,
        message(
            "branch {first} is the first known to list the {gpu}; whether {driver} drives it is not known",
            "已知最早列出 {gpu} 的分支是 {first}；{driver} 是否支持它并不清楚",
            **values,
            first=first,
        ),
        None,
    )


def _before_tables(values: dict[str, str]) -> tuple[Answer, Message, Message | None]:
    text = message(
        "driver {driver} is older than the tables; whether it drives the {gpu} is not known",
        "驱动 {driver} 早于表中数据；是否支持 {gpu} 并不清楚",
        **values,
    )
    return Answer.UNKNOWN, text, None


def kernel_modules(asked: Combination) -> Iterator[Judgement]:
    """Judge the flavour of the kernel modules, or name the one that is needed."""
    for part in asked.gpus:
        gpu = device(part)
        if gpu is None or asked.driver is None or len(gpu.modules) != 1:
            continue
        needs = {"required": "open", "unsupported": "proprietary"}.get(next(iter(gpu.modules)))
        if needs is not None:
            yield from _flavour(asked, gpu, needs, asked.driver.value)


def _flavour(asked: Combination, gpu: Device, needs: str, driver: str) -> Iterator[Judgement]:
    rule = "open_modules_required" if needs == "open" else "open_modules_unsupported"
    if asked.kernel_modules is None and needs == "proprietary" and branch(driver) < OPEN_BY_DEFAULT:
        return
    has = asked.kernel_modules.value if asked.kernel_modules else None
    answer = Answer.IF if has is None else Answer.YES if has == needs else Answer.NO
    yield Judgement(
        rule="kernel-modules",
        answer=answer,
        parts=("gpus", "kernel_modules") if has else ("gpus", "driver"),
        text=_module_words(gpu, needs, has),
        sources=gpu.sources + rule_of("drivers", rule),
        way=message("install the {needs} kernel modules", "安装 {needs} 内核模块", needs=needs)
        if answer is Answer.NO
        else None,
    )


def _module_words(gpu: Device, needs: str, has: str | None) -> Message:
    if has is not None and has != needs:
        return message(
            "the {gpu} works with the {needs} kernel modules only; the {has} ones are installed",
            "{gpu} 只能使用 {needs} 内核模块；当前安装的是 {has} 内核模块",
            gpu=gpu.name,
            needs=needs,
            has=has,
        )
    return message(
        "the {gpu} works with the {needs} kernel modules only",
        "{gpu} 只能使用 {needs} 内核模块",
        gpu=gpu.name,
        needs=needs,
    )
