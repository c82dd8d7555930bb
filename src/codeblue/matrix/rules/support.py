"""Is the driver branch still maintained, and is the release above the security floor?"""

from collections.abc import Iterator

from codeblue.knowledge.drivers import branch_row
from codeblue.knowledge.support import ended, floor_row
from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import branch, older, parts
from codeblue.matrix.cited import cited
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message


def driver_is_supported(asked: Combination) -> Iterator[Judgement]:
    """Note an end of life and known holes; neither keeps anything from running."""
    if asked.driver is None:
        return
    driver = asked.driver.value
    if branch_row(driver) is None:
        yield _no_branch(driver)
    end = ended(driver)
    if end is not None:
        yield Judgement(
            rule="driver-end-of-life",
            answer=Answer.NOTE,
            parts=("driver",),
            text=message(
                "branch {branch} is out of support since {since}: no more fixes",
                "{branch} 分支自 {since} 起已停止支持，不再有修复",
                branch=branch(driver),
                since=end,
            ),
            sources=cited("drivers", branch(driver), branch_row(driver)),
        )
    yield from _floor(driver)


def _no_branch(driver: str) -> Judgement:
    """Note that nobody knows the branch; what older ones run it runs too."""
    known = sorted(by_key("drivers", "branch"), key=lambda one: abs(one - branch(driver)))
    return Judgement(
        rule="driver-branch-exists",
        answer=Answer.NOTE,
        parts=("driver",),
        text=message(
            "no table knows the driver branch {branch}; near are {near}",
            "表中没有驱动分支 {branch}；相近的有 {near}",
            branch=branch(driver),
            near=", ".join(str(one) for one in sorted(known[:2])),
        ),
    )


def _floor(driver: str) -> Iterator[Judgement]:
    row = floor_row(driver)
    if row is None or len(parts(driver)) == 1 or not older(driver, row["lowest_safe"]):
        return
    yield Judgement(
        rule="driver-security-floor",
        answer=Answer.NOTE,
        parts=("driver",),
        text=message(
            "driver {driver} has published holes; {safe} is the first release of its branch without them",
            "驱动 {driver} 有已公开的漏洞；该分支首个修复版本是 {safe}",
            driver=driver,
            safe=row["lowest_safe"],
        ),
        sources=cited("security", f"driver_floor {row['branch']}", row),
    )
