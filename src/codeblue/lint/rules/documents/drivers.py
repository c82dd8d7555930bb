"""Are the drivers that a document names those that it means?"""

import re
from collections.abc import Iterator

from codeblue.knowledge.drivers import Reach, branch_row, minimum, reach
from codeblue.knowledge.support import ended, safe_floor, toolkit_floor
from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import branch, older, parts
from codeblue.lint.rule import rule
from codeblue.lint.rules.documents.machine import OURS
from codeblue.model.config.document import Claim, Mention
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

NEEDS = (
    r"\brequir|\bneeds?\b|\bminimum\b|\bmust\b|\bat least\b|\bor (?:newer|later|higher|above)\b|"
    r"\bsince\b|>=|≥|"
    r"需要|要求|最低|至少|必须|以上|不低于"
)
OTHERWISE = (
    r"compat|forward|jetson|tegra|l4t|data ?cent(?:er|re)|server gpu|"
    r"兼容|数据中心"
)
"""Where other minimums hold, or several are told at once."""
INSTALLS = r"\binstall|\buse\b|\brecommend|\bdownload|\bupgrade to\b|\bpin\b|安装|推荐|建议|下载|升级到"
NODES = (
    r"\b(?:nodes?|machines?|hosts?|servers?|cluster|fleet|workstations?)\b|集群|节点|机器|服务器|主机|工作站"
)
NEAR = 60
"""Characters between the word that tells to install and the version."""
SINCE = re.compile(
    r"\b(?:as of|since|from|starting (?:with|from)|introduced in|until|up to)\b[^,]*$|自|从", re.IGNORECASE
)
OLDEST = "11.0"
"""First CUDA with minor-version compatibility."""
LINUX = re.compile(r"\d{3}\.\d{2,3}\.\d{2}$")
"""Numbers of Linux drivers; those of Windows have two parts, those of Jetson end with one digit."""


@rule("document-version-impossible")
def minimum_drivers_are_no_lower(claim: Claim) -> Iterator[Problem]:
    """A sentence with one CUDA and one driver, or a row with one of each, says what the CUDA needs."""
    cuda, driver = claim.one("cuda"), claim.one("driver") or claim.one("branch")
    if cuda is None or driver is None or cuda.bound == "most" or driver.bound == "most":
        return
    if _several(claim) or _is_elsewhere(claim, driver):
        return
    if not claim.row and not (claim.says(NEEDS) and len(claim.between(cuda, driver)) <= 60):
        return
    floor = minimum(cuda.value)
    # A row without "minimum" may pair a driver with the newest CUDA that it runs: also then it must run it.
    if floor is None or older(cuda.value, OLDEST) or reach(driver.value, cuda.value) is not Reach.TOO_OLD:
        return
    yield Problem(
        place=driver.place,
        variant="minimum-driver",
        message=message(
            "driver {driver} does not run CUDA {cuda}: the oldest that does is {floor}",
            "驱动 {driver} 无法运行 CUDA {cuda}：最低需要 {floor}",
            driver=driver.value,
            cuda=cuda.value,
            floor=floor,
        ),
        certainty=Certainty.CERTAIN if driver.kind == "driver" else Certainty.LIKELY,
    )


def _is_elsewhere(claim: Claim, driver: Mention) -> bool:
    """Tell whether other minimums may hold; a number with three parts is none of Windows."""
    words = OTHERWISE if LINUX.match(driver.value) else rf"windows|wsl|{OTHERWISE}"
    return claim.says(words) or re.search(words, claim.around, re.IGNORECASE) is not None


def _several(claim: Claim) -> bool:
    return len(claim.all("driver")) > 1 or len(claim.all("cuda")) > 1 or len(claim.all("branch")) > 1


@rule("document-version-impossible")
def driver_branches_exist(claim: Claim) -> Iterator[Problem]:
    """The number before the first dot is a branch that NVIDIA has published for Linux."""
    known = by_key("drivers", "branch")
    for one in claim.all("driver"):
        number = branch(one.value)
        if LINUX.match(one.value) and min(known) < number < max(known) and branch_row(one.value) is None:
            yield Problem(
                place=one.place,
                variant="driver-branch",
                message=message(
                    "there is no driver {driver}: no Linux branch {branch} was ever published",
                    "不存在驱动 {driver}：从未发布过 {branch} 这个 Linux 分支",
                    driver=one.value,
                    branch=number,
                ),
                certainty=Certainty.LIKELY,
            )


