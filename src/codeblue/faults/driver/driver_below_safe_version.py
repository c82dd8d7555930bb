"""
## What it means
The loaded driver is older than the first release of its branch with the fixes of NVIDIA's security
bulletins, or its branch gets no more fixes at all. Everything works; this is about what could happen.

## Why it happens
Driver packages are held so that jobs do not break, and then nobody looks again. Branches end:
new-feature branches after some months, production branches after about a year, long-term branches after
about three.

## When it is not a fault
Some distributions patch without changing the number, and a site may have accepted the risk for a machine
that only trusted people use. Write that into the site's configuration as a waiver with an owner and an
end date. A branch that the table does not know is not judged.

## What to do
Update to the newest release of the same branch; if the branch has ended, move to a long-term branch that
supports all your GPUs. Test it on one node with your own job first. Update fabric manager and other
packages that must match in the same step.

## How safe the fix is
An update within a branch keeps the CUDA version and seldom changes behaviour. It needs a reboot, or a
reload of the modules on an idle machine, and the old packages should be kept at hand.
"""

from collections.abc import Iterator

from codeblue.knowledge.support import ended, safe_floor
from codeblue.knowledge.versions import branch, older
from codeblue.model.facts import Driver
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

UPDATE = Remedy(
    message("update the driver in a maintenance window", "在维护窗口更新驱动"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "try the newest release of a supported branch on one node, then roll it out with a reboot",
                "先在一个节点上试用受支持分支的最新版本，再推广并重启",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


UNSAFE = (
    r"(?:[34]\d\d|5[0-7]\d|610)\.\d{2,3}|590\.(?:[0-3]\d|4[0-7])\b|580\.(?:\d\d|1[0-4]\d|15[0-8])\b|580\.159\.0[0-2]|"
    r"595\.(?:[0-6]\d|70)\b|595\.71\.0[0-4]"
)
"""What the tables above say of a version, as a pattern for pasted text; older branches have all ended."""
WORRY = (
    r"CVE-20\d\d-\d|vulnerab\w*|security (?:fix\w*|update|bulletin|scan\w*|team|audit|advisory|patch\w*|"
    r"floor)|"
    r"(?:security|compliance|our|the|an?) audit|\baudit(?:or)?s?\b|scanner|end[- ]of[- ](?:life|support)|"
    r"\bEOL\b|"
    r"out of support|no longer (?:maintained|patched|(?:gets?|receives?) )|\bsafe to\b|\bsafe\b|"
    r"\bunpatched\b|in order\b|"
    r"漏洞|安全(?:公告|更新|扫描|补丁|吗|审计|风险)|停止(?:支持|维护|更新)|生命周期|不再(?:维护|更新)"
)


@fault(
    "driver-below-safe-version",
    title=Text("The driver lacks security fixes", "驱动缺少安全修复"),
    layer=Layer.DRIVER,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "NVIDIA product security bulletins", "https://github.com/NVIDIA/product-security", "2026-11-30"
        ),
        Reference(
            "NVIDIA: supported drivers and CUDA toolkit versions",
            "https://docs.nvidia.com/datacenter/tesla/drivers/supported-drivers-and-cuda-toolkit-versions.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                rf"(?:driver|驱动|NVRM|nvidia|version).{{0,60}}\b(?:{UNSAFE})",
                WORRY,
                r"driver|驱动|NVRM|nvidia",
            ),
            none=(r"fail-?safe|safe_load|safetensors|torch\.safe",),
        ),
    ),
    remedy=UPDATE,
)
def driver_below_safe_version(driver: Driver) -> Iterator[Hit]:
    version = driver.module_version
    floor, end = safe_floor(version), ended(version)
    if floor is not None and older(version, floor):
        yield Hit(
            subject="driver",
            variant="below-floor",
            summary=message(
                "driver {version} is older than {floor}, the first of its branch with all known fixes",
                "驱动 {version} 早于 {floor}，后者是该分支中包含全部已知修复的第一个版本",
                version=version,
                floor=floor,
            ),
            because=cite("driver.module_version"),
        )
    elif end is not None:
        yield Hit(
            subject="driver",
            variant="branch-ended",
            summary=message(
                "driver {version}: support of branch {branch} ended in {end}",
                "驱动 {version}：{branch} 分支的支持已于 {end} 结束",
                version=version,
                branch=branch(version),
                end=end,
            ),
            because=cite("driver.module_version"),
        )
