"""The answer to another question: will it come back after a reboot?"""

from collections.abc import Mapping, Sequence

from codeblue.diagnose.barriers import gpus_seen
from codeblue.model.diagnosis import AfterBoot, Return, Skipped
from codeblue.model.facts import NextBoot
from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Finding, Outcome, Verdict
from codeblue.model.section import NotRead, State
from codeblue.model.snapshot import View
from codeblue.model.text import Message, message

NOT_ASKED = f"{NextBoot.NAME}: {State.NOT_ATTEMPTED.value}"
"""Why a rule about the next boot is skipped when nobody asked."""


def after_boot(view: View, verdicts: Sequence[Verdict], needs: Mapping[str, tuple[str, ...]]) -> AfterBoot:
    """Judge by the rules that look at the next boot; their risks of today are the troubles of then."""
    asked = [verdict for verdict in verdicts if NextBoot.NAME in needs[verdict.fault]]
    found = tuple(f for verdict in asked for f in verdict.findings if about_next_boot(f))
    if any(finding.certainty is not Certainty.POSSIBLE for finding in found):
        return AfterBoot(Return.NO, _start(view), found)
    try:
        if not gpus_seen(view):
            return AfterBoot(Return.YES, message("no NVIDIA GPU here", "这里没有 NVIDIA GPU"), ())
        section = view.section(NextBoot)
    except NotRead as reason:
        return AfterBoot(Return.UNKNOWN, _unread(reason), ())
    if section.state is State.ABSENT:
        summary = message(
            "cannot be seen from here: {why}", "从这里看不到下次启动的内容：{why}", why=section.reason
        )
        return AfterBoot(Return.UNKNOWN, summary, ())
    unsure = (v for v in asked if v.outcome in (Outcome.SKIPPED, Outcome.BROKEN))
    skipped = tuple(Skipped(verdict.fault, verdict.reason) for verdict in unsure)
    answer = Return.UNKNOWN if found or skipped else Return.YES
    return AfterBoot(answer, _start(view), found, skipped)


def _unread(reason: NotRead) -> Message:
    if str(reason) == NOT_ASKED:
        return message(
            "this recording does not hold it; make a new one with codeblue snapshot",
            "该快照不含此内容；请用 codeblue snapshot 重新记录",
        )
    why = f"{reason} ({reason.detail})" if reason.detail else str(reason)
    return message("not read: {why}", "未读取：{why}", why=why)


def about_next_boot(finding: Finding) -> bool:
    """True if the finding is a risk that rests on what the next boot will start with."""
    return finding.kind is Kind.RISK and any(
        one.path.startswith(f"{NextBoot.NAME}.") for one in finding.evidence
    )


def _start(view: View) -> Message:
    try:
        section = view.section(NextBoot)
        kernel, how = section.kernel, section.chosen_by
    except NotRead as reason:
        return _unread(reason)
    if kernel is None:
        return message("the boot entry names no kernel that is installed", "启动项没有指明任何已安装的内核")
    if how == "newest-file":
        return message(
            "probably kernel {kernel}, the newest; the boot loader's configuration was not read",
            "很可能是最新的内核 {kernel}；引导程序的配置没有读到",
            kernel=kernel,
        )
    return message("kernel {kernel}, by {how}", "内核 {kernel}，依据 {how}", kernel=kernel, how=how)
