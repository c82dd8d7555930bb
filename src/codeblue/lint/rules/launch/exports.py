"""Do variables reach the program that needs them?"""

import re
from collections.abc import Iterator, Sequence

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.launchers import launch, launches
from codeblue.lint.rules.launch.names import is_read
from codeblue.model.config.place import Place
from codeblue.model.config.setting import Setting
from codeblue.model.config.shell import Command, Script, Word
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

GIVES = frozenset({"-x", "-e", "--env", "-env", "-genv", "--export", "-E"})
"""Options whose value is a variable for the program that is started."""
BY_LAUNCHER = frozenset({"MASTER_ADDR", "MASTER_PORT", "WORLD_SIZE", "RANK", "LOCAL_RANK"})
"""What launchers work out themselves; a script that has such a variable mostly computes with it."""
USED = re.compile(r"(?:\$\{?|\s-x\s+)(\w+)")
COMPARE = ("test", "expr", "let")
SET_ALL = re.compile(r"^[ \t]*set[ \t]+(?:-[a-z]*a|-o[ \t]+allexport)", re.MULTILINE)
EXPORTED = re.compile(r"^[^#\n]*?\b(?:export|declare[ \t]+-x|typeset[ \t]+-x)[ \t]+([^\n;&|]*)", re.MULTILINE)


@rule("env-set-after-launch")
def variables_stand_in_front(script: Script) -> Iterator[Problem]:
    """``NAME=value`` behind the program is one of its arguments, not a variable."""
    for command in script.commands:
        start = launch(command)
        for before, word in zip(command.words, command.arguments, strict=False) if start else ():
            name, sign, _ = word.text.partition("=")
            if sign and is_read(name) and before.text not in GIVES:
                yield Problem(
                    place=word.place,
                    message=message(
                        "{name} is an argument here, no variable: it has to stand in front of {program}",
                        "{name} 在这里只是一个参数，不是环境变量：必须写在 {program} 之前",
                        name=name,
                        program=command.name,
                    ),
                    certainty=Certainty.LIKELY,
                    variant="argument",
                    fix=_to_the_front(command, before, word),
                )


def _to_the_front(command: Command, before: Word, word: Word) -> Fix | None:
    # What stands in front of the first word may be `sudo` or `nohup`, which is not in the words.
    if command.place.start != command.words[0].place.start or not word.literal or " " in word.text:
        return None
    gap = Place(before.place.end_line, before.place.end_column, word.place.end_line, word.place.end_column)
    return Fix(
        message("set it in front of the program", "写到程序之前"),
        (Edit(command.place.start, f"{word.text} "), Edit(gap, "")),
    )


@rule("env-set-after-launch")
def variables_are_set_in_time(script: Script) -> Iterator[Problem]:
    """An export behind the last program of the script reaches nobody."""
    starts = [one.command for one in launches(script)]
    if not script.whole or not starts or any(one.nested for one in starts):
        return
    last = max(command.place for command in script.commands if command.name != "export")
    for one in script.settings:
        late = one.exported and one.place > last and is_read(one.name)
        if late and not any(other.name == one.name and other is not one for other in script.settings):
            yield Problem(
                place=one.place,
                message=message(
                    "{name} is set behind the program that reads it, and nothing runs after it",
                    "{name} 在读取它的程序之后才设置，而此后不再运行任何程序",
                    name=one.name,
                ),
                certainty=Certainty.LIKELY,
                variant="behind",
            )


@rule("env-set-after-launch")
def limits_are_raised_in_time(script: Script) -> Iterator[Problem]:
    """``ulimit`` behind the last program of the script raises nobody's limit."""
    starts = [one.command for one in launches(script)]
    if not script.whole or not starts or any(one.nested for one in starts):
        return
    last = max(command.place for command in script.commands if command.name != "ulimit")
    for command in script.commands:
        if command.name == "ulimit" and len(command.words) > 2 and command.place > last:
            yield Problem(
                place=command.words[0].place,
                message=message(
                    "this limit is raised behind the program that needs it",
                    "这个限制在需要它的程序之后才调整",
                ),
                certainty=Certainty.LIKELY,
                variant="limit",
            )


@rule("env-not-exported")
def variables_are_exported(script: Script) -> Iterator[Problem]:
    """A variable that only a library reads is exported before the program starts."""
    starts = [one.command.place for one in launches(script)]
    if not starts or SET_ALL.search(script.source.text):
        return
    exported = {
        name for found in EXPORTED.finditer(script.source.text) for name in re.findall(r"\w+", found[1])
    }
    given = (
        BY_LAUNCHER if any(one.tool != "python" for one in launches(script)) else frozenset({"WORLD_SIZE"})
    )
    used = {found[1] for found in USED.finditer(script.source.text)}
    for one in script.settings:
        # A shell that has it from its own environment passes the new value on, so this is not certain.
        kept = not one.exported and one.place < max(starts) and is_read(one.name)
        kept = kept and one.name not in exported | given
        if kept and one.name not in used:
            yield _not_exported(one)


