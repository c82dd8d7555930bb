"""Does somebody answer for what is approved?"""

import re
from collections.abc import Iterator
from datetime import date, datetime, timezone

from codeblue.lint.rule import rule
from codeblue.model.config.document import Line
from codeblue.model.config.place import Place
from codeblue.model.config.site_file import SiteFile
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.site import Site
from codeblue.model.text import message

ROLE = (
    r"(?:(?:change |risk |final |deputy |service )?(?:approved[ _-]by|approvers?|approval owner|"
    r"approving (?:officer|manager)|signed[ _-]off[ _-]by|sign-?off owner)"
    r"|(?:变更|风险|最终)?(?:审批人|批准人|审批负责人|核准人|签批人))"
)
NOBODY = (
    r"(?:\(?(?:tbd|tba|t\.b\.d\.?|to be (?:determined|defined|named|announced)|vacant|nobody|no one|"
    r"none|unassigned|open position|n/?a|\?+)\)?"
    r"|空缺|待定|暂无|无人|未定|待补充|暂缺)"
)
SAID = re.compile(rf"^\s*{ROLE}\s*[:：]\s*(?P<who>\S[^\n|]{{0,80}}?)\s*$", re.IGNORECASE)
LABEL = re.compile(rf"^{ROLE}$", re.IGNORECASE)
EMPTY = re.compile(rf"\W*{NOBODY}\W*$", re.IGNORECASE)


def _today() -> date:
    return datetime.now(timezone.utc).date()


def _named(line: Line) -> tuple[str, Place] | None:
    """Return whom a line names as approver, and where."""
    text = line.source.text
    if LABEL.match(line.label.strip(" *:：")):
        who = text.strip(" *`")
        start = text.find(who)
    else:
        found = SAID.match(text)
        if found is None:
            return None
        who, start = found["who"].rstrip(" 。."), found.start("who")
    return (who, line.source.place(start, start + len(who))) if who else None


@rule("approval-owner-vacant")
def approvers_are_named(line: Line) -> Iterator[Problem]:
    """``Approved by: TBD`` is no approval."""
    named = _named(line)
    if named is not None and EMPTY.fullmatch(named[0]):
        yield Problem(
            place=named[1],
            variant="nobody",
            message=message(
                "nobody is named who approves this: {who}", "没有写明由谁审批：{who}", who=named[0]
            ),
        )


@rule("approval-owner-vacant")
def approvers_still_approve(line: Line, site: Site) -> Iterator[Problem]:
    """Whoever approves here is no approver of the site's whose time has ended."""
    named = _named(line)
    for one in site.approver if named is not None else ():
        if named is not None and one.until < _today() and _same(named[0], one.name):
            yield Problem(
                place=named[1],
                variant="ended",
                message=message(
                    "{who} approves only until {until}, by codeblue.toml",
                    "按 codeblue.toml，{who} 的审批权已于 {until} 到期",
                    who=one.name,
                    until=one.until,
                ),
                certainty=Certainty.LIKELY,
            )


def _same(said: str, name: str) -> bool:
    return said.casefold() == name.casefold() or said.casefold().startswith(
        (f"{name.casefold()} ", f"{name.casefold()}(")
    )


@rule("approval-owner-vacant")
def approvals_of_the_site_count(file: SiteFile) -> Iterator[Problem]:
    """An approver whose last day has passed is a vacant post."""
    for one, place in zip(file.site.approver, file.until, strict=True):
        if one.until < _today():
            yield Problem(
                place=place,
                variant="approver-ended",
                message=message(
                    "{who} may approve only until {until}: the post is vacant",
                    "{who} 的审批权已于 {until} 到期：岗位空缺",
                    who=one.name,
                    until=one.until,
                ),
            )


@rule("approval-owner-vacant")
def waivers_of_the_site_count(file: SiteFile) -> Iterator[Problem]:
    """A waiver whose last day has passed accepts nothing; one whose owner may not approve is nobody's."""
    ended = {one.name.casefold(): one for one in file.site.approver if one.until < _today()}
    for number, one in enumerate(file.site.waive):
        owner = ended.get(one.owner.casefold())
        if one.expires < _today():
            yield Problem(
                place=file.waived[number],
                variant="waiver-expired",
                message=message(
                    "the waiver of {fault} ended on {expires}: renew it with its owner or take it out",
                    "对 {fault} 的豁免已于 {expires} 到期：请由负责人续期，或删除它",
                    fault=one.fault,
                    expires=one.expires,
                ),
            )
        elif owner is not None:
            yield Problem(
                place=file.owners[number],
                variant="waiver-owner-ended",
                message=message(
                    "{who}, who owns this waiver, may approve only until {until}",
                    "这条豁免的负责人 {who} 的审批权已于 {until} 到期",
                    who=one.owner,
                    until=owner.until,
                ),
            )


RULES = (approvers_are_named, approvers_still_approve, approvals_of_the_site_count, waivers_of_the_site_count)
