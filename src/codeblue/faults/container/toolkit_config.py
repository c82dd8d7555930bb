"""The remedy that changes one setting of the container toolkit's config.toml."""

import json

from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Message, message

CONFIG = "/etc/nvidia-container-runtime/config.toml"


def write_setting(key: str, value: bool | str, why: Message) -> Remedy:
    """Write a setting, e.g. ``nvidia-container-cli.ldconfig``; the toolkit reads it at every start."""
    shown = json.dumps(value)
    name = key.rpartition(".")[2]
    return Remedy(
        message(
            "set {name} = {value} in {file}",
            "在 {file} 里设 {name} = {value}",
            name=name,
            value=shown,
            file=CONFIG,
        ),
        (Step(Verb.FILE_EDIT, why, {"path": CONFIG, "kind": "toml", "at": key, "value": shown}),),
        Automation.APPROVAL,
        Undo.EXACT,
    )
