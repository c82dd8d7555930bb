"""A saved fingerprint becomes a base to compare with, and a measured one a file."""

import re

import msgspec

from codeblue import __version__
from codeblue.model.facts import NumericsBase
from codeblue.model.numerics.saved import SCHEMA, OtherSuite, Saved, check
from codeblue.model.section import UNREAD, State
from codeblue.model.snapshot import Snapshot
from codeblue.model.text import Message, message
from codeblue.sources import recording
from codeblue.sources.logs import Signatures
from codeblue.sources.target import Unusable

FAMILY = re.compile(r"codeblue/numerics/\d+$")


class _Header(msgspec.Struct):
    schema: str = ""


def read(path: str, signatures: Signatures) -> NumericsBase:
    """Return the fingerprint in a file: one that was saved, or that of a snapshot.

    Raises Unusable with one line that says what is wrong.
    """
    whole = recording.content(path)
    try:
        schema = msgspec.json.decode(whole, type=_Header).schema
    except (msgspec.MsgspecError, UnicodeDecodeError):
        schema = ""
    if FAMILY.match(schema):
        return _checked(_decoded(path, whole, schema), path)
    if schema and not schema.startswith("codeblue/snapshot/"):
        raise Unusable(
            message(
                "{path}: neither a saved fingerprint nor a snapshot (schema {schema}); make one with "
                "codeblue trial numerics --save FILE",
                "{path}：既不是保存的数值指纹，也不是快照（schema 为 {schema}）；"
                "请用 codeblue trial numerics --save 文件 生成",
                path=path,
                schema=schema,
            )
        )
    return measured(recording.read(path, signatures), path)


def measured(snapshot: Snapshot, name: str) -> NumericsBase:
    """Return what the trial of a snapshot measured. Raises Unusable if it was not run or came to nothing."""
    return _checked(_base(saved(snapshot, name), name), name)


def saved(snapshot: Snapshot, name: str) -> Saved:
    """Return the document of what a snapshot's trial measured; ``name`` is for the words of Unusable."""
    machine = snapshot.machine
    trial = machine.numerics_trial if machine else UNREAD
    if machine is None or trial is UNREAD or trial.state is not State.READ:
        why = f" ({trial.state.value}: {trial.reason})" if trial is not UNREAD else ""
        raise Unusable(
            message(
                "{name}: numerics was not measured there{why}; run codeblue trial numerics",
                "{name}：其中没有数值测试的结果{why}；请运行 codeblue trial numerics",
                name=name,
                why=why,
            )
        )
    return Saved(
        codeblue=__version__,
        target=snapshot.target,
        host_name=machine.host_name,
        time=machine.time,
        devices=trial.devices,
    )


def written(document: Saved, name: str) -> bytes:
    """Return the document as the bytes of a file. Raises Unusable if there is nothing to compare with."""
    _checked(_base(document, name), name)
    return msgspec.json.format(msgspec.json.encode(document), indent=1) + b"\n"


def _decoded(path: str, whole: bytes, schema: str) -> NumericsBase:
    if schema != SCHEMA:
        raise Unusable(
            message(
                "{path}: schema {schema} is newer than this codeblue reads ({known}); upgrade codeblue",
                "{path}：格式 {schema} 比本版本支持的 {known} 新；请升级 codeblue",
                path=path,
                schema=schema,
                known=SCHEMA,
            )
        )
    try:
        return _base(msgspec.json.decode(whole, type=Saved), path)
    except (msgspec.MsgspecError, UnicodeDecodeError) as error:
        raise Unusable(_damaged(path, str(error))) from None


def _base(document: Saved, name: str) -> NumericsBase:
    return NumericsBase(
        source=name,
        name=name,
        host_name=document.host_name,
        time=document.time,
        devices=document.devices,
    )


def _checked(base: NumericsBase, name: str) -> NumericsBase:
    try:
        check(base.devices)
    except OtherSuite:
        raise Unusable(
            message(
                "{name}: measured with other operations by another version of codeblue; save it again",
                "{name}：由另一版本的 codeblue 用不同的操作测得；请重新保存",
                name=name,
            )
        ) from None
    except ValueError as why:
        raise Unusable(_damaged(name, str(why))) from None
    return base


def _damaged(name: str, why: str) -> Message:
    return message(
        "{name}: not a valid fingerprint: {why}; make one with codeblue trial numerics --save FILE",
        "{name}：不是有效的数值指纹：{why}；请用 codeblue trial numerics --save 文件 生成",
        name=name,
        why=why,
    )
