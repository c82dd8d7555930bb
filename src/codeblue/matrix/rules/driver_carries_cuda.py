"""Does the driver run programs of this CUDA: by itself, by minor-version compatibility, by cuda-compat?"""

from collections.abc import Iterator
from typing import NamedTuple

from codeblue.knowledge.drivers import Reach, base_of_compat, branch_row, cuda_of, minimum, newest_for, reach
from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import branch, older, parts
from codeblue.matrix import builds
from codeblue.matrix.cited import cited, rule_of
from codeblue.matrix.devices import device
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement, Source
from codeblue.model.text import Message, message

SERVERS = frozenset({"datacenter", "superchip"})
"""Classes of GPUs on which cuda-compat works; elsewhere it ends with error 804."""


class Wanted(NamedTuple):
    """A CUDA version that the driver must carry, and for whom."""

    part: str
    who: str
    cuda: str


def wanted(asked: Combination) -> Iterator[Wanted]:
    """Yield every CUDA version that something in the combination was built with."""
    build = builds.of(asked)
    if build is not None and build.cuda is not None:
        yield Wanted("torch", f"torch {build.name}", build.cuda)
    if asked.cuda is not None:
        yield Wanted("cuda", asked.cuda.origin, asked.cuda.value)


def driver_carries_cuda(asked: Combination) -> Iterator[Judgement]:
    """Judge each CUDA version against the driver."""
    if asked.driver is None:
        return
    for one in wanted(asked):
        yield _judged(asked, asked.driver.value, one._replace(cuda=_minor(one.cuda)))


def _minor(cuda: str) -> str:
    major, minor = (*parts(cuda), 0)[:2]
    return f"{major}.{minor}"


def _judged(asked: Combination, driver: str, one: Wanted) -> Judgement:
    how = reach(driver, one.cuda)
    if how is Reach.TOO_OLD:
        return _with_compat(asked, driver, one)
    answers = {Reach.OWN: Answer.YES, Reach.MINOR: Answer.IF, Reach.MINOR_FROM: Answer.IF}
    return Judgement(
        rule="minor-version-compatibility" if how in (Reach.MINOR, Reach.MINOR_FROM) else "driver-runs-cuda",
        answer=answers.get(how, Answer.UNKNOWN),
        parts=("driver", one.part),
        text=_words(how, driver, one),
        sources=_sources(driver, one.cuda, how),
    )


def _words(how: Reach, driver: str, one: Wanted) -> Message:
    values = {"driver": driver, "who": one.who, "cuda": one.cuda, "own": cuda_of(driver) or "?"}
    if how is Reach.OWN:
        return message(
            "driver {driver} brings CUDA {own}, and {who} needs {cuda}",
            "驱动 {driver} 自带 CUDA {own}，{who} 需要 {cuda}",
            **values,
        )
    if how is Reach.UNKNOWN:
        return message(
            "no table knows whether driver {driver} runs CUDA {cuda}, which {who} needs",
            "表中没有数据说明驱动 {driver} 能否运行 {who} 所需的 CUDA {cuda}",
            **values,
        )
    floor = minimum(one.cuda) or "?"
    if how is Reach.MINOR:
        return message(
            "driver {driver} (CUDA {own}) runs {who} (CUDA {cuda}) by minor-version compatibility, which "
            "begins at {floor}: PTX of CUDA {cuda} is not compiled at run time (error 222), and features "
            "of newer drivers are missing",
            "驱动 {driver}（CUDA {own}）借助次版本兼容运行 {who}（CUDA {cuda}），该兼容自 {floor} 起："
            "运行时不能编译 CUDA {cuda} 的 PTX（错误 222），也没有更新驱动的功能",
            **values,
            floor=floor,
        )
    return message(
        "branch {driver} runs {who} (CUDA {cuda}) by minor-version compatibility from release {floor} on",
        "{driver} 分支自 {floor} 版起借助次版本兼容运行 {who}（CUDA {cuda}）",
        **values,
        floor=floor,
    )


def _sources(driver: str, cuda: str, how: Reach) -> tuple[Source, ...]:
    row, toolkit = branch_row(driver), by_key("cuda_toolkits", "version").get(cuda)
    found = cited("drivers", branch(driver), row) + cited("cuda_toolkits", cuda, toolkit)
    return found + (rule_of("cuda_toolkits", "minor_compat") if how is not Reach.OWN else ())


def _with_compat(asked: Combination, driver: str, one: Wanted) -> Judgement:
    """Judge a driver that is too old by itself: the cuda-compat package may carry it."""
    package = f"cuda-compat-{one.cuda.replace('.', '-')}"
    installed = asked.compat is not None and not older(asked.compat.value, one.cuda)
    allowed = _compat_allowed(asked, driver, one.cuda)
    floor = minimum(one.cuda)
    values = {
        "driver": driver,
        "who": one.who,
        "cuda": one.cuda,
        "own": cuda_of(driver) or "?",
        "package": package,
        "floor": floor or "-",
        "newest": newest_for(driver) or "?",
    }
    sources = _sources(driver, one.cuda, Reach.TOO_OLD) + rule_of("cuda_toolkits", "forward_compat")
    if installed and allowed is not False:
        return Judgement(
            rule="forward-compatibility",
            answer=Answer.IF if allowed else Answer.UNKNOWN,
            parts=("driver", one.part, "compat", "gpus"),
            text=message(
                "{package} carries {who} on the older driver {driver}: only on data-centre GPUs and the "
                "listed branches",
                "{package} 让 {who} 在较旧的驱动 {driver} 上运行：仅限数据中心 GPU 和列出的驱动分支",
                **values,
            ),
            sources=sources,
        )
    return Judgement(
        rule="driver-runs-cuda",
        answer=Answer.NO,
        parts=("driver", one.part),
        text=message(
            "{who} needs CUDA {cuda}; driver {driver} brings {own}, and minor-version compatibility begins "
            "at {floor}",
            "{who} 需要 CUDA {cuda}；驱动 {driver} 自带 {own}，而次版本兼容自 {floor} 起",
            **values,
        ),
        sources=sources,
        way=_way(allowed, values),
    )


def _way(allowed: bool | None, values: dict[str, str]) -> Message:
    if allowed:
        return message(
            "driver {floor} or newer, or install {package} (supported for this GPU and branch)",
            "升级到 {floor} 或更新的驱动，或安装 {package}（该 GPU 与驱动分支受支持）",
            **values,
        )
    return message(
        "driver {floor} or newer, or a build with CUDA {newest} or older",
        "升级到 {floor} 或更新的驱动，或改用 CUDA {newest} 或更旧的构建",
        **values,
    )


def _compat_allowed(asked: Combination, driver: str, cuda: str) -> bool | None:
    """Return whether cuda-compat of this CUDA may be used here; None if that is not known."""
    known = [device(part) for part in asked.gpus]
    classes = [one.classes for one in known if one is not None and one.classes]
    if any(not found & SERVERS for found in classes):
        return False
    base = base_of_compat(driver, cuda)
    if base is False:
        return False
    if base is None or len(classes) < len(asked.gpus) or not classes:
        return None
    return all(found <= SERVERS for found in classes) or None
