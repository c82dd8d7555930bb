"""Is one of the versions known to be defective?"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from packaging.specifiers import InvalidSpecifier, SpecifierSet
from packaging.version import InvalidVersion, Version

from codeblue.knowledge.tables import table
from codeblue.knowledge.wheels import plain
from codeblue.matrix import builds
from codeblue.matrix.cited import cited
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message


def known_bad(asked: Combination) -> Iterator[Judgement]:
    """Note defects that maintainers confirmed; most bite only under a condition."""
    for name, version in _versions(asked):
        for row in _defects(name, plain(version)):
            yield _note(row, version)


def _versions(asked: Combination) -> Iterator[tuple[str, str]]:
    build = builds.of(asked)
    brought = {"cudnn": build.cudnn, "nccl": build.nccl} if build else {}
    for name in ("nccl", "cudnn", "torch", "cuda", "torchvision", "torchaudio"):
        part = getattr(asked, name)
        version = part.value if part else brought.get(name)
        if version:
            yield name, version


@cache
def _defects(component: str, version: str) -> tuple[dict[str, Any], ...]:
    return tuple(
        row
        for row in table("known_bad")["rows"]
        if row["component"] == component
        and row["confidence"] == "verified"
        and _affected(row["affected"], version)
    )


def _affected(text: str, version: str) -> bool:
    """Tell whether a version is among those that a row names; words that are no specifier name none."""
    try:
        exact = Version(version)
        # Several == stand for one of them each.
        wanted = text.split(",") if text.count("==") > 1 else [text]
        return any(exact in SpecifierSet(one, prereleases=True) for one in wanted)
    except (InvalidSpecifier, InvalidVersion):
        return False


def _note(row: dict[str, Any], version: str) -> Judgement:
    when = row.get("condition")
    values = {
        "name": row["component"],
        "version": plain(version),
        "symptom": row["symptom"],
        "when": when or "",
        "action": row["action"],
    }
    return Judgement(
        rule="known-bad-version",
        answer=Answer.NOTE,
        parts=(row["component"],),
        text=message(
            "{name} {version}: {symptom} ({when}); {action}",
            "{name} {version}：{symptom}（{when}）；{action}",
            **values,
        )
        if when
        else message(
            "{name} {version}: {symptom}; {action}", "{name} {version}：{symptom}；{action}", **values
        ),
        sources=cited("known_bad", f"{row['component']} {row['affected']}", row),
    )
