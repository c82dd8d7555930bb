"""
## What it means
The engine was told to mount a driver library whose name carries a release that is no longer installed.
A CDI specification lists files by their full names, and it is a picture of the day it was made.

## Why it happens
The driver was updated, often by an unattended upgrade, and the file in `/etc/cdi` was not made again.
The same happens to containers that were created earlier: podman and docker write the mounts into the
container, so an old container fails even with a fresh file. A change of the MIG layout makes the file
stale as well.

## When it is not a fault
A library missing inside the container at run time is another fault; here the engine fails before
anything of the container runs. If the named file exists, look for a mount or permission problem
instead.

## What to do
Generate the file again and compare its version with `/proc/driver/nvidia/version`. If that version
itself is the older one, the module was not reloaded since the update: reboot first. Create the
container anew; `podman start` of an old one keeps the old list. To be safe in future enable
`nvidia-cdi-refresh.path` (toolkit 1.18 and newer; it writes to `/var/run/cdi`, does not follow changes of
the MIG layout, and leaves your file in `/etc/cdi` as it is), or use the `nvidia` runtime, which looks the
files up at every start.

## How safe the fix is
The file is replaced, nothing else, and the former one can be put back. Containers that run are not touched.
Do not link the missing names to the new files: that hides the next
mismatch.
"""

from collections.abc import Iterator

from codeblue.faults.container.host_engine import gpu_specs, requests_gpus
from codeblue.model.facts import Container, ContainerRun, Driver, Engine
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

LAST_WORD = "/var/run/cdi/"
"""Engines let later folders win; this one is searched last."""
YAML = (".yaml", ".yml")
"""JSON is not what the program writes by itself: whoever made such a file knows how."""
FOLDERS = ("/etc/cdi/", "/run/cdi/", LAST_WORD)


def generate(path: str) -> Remedy:
    """Let NVIDIA's program write this specification anew."""
    return Remedy(
        message("generate {path} again", "重新生成 {path}", path=path),
        (
            Step(
                Verb.CDI_GENERATE,
                message(
                    "it lists the files of the driver that is installed now",
                    "它会列出当前安装的驱动的文件",
                ),
                {"path": path},
            ),
        ),
        Automation.APPROVAL,
        Undo.EXACT,
    )


@fault(
    "cdi-spec-stale-after-driver-update",
    title=Text("The CDI specification still names files of an earlier driver", "CDI 规格仍指向旧驱动的文件"),
    layer=Layer.CONTAINER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "container-started-without-nvidia-runtime",
        "cdi-spec-not-found",
        "driver-upgraded-without-reboot",
    ),
    references=(
        Reference(
            "NVIDIA Container Toolkit: CDI support",
            "https://docs.nvidia.com/datacenter/cloud-native/container-toolkit/latest/cdi-support.html",
            "2026-11-30",
        ),
        Reference(
            "NVIDIA/nvidia-container-toolkit#450: file of the previous driver",
            "https://github.com/NVIDIA/nvidia-container-toolkit/issues/450",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "No such file",
            (
                r"(?:cannot stat|error stat.ing file|crun: open|failed to open) .?(?P<file>/\S*lib(?:n"
                r"vidia|cuda|EGL_nvidia|GLX_nvidia|GLES|nvcuvid|nvoptix)[\w.-]*\.so\.(?P<version>\d{3}"
                r"\.\d[\d.]*)).?: No such file"
            ),
        ),
        Signature(
            "no such file or directory",
            (
                r'error mounting "(?P<file>/\S*lib(?:nvidia|cuda|EGL_nvidia|GLX_nvidia|GLES|'
                r'nvcuvid|nvoptix)[\w.-]*\.so\.(?P<version>\d{3}\.\d[\d.]*))" to rootfs.*no '
                r"such file or directory"
            ),
        ),
        Signature(
            "No such file",
            (
                r"(?:cannot stat|error stat.ing file|crun: open) .?(?P<file>/\S*libnvidia-[\w-]+\.so\."
                r"\d+\.\d+\.\d+).?: No such file"
            ),
            Certainty.LIKELY,
        ),
        Signature(
            "failed to fulfil mount request: open ",
            (
                r"failed to fulfil mount request: open (?P<file>/\S*lib(?:nvidia|cuda)[\w-]*\.so\.(?P<"
                r"version>\d{3}\.\d[\d.]*)): no such file"
            ),
            Certainty.LIKELY,
        ),
    ),
    clues=(
        Clue(
            all=(
                r"\bCDI\b|nvidia\.yaml|nvidia-ctk cdi|nvidia\.com/gpu=|cdi ?规格",
                "(?:driver|nvidia).{0,30}(?:upgrad|updat|new|chang)|(?:upgrad"
                r"|updat)\w*.{0,30}(?:driver|nvidia)|(?:old|previous|earlier|former) (?:driver|version"
                "|file|release)|regenerat|re-?run.{0,20}generate|generate.{0,20}again|stale|outdated"
                "|驱动.{0,6}(?:升级|更新)|(?:升级|更新).{0,6}驱动|旧版|旧驱动|旧的|重新生成",
                r"no such file|cannot stat|not found|fail|error|mismatch|missing|stat\b|失败|报错"
                "|找不到|不存在",
            ),
            none=("unresolvable",),
        ),
        Clue(
            all=(
                r"(?:cannot stat|failed to stat|stat|open|mount\w*|No such file).{0,60}/lib(?:cuda"
                r"|nvidia-[\w-]+|EGL_nvidia|GLX_nvidia|nvcuvid)\.so\.\d{3}\.\d+",
                r"CDI|podman|crun|nvidia\.com/gpu|cdi",
            ),
        ),
    ),
    remedy=Remedy(
        message("generate the specification again", "重新生成规格"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml",
                    "sudo nvidia-ctk cdi generate --output=/etc/cdi/nvidia.yaml",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command=(
        "grep -oE 'so\\.[0-9]+\\.[0-9.]+' /etc/cdi/nvidia.yaml | sort | uniq -c; cat /proc/driver/nvi"
        "dia/version"
    ),
)
def cdi_spec_stale_after_driver_update(
    engine: Engine, container: Container | None, driver: Driver, run: ContainerRun | None = None
) -> Iterator[Hit]:
    if container is not None:
        return
    asked = run is not None and requests_gpus(run)
    only_way = "docker" not in engine.programs
    for path in _in_use(engine):
        spec = engine.cdi_specs[path]
        if not spec.missing or driver.module_version in spec.driver_versions:
            continue
        yield Hit(
            subject=f"file:{path}",
            summary=message(
                "{path} names files of driver {old} that are gone; driver {version} is loaded",
                "{path} 指向驱动 {old} 的文件，而它们已不存在；当前加载的驱动是 {version}",
                path=path,
                old=", ".join(spec.driver_versions),
                version=driver.module_version,
            ),
            because=cite(
                f"engine.cdi_specs[{path}].missing",
                f"engine.cdi_specs[{path}].driver_versions",
                "driver.module_version",
            ),
            kind=Kind.TROUBLE if asked or only_way else Kind.RISK,
            severity=Severity.ERROR if asked or only_way else Severity.WARNING,
            remedy=generate(path) if path.startswith(FOLDERS) and path.endswith(YAML) else None,
        )


def _in_use(engine: Engine) -> list[str]:
    """Return the specifications that count: for one kind, /var/run/cdi goes before /etc/cdi."""
    paths = gpu_specs(engine)
    later = {engine.cdi_specs[path].kind for path in paths if path.startswith(LAST_WORD)}
    return [path for path in paths if path.startswith(LAST_WORD) or engine.cdi_specs[path].kind not in later]
