"""The list of devices that CUDA may use."""

import re
from collections.abc import Iterator

from codeblue.knowledge.env_values import placeholder
from codeblue.lint.rule import rule
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

CUDA = "CUDA_VISIBLE_DEVICES"
HIDES = ("", "-1", "NoDevFiles", "none", "void")
"""Values by which somebody hides all GPUs, on purpose."""
ENTRY = re.compile(r"-?[0-9]+|(?:GPU|MIG)-[\w/-]+|NoDevFiles")


@rule("cuda-visible-devices-names-absent-gpu")
def entries_are_devices(settings: Settings) -> Iterator[Problem]:
    """CUDA stops at the first entry that it does not understand."""
    for one in settings.settings:
        value = (one.value or "").strip()
        if one.name != CUDA or value in HIDES or placeholder(value):
            continue
        wrong = next((part for part in value.split(",") if not ENTRY.fullmatch(part.strip())), None)
        if wrong is not None:
            yield Problem(
                place=one.value_place or one.place,
                variant="no-device",
                message=message(
                    "{name}={value}: CUDA does not know {wrong}; it drops that entry and all behind it",
                    "{name}={value}：CUDA 不认识 {wrong}；会丢掉这一项和后面所有项",
                    name=CUDA,
                    value=value,
                    wrong=repr(wrong),
                ),
                certainty=Certainty.CERTAIN,
                fix=_commas(one, value),
            )


def _commas(one: Setting, value: str) -> Fix | None:
    right = ",".join(value.split())
    if one.value_place is None or not all(ENTRY.fullmatch(part) for part in right.split(",")):
        return None
    return Fix(message("write {value}", "改为 {value}", value=right), (Edit(one.value_place, f'"{right}"'),))


RULES = (entries_are_devices,)
