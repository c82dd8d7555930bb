"""Is one of the versions known to be defective?"""

from collections.abc import Iterator
from functools import cache
from typing import Any

from codeblue.knowledge.defects import affecting
from codeblue.knowledge.translated import chinese
from codeblue.knowledge.wheels import local, plain
from codeblue.matrix import builds
from codeblue.matrix.cited import cited
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message

NAMES = ("driver", "nccl", "cudnn", "torch", "cuda", "torchvision", "torchaudio")


def known_bad(asked: Combination) -> Iterator[Judgement]:
    """Note defects that maintainers confirmed; most bite only under a condition."""
    for name, version in _versions(asked):
        for row in _defects(name, version):
            yield _note(row, version)


def _versions(asked: Combination) -> Iterator[tuple[str, str]]:
    build = builds.of(asked)
    brought = {"cudnn": build.cudnn, "nccl": build.nccl} if build else {}
    for name in NAMES:
        part = getattr(asked, name)
        version = part.value if part else brought.get(name)
        if name == "torch" and build is not None:
            version = build.name
        # Of a branch of the driver nobody knows which release it is.
        if version and version[0].isdigit() and (name != "driver" or "." in version):
            yield name, version


@cache
def _defects(component: str, version: str) -> tuple[dict[str, Any], ...]:
    return tuple(
        row
        for row in affecting(component, plain(version))
        if row["confidence"] == "verified" and _is_of_build(row["affected"], local(version))
    )


def _is_of_build(affected: str, variant: str) -> bool:
    """Tell whether a row that names one build (``==2.7.* +cu128``) means this one."""
    _, plus, named = affected.partition(" +")
    return not plus or named == variant


def _note(row: dict[str, Any], version: str) -> Judgement:
    when = row.get("condition")
    english = {"symptom": row["symptom"], "when": when or "", "action": row["action"]}
    values = {
        "name": row["component"],
        "version": plain(version),
        **english,
        **{f"{name}_zh": chinese(text) for name, text in english.items()},
    }
    return Judgement(
        rule="known-bad-version",
        answer=Answer.NOTE,
        parts=(row["component"],),
        text=message(
            "{name} {version}: {symptom} ({when}); {action}",
            "{name} {version}：{symptom_zh}（{when_zh}）；{action_zh}",
            **values,
        )
        if when
        else message(
            "{name} {version}: {symptom}; {action}",
            "{name} {version}：{symptom_zh}；{action_zh}",
            **values,
        ),
        sources=cited("known_bad", f"{row['component']} {row['affected']}", row),
    )
