"""A snapshot that may be shown to others.

The probe has redacted its own facts at the source. The lines of given logs are redacted here once more:
a recording may come from a version, or a machine, that did not know what is private. Folders stay behind.
"""

from msgspec import structs

from codeblue.model.facts import Sightings
from codeblue.model.section import UNREAD, NotRead
from codeblue.model.snapshot import Snapshot, View
from codeblue.model.text import message
from codeblue.sources.logs import KEEP, nccl_hosts
from codeblue.sources.redaction import Redactor

LEFT_OUT = "(left out)"


def shareable(snapshot: Snapshot, redactor: Redactor) -> Snapshot:
    """Return a copy in which nothing of the given texts is private, as far as ``redactor`` knows it."""
    return structs.replace(
        snapshot,
        target=_base(snapshot.target, redactor),
        views=[_view(view, redactor) for view in snapshot.views],
        unreadable=[message(LEFT_OUT, "（已略去）") for _ in snapshot.unreadable],
    )


def _view(view: View, redactor: Redactor) -> View:
    name = _base(view.name, redactor)
    if view.kind == "probe":
        return structs.replace(view, name=name)
    # Only what the log was searched for: other facts of a text are the user's own words.
    bare = View(kind=view.kind, name=name, host_name=view.host_name, time=view.time)
    try:
        section = view.section(Sightings)
        lines = [one.text for one in section.seen] + section.unrecognised_errors
    except NotRead:
        return bare
    redactor.learn_hosts(nccl_hosts(lines))
    redacted = redactor.sightings(section, KEEP)
    seen = [structs.replace(one, file=_base(one.file, redactor)) for one in redacted.seen]
    searched = structs.replace(redacted, seen=seen, unusual=[], streams=UNREAD, skipped=UNREAD, source=name)
    return structs.replace(bare, sightings=searched)


def _base(name: str, redactor: Redactor) -> str:
    """Return a target or path without its folders: ``python:/home/ann/bin/python`` is ``python:python``."""
    kind, colon, rest = name.partition(":")
    if colon and "/" not in kind:
        return f"{kind}:{redactor.text(rest.rpartition('/')[2])}"
    return redactor.text(name.rpartition("/")[2])