def _not_exported(one: Setting) -> Problem:
    return Problem(
        place=one.place,
        message=message(
            "{name} is not exported: the shell keeps it for itself and the program does not get it",
            "{name} 没有 export：只在当前 shell 里有效，程序得不到它",
            name=one.name,
        ),
        certainty=Certainty.LIKELY,
        fix=Fix(message("export it", "加上 export"), (Edit(one.place.start, "export "),)),
    )


@rule("shell-assignment-malformed")
def assignments_have_no_blanks(script: Script) -> Iterator[Problem]:
    """``export X = y`` and ``X = y`` assign nothing."""
    for command in script.commands:
        words = command.words
        start = 1 if command.name == "export" else 0
        assigns = len(words) == start + 3 and words[start + 1].text == "="
        if assigns and words[start].text.isidentifier() and words[start].text not in COMPARE:
            yield _blanks(words[start], words[start + 2])


def _blanks(name: Word, value: Word) -> Problem:
    return Problem(
        place=name.place,
        message=message(
            "blanks around = : {name} is not assigned",
            "= 两边有空格：{name} 并没有被赋值",
            name=name.text,
        ),
        variant="blanks",
        fix=Fix(message("take the blanks away", "去掉空格"), (Edit(_between(name, value), "="),), safe=True),
    )


def _between(one: Word, other: Word) -> Place:
    return Place(one.place.end_line, one.place.end_column, other.place.line, other.place.column)


@rule("shell-assignment-malformed")
def assignments_have_signs(script: Script) -> Iterator[Problem]:
    """``export NCCL_DEBUG INFO`` exports two names and sets none; ``set X=y`` sets an argument."""
    assigned = {one.name for one in script.settings}
    for command in script.commands:
        words = command.words
        pair = [word.text for word in words[1:]] if command.name == "export" and len(words) == 3 else []
        if pair and is_read(pair[0]) and not assigned & set(pair) and "=" not in pair[1]:
            yield _no_sign(words[1], words[2])
        if command.starts("set") and len(words) == 2 and is_read(words[1].text.partition("=")[0]):
            yield Problem(
                place=words[0].place,
                message=message(
                    "set makes this the script's first argument; a variable wants export",
                    "set 只会把它变成脚本的第一个参数；设置环境变量要用 export",
                ),
                variant="set",
                fix=Fix(message("write export", "改为 export"), (Edit(words[0].place, "export"),)),
            )


def _no_sign(name: Word, value: Word) -> Problem:
    return Problem(
        place=name.place,
        message=message(
            "no = between {name} and {value}: this exports two names and sets none",
            "{name} 与 {value} 之间缺少 =：这样只是导出两个名字，没有赋值",
            name=name.text,
            value=value.text,
        ),
        certainty=Certainty.LIKELY,
        variant="no-sign",
        fix=Fix(message("put = between them", "在中间加上 ="), (Edit(_between(name, value), "="),)),
    )


@rule("shell-assignment-malformed")
def lists_of_gpus_have_no_blanks(script: Script) -> Iterator[Problem]:
    """``CUDA_VISIBLE_DEVICES=0, 1 python`` runs a program called 1."""
    for command in script.commands:
        exports = command.name == "export"
        every = script.settings if exports else command.assigned
        for one in every:
            near = not exports or one.place.line == command.place.line
            if one.name == "CUDA_VISIBLE_DEVICES" and near and (one.value or "").endswith(","):
                yield from _cut_list(command.words[1:] if exports else command.words, one)


def _cut_list(words: Sequence[Word], one: Setting) -> Iterator[Problem]:
    rest = []
    for word in words:
        if not re.match(r"\d+,?$", word.text):
            break
        rest.append(word)
    if not rest or one.value_place is None:
        return
    end = rest[-1].place
    place = Place(one.value_place.line, one.value_place.column, end.end_line, end.end_column)
    text = (one.value or "") + "".join(word.text for word in rest)
    yield Problem(
        place=one.value_place,
        message=message(
            "the list ends at the blank: the shell takes {word} for the program to run",
            "列表在空格处就结束了：shell 会把 {word} 当作要运行的程序",
            word=rest[0].text,
        ),
        variant="list",
        fix=Fix(message("take the blanks away", "去掉空格"), (Edit(place, text),), safe=True),
    )


RULES = (
    variables_stand_in_front,
    variables_are_set_in_time,
    limits_are_raised_in_time,
    variables_are_exported,
    assignments_have_no_blanks,
    assignments_have_signs,
    lists_of_gpus_have_no_blanks,
)
