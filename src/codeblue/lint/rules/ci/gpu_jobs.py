"""Do jobs of continuous integration that need a GPU get one, and does their failure count?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.ci import Job, Pipeline
from codeblue.model.config.node import Node
from codeblue.model.config.shell import Command
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

HOSTED = re.compile(r"^(?:ubuntu|windows|macos)-(?:latest|\d[\w.]*)$")
GIVES = re.compile(r"--(?:gpus|device|runtime|privileged)\b")
CUDA = re.compile(r"nvidia/cuda|nvcr\.io|[-:]cuda|cuda[-_]?\d|whl/cu\d|\bcu1[1-3]\d\b")
TESTS = re.compile(
    r"^\s*(?:python3? -m )?(?:pytest|nvidia-smi|tox|nox|ctest|make (?:\S+ )*test)", re.MULTILINE
)


@rule("ci-container-without-gpu")
def containers_get_the_gpu(job: Job) -> Iterator[Problem]:
    """A container on a machine with a GPU sees it only with ``--gpus``."""
    container = job.root.get("container") if job.root and job.system == "github" else None
    if container is None or not job.gpu or "${{" in container.say("options"):
        return
    if not GIVES.search(container.say("options")):
        key = job.root.key("container") if job.root else None
        yield Problem(
            place=key.place if key else container.place,
            message=message(
                "the runner has a GPU but this container does not get it: options: --gpus all is missing",
                "运行器有 GPU，但容器得不到它：缺少 options: --gpus all",
            ),
            certainty=Certainty.LIKELY,
        )


@rule("ci-runner-without-gpu")
def runners_have_a_gpu(job: Job) -> Iterator[Problem]:
    """``nvidia-smi`` runs only where there is a GPU."""
    hosted = job.system == "github" and HOSTED.match(job.runner)
    untagged = job.system == "gitlab" and not job.runner and CUDA.search(job.image)
    if not hosted and not untagged:
        return
    for script in job.scripts:
        for command in script.commands:
            if _asks(command) and not _tolerated(job, script.owner):
                yield Problem(
                    place=command.words[0].place,
                    message=message(
                        "nvidia-smi fails here: {runner} has no GPU",
                        "nvidia-smi 在这里会失败：{runner} 没有 GPU",
                        runner=job.runner or "a runner without tags",
                    ),
                    certainty=Certainty.LIKELY if hosted else Certainty.POSSIBLE,
                    variant=job.system,
                )
                return


def _asks(command: Command) -> bool:
    return command.name == "nvidia-smi" and not command.guarded and not command.nested


def _tolerated(job: Job, owner: str) -> bool:
    """Tell whether the step may fail."""
    steps = job.root.each("steps") if job.root else []
    return any(
        one.say("continue-on-error") == "true" and one.say("name") and one.say("name") in owner
        for one in steps
    )


@rule("ci-gpu-job-may-fail")
def failures_of_gpu_jobs_count(job: Job) -> Iterator[Problem]:
    """The only test on a GPU is not one whose failure nobody sees."""
    if job.root is None or not job.gpu:
        return
    name = "continue-on-error" if job.system == "github" else "allow_failure"
    for node, what in ((job.root, job.name), *((one, one.say("name")) for one in job.root.each("steps"))):
        value = node.get(name)
        if value is not None and value.text == "true" and _tests(node):
            yield Problem(
                place=value.place,
                message=message(
                    "{name}: true lets {what} fail unseen, and it is what tests the GPU",
                    "{name}: true 会让 {what} 的失败无人察觉，而它正是 GPU 测试",
                    name=name,
                    what=what or "this step",
                ),
                certainty=Certainty.LIKELY,
                fix=Fix(message("let it count", "让失败生效"), (Edit(value.place, "false"),)),
            )


def _tests(node: Node) -> bool:
    texts = (one.text for one in node.walk() if one.kind == "string")
    return any(TESTS.search(text) for text in texts)


@rule("ci-gpu-job-without-timeout", pedantic=True)
def gpu_jobs_end(job: Job) -> Iterator[Problem]:
    """A test that hangs holds the runner for six hours, GitHub's default."""
    ends = job.root is None or job.root.get("timeout-minutes") or job.root.get("uses")
    if job.system == "github" and job.gpu and not ends:
        yield Problem(
            place=job.place,
            message=message(
                "a test that hangs holds the GPU runner for 360 minutes: timeout-minutes is missing",
                "测试一旦卡住，会占用 GPU 运行器 360 分钟：缺少 timeout-minutes",
            ),
            certainty=Certainty.POSSIBLE,
            severity=Severity.NOTE,
        )


@rule("ci-without-gpu-test", pedantic=True)
def some_job_has_a_gpu(pipeline: Pipeline) -> Iterator[Problem]:
    """A pipeline that builds for CUDA runs something on a GPU."""
    if not pipeline.complete or not pipeline.jobs or any(one.gpu for one in pipeline.jobs):
        return
    for job in pipeline.jobs:
        texts = (job.image, *(script.source.text for script in job.scripts))
        if any(CUDA.search(text) for text in texts):
            yield Problem(
                place=job.place,
                message=message(
                    "job {job} builds for CUDA, and no job of this file runs on a GPU",
                    "任务 {job} 为 CUDA 构建，但此文件中没有任何任务在 GPU 上运行",
                    job=job.name,
                ),
                certainty=Certainty.POSSIBLE,
            )
            return


RULES = (
    containers_get_the_gpu,
    runners_have_a_gpu,
    failures_of_gpu_jobs_count,
    gpu_jobs_end,
    some_job_has_a_gpu,
)
