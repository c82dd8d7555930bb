"""Do Docker and Compose read a file of variables alike?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.lines import EnvFile
from codeblue.model.config.place import Place
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

SPACED = re.compile(r"([A-Za-z_]\w*)([ \t]*)=([ \t]*)(.*)$")
EXPORT = re.compile(r"export[ \t]+(?=[A-Za-z_])")


@rule("env-file-syntax")
def names_touch_the_sign(file: EnvFile) -> Iterator[Problem]:
    """A shell that sources the line runs the name as a command, and ``docker --env-file`` refuses it."""
    for line in file.lines:
        found = SPACED.match(EXPORT.sub("", line.text))
        if found is None or not (found[2] or (found[3] and found[4])):
            continue
        begin = line.place.column + len(line.text) - len(EXPORT.sub("", line.text)) + len(found[1])
        row = line.place.line
        place = Place(row, begin, row, begin + len(found[2]) + 1 + len(found[3]))
        yield Problem(
            place=place,
            variant="spaces",
            certainty=Certainty.LIKELY,
            message=message(
                "spaces around =: docker refuses the name or keeps the space in the value",
                "= 两边有空格：docker 会拒绝这个变量名，或把空格当作值的一部分",
            ),
            fix=Fix(message("take the spaces away", "去掉空格"), (Edit(place, "="),)),
        )


@rule("env-file-syntax", pedantic=True)
def lines_do_not_export(file: EnvFile) -> Iterator[Problem]:
    """A shell and Compose read it; ``docker run --env-file`` refuses a name with a space."""
    for line in file.lines:
        found = EXPORT.match(line.text)
        if found:
            row, column = line.place.line, line.place.column
            place = Place(row, column, row, column + found.end())
            yield Problem(
                place=place,
                variant="export",
                certainty=Certainty.POSSIBLE,
                message=message(
                    "docker run --env-file refuses a line with export",
                    "docker run --env-file 不接受带 export 的行",
                ),
                fix=Fix(message("take export away", "去掉 export"), (Edit(place, ""),)),
            )


@rule("env-file-syntax", pedantic=True)
def quotes_are_not_kept(file: EnvFile) -> Iterator[Problem]:
    """``docker run --env-file`` hands quotes on; Compose, systemd and a shell take them away."""
    for line in file.lines:
        found = SPACED.match(line.text)
        if found and len(found[4]) > 1 and found[4][0] == found[4][-1] and found[4][0] in "\"'":
            row, column = line.place.line, line.place.column + found.start(4)
            yield Problem(
                place=Place(row, column, row, column + len(found[4])),
                variant="quotes",
                certainty=Certainty.POSSIBLE,
                message=message(
                    "docker run --env-file makes these quotes part of the value",
                    "docker run --env-file 会把这对引号当作值的一部分",
                ),
            )


RULES = (names_touch_the_sign, lines_do_not_export, quotes_are_not_kept)
