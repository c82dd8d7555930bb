"""Plans and approvals as files."""

import sys
from datetime import date
from pathlib import Path

import msgspec

from codeblue.model.approval import Approval
from codeblue.model.plan import SCHEMA, Plan, Refused
from codeblue.model.text import Message, message
from codeblue.remedy import here
from codeblue.remedy.planning import digest

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LARGEST = 1 << 22
"""Bytes. A larger file is something else."""


def approval(path: str) -> Approval:
    """Return the approval in a file (TOML). Raises Refused."""
    try:
        content = tomllib.loads(_text(path))
        return msgspec.convert(content, Approval, strict=True)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise Refused(
            message(
                "{path}: not an approval: {why}; it needs plan, owner and until",
                "{path}：不是审批文件：{why}；需要 plan、owner 和 until",
                path=path,
                why=error,
            )
        ) from None


def saved(path: str) -> Plan:
    """Return a saved plan, if it is whole, of this host and boot, and not over. Raises Refused."""
    try:
        plan = msgspec.json.decode(_text(path), type=Plan)
    except msgspec.MsgspecError as error:
        raise Refused(_no_plan(path, str(error))) from None
    if plan.schema != SCHEMA:
        raise Refused(_no_plan(path, plan.schema))
    if digest(plan) != plan.digest:
        raise Refused(
            message(
                "{path}: the plan was edited; make a new one with codeblue fix --plan",
                "{path}：计划被改动过；请用 codeblue fix --plan 重新生成",
                path=path,
            )
        )
    if plan.host != here.host():
        raise Refused(
            message(
                "{path}: the plan is for another host; make one here",
                "{path}：该计划属于另一台主机；请在本机重新生成",
                path=path,
            )
        )
    if plan.boot != here.boot():
        raise Refused(
            message(
                "{path}: the plan is from before the last reboot; run codeblue check and make a new one",
                "{path}：该计划生成于上次重启之前；请运行 codeblue check 后重新生成",
                path=path,
            )
        )
    if plan.expires is not None and plan.expires < date.today().isoformat():
        raise Refused(
            message(
                "{path}: the last day of this temporary change was {day}; make a new plan",
                "{path}：该临时改动已于 {day} 到期；请重新生成计划",
                path=path,
                day=plan.expires,
            )
        )
    return plan


def encoded(plan: Plan) -> bytes:
    """Return a plan as the text of a file."""
    return msgspec.json.format(msgspec.json.encode(plan), indent=2) + b"\n"


def _no_plan(path: str, why: str) -> Message:
    return message(
        "{path}: not a plan of codeblue ({why}); make one with codeblue fix --plan",
        "{path}：不是 codeblue 的计划（{why}）；请用 codeblue fix --plan 生成",
        path=path,
        why=why,
    )


def _text(path: str) -> str:
    try:
        with Path(path).open("rb") as stream:
            content = stream.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise Refused(message("{path}: too large", "{path}：文件过大", path=path))
        return content.decode("utf-8")
    except OSError as error:
        raise Refused(
            message(
                "{path}: cannot be read: {why}",
                "{path}：无法读取：{why}",
                path=path,
                why=error.strerror or error,
            )
        ) from None
    except UnicodeDecodeError:
        raise Refused(message("{path}: not a text", "{path}：不是文本文件", path=path)) from None
