"""What the image asks of the driver, and whether the container toolkit is safe."""

from collections.abc import Iterator

from codeblue.knowledge.drivers import cuda_of
from codeblue.knowledge.require_cuda import Condition, alternatives
from codeblue.knowledge.support import toolkit_floor, toolkit_holes
from codeblue.knowledge.versions import parts
from codeblue.matrix.cited import cited, rule_of
from codeblue.matrix.devices import device
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message

BRANDS = {"datacenter": "tesla", "superchip": "tesla", "consumer": "geforce"}
"""How the container library calls the classes of GPUs that have one brand."""


def requirement_of_image(asked: Combination) -> Iterator[Judgement]:
    """Judge NVIDIA_REQUIRE_CUDA as the container library does: one alternative must hold."""
    if asked.require_cuda is None or asked.driver is None:
        return
    text, driver = asked.require_cuda.value, asked.driver.value
    answers = [_holds(one, asked, driver) for one in alternatives(text)]
    if not answers:
        return
    answer = Answer.YES if True in answers else Answer.UNKNOWN if None in answers else Answer.NO
    short = text if len(text) <= 60 else f"{text[:57]}..."
    values = {"driver": driver, "text": short, "own": cuda_of(driver) or "?"}
    words = {
        Answer.YES: message("the image accepts driver {driver}", "镜像接受驱动 {driver}", **values),
        Answer.UNKNOWN: message(
            "whether the image accepts driver {driver} depends on the brand of the GPU: {text}",
            "镜像是否接受驱动 {driver} 取决于 GPU 的品牌：{text}",
            **values,
        ),
        Answer.NO: message(
            "the image asks for {text}; driver {driver} with CUDA {own} does not meet it, and the container "
            "is refused",
            "镜像要求 {text}；驱动 {driver}（CUDA {own}）不满足，容器会被拒绝启动",
            **values,
        ),
    }
    yield Judgement(
        rule="image-requires-cuda",
        answer=answer,
        parts=("require_cuda", "driver", "gpus"),
        text=words[answer],
        sources=rule_of("cuda_toolkits", "require_cuda"),
        way=message(
            "a newer driver, an older image, or NVIDIA_DISABLE_REQUIRE=1 where cuda-compat is known to work",
            "升级驱动、改用较旧的镜像，或在确知 cuda-compat 可用时设置 NVIDIA_DISABLE_REQUIRE=1",
        )
        if answer is Answer.NO
        else None,
    )


def _holds(conditions: list[Condition], asked: Combination, driver: str) -> bool | None:
    """Return whether all conditions hold; None if one of them cannot be told and none fails."""
    answers = [_condition(one, asked, driver) for one in conditions]
    if False in answers:
        return False
    return None if None in answers else True


def _condition(one: Condition, asked: Combination, driver: str) -> bool | None:
    if not one.comparable:
        return None
    if one.name == "brand":
        return _brand(one, asked)
    if one.name == "arch":
        found = [device(part) for part in asked.gpus]
        return all(one.met_by(gpu.cc) for gpu in found if gpu) if found and all(found) else None
    if one.name == "cuda":
        own = cuda_of(driver)
        return one.met_by(own) if own else None
    if one.name == "driver":
        return one.met_by(driver) if len(parts(driver)) > 1 else one.met_by(f"{driver}.999")
    return None


def _brand(one: Condition, asked: Combination) -> bool | None:
    found = [device(part) for part in asked.gpus]
    brands = {BRANDS.get(kind) for gpu in found if gpu for kind in gpu.classes}
    if not brands or None in brands:
        return None
    return all(one.met_by(brand or "") for brand in brands)


def toolkit_is_safe(asked: Combination) -> Iterator[Judgement]:
    """Note published holes of the container toolkit."""
    if asked.toolkit is None:
        return
    version = asked.toolkit.value
    holes = toolkit_holes(version)
    if not holes:
        return
    worst = holes[0]
    yield Judgement(
        rule="container-toolkit-security-floor",
        answer=Answer.NOTE,
        parts=("toolkit",),
        text=message(
            "container toolkit {version} has {count} published holes, the worst {id}; {safe} closes them",
            "容器工具包 {version} 有 {count} 个已公开的漏洞，最严重的是 {id}；{safe} 修复了它们",
            version=version,
            count=len(holes),
            id=worst["id"],
            safe=toolkit_floor(),
        ),
        sources=cited("container_toolkit", worst["id"], worst),
    )
