"""The settings of torch's memory allocator."""

import re
from collections.abc import Iterator

from codeblue.faults.framework.allocator_config_invalid import KEYS, NAMES, malformed
from codeblue.knowledge.env_values import placeholder
from codeblue.lint.rule import rule
from codeblue.model.config.place import Place
from codeblue.model.config.setting import Settings
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message


@rule("allocator-config-invalid")
def allocator_settings_parse(settings: Settings) -> Iterator[Problem]:
    """``key:value`` pairs with commas between, of keys that some release reads."""
    for one in settings.settings:
        if one.name not in NAMES or not one.value or placeholder(one.value):
            continue
        entry = malformed(one.value)
        if entry is None:
            continue
        known = re.split("[:=]", entry, maxsplit=1)[0].strip() in KEYS
        yield Problem(
            place=one.value_place or one.place,
            message=message(
                "{name}: torch cannot parse {entry}; the first tensor on the GPU raises",
                "{name}：torch 无法解析 {entry}；第一个 GPU 张量就会报错",
                name=one.name,
                entry=entry,
            ),
            certainty=Certainty.CERTAIN if known else Certainty.LIKELY,
            fix=_colon(one.value, entry, one.value_place) if known and one.value_place else None,
        )


def _colon(value: str, entry: str, place: Place) -> Fix | None:
    """Return the value with the colon in place of an equals sign."""
    right = value.replace(entry, entry.replace("=", ":", 1))
    if right == value or malformed(right) is not None:
        return None
    return Fix(message("write {value}", "改为 {value}", value=right), (Edit(place, f'"{right}"'),))


RULES = (allocator_settings_parse,)