@rule("document-version-impossible")
def toolkits_exist(claim: Claim) -> Iterator[Problem]:
    """A toolkit is one that was published; what nvidia-smi prints may also be another number."""
    known = by_key("cuda_toolkits", "version")
    newest = max(known, key=parts)
    for one in claim.all("toolkit"):
        if one.value not in known and older("11.0", one.value) and older(one.value, newest):
            yield Problem(
                place=one.place,
                variant="cuda-toolkit",
                message=message(
                    "there is no CUDA toolkit {cuda}", "不存在 CUDA toolkit {cuda}", cuda=one.value
                ),
            )


@rule("document-version-stale")
def drivers_to_install_are_maintained(claim: Claim) -> Iterator[Problem]:
    """What readers are told to install gets fixes, and has those that are known."""
    if claim.row or not claim.says(INSTALLS) or claim.says(r"\btested|\bverified|测试|验证"):
        return
    for one in [*claim.all("driver"), *claim.all("branch")]:
        if (
            one.bound
            or _is_address(claim, one)
            or _words_before(claim, one) > NEAR
            or SINCE.search(claim.text[: one.start])
        ):
            continue
        end, floor = ended(one.value), safe_floor(one.value)
        if end is not None:
            yield _ended(one, end)
        elif floor is not None and one.kind == "driver" and older(one.value, floor):
            yield Problem(
                place=one.place,
                variant="below-floor",
                message=message(
                    "driver {driver} lacks security fixes: the first of its branch with all is {floor}",
                    "驱动 {driver} 缺少安全修复：该分支中首个包含全部修复的版本是 {floor}",
                    driver=one.value,
                    floor=floor,
                ),
                certainty=Certainty.LIKELY,
            )


@rule("document-version-stale")
def drivers_in_use_are_maintained(claim: Claim) -> Iterator[Problem]:
    """A driver that the nodes are said to run gets fixes; whether they do run it is told by ``--on``."""
    if not claim.row and claim.says(OURS) and claim.says(NODES):
        for one in claim.all("driver"):
            end = ended(one.value) if LINUX.match(one.value) else None
            if end is not None and not one.bound and not SINCE.search(claim.text[: one.start]):
                yield _ended(one, end)


def _is_address(claim: Claim, one: Mention) -> bool:
    """Tell whether a mention is in the address of a page; addresses of packages are to be installed."""
    word = re.split(r"\s", claim.text[: one.start])[-1] + re.split(r"\s", claim.text[one.start :])[0]
    return "://" in word and not re.search(r"\.(?:run|deb|rpm)\b", word)


def _words_before(claim: Claim, one: Mention) -> int:
    """Return how far the word that tells to install stands before a mention."""
    found = [m.end() for m in re.finditer(INSTALLS, claim.text[: one.start], re.IGNORECASE)]
    return one.start - found[-1] if found else 1000


def _ended(one: Mention, end: str) -> Problem:
    return Problem(
        place=one.place,
        variant="branch-ended",
        message=message(
            "driver {driver}: its branch has had no fixes since {end}",
            "驱动 {driver}：该分支自 {end} 起不再提供修复",
            driver=one.value,
            end=end,
        ),
        certainty=Certainty.LIKELY,
    )


@rule("document-version-stale")
def container_toolkits_are_safe(claim: Claim) -> Iterator[Problem]:
    """A release of the container toolkit that readers are to install has no published hole."""
    floor = toolkit_floor()
    for one in claim.all("container-toolkit"):
        if (
            not one.bound
            and _words_before(claim, one) <= NEAR
            and older(one.value, floor)
            and not SINCE.search(claim.text[: one.start])
        ):
            yield Problem(
                place=one.place,
                variant="container-toolkit",
                message=message(
                    "container toolkit {version} has published holes; {floor} is the first without",
                    "container toolkit {version} 有已公布的漏洞；{floor} 起才没有",
                    version=one.value,
                    floor=floor,
                ),
                certainty=Certainty.LIKELY,
            )


RULES = (
    drivers_in_use_are_maintained,
    minimum_drivers_are_no_lower,
    driver_branches_exist,
    toolkits_exist,
    drivers_to_install_are_maintained,
    container_toolkits_are_safe,
)
