"""Are the packages of a mirror, or of a cache, those that the index promises?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.conda import Archive, CachedPackage, CondaChannel
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

SHOWN = 20
"""Missing files that are told one by one."""


@rule("pip-mirror-out-of-sync")
def mirrors_have_their_files(channel: CondaChannel) -> Iterator[Problem]:
    """Every package of the index lies beside it; an index without most files is no mirror."""
    missing = [one for one in channel.archives if one.found_size is None]
    if channel.partial:
        return
    for one in missing[:SHOWN]:
        yield Problem(
            place=one.place,
            variant="conda-file-missing",
            message=message(
                "{name} is in the index, and not beside it ({count} such files)",
                "索引里有 {name}，目录里却没有（共 {count} 个）",
                name=one.name,
                count=len(missing),
            ),
        )


@rule("conda-package-rehashed")
def mirrors_have_what_they_promise(channel: CondaChannel) -> Iterator[Problem]:
    """Size and digest of a package are those of the index."""
    for one in channel.archives:
        yield from _differs(one)


@rule("conda-package-rehashed")
def caches_have_what_was_fetched(package: CachedPackage) -> Iterator[Problem]:
    """The archive in the cache is the one that its record describes."""
    yield from _differs(package.archive)


def _differs(one: Archive) -> Iterator[Problem]:
    if one.found_size is not None and one.size is not None and one.size != one.found_size:
        yield Problem(
            place=one.place,
            variant="size",
            message=message(
                "{name} has {found} bytes; {size} are promised: cut off, or another build",
                "{name} 有 {found} 字节，应为 {size}：下载不全，或是另一个构建",
                name=one.name,
                found=one.found_size,
                size=one.size,
            ),
            severity=Severity.ERROR,
        )
    elif one.found_digest and one.found_digest != one.digest:
        yield Problem(
            place=one.place,
            variant="digest",
            message=message(
                "{name} is not the file that is promised: its {kind} differs",
                "{name} 不是索引所承诺的那个文件：{kind} 不同",
                name=one.name,
                kind=one.digest.partition(":")[0],
            ),
            severity=Severity.ERROR,
            certainty=Certainty.CERTAIN,
        )


RULES = (mirrors_have_their_files, mirrors_have_what_they_promise, caches_have_what_was_fetched)
