"""Are search paths extended, not lost?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import Script
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

PATHS = ("PATH", "LD_LIBRARY_PATH", "PYTHONPATH", "LIBRARY_PATH", "CPATH")


@rule("library-path-overwritten")
def old_folders_have_a_dollar(settings: Settings) -> Iterator[Problem]:
    """``PATH=/opt/bin:PATH`` takes its own name for a folder."""
    for one in settings.settings:
        if one.name in PATHS and one.name in (one.value or "").split(":"):
            yield Problem(
                place=one.place,
                message=message(
                    "{name} in the value has no $ in front: the old folders are lost",
                    "值里的 {name} 前面缺少 $：原有目录会丢失",
                    name=one.name,
                ),
                severity=Severity.ERROR,
                variant="dollar",
                fix=_dollar(one),
            )


def _dollar(one: Setting) -> Fix | None:
    value = one.value or ""
    place = one.value_place
    # Quotes would make the text of the file longer than the value.
    if place is None or place.end_column - place.column != len(value) or place.line != place.end_line:
        return None
    words = ":".join(f"${part}" if part == one.name else part for part in value.split(":"))
    return Fix(message("put $ in front", "在前面加上 $"), (Edit(place, words),))


@rule("library-path-overwritten", pedantic=True)
def old_folders_stay(script: Script) -> Iterator[Problem]:
    """An export of ``LD_LIBRARY_PATH`` keeps what other set-ups put there."""
    for one in script.settings:
        if one.name == "LD_LIBRARY_PATH" and one.exported and one.value and one.name not in one.value:
            yield Problem(
                place=one.place,
                message=message(
                    "this drops the folders that were in LD_LIBRARY_PATH",
                    "这会丢弃 LD_LIBRARY_PATH 中原有的目录",
                ),
                certainty=Certainty.POSSIBLE,
                variant="replaced",
            )


RULES = (old_folders_have_a_dollar, old_folders_stay)
