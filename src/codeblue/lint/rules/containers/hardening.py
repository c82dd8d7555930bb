"""What opens a host wider than a job needs. Many do it knowingly."""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.container import ContainerRun
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

SOCKETS = (
    "/var/run/docker.sock",
    "/run/docker.sock",
    "/run/containerd/containerd.sock",
    "/run/podman/podman.sock",
)
TRAINING = ("torchrun", "deepspeed", "accelerate", "mpirun")


@rule("container-privileged", pedantic=True)
def privileges_are_not_handed_out(run: ContainerRun) -> Iterator[Problem]:
    """``--privileged`` gives every device of the host, and takes the walls down."""
    if run.privileged is not None:
        yield Problem(
            place=run.privileged.place,
            message=message(
                "{owner} is privileged: it may do on the host what root may; GPUs and RDMA do not need that",
                "{owner} 是特权容器：在宿主机上拥有 root 的能力；GPU 和 RDMA 都不需要它",
                owner=run.owner,
            ),
        )


@rule("docker-socket-mounted", pedantic=True)
def engine_is_not_handed_out(run: ContainerRun) -> Iterator[Problem]:
    """Who can talk to the engine can start a privileged container."""
    for one in run.volumes:
        if any(one.text.startswith(path) or f"source={path}" in one.text for path in SOCKETS):
            yield Problem(
                place=one.place,
                message=message(
                    "{owner} gets the socket of the container engine: whoever is in it is root on the host",
                    "{owner} 得到了容器引擎的套接字：容器内的任何人都等于宿主机的 root",
                    owner=run.owner,
                ),
            )


@rule("logs-not-persistent", pedantic=True)
def training_keeps_its_files(run: ContainerRun) -> Iterator[Problem]:
    """What a training container writes without a volume goes with it."""
    if run.open or run.volumes or not run.has_gpus or not run.command:
        return
    if run.command[0].text.rpartition("/")[2] in TRAINING:
        yield Problem(
            place=run.command[0].place,
            message=message(
                "{owner} trains without a volume: logs and checkpoints are lost with the container",
                "{owner} 训练时没有挂载卷：日志和检查点会随容器一起丢失",
                owner=run.owner,
            ),
            certainty=Certainty.LIKELY,
        )


RULES = (privileges_are_not_handed_out, engine_is_not_handed_out, training_keeps_its_files)
