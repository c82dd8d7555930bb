"""Does the build of torch hold code that this GPU runs, or PTX that this driver may compile?"""

from collections.abc import Iterator

from codeblue.knowledge.architectures import needs_jit, runs, too_old
from codeblue.knowledge.drivers import Reach, reach
from codeblue.knowledge.versions import older
from codeblue.matrix import builds
from codeblue.matrix.builds import Build
from codeblue.matrix.cited import rule_of
from codeblue.matrix.devices import Device, device
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import Message, message


def build_has_gpu_code(asked: Combination) -> Iterator[Judgement]:
    """Judge each GPU against the targets of the build."""
    build = builds.of(asked)
    if build is None or (build.cuda is None and not build.targets):
        return
    for part in asked.gpus:
        gpu = device(part)
        if gpu is not None:
            yield _judged(asked, build, gpu)


def _judged(asked: Combination, build: Build, gpu: Device) -> Judgement:
    answer, text, way = _answer(asked, build, gpu)
    jit = bool(build.targets) and needs_jit(gpu.cc, build.targets)
    return Judgement(
        rule="ptx-is-compiled-by-driver" if jit else "build-has-gpu-code",
        answer=answer,
        parts=("torch", "gpus", "driver") if jit else ("torch", "gpus"),
        text=text,
        sources=build.sources + gpu.sources + (rule_of("cuda_toolkits", "minor_compat") if jit else ()),
        way=way,
    )


def _answer(asked: Combination, build: Build, gpu: Device) -> tuple[Answer, Message, Message | None]:
    values = {
        "build": build.name,
        "gpu": gpu.name,
        "cc": gpu.cc,
        "has": " ".join(build.targets),
        "cuda": build.cuda or "?",
    }
    if not build.targets or (not runs(gpu.cc, build.targets) and runs(gpu.cc, build.unsure)):
        return (
            Answer.UNKNOWN,
            message(
                "whether torch {build} holds code for the {gpu} ({cc}) is not known",
                "torch {build} 是否含有 {gpu}（{cc}）的代码并不清楚",
                **values,
            ),
            None,
        )
    if not runs(gpu.cc, build.targets):
        return _without(build, gpu, values)
    if needs_jit(gpu.cc, build.targets) and build.cuda and older(build.cuda, gpu.min_cuda):
        return _libraries_too_old(values)
    if not needs_jit(gpu.cc, build.targets):
        return (
            Answer.YES,
            message(
                "torch {build} holds machine code for the {gpu} ({cc})",
                "torch {build} 含有 {gpu}（{cc}）可运行的机器码",
                **values,
            ),
            None,
        )
    return _compiled(asked, build, values)


def _without(build: Build, gpu: Device, values: dict[str, str]) -> tuple[Answer, Message, Message | None]:
    if too_old(gpu.cc, build.targets):
        text = message(
            "torch {build} holds no code for the {gpu} ({cc}), which is older than everything it was built "
            "for: {has}",
            "torch {build} 不含 {gpu}（{cc}）的代码，该 GPU 早于其全部目标架构：{has}",
            **values,
        )
        return Answer.NO, text, message("an older build", "改用更早的构建")
    text = message(
        "torch {build} holds no code for the {gpu} ({cc}), and no PTX is known in it: {has}",
        "torch {build} 不含 {gpu}（{cc}）的代码，也未见其中有 PTX：{has}",
        **values,
    )
    way = message(
        "a build with CUDA {first} or newer that names sm_{number}",
        "改用 CUDA {first} 或更新、且包含 sm_{number} 的构建",
        first=gpu.min_cuda,
        number=gpu.cc.replace(".", ""),
    )
    return Answer.NO, text, way


def _libraries_too_old(values: dict[str, str]) -> tuple[Answer, Message, Message | None]:
    """Torch's own kernels can be compiled from PTX; what its cuBLAS and cuDNN hold, no table says."""
    text = message(
        "torch {build} holds PTX that the driver can compile for the {gpu} ({cc}), but its libraries of "
        "CUDA {cuda} are older than this GPU",
        "torch {build} 含有驱动可为 {gpu}（{cc}）编译的 PTX，但其附带的 CUDA {cuda} 库早于该 GPU",
        **values,
    )
    return Answer.UNKNOWN, text, None


def _compiled(
    asked: Combination, build: Build, values: dict[str, str]
) -> tuple[Answer, Message, Message | None]:
    if asked.driver is not None and build.cuda is not None:
        values = {**values, "driver": asked.driver.value}
        if reach(asked.driver.value, build.cuda) is not Reach.OWN:
            return (
                Answer.NO,
                message(
                    "torch {build} runs on the {gpu} ({cc}) only by PTX of CUDA {cuda}, which driver "
                    "{driver} is too old to compile (error 222)",
                    "torch {build} 在 {gpu}（{cc}）上只能靠 CUDA {cuda} 的 PTX 运行，而驱动 {driver} 太旧，"
                    "无法编译它（错误 222）",
                    **values,
                ),
                message("a driver with CUDA {cuda}", "升级到支持 CUDA {cuda} 的驱动", **values),
            )
    return (
        Answer.IF,
        message(
            "torch {build} runs on the {gpu} ({cc}) by PTX: the first start compiles for minutes, and "
            "the driver must bring CUDA {cuda}",
            "torch {build} 在 {gpu}（{cc}）上靠 PTX 运行：首次启动要编译数分钟，且驱动须支持 CUDA {cuda}",
            **values,
        ),
        None,
    )
