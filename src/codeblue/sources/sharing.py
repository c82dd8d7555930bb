"""A snapshot that may be shown to others.

The probe has redacted its own facts at the source. The lines of given logs are the user's own and
nobody has redacted them: they stay behind, and so do the folders of the files.
"""

from msgspec import structs

from codeblue.model.facts import Sighting, Sightings, Stream
from codeblue.model.section import NotRead
from codeblue.model.snapshot import Snapshot, View
from codeblue.model.text import message

LEFT_OUT = "(left out)"


def shareable(snapshot: Snapshot) -> Snapshot:
    """Return a copy without the words of given texts; fault, file name and line number stay."""
    return structs.replace(
        snapshot,
        target=_base(snapshot.target),
        views=[_view(view) for view in snapshot.views],
        unreadable=[message(LEFT_OUT, "（已略去）") for _ in snapshot.unreadable],
    )


def _view(view: View) -> View:
    if view.kind == "probe":
        return structs.replace(view, name=_base(view.name))
    name = _base(view.name)
    bare = View(kind=view.kind, name=name, host_name=view.host_name, time=view.time)
    try:
        section = view.section(Sightings)
    except NotRead:
        return bare
    return structs.replace(bare, sightings=_sightings(section, name))


def _sightings(section: Sightings, name: str) -> Sightings:
    bare = Sightings(
        source=name,
        seen=[_sighting(one) for one in section.seen],
        unrecognised_errors=[LEFT_OUT for _ in section.unrecognised_errors],
    )
    try:
        streams = [_stream(one) for one in section.streams]
        skipped = [structs.replace(one, file=_base(one.file)) for one in section.skipped]
    except NotRead:
        return bare
    return structs.replace(bare, streams=streams, skipped=skipped)


def _sighting(one: Sighting) -> Sighting:
    return Sighting(
        fault=one.fault,
        text=LEFT_OUT,
        file=_base(one.file),
        line=one.line,
        rank=one.rank,
        time=one.time,
        when=one.when,
        repeats=one.repeats,
        last_line=one.last_line,
        last_time=one.last_time,
        last_when=one.last_when,
    )


def _stream(one: Stream) -> Stream:
    return structs.replace(one, file=_base(one.file), label=LEFT_OUT if one.label else "", last_text=LEFT_OUT)


def _base(name: str) -> str:
    """Return a target or path without its folders: ``python:/home/ann/bin/python`` is ``python:python``."""
    kind, colon, rest = name.partition(":")
    return f"{kind}:{rest.rpartition('/')[2]}" if colon and "/" not in kind else name.rpartition("/")[2]
