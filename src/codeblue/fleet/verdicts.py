"""What was judged of a run, kept beside it: a run is judged once, however often it is asked about."""

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from msgspec import MsgspecError, json, msgpack

from codeblue import __version__, knowledge
from codeblue.fleet.store import Store
from codeblue.model.fleet import Judged, Run
from codeblue.sources.site import Loaded
from codeblue.sources.target import Unusable

FINDINGS = ("run", "node", "fault", "subject", "layer", "kind", "certainty", "role", "summary")


def known(store: Store, run: Run, site: Loaded) -> list[Judged] | None:
    """Return the verdicts on a run as they were, None if something that they depend on has changed."""
    try:
        return msgpack.decode(store.files.read(_name(store, run, site)), type=list[Judged])
    except (Unusable, MsgspecError):
        return None


def keep(store: Store, run: Run, site: Loaded, nodes: Sequence[Judged]) -> None:
    """Keep the verdicts, and the findings as ``findings-*.parquet``, if the store can be written."""
    _, findings = verdicts(run, nodes)
    with suppress(Unusable):
        store.put(name := _name(store, run, site), msgpack.encode(nodes))
        if findings:
            place = name.replace("/judged-", "/findings-").replace(".msgpack", ".parquet")
            store.table(place, FINDINGS, list(zip(*findings, strict=True)))


def verdicts(run: Run, nodes: Sequence[Judged]) -> tuple[list[tuple[Any, ...]], list[tuple[Any, ...]]]:
    """Return the rows of the tables ``nodes`` and ``findings``."""
    rows: list[tuple[Any, ...]] = []
    findings: list[tuple[Any, ...]] = []
    for node in nodes:
        told = (node.state.value, node.why, node.verdict or None, node.host, node.seconds)
        rows.append((run.id, node.node, node.group, *told))
        for one in node.findings:
            layer = one.layer.value if one.layer else None
            kind = (one.kind.value, one.certainty.value, one.role.value)
            findings.append((run.id, node.node, one.fault, one.subject, layer, *kind, one.summary.say("en")))
    return rows, findings


def _name(store: Store, run: Run, site: Loaded) -> str:
    """Return the name of the file of verdicts; it stands for all that they depend on."""
    parts = [*store.batches(run), *sorted(store.damaged)]
    content = json.encode([parts, __version__, knowledge.DATE, site.site])
    return f"{run.id}/judged-{hashlib.blake2b(content, digest_size=8).hexdigest()}.msgpack"
