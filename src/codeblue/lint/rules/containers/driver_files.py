"""Does an image bring driver files of its own, or a path on which the wrong ones are found?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.containers import gpu_images
from codeblue.model.config.container import ContainerRun
from codeblue.model.config.docker import Dockerfile
from codeblue.model.config.place import Place
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import Command, Word
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

MANAGERS = ("apt-get", "apt", "aptitude", "yum", "dnf", "microdnf", "zypper")
DRIVER = re.compile(
    r"(?:nvidia-(?:driver|headless|utils|dkms|kernel-(?:common|source)|compute-utils)(?:-[\w.-]+)?|cuda-drivers(?:-\d+)?"
    r"|libnvidia-(?:compute|gl|encode|decode|extra|cfg1|fbc1|common)-\d+[\w.-]*|libcuda1|libnvidia-ml1|nvidia-smi"
    r"|xserver-xorg-video-nvidia[\w-]*)(?:[:=].*)?"
)
"""Packages of the driver, with and without its branch."""
META = re.compile(r"cuda(?:-(?:runtime-|demo-suite-)?(\d+-\d+))?(?:=.*)?")
"""Packages of the toolkit that draw the driver in."""
PATHS = ("LD_LIBRARY_PATH", "LD_PRELOAD")
COMPUTE = ("compute", "all")
CAPABILITIES = frozenset(("all", "compute", "compat32", "graphics", "utility", "video", "display", "ngx"))


def installed(command: Command) -> Iterator[Word]:
    """Yield the packages that a command of a distribution's package manager installs."""
    words = [word for word in command.arguments if not word.text.startswith("-")]
    if command.name in MANAGERS and words and words[0].text in ("install", "reinstall", "in"):
        yield from words[1:]


def shipped(dockerfile: Dockerfile) -> Iterator[Command]:
    """Yield the commands of the stages that the image is made of."""
    for stage in dockerfile.line_of(dockerfile.last):
        for script in stage.scripts:
            yield from script.commands


@rule("driver-libs-inside-image")
def driver_stays_outside(dockerfile: Dockerfile) -> Iterator[Problem]:
    """The driver of the host is brought in at start; a copy in the image comes before it."""
    wsl = any("wsl-ubuntu" in script.source.text for stage in dockerfile.stages for script in stage.scripts)
    for command in shipped(dockerfile):
        for word in installed(command):
            meta = META.fullmatch(word.text) if not wsl else None
            if DRIVER.fullmatch(word.text) or meta:
                yield Problem(
                    place=word.place,
                    message=message(
                        "{package} puts files of a driver into the image; at start they collide with those "
                        "of the host",
                        "{package} 会把驱动文件装进镜像；启动时与宿主机的驱动冲突",
                        package=word.text,
                    ),
                    certainty=Certainty.LIKELY,
                    severity=Severity.WARNING,
                    fix=_toolkit_alone(word, meta) if meta else None,
                )


def _toolkit_alone(word: Word, meta: re.Match[str]) -> Fix | None:
    name = f"cuda-toolkit-{meta[1]}" if meta[1] else "cuda-toolkit"
    if "=" in word.text:
        return None
    return Fix(
        message("install {name}, which brings no driver", "改装不带驱动的 {name}", name=name),
        (Edit(word.place, name),),
    )


def _run_with(settings: Settings) -> Iterator[Setting]:
    """Yield the paths on which programs of a container look for libraries."""
    # What a script or a stage sets may be for the linker; of a Dockerfile the last stage counts.
    if settings.owner != "script" and not settings.owner.startswith("stage "):
        yield from (one for one in settings.settings if one.name in PATHS)


def _of_last(dockerfile: Dockerfile) -> Iterator[Setting]:
    yield from (one for one in dockerfile.last.settings.settings if one.name in PATHS)


@rule("libcuda-stub-loaded")
def stubs_are_for_the_linker(settings: Settings) -> Iterator[Problem]:
    """The stub of libcuda is for linking; on LD_LIBRARY_PATH programs load it."""
    yield from _stubs(_run_with(settings))


