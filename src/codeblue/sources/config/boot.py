"""What is handed to the kernel: GRUB's defaults and the file of the command line."""

import re
from collections.abc import Iterator

from codeblue.model.config.lines import Boot, Entry, Grub
from codeblue.model.config.place import Source
from codeblue.model.config.shell import Word
from codeblue.model.lint import Edit, Fix
from codeblue.model.text import message
from codeblue.sources.config import shell
from codeblue.sources.config.broken import Broken
from codeblue.sources.config.lines import entry, lines, refuse_template, words

ASSIGNED = re.compile(r"[ \t]*(?:export[ \t]+)?([A-Za-z_]\w*)=")
SPACED = re.compile(r"[ \t]*(GRUB_\w+)([ \t]+)=")
VALUE = re.compile(
    r"(?:\"(?:\\.|[^\"\\])*\"|'[^']*'|`[^`]*`|\$\([^)]*\)|\\.|[^\s\"'`\\;&|#]|(?<=\S)#)*", re.DOTALL
)
COMMAND_LINE = re.compile(r"GRUB_CMDLINE_LINUX\w*$")
QUOTED = re.compile(r"[^\s\"']+(?:\"[^\"]*\")?")


def grub(source: Source) -> Iterator[object]:
    """Yield the variables, and the words of each command line. Raises Broken and Template."""
    refuse_template(source)
    entries: list[Entry] = []
    astray: list[Word] = []
    at = 0
    while at < len(source.text):
        at = _line(source, at, entries, astray)
    yield Grub(entries=tuple(entries), astray=tuple(astray))
    named = [(one.name, _words(source, one)) for one in entries if COMMAND_LINE.match(one.name)]
    whole = tuple(word for _, line in named for word in line)
    for name, line in named:
        yield Boot(owner=name, words=line, whole=whole)


def cmdline(source: Source) -> Iterator[object]:
    """Yield the words of a file that is the command line itself. Raises Template."""
    found = tuple(word for line in lines(source) for word in words(source, line))
    yield Boot(owner="", words=found, whole=found)


def _line(source: Source, at: int, entries: list[Entry], astray: list[Word]) -> int:
    """Read one statement; return where the next one begins."""
    text = source.text
    end = text.find("\n", at)
    end = len(text) if end < 0 else end
    found = ASSIGNED.match(text, at)
    spaced = SPACED.match(text, at)
    if spaced is not None:
        raise _spaced(source, spaced)
    if found is None:
        return end + 1
    value = VALUE.match(text, found.end())
    assert value is not None  # it matches the empty text too
    if text[value.end() : value.end() + 1] in ("'", '"'):
        mark = value.end()
        raise Broken(
            source.place(mark, mark + 1),
            message(
                "this quote is not closed: GRUB's script fails here",
                "这个引号没有闭合：GRUB 的脚本会在此失败",
            ),
        )
    entries.append(entry(source, found.span(1), value.span()))
    end = text.find("\n", value.end())
    end = len(text) if end < 0 else end
    for word in _words_behind(source, value.end(), end):
        astray.append(word)
    return end + 1


def _spaced(source: Source, found: "re.Match[str]") -> Broken:
    place = source.place(*found.span(2))
    fix = Fix(message("take the space away", "去掉空格"), (Edit(place, ""),))
    why = message(
        "a space before =: the shell looks for a command {name}, and GRUB's script fails here",
        "= 前面有空格：shell 会去找名为 {name} 的命令，GRUB 的脚本会在此失败",
        name=found[1],
    )
    return Broken(place, why, fix)


def _words_behind(source: Source, start: int, end: int) -> Iterator[Word]:
    """Yield the words between a value and the end of its line, up to a comment or the next statement."""
    for one in re.finditer(r"\S+", source.text[start:end]):
        if one[0][0] in "#;&|":
            return
        place = source.place(start + one.start(), start + one.end())
        yield Word(text=one[0], place=place)


def _words(source: Source, one: Entry) -> tuple[Word, ...]:
    line, column = one.value_place.line, one.value_place.column
    marks = [(0, line, column)]
    marks += [(found.end(), line + n, 1) for n, found in enumerate(re.finditer("\n", one.value), start=1)]
    inside = Source(source.name, one.value, marks)
    found = ((shell.unquoted(word[0]), inside.place(*word.span())) for word in QUOTED.finditer(one.value))
    return tuple(Word(text=text, place=place) for text, place in found if text and text[0] != "$")
