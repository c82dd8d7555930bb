"""What became of the pods of a run, in the words of the cluster."""

import re
from collections.abc import Iterator, Mapping

from msgspec import Struct

from codeblue.fleet.engines.kubernetes.nodes import Condition
from codeblue.model.fleet import NodeState

OVER = ("Succeeded", "Failed")
HOPELESS = frozenset(
    {
        "ErrImagePull",
        "ImagePullBackOff",
        "InvalidImageName",
        "ErrImageNeverPull",
        "RegistryUnavailable",
        "CreateContainerConfigError",
        "CreateContainerError",
        "RunContainerError",
        "StartError",
    }
)
"""Reasons for waiting that time alone does not mend."""
TAKEN = re.compile(r"Insufficient nvidia\.com/|OutOfnvidia\.com|Requested: .*nvidia\.com/")
"""Another pod was quicker."""
LONGEST = 400


class Waiting(Struct, frozen=True):
    """Why a container does not run."""

    reason: str = ""
    message: str = ""


class Ended(Struct, frozen=True, rename="camel"):
    """How a container ended."""

    reason: str = ""
    message: str = ""
    exit_code: int = 0


class ContainerState(Struct, frozen=True):
    """One of them is set, or none before the kubelet has seen the pod."""

    waiting: Waiting | None = None
    terminated: Ended | None = None


class ContainerStatus(Struct, frozen=True):
    """What the kubelet says of the container."""

    state: ContainerState = ContainerState()


class PodStatus(Struct, frozen=True, rename="camel"):
    """What the kubelet says of the pod."""

    phase: str = "Pending"
    reason: str = ""
    message: str = ""
    conditions: list[Condition] | None = None
    container_statuses: list[ContainerStatus] | None = None


class PodMetadata(Struct, frozen=True):
    """Name and labels."""

    name: str
    labels: dict[str, str] = {}


class Pod(Struct, frozen=True):
    """A pod of ours."""

    metadata: PodMetadata
    status: PodStatus = PodStatus()

    @property
    def job(self) -> str:
        """The Job that made it; older clusters label without the prefix."""
        labels = self.metadata.labels
        return labels.get("batch.kubernetes.io/job-name") or labels.get("job-name", "")

    @property
    def over(self) -> bool:
        """True if its log is whole."""
        return self.status.phase in OVER


class PodList(Struct, frozen=True):
    """All pods of a run."""

    items: list[Pod]


class Of(Struct, frozen=True):
    """What an event is about."""

    name: str = ""


class Event(Struct, frozen=True, rename="camel"):
    """A warning of the cluster."""

    involved_object: Of
    reason: str = ""
    message: str = ""


class EventList(Struct, frozen=True):
    """Warnings, the oldest first."""

    items: list[Event]


class Fate(Struct, frozen=True):
    """Why a pod gives no answer."""

    state: NodeState
    why: str


def stuck(pod: Pod) -> Fate | None:
    """Return why a pod will not start, None if it may still do so."""
    for one in pod.status.container_statuses or ():
        waiting = one.state.waiting
        if waiting is not None and waiting.reason in HOPELESS:
            return Fate(NodeState.REFUSED, _line(waiting.reason, waiting.message))
    return None


def unplaced(pod: Pod) -> Fate | None:
    """Return why the scheduler finds no place for it, None if it has one."""
    for one in pod.status.conditions or ():
        if one.type == "PodScheduled" and one.status == "False":
            state = NodeState.ALLOCATED if TAKEN.search(one.message) else NodeState.REFUSED
            return Fate(state, _line(one.reason, one.message))
    return None


def ended(pod: Pod) -> Fate:
    """Return why a pod that is over has given no answer."""
    status = pod.status
    if TAKEN.search(f"{status.reason} {status.message}"):
        return Fate(NodeState.ALLOCATED, _line(status.reason, status.message))
    if status.reason == "DeadlineExceeded":
        return Fate(NodeState.SILENT, _line(status.reason, status.message))
    for one in status.container_statuses or ():
        if one.state.terminated is not None:
            last = one.state.terminated
            how = f"{last.reason or 'ended'}, exit code {last.exit_code}"
            return Fate(NodeState.REFUSED, _line(how, last.message))
    return Fate(NodeState.REFUSED, _line(status.reason or status.phase, status.message))


def warnings(events: EventList, names: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Yield Job and warning; ``names`` leads from the name of an object to its Job."""
    for event in events.items:
        job = names.get(event.involved_object.name)
        if job is not None:
            yield job, _line(event.reason, event.message)


def _line(*parts: str) -> str:
    return " ".join(": ".join(filter(None, parts)).split())[:LONGEST]
