"""Is there a wheel for this Python, and is the C library new enough for it?"""

from collections.abc import Iterator
from typing import Any

from codeblue.knowledge.versions import older, parts
from codeblue.knowledge.wheels import release
from codeblue.matrix import builds
from codeblue.matrix.cited import cited, trusted
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message

MUSL = "musl"


def python_has_wheel(asked: Combination) -> Iterator[Judgement]:
    """Judge the interpreter against the wheels of the release."""
    if asked.python is None or asked.torch is None or asked.targets:
        return
    row = release(asked.torch.value)
    if row is None:
        return
    known = _pythons(row, builds.machine(asked))
    if not known:
        yield _no_wheels(row, builds.machine(asked))
        return
    wanted = _tag(asked.python.value)
    fits = wanted in known
    values = {"torch": row["version"], "python": wanted, "first": known[0], "last": known[-1].rstrip("t")}
    yield Judgement(
        rule="python-has-wheel",
        answer=Answer.YES if fits else Answer.NO,
        parts=("python", "torch"),
        text=message(
            "torch {torch} has wheels for Python {python}",
            "torch {torch} 提供 Python {python} 的 wheel",
            **values,
        )
        if fits
        else message(
            "torch {torch} has no wheel for Python {python}, only for {first} to {last}",
            "torch {torch} 没有 Python {python} 的 wheel，只有 {first} 至 {last}",
            **values,
        ),
        sources=cited("torch_releases", row["version"], row),
        way=None if fits else message("Python {first} to {last}", "使用 Python {first} 至 {last}", **values),
    )


def _no_wheels(row: dict[str, Any], machine: str) -> Judgement:
    return Judgement(
        rule="python-has-wheel",
        answer=Answer.NO,
        parts=("python", "torch", "machine"),
        text=message(
            "torch {torch} has no wheels for {machine}",
            "torch {torch} 没有 {machine} 的 wheel",
            torch=row["version"],
            machine=machine,
        ),
        sources=cited("torch_releases", row["version"], row),
        way=message("another release of torch", "换用其他版本的 torch"),
    )


def _pythons(row: dict[str, Any], machine: str) -> list[str]:
    found: list[str] = row["python"]
    if machine == "aarch64":
        found = row.get("python_aarch64", found)
    return found


def _tag(version: str) -> str:
    """Return ``3.11`` for ``3.11.4``, and ``3.13t`` for a build without the global lock."""
    major, minor = (*parts(version), 0)[:2]
    return f"{major}.{minor}{'t' if version.endswith('t') else ''}"


def glibc_is_new_enough(asked: Combination) -> Iterator[Judgement]:
    """Judge the C library against the floor of the wheels."""
    if asked.glibc is None or asked.torch is None or asked.targets:
        return
    row = release(asked.torch.value)
    if row is None:
        return
    has, needs = asked.glibc.value, builds.particular(asked, row, "glibc_min")
    fits = has != MUSL and not older(has, needs)
    sure = trusted(row, "glibc_min")
    values = {"torch": row["version"], "has": has, "needs": needs}
    yield Judgement(
        rule="glibc-is-new-enough",
        answer=(Answer.YES if fits else Answer.NO) if sure else Answer.UNKNOWN,
        parts=("glibc", "torch"),
        text=message(
            "the wheels of torch {torch} need glibc {needs}; here is {has}",
            "torch {torch} 的 wheel 需要 glibc {needs}；此处为 {has}",
            **values,
        ),
        sources=cited("torch_releases", row["version"], row),
        way=None
        if fits
        else message(
            "a distribution or image with glibc {needs}, or an older torch",
            "改用 glibc {needs} 或更新的发行版或镜像，或更旧的 torch",
            **values,
        ),
    )
