"""The remedy that puts another official build of torch in place."""

from collections.abc import Iterable

from codeblue.knowledge.wheels import INDEX, newest_variant, plain, release
from codeblue.model.facts import Driver, Host, Python, Torch
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import message

WHY = message(
    "this build has CUDA, runs with the installed driver and has code for the GPU",
    "这个构建带 CUDA，能配合已安装的驱动运行，并且含有该 GPU 的代码",
)
COMPANIONS = Step(
    Verb.INSTRUCT,
    message(
        "torchvision and torchaudio come in builds too: install them from the same index",
        "torchvision 和 torchaudio 也分构建：请从同一个索引安装",
    ),
)


def cuda_build(
    python: Python, torch: Torch, host: Host, driver: Driver | None, capabilities: Iterable[str] = ()
) -> Remedy:
    """Return the remedy that installs a CUDA build of the same torch version, or of the newest one.

    Without knowledge of the driver the wheel of the standard index is taken.
    """
    wanted = list(capabilities)
    variant = (
        newest_variant(torch.version, host.machine, driver.module_version, wanted)
        if driver is not None
        else None
    )
    if variant is not None:
        return _from_index(python, plain(torch.version), variant)
    known = release(torch.version)
    same = known is not None and not wanted and host.machine != "aarch64"
    return _from_pypi(python, f"torch=={plain(torch.version)}" if same else "torch")


def _from_index(python: Python, version: str, variant: str) -> Remedy:
    requirement = f"torch=={version}+{variant}"
    step = Step(
        Verb.PIP_INSTALL,
        WHY,
        {"python": python.executable, "requirement": requirement, "index": INDEX + variant},
    )
    return _remedy(requirement, step)


def _from_pypi(python: Python, requirement: str) -> Remedy:
    step = Step(
        Verb.PIP_REINSTALL,
        message(
            "the wheel of the standard index has CUDA; check that the driver is new enough for it",
            "标准索引上的 wheel 带 CUDA；请先确认驱动够新",
        ),
        {"python": python.executable, "requirement": requirement},
    )
    return _remedy(requirement, step)


def _remedy(requirement: str, step: Step) -> Remedy:
    return Remedy(
        message("install {requirement}", "安装 {requirement}", requirement=requirement),
        (step, COMPANIONS),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
