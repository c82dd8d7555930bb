"""What becomes of a job that ends or fails."""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.reading import mounted, said, words
from codeblue.model.config.kubernetes import Pod
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

TRAINING = ("Job", "PyTorchJob", "MPIJob", "TFJob", "PaddleJob", "XGBoostJob", "JAXJob", "TrainJob", "JobSet")
KEEPS = frozenset(
    {
        "persistentVolumeClaim",
        "hostPath",
        "nfs",
        "csi",
        "ephemeral",
        "cephfs",
        "glusterfs",
        "azureFile",
        "fc",
        "iscsi",
        "rbd",
    }
)
"""Volumes that outlive the pod, or may."""
FOLDER = re.compile(
    r"--(?:output|save|ckpt|checkpoint|log|logging|tensorboard|results?)[-_]?(?:dir|path|folder)?(?:=(/\S+))?$"
)
ONCE = re.compile(r"^(?:\S*/)?nvidia-smi(?: -L| -q)?$")
SAMPLES = re.compile(r"cuda-sample|cuda-vector-?add|vectoradd|nbody", re.IGNORECASE)
ENDLESS = ("Deployment", "StatefulSet", "ReplicaSet", "DaemonSet", "ReplicationController")
MANY = 20
"""Tries after which a job that fails each time has held its GPUs for hours."""


def _has_gpus(pod: Pod) -> bool:
    return any(container.gpus for container in pod.running)


@rule("logs-not-persistent", pedantic=True)
def results_are_kept(pod: Pod) -> Iterator[Problem]:
    """A training job with GPUs whose volumes all end with the pod."""
    if pod.owner.kind not in TRAINING or not _has_gpus(pod):
        return
    volumes = pod.spec.each("volumes")
    if any(KEEPS & set(one.keys()) for one in volumes):
        return
    asks = next(container for container in pod.running if container.gpus)
    yield Problem(
        place=asks.gpus[0].place,
        message=message(
            "container {name} trains, and no volume outlives its pod: checkpoints and logs end with it",
            "容器 {name} 在训练，但没有一个卷比 pod 活得久：检查点和日志会一起消失",
            name=asks.name,
        ),
        certainty=Certainty.POSSIBLE,
    )


@rule("logs-not-persistent")
def folders_are_on_volumes(pod: Pod) -> Iterator[Problem]:
    """The command names a folder for checkpoints that lies in the container's own layer."""
    if pod.owner.kind not in TRAINING:
        return
    for container in pod.running:
        given = words(container)
        for number, word in enumerate(given):
            found = FOLDER.match(word.text)
            if found is None or not container.gpus:
                continue
            path = found[1] or (given[number + 1].text if number + 1 < len(given) else "")
            if path.startswith("/") and "$" not in path and not mounted(container, path):
                yield Problem(
                    place=word.place,
                    message=message(
                        "{path} is on no volume: what the job writes there ends with the container",
                        "{path} 不在任何卷上：任务写到那里的内容会随容器消失",
                        path=path,
                    ),
                    certainty=Certainty.LIKELY,
                    severity=Severity.NOTE,
                )


@rule("restart-policy-repeats-finished-program")
def programs_may_end(pod: Pod) -> Iterator[Problem]:
    """A program that ends is started again for ever, and looks like one that crashes."""
    forever = pod.owner.kind in ENDLESS
    policy = pod.spec.say("restartPolicy") or "Always"
    if not forever and (pod.owner.kind != "Pod" or policy != "Always"):
        return
    for container in pod.running:
        command = said(container)
        ends = ONCE.match(command) or (not command and SAMPLES.search(container.root.say("image")))
        if ends and container.gpus:
            where = container.root.key("command") or container.root.key("args") or container.root.key("image")
            assert where is not None
            yield Problem(
                place=where.place,
                message=message(
                    "container {name} ends at once; with restartPolicy Always it goes into CrashLoopBackOff",
                    "容器 {name} 很快就结束，而 restartPolicy 是 Always：会进入 CrashLoopBackOff",
                    name=container.name,
                ),
                certainty=Certainty.LIKELY,
            )


@rule("job-retries-hide-failure")
def failures_are_seen(pod: Pod) -> Iterator[Problem]:
    """A job that fails each time holds its GPUs through all its tries."""
    limit = pod.owner.root.get("spec", "backoffLimit")
    if pod.owner.kind != "Job" or limit is None or not limit.text.isdigit() or not _has_gpus(pod):
        return
    indexed = pod.owner.root.get("spec", "backoffLimitPerIndex") is not None
    if int(limit.text) >= MANY and not indexed:
        yield Problem(
            place=limit.place,
            variant="many",
            message=message(
                "a job that fails each time is tried {tries} times, each with its GPUs",
                "任务每次都失败也会重试 {tries} 次，每次都占着 GPU",
                tries=limit.text,
            ),
            certainty=Certainty.POSSIBLE,
        )


@rule("job-retries-hide-failure", pedantic=True)
def logs_of_failures_stay(pod: Pod) -> Iterator[Problem]:
    """With OnFailure the pod is deleted at the last try, and its log with it."""
    policy = pod.spec.get("restartPolicy")
    if pod.owner.kind == "Job" and policy is not None and policy.text == "OnFailure" and _has_gpus(pod):
        yield Problem(
            place=policy.place,
            variant="on-failure",
            message=message(
                "with OnFailure a job that fails for good loses its pod and the log; Never keeps them",
                "用 OnFailure，任务最终失败时 pod 和日志都会被删；Never 会保留",
            ),
        )


RULES = (
    results_are_kept,
    folders_are_on_volumes,
    programs_may_end,
    failures_are_seen,
    logs_of_failures_stay,
)
