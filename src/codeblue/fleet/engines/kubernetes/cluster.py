"""What the engine asks of kubectl: make, look, read logs, remove."""

import time
from collections.abc import Sequence
from datetime import datetime, timezone

from msgspec import MsgspecError, Struct, json

from codeblue.fleet.engines.kubernetes import manifest
from codeblue.fleet.engines.kubernetes.manifest import Plan, Wanted
from codeblue.fleet.engines.kubernetes.pods import EventList
from codeblue.sources.kubectl import command, refusal
from codeblue.sources.target import Unusable
from codeblue.transport import calling

MINE = "app.kubernetes.io/managed-by=codeblue"
REQUEST = "--request-timeout=45s"
"""kubectl itself gives up before we do, and says why."""
CLEANING = 30.0
"""Seconds for each call that removes something."""
TRIES = 2
SLICES = "resourceslices.resource.k8s.io"
OF_SLICE = r'{range .items[*]}{.spec.nodeName}{"\t"}{.spec.driver}{"\n"}{end}'
NO_SLICES = "doesn't have a resource type"
OLD = 3600.0
"""Seconds after which no run is at work any more."""


class Aged(Struct, frozen=True, rename="camel"):
    """Name, labels and age."""

    labels: dict[str, str] = {}
    creation_timestamp: datetime = datetime.fromtimestamp(0, timezone.utc)


class Ours(Struct, frozen=True):
    """An object of ours."""

    metadata: Aged


class OursList(Struct, frozen=True):
    """All of them."""

    items: list[Ours]


class Cluster:
    """One namespace of one cluster."""

    def __init__(self, context: str | None, namespace: str | None) -> None:
        self._context = context
        self._namespace = ("-n", namespace) if namespace else ()

    def call(self, *arguments: str, text: bytes = b"", seconds: float = calling.SECONDS) -> calling.Answer:
        """Return what a call in our namespace came to."""
        words = command(self._context, *arguments, *self._namespace, REQUEST)
        return calling.call(words, text, seconds)

    def make_text(self, plan: Plan, text: str) -> None:
        """Put the probe's text where the pods find it. Raises Unusable."""
        answer = self._create(json.encode(manifest.text_of(plan, text)))
        if answer.code != 0:
            raise Unusable(refusal("--kubernetes", answer))

    def make(self, plan: Plan, wanted: Sequence[Wanted]) -> dict[str, str]:
        """Make the Jobs; return by name of the Job why it was refused. Raises Unusable if all were."""
        items = [manifest.job_of(plan, one) for one in wanted]
        answer = self._create(json.encode({"apiVersion": "v1", "kind": "List", "items": items}))
        if answer.code == 0:
            return {}
        made = answer.out.decode("utf-8", "replace")
        refused = {}
        for one in wanted:
            name = plan.job(one.number)
            if name not in made:
                lines = [line for line in answer.words.splitlines() if name in line] or [answer.words]
                refused[name] = calling.Answer(1, b"", lines[-1])
        if len(refused) == len(wanted):
            raise Unusable(refusal("--kubernetes", answer))
        return {name: refusal("kubectl create", why).say("en") for name, why in refused.items()}

    def logs(self, plan: Plan, batch: int) -> calling.Answer:
        """Return the logs of a batch, each line behind the name of its pod."""
        chosen = f"{manifest.RUN}={plan.run},{manifest.BATCH}={batch}"
        how = ("--prefix", "--tail=-1", "--ignore-errors", f"--max-log-requests={manifest.MOST}")
        return self.call("logs", "-l", chosen, "-c", manifest.CONTAINER, *how)

    def events(self) -> EventList:
        """Return the warnings in our namespace; none where this login may not see them."""
        answer = self.call("get", "events", "--field-selector", "type=Warning", "-o", "json")
        try:
            return json.decode(answer.out, type=EventList) if answer.code == 0 else EventList([])
        except MsgspecError:
            return EventList([])

    def claims(self) -> dict[str, list[str]] | None:
        """Return by node the drivers that offer devices by Dynamic Resource Allocation.

        None where this login may not see them; a cluster that does not know of them has none.
        """
        answer = self.call("get", SLICES, "-o", f"jsonpath={OF_SLICE}")
        if answer.code != 0:
            return {} if NO_SLICES in answer.words else None
        found: dict[str, list[str]] = {}
        for row in sorted(set(answer.out.decode("utf-8", "replace").splitlines())):
            node, _, driver = row.partition("\t")
            found.setdefault(node, []).append(driver)
        return found

    def remove(self, plan: Plan, batch: int) -> None:
        """Remove the Jobs of a batch, and with them their pods."""
        self._delete("jobs", "-l", f"{manifest.RUN}={plan.run},{manifest.BATCH}={batch}")

    def clean(self, plan: Plan) -> None:
        """Remove all that a run has made. The Secret by its name: to list secrets is a right of few."""
        self._delete("jobs", "-l", f"{manifest.RUN}={plan.run}")
        self._delete("secret", plan.secret)

    def left_over(self) -> list[str]:
        """Return the runs that left something behind more than an hour ago, as far as this login may see."""
        now = time.time()
        old = [
            row.metadata.labels
            for kind in ("jobs", "secrets")
            for row in self._ours(kind)
            if now - row.metadata.creation_timestamp.timestamp() > OLD
        ]
        return sorted({labels[manifest.RUN] for labels in old if manifest.RUN in labels})

    def _ours(self, kind: str) -> list[Ours]:
        answer = self.call("get", kind, "-l", MINE, "-o", "json")
        try:
            return json.decode(answer.out, type=OursList).items if answer.code == 0 else []
        except MsgspecError:
            return []

    def _create(self, text: bytes) -> calling.Answer:
        return self.call("create", "--validate=false", "-o", "name", "-f", "-", text=text)

    def _delete(self, *what: str) -> None:
        for _ in range(TRIES):
            answer = self.call("delete", *what, "--wait=false", "--ignore-not-found", seconds=CLEANING)
            if answer.code == 0:
                return
