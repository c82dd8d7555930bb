"""Are variables spelt as programs read them?"""

from collections.abc import Iterator

from codeblue.faults.orchestration.env_name_misspelt import RIGHT
from codeblue.knowledge import variables
from codeblue.lint.rule import rule
from codeblue.model.config.setting import Settings
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message


@rule("env-name-misspelt")
def names_are_known(settings: Settings) -> Iterator[Problem]:
    """A name that nobody reads, near one that somebody does."""
    for one in settings.settings:
        right = RIGHT.get(one.name) or variables.meant(one.name)
        if right:
            yield Problem(
                place=one.place,
                message=message(
                    "{name} is read by nobody; {right} is",
                    "没有程序读取 {name}；程序读取的是 {right}",
                    name=one.name,
                    right=right,
                ),
                certainty=Certainty.CERTAIN if one.name.upper() == right else Certainty.LIKELY,
                fix=Fix(
                    message("write {right}", "改为 {right}", right=right),
                    (Edit(one.place, right),),
                ),
            )


RULES = (names_are_known,)
