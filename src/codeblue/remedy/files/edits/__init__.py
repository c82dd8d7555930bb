"""Edits that keep everything but the wanted key, line or word byte for byte.

Every edit is proven before it is used: the old and the new text are parsed, and must differ in the wanted
place only.
"""

from typing import Any, Protocol

from codeblue.model.plan import Refused
from codeblue.model.text import Message, Text
from codeblue.remedy.files.edits import (
    env_text,
    grub_text,
    ini_text,
    json_text,
    lines_text,
    modprobe_text,
    sysctl_text,
    toml_text,
    tree,
    yaml_text,
)
from codeblue.remedy.files.refusals import refused


class Format(Protocol):
    """A kind of file."""

    def parse(self, text: str) -> Any:
        """Return what the text says. Raises Refused."""

    def splice(self, text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
        """Return the text with one change. Raises Refused."""


FORMATS: dict[str, Format] = {
    "json": json_text,
    "toml": toml_text,
    "ini": ini_text,
    "yaml": yaml_text,
    "env": env_text,
    "grub": grub_text,
    "lines": lines_text,
    "modprobe": modprobe_text,
    "sysctl": sysctl_text,
}
STRICT = frozenset({"json", "toml", "yaml"})
"""Formats that are UTF-8; the bytes of the others are kept whatever they are."""


def edited(path: str, content: bytes, kind: str, at: str, mode: tree.Mode, value: Any) -> bytes:
    """Return the content with one change. Raises Refused, with the path, if that cannot be done safely.

    ``at`` names the place, as ``tree.parts`` reads it; for lines it is the words they start with.
    ``value`` is JSON data, or ``tree.ABSENT`` to remove the place itself.
    """
    try:
        return _edited(content, kind, at, mode, value)
    except Refused as refusal:
        raise _at(path, refusal) from None
    except RecursionError:
        raise _at(path, refused("it is nested too deeply", "嵌套层次太深")) from None
    except UnicodeEncodeError:
        raise _at(path, refused("the value is not text", "该值不是文本")) from None


def _edited(content: bytes, kind: str, at: str, mode: tree.Mode, value: Any) -> bytes:
    form = FORMATS.get(kind)
    if mode == tree.MEND and kind == "json":
        return json_text.mended(_text(content, kind)).encode()
    if form is None or mode not in tree.MODES[:3] or (mode != "remove" and value is tree.ABSENT):
        raise refused(
            "{kind} {mode}: there is no such edit; kinds are {kinds}; modes are {modes}",
            "{kind} {mode}：没有这种编辑；类型有 {kinds}；方式有 {modes}",
            kind=kind[:40],
            mode=mode[:40],
            kinds=", ".join(FORMATS),
            modes=", ".join(tree.MODES),
        )
    text = _text(content, kind)
    path = tuple(at.split()) if kind == "lines" else tree.parts(at)
    old = form.parse(text)
    wanted = getattr(form, "wanted", tree.changed)
    new = wanted(old, path, mode, value)
    if tree.same(old, new):
        return content
    text = form.splice(text, path, mode, value)
    if not tree.same(form.parse(text), new):
        raise refused(
            "{at}: the change would touch more than that; make it by hand",
            "{at}：这一改动会影响其他内容；请手动修改",
            at=at,
        )
    return text.encode("utf-8", "surrogateescape")


def _text(content: bytes, kind: str) -> str:
    if b"\0" in content:
        raise refused("it is not a text file", "它不是文本文件")
    try:
        return content.decode("utf-8", "strict" if kind in STRICT else "surrogateescape")
    except UnicodeDecodeError as error:
        raise refused(
            "byte {at} is not UTF-8; correct the file first",
            "第 {at} 字节不是 UTF-8；请先修正该文件",
            at=error.start,
        ) from None


def _at(path: str, refusal: Refused) -> Refused:
    line = refusal.line
    text = Text(f"{{path}}: {line.text.en}", f"{{path}}：{line.text.zh}")
    return Refused(Message(text, {**line.values, "path": path}))
