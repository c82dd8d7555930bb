"""Who was missing while the others waited in a collective."""

import re
from collections.abc import Iterator, Sized

from msgspec import Struct

from codeblue.model.facts import Sighting, Sightings, Stream
from codeblue.model.section import NotRead

WAITED = "rank-hung"
FEW = 4
"""One in so many ranks may be missing; if more are, nobody knows whom they waited for."""
EXCERPT = 3
"""An excerpt must show so many that wait; a whole set of logs two."""
ENDED = ("exit", "finished", "done", "complete", "saved", "bye", "destroy_process_group", "结束", "完成")
"""Words of a last line that sound like an end on purpose."""


EXCEPTION = re.compile(r"(?:^|[\s:\]])((?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:Error|Exception|Interrupt))(?::|$)")
"""The last line of a traceback, whatever stands in front of it."""


class Absentee(Struct, frozen=True):
    """A rank that did not arrive, with the evidence for it."""

    rank: int
    paths: tuple[str, ...]
    silent_since: str | None = None
    """Time of its last line, as written; None if that is not known."""
    sequence: int | None = None
    """The collective at which it stands; None if it does not say."""
    ahead: int | None = None
    """The collective at which the others wait."""
    ended: bool = False
    """Its last line sounds like an end on purpose."""
    raised: str | None = None
    """The exception that its last line names."""


def absentees(sightings: Sightings) -> list[Absentee]:
    """Return the ranks for which the others waited; none if the text does not tell."""
    recorded = list(_recorded(sightings))
    if recorded:
        return recorded
    waiting = {
        sighting.rank: (number, sighting)
        for number, sighting in reversed(list(enumerate(sightings.seen)))
        if sighting.fault == WAITED and sighting.rank is not None
    }
    if len(waiting) < 2:
        return []
    behind = list(_behind(waiting))
    return behind or list(_missing(waiting, _streams(sightings)))


def _recorded(sightings: Sightings) -> Iterator[Absentee]:
    """Yield ranks that, by their flight recorders, did not ask for a collective in which others wait."""
    groups: dict[str, dict[int, tuple[int, Stream]]] = {}
    for number, stream in enumerate(_all_streams(sightings)):
        if stream.enqueued is not None and stream.rank is not None:
            groups.setdefault(stream.label, {})[stream.rank] = (number, stream)
    for ranks in groups.values():
        at = {rank: stream.enqueued or 0 for rank, (_, stream) in ranks.items()}
        ahead = max(at.values())
        late = sorted(rank for rank, sequence in at.items() if sequence < ahead)
        stuck = [
            (number, s)
            for number, s in ranks.values()
            if s.enqueued == ahead and s.completed is not None and s.completed < ahead
        ]
        if not late or not stuck or _too_many(late, at):
            continue
        witness = f"sightings.streams[{stuck[0][0]}].last_text"
        for rank in late:
            paths = (f"sightings.streams[{ranks[rank][0]}].last_text", witness)
            yield Absentee(rank, paths, sequence=at[rank], ahead=ahead)


def _behind(waiting: dict[int, tuple[int, Sighting]]) -> Iterator[Absentee]:
    """Yield ranks that wait in an earlier collective than the most."""
    at = {r: int(s.values["sequence"]) for r, (_, s) in waiting.items() if s.values.get("sequence")}
    if not at:
        return
    ahead = max(at.values(), key=lambda n: (sum(m == n for m in at.values()), n))
    late = [rank for rank, sequence in at.items() if sequence < ahead]
    if _too_many(late, at):
        return
    witness = next(number for number, s in waiting.values() if s.values.get("sequence") == str(ahead))
    for rank in sorted(late):
        paths = (f"sightings.seen[{waiting[rank][0]}].text", f"sightings.seen[{witness}].text")
        yield Absentee(rank, paths, sequence=at[rank], ahead=ahead)


def _missing(
    waiting: dict[int, tuple[int, Sighting]], streams: dict[int, tuple[int, Stream]]
) -> Iterator[Absentee]:
    """Yield ranks that do not complain of waiting."""
    known = set(streams) or set(range(max(waiting) + 1))
    missing = sorted(known - set(waiting))
    if (
        not missing
        or (not streams and len(waiting) < EXCERPT)
        or (len(missing) * FEW > len(known) and len(missing) > 1)
    ):
        return
    witness = f"sightings.seen[{min(waiting.values())[0]}].text"
    for rank in missing:
        if rank in streams:
            number, stream = streams[rank]
            ended = any(word in stream.last_text.lower() for word in ENDED)
            path = f"sightings.streams[{number}].last_text"
            raised = EXCEPTION.search(stream.last_text)
            yield Absentee(
                rank,
                (path, witness),
                silent_since=stream.last_time,
                ended=ended and not raised,
                raised=raised.group(1) if raised else None,
            )
        else:
            yield Absentee(rank, (witness,))


def _too_many(some: Sized, of: Sized) -> bool:
    return len(some) > 1 and len(some) * FEW > len(of)


def _all_streams(sightings: Sightings) -> list[Stream]:
    try:
        return sightings.streams
    except NotRead:
        return []


def _streams(sightings: Sightings) -> dict[int, tuple[int, Stream]]:
    streams = enumerate(_all_streams(sightings))
    return {s.rank: (n, s) for n, s in streams if s.rank is not None and s.enqueued is None}