@rule("libcuda-stub-loaded")
def image_does_not_lead_to_stubs(dockerfile: Dockerfile) -> Iterator[Problem]:
    """The same in the variables of an image."""
    yield from _stubs(_of_last(dockerfile))


def _stubs(found: Iterator[Setting]) -> Iterator[Problem]:
    for one in found:
        if re.search(r"/stubs(?:/|:|$)", one.written):
            yield Problem(
                place=_place(one),
                message=message(
                    "{name} leads to the stub of libcuda, in which every call fails; for the linker it is "
                    "LIBRARY_PATH",
                    "{name} 指向 libcuda 的桩库，其中每个调用都会失败；给链接器用的变量是 LIBRARY_PATH",
                    name=one.name,
                ),
                certainty=Certainty.POSSIBLE,
                severity=Severity.WARNING,
            )


@rule("image-cuda-compat-shadows-driver")
def compat_is_not_always_first(settings: Settings) -> Iterator[Problem]:
    """A compat library on the path hides the driver's own, also where that one is newer."""
    yield from _compat(_run_with(settings))


@rule("image-cuda-compat-shadows-driver")
def image_does_not_lead_to_compat(dockerfile: Dockerfile) -> Iterator[Problem]:
    """The same in the variables of an image."""
    yield from _compat(_of_last(dockerfile))


def _compat(found: Iterator[Setting]) -> Iterator[Problem]:
    for one in found:
        if re.search(r"/cuda[\w.-]*/compat(?:/|:|$)", one.written):
            yield Problem(
                place=_place(one),
                message=message(
                    "{name} puts the libcuda of cuda-compat before the driver's, also on hosts whose driver "
                    "it does not fit",
                    "{name} 让 cuda-compat 的 libcuda 排在驱动自带的前面，在驱动与之不匹配的主机上也是如此",
                    name=one.name,
                ),
                certainty=Certainty.POSSIBLE,
                severity=Severity.WARNING,
            )


def _place(one: Setting) -> Place:
    return one.value_place or one.place


@rule("nvidia-driver-capabilities-lack-compute")
def compute_is_among_the_capabilities(dockerfile: Dockerfile) -> Iterator[Problem]:
    """An image with CUDA that asks the runtime for other libraries only."""
    base = dockerfile.line_of(dockerfile.last)[-1].base
    one = dockerfile.last.settings.last("NVIDIA_DRIVER_CAPABILITIES")
    if one is not None and gpu_images.is_made_for_gpus(base):
        yield from _capabilities(one)


@rule("nvidia-driver-capabilities-lack-compute")
def compute_is_among_those_of_a_run(run: ContainerRun) -> Iterator[Problem]:
    """The same where a container with GPUs is started."""
    one = run.settings.last("NVIDIA_DRIVER_CAPABILITIES")
    if one is not None and run.image is not None and gpu_images.is_made_for_gpus(run.image):
        yield from _capabilities(one)


def _capabilities(one: Setting) -> Iterator[Problem]:
    value = (one.value or "").strip("\"'")
    names = [name.strip() for name in value.split(",") if name.strip()]
    unknown = [name for name in names if name not in CAPABILITIES]
    if not names or any(name in COMPUTE for name in names):
        return
    yield Problem(
        place=one.value_place or one.place,
        message=message(
            "{name}={value} leaves compute out: the container gets no libcuda",
            "{name}={value} 缺少 compute：容器得不到 libcuda",
            name=one.name,
            value=value,
        ),
        certainty=Certainty.CERTAIN if unknown else Certainty.LIKELY,
        fix=Fix(
            message("add compute", "加上 compute"),
            (Edit(one.value_place.start, "compute,"),),
        )
        if one.value_place is not None and not unknown and value == one.written
        else None,
    )


RULES = (
    driver_stays_outside,
    stubs_are_for_the_linker,
    image_does_not_lead_to_stubs,
    compat_is_not_always_first,
    image_does_not_lead_to_compat,
    compute_is_among_the_capabilities,
    compute_is_among_those_of_a_run,
)
