"""A snapshot file becomes a snapshot again."""

import os
import re

import msgspec

from codeblue import patience
from codeblue.model.snapshot import SCHEMA, Snapshot
from codeblue.model.text import Message, message
from codeblue.sources.failures import cannot
from codeblue.sources.live import view_of
from codeblue.sources.logs import Signatures
from codeblue.sources.target import Unusable, no_answer

LARGEST = 64 << 20
"""Bytes. A snapshot of one machine has about 100 kB; a much larger file is something else."""


ANSWER = re.compile(rb"^codeblue-[0-9a-f]{16}:(\{.*\})\r?$", re.MULTILINE)
"""A line that the probe program printed."""


class _Header(msgspec.Struct):
    schema: str = ""


def read(path: str, signatures: Signatures) -> Snapshot:
    """Return the snapshot in the file, or in the output of a probe that was run by hand.

    Raises Unusable with one line that says what is wrong."""
    whole = content(path)
    answers = ANSWER.findall(whole)
    if answers:
        return _from_answer(path, answers[-1], signatures)
    try:
        header = msgspec.json.decode(whole, type=_Header)
        if header.schema != SCHEMA:
            raise Unusable(_other_schema(path, header.schema))
        return msgspec.json.decode(whole, type=Snapshot)
    except msgspec.ValidationError as error:
        raise Unusable(_damaged(path, str(error))) from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Unusable(
            message(
                "{path}: not a JSON document or truncated ({why}); make it with codeblue snapshot -o FILE",
                "{path}：不是 JSON，或文件被截断（{why}）；请用 codeblue snapshot -o 文件 生成",
                path=path,
                why=error,
            )
        ) from None


def _from_answer(path: str, line: bytes, signatures: Signatures) -> Snapshot:
    try:
        document = msgspec.json.decode(line)
        if document["part"] == "error":
            raise Unusable(
                message(
                    "{path}: the probe failed: {why}",
                    "{path}：探针失败：{why}",
                    path=path,
                    why=document["reason"],
                )
            )
        view = view_of(document, path, signatures, document["seconds"])
    except (msgspec.DecodeError, LookupError, TypeError) as error:
        raise Unusable(_damaged(path, f"{type(error).__name__}: {error}")) from None
    return Snapshot(target=f"file:{path}", views=[view])


def readable(content: bytes) -> Snapshot | None:
    """Return an encoded snapshot, or None if another version wrote it."""
    try:
        return msgspec.json.decode(content, type=Snapshot)
    except msgspec.MsgspecError:
        return None


def content(path: str) -> bytes:
    """Return the bytes of a file that should be a snapshot. Raises Unusable."""
    if not patience.answers(path):
        raise Unusable(no_answer(path))
    try:
        with open(path, "rb") as stream:
            size = os.fstat(stream.fileno()).st_size
            found = stream.read(LARGEST + 1) if size <= LARGEST else b""
    except OSError as error:
        raise Unusable(
            cannot("{path}: cannot read it: {why}", "{path}：无法读取：{why}", error, path=path)
        ) from None
    if size > LARGEST or len(found) > LARGEST:
        raise Unusable(
            message(
                "{path}: {size} MB is too large for a snapshot (at most 64 MB)",
                "{path}：{size} MB 对快照来说太大（上限 64 MB）",
                path=path,
                size=max(size, len(found)) >> 20,
            )
        )
    return found


def _other_schema(path: str, schema: str) -> Message:
    if schema.startswith("codeblue/snapshot/"):
        return message(
            "{path}: schema {schema} is newer than this codeblue reads ({known}); upgrade codeblue",
            "{path}：快照格式 {schema} 比本版本支持的 {known} 新；请升级 codeblue",
            path=path,
            schema=schema,
            known=SCHEMA,
        )
    return message(
        "{path}: not a codeblue snapshot (schema {schema}); make one with codeblue snapshot -o FILE",
        "{path}：不是 codeblue 快照（schema 为 {schema}）；请用 codeblue snapshot -o 文件 生成",
        path=path,
        schema=schema or "missing",
    )


def _damaged(path: str, why: str) -> Message:
    return message(
        "{path}: not a valid snapshot: {why}", "{path}：快照内容不合格式：{why}", path=path, why=why
    )
