"""All files of a run: find, judge (in several processes if there are many), sort out what is accepted."""

import multiprocessing
import threading
from collections.abc import Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor

from codeblue.lint.run import Against, Judged, judge
from codeblue.model.lint import Finding, Left, Linted, Suppressed
from codeblue.model.text import Message, Text, message
from codeblue.sources.config.files import Found, NoConfiguration, found, load
from codeblue.sources.config.kinds import kind_of, may_be_known
from codeblue.sources.target import Unusable

FEW = 64
"""Files that one process judges before a second one is worth its start."""
UNKNOWN = Text(
    "not a kind of file that lint knows; `codeblue lint --help` lists them",
    "不是 lint 认识的文件类型；`codeblue lint --help` 会列出认识的类型",
)


def lint(paths: Sequence[str], against: Against, *, jobs: int = 1, pedantic: bool = False) -> Linted:
    """Return what the rules say of files and folders; ``-`` is the standard input.

    Files that cannot be read are in ``left``, and the others are judged. Raises Unusable if a path as such
    cannot be used.
    """
    files = [one for one in found(tuple(paths)) if one.named or may_be_known(one.path)]
    return _joined(_all(files, against, jobs), pedantic)


def _all(files: Sequence[Found], against: Against, jobs: int) -> Iterable[Judged]:
    jobs = min(jobs, 1 + len(files) // FEW)
    if jobs < 2:
        return _some(files, against)
    # A fork costs a millisecond, but is safe only while this process has one thread.
    method = "fork" if threading.active_count() == 1 else "spawn"
    with ProcessPoolExecutor(jobs, multiprocessing.get_context(method)) as pool:
        parts = pool.map(_some, [files[n::jobs] for n in range(jobs)], [against] * jobs)
        return [one for part in parts for one in part]


def _some(files: Sequence[Found], against: Against) -> list[Judged]:
    return [one for file in files for one in _one(file, against)]


def _one(file: Found, against: Against) -> Iterable[Judged]:
    try:
        source = load(file.path)
    except Unusable as error:
        yield _left(file, error.line, unusable=file.named or not isinstance(error, NoConfiguration))
        return
    kind = kind_of(source)
    if kind is not None:
        yield judge(source, kind, against)
    elif file.named:
        yield _left(
            file, message("{path}: {en}", "{path}：{zh}", path=source.name, en=UNKNOWN.en, zh=UNKNOWN.zh)
        )


def _left(file: Found, why: Message, *, unusable: bool = False) -> Judged:
    return Judged(file.path, "", (), (), (Left(file.path, why, unusable),))


def _joined(judged: Iterable[Judged], pedantic: bool) -> Linted:
    findings: list[Finding] = []
    suppressed: list[Suppressed] = []
    left: list[Left] = []
    files: dict[str, str] = {}
    skipped: dict[tuple[str, str], None] = {}
    broken: dict[tuple[str, str], None] = {}
    hidden = 0
    for one in judged:
        shown = [finding for finding in one.findings if pedantic or not finding.pedantic]
        hidden += len(one.findings) - len(shown)
        findings += shown
        suppressed += one.suppressed
        left += one.left
        skipped |= dict.fromkeys(one.skipped)
        broken |= dict.fromkeys(one.broken)
        if one.kind:
            files[one.path] = one.kind
    return Linted(
        findings=tuple(sorted(findings, key=lambda finding: finding.order)),
        suppressed=tuple(suppressed),
        hidden=hidden,
        files=dict(sorted(files.items())),
        left=tuple(sorted(left, key=lambda one: one.path)),
        skipped=tuple(skipped),
        broken=tuple(broken),
    )
