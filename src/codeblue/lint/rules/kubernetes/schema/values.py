"""Is every value of the type, and one of those, that its field takes?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.schema.walk import LETTERS, Foreign, Unfit, oddities
from codeblue.model.config.kubernetes import Manifest
from codeblue.model.config.node import Node
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import Message, message

FORMS = {
    "list": ("a list", "列表"),
    "map": ("a map", "映射"),
    "string": ("a string", "字符串"),
    "integer": ("a whole number", "整数"),
    "float": ("a number", "数字"),
    "number": ("a number", "数字"),
    "boolean": ("a truth value", "布尔值"),
    "quantity": ("a quantity such as 500m or 16Gi", "形如 500m 或 16Gi 的数量"),
    "int-or-string": ("a whole number or a string", "整数或字符串"),
}
NUMBER = re.compile(r"(?:0|[1-9][0-9]*)$")
LONGEST = 40
"""Characters of a value that a message repeats."""


@rule("manifest-value-refused")
def values_are_of_their_type(manifest: Manifest) -> Iterator[Problem]:
    """The API server takes no number for a string, and no string for a list."""
    for one in oddities(manifest):
        if isinstance(one, Unfit):
            yield Problem(
                place=one.value.place if one.value.kind not in ("map", "list") else one.key.place,
                variant="type",
                message=_said(one),
                fix=_quoted(one),
            )


@rule("manifest-value-refused")
def values_are_allowed(manifest: Manifest) -> Iterator[Problem]:
    """Some fields have a few values only, and large and small letters count."""
    for one in oddities(manifest):
        if isinstance(one, Foreign):
            right = {word.casefold(): word for word in one.allowed}.get(one.value.text.casefold())
            yield Problem(
                place=one.value.place,
                variant="value",
                message=message(
                    "`{field}` cannot be `{value}`, only one of {allowed}",
                    "`{field}` 不能是 `{value}`，只能是：{allowed_zh}",
                    field=one.key.text,
                    value=_short(one.value),
                    allowed=", ".join(one.allowed),
                    allowed_zh="、".join(one.allowed),
                ),
                fix=_written(one.value, right) if right else None,
            )


def _said(one: Unfit) -> Message:
    given = one.value.kind
    if given == "string" and not one.value.style and one.value.text in LETTERS:
        given = "boolean"
    wanted, wanted_zh = FORMS[one.wanted]
    words: dict[str, str] = {
        "field": one.key.text + ("[]" if one.field.shape == "list" and one.wanted != "list" else ""),
        "wanted": wanted,
        "wanted_zh": wanted_zh,
        "given": FORMS[given][0],
        "given_zh": FORMS[given][1],
        "value": _short(one.value),
    }
    if given in ("map", "list"):
        return message(
            "`{field}` must be {wanted}, and this is {given}: the API server refuses the object",
            "`{field}` 必须是{wanted_zh}，而这里是{given_zh}：API 服务器会拒绝该对象",
            **words,
        )
    if one.wanted == "string":
        return message(
            "`{field}` must be a string, and `{value}` without quotes is {given}: the API server refuses "
            "the object",
            "`{field}` 必须是字符串，而不加引号的 `{value}` 是{given_zh}：API 服务器会拒绝该对象",
            **words,
        )
    return message(
        "`{field}` must be {wanted}, not `{value}`: the API server refuses the object",
        "`{field}` 必须是{wanted_zh}，不能是 `{value}`：API 服务器会拒绝该对象",
        **words,
    )


def _short(value: Node) -> str:
    quotes = value.style if value.style in ("'", '"') else ""
    text = f"{quotes}{value.text}{quotes}"
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def _quoted(one: Unfit) -> Fix | None:
    """Return the quotes that are missing, or those that are too many; None if quotes are not the matter."""
    value = one.value
    if value.kind in ("map", "list"):
        return None
    if one.wanted == "string" and not value.style:
        summary = message("quote it", "加上引号")
        return Fix(summary, (Edit(value.place, f'"{value.text}"'),), safe=True)
    if value.style in ("'", '"') and _would_fit(value.text, one.wanted):
        return Fix(message("without quotes", "去掉引号"), (Edit(value.place, value.text),), safe=True)
    return None


def _would_fit(text: str, wanted: str) -> bool:
    """Tell whether a text is of the wanted type if nothing is around it."""
    if wanted == "boolean":
        return text in ("true", "false")
    return (
        wanted == "integer" and text.isascii() and text.isdigit() and not (text[0] == "0" and len(text) > 1)
    )


def _written(value: Node, right: str) -> Fix | None:
    if value.style in ("|", ">"):
        return None
    place = Edit(value.place, f"{value.style}{right}{value.style}")
    return Fix(message("write {right}", "改为 {right}", right=right), (place,), safe=True)


RULES = (values_are_of_their_type, values_are_allowed)
