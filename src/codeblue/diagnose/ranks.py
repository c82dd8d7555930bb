"""One trouble on many ranks: the first one counts, and what waited for it follows from it."""

from collections.abc import Collection, Mapping, Sequence

from msgspec import structs

from codeblue.model.diagnosis import Explained
from codeblue.model.facts import Sightings
from codeblue.model.fault import Certainty
from codeblue.model.finding import Finding
from codeblue.model.text import Message, Text

MOST = 3
"""Pieces of evidence kept of one trouble that many ranks show."""

ON_RANK = Text(" (rank {rank} on {host} at {time})", "（{host} 上的 rank {rank}，{time}）")
ON_RANKS = Text(
    " (first rank {rank} on {host} at {time}; later {others})",
    "（最先是 {host} 上的 rank {rank}，{time}；之后是 {others}）",
)


def gathered(
    causes: Sequence[Explained], sightings: Sightings | None, collateral: Collection[str]
) -> tuple[list[Explained], list[Explained]]:
    """Return ``(causes, consequences)`` of a job of several ranks.

    A trouble that several ranks show becomes one cause, on the rank that showed it first.
    What is ``collateral`` follows from any other trouble. Causes on ranks are ordered by time.
    """
    when = _times(sightings)
    merged = _merged(causes, when)
    own = [c for c in merged if c.finding.fault not in collateral and _sure(c.finding)]
    echoes = [c for c in merged if c.finding.fault in collateral] if own else []
    names = tuple(dict.fromkeys(c.finding.fault for c in own))
    kept = [cause for cause in merged if cause not in echoes]
    return _in_time(kept, when), [Explained(echo.finding, names) for echo in echoes]


def _sure(finding: Finding) -> bool:
    return finding.certainty is not Certainty.POSSIBLE


def _times(sightings: Sightings | None) -> Mapping[str, str]:
    """Return when the line at each evidence path was written, in ISO 8601."""
    seen = sightings.seen if sightings is not None else []
    return {f"sightings.seen[{n}].text": s.when for n, s in enumerate(seen) if s.when}


def _when(finding: Finding, when: Mapping[str, str]) -> str:
    """Return the earliest time in the evidence; the end of time if there is none."""
    return min((when[e.path] for e in finding.evidence if e.path in when), default="~")


def _merged(causes: Sequence[Explained], when: Mapping[str, str]) -> list[Explained]:
    groups: dict[str, list[Explained]] = {}
    for cause in causes:
        ranked = cause.finding.rank is not None
        key = cause.finding.fault if ranked else f"{cause.finding.fault} {cause.finding.subject}"
        groups.setdefault(key, []).append(cause)
    return [_one(group, when) for group in groups.values()]


def _one(group: list[Explained], when: Mapping[str, str]) -> Explained:
    first = min(group, key=lambda c: (not _sure(c.finding), _when(c.finding, when)))
    rest = [cause.finding for cause in group if cause is not first]
    if first.finding.rank is None:
        return first
    evidence = (*first.finding.evidence[: MOST - len(rest[: MOST - 1])], *(f.evidence[0] for f in rest))
    finding = structs.replace(
        first.finding, evidence=evidence[:MOST], summary=_placed(first.finding, _ranks(rest))
    )
    return Explained(finding, first.others)


def _ranks(findings: Sequence[Finding]) -> str:
    ranks = sorted({finding.rank for finding in findings if finding.rank is not None})
    return f"rank {ranks[0]}" if len(ranks) == 1 else spans(ranks)


def _placed(finding: Finding, others: str) -> Message:
    """Return the summary with its place; what the summary says is filled in for each language."""
    place = {
        "rank": str(finding.rank),
        "host": finding.host or "?",
        "time": finding.time or "?",
        "others": others,
    }
    form = ON_RANKS if others else ON_RANK
    said = {lang: finding.summary.say(lang).replace("{", "{{").replace("}", "}}") for lang in ("en", "zh")}
    return Message(Text(said["en"] + form.en, said["zh"] + form.zh), place | {"others": others})


def spans(ranks: Sequence[int]) -> str:
    """Return sorted numbers in short: ``0-3, 5, 7-9``."""
    parts: list[list[int]] = []
    for rank in ranks:
        if parts and rank == parts[-1][-1] + 1:
            parts[-1] = [parts[-1][0], rank]
        else:
            parts.append([rank])
    return ", ".join("-".join(map(str, part)) for part in parts)


def _in_time(causes: list[Explained], when: Mapping[str, str]) -> list[Explained]:
    """Put sure causes on ranks in the order of their times, in the places that they hold."""
    places = [n for n, c in enumerate(causes) if c.finding.rank is not None and _sure(c.finding)]
    ordered = sorted((causes[n] for n in places), key=lambda c: _when(c.finding, when))
    for place, cause in zip(places, ordered, strict=True):
        causes[place] = cause
    return causes
