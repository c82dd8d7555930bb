"""Files of a host that are words line by line: modprobe, limits, sshd, environment, pip."""

import os
import re
from collections.abc import Iterator

from codeblue.model.config.lines import Entry, EnvFile, Limits, Modprobe, PipConf, SshdConfig
from codeblue.model.config.place import Source
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import Word
from codeblue.model.text import message
from codeblue.sources.config.broken import Broken
from codeblue.sources.config.lines import entry, lines, words

SSHD = re.compile(r"([A-Za-z]\w*)[ \t]*(?:=|[ \t])[ \t]*(.*?)[ \t]*(?:#.*)?$")
INI = re.compile(r"([^=:\s][^=:]*?)\s*[=:]\s*(.*)$")
HEAD = re.compile(r"\[([^\]]+)\]")
SETTING = re.compile(r"(?:export[ \t]+)?([A-Za-z_]\w*)[ \t]*=[ \t]*(\"[^\"\n]*\"|'[^'\n]*'|.*)$")

WHY = {
    True: message("neither [section] nor key = value", "既不是 [section]，也不是 key = value"),
    False: message(
        "stands before the first [section]: pip refuses the file",
        "写在第一个 [section] 之前：pip 会拒绝该文件",
    ),
}
"""Why a line of an INI file is none, by whether a section was open."""


def modprobe(source: Source) -> Iterator[object]:
    """Yield a file of modprobe.d. Raises Template."""
    yield Modprobe(
        name=os.path.basename(source.name),
        lines=tuple(words(source, one) for one in lines(source, joined=True)),
    )


def limits(source: Source) -> Iterator[object]:
    """Yield a file of limits.d. Raises Template."""
    yield Limits(name=os.path.basename(source.name), lines=tuple(words(source, one) for one in lines(source)))


def sshd(source: Source) -> Iterator[object]:
    """Yield the configuration of sshd; ``section`` is the ``Match`` block. Raises Template."""
    entries: list[Entry] = []
    block = ""
    for line in lines(source):
        found = SSHD.match(line.text)
        if found is None:
            name = re.match(r"\S+", line.text)
            span = (line.start, line.start + (name.end() if name else 0))
            entries.append(entry(source, span, (span[1], span[1]), block))
            continue
        if found[1].lower() == "match":
            block = found[2]
        key, value = ((line.start + found.start(n), line.start + found.end(n)) for n in (1, 2))
        entries.append(entry(source, key, value, block if found[1].lower() != "match" else ""))
    yield SshdConfig(entries=tuple(entries))


def pip(source: Source) -> Iterator[object]:
    """Yield pip's configuration. Raises Broken and Template."""
    entries: list[Entry] = []
    section, last = "", ""
    for line in lines(source, "#;"):
        if head := HEAD.match(line.text):
            section = head[1]
            continue
        column = source.point(line.start)[1]
        found = INI.match(line.text) if column == 1 or not last else None
        if found is not None and section:
            last = found[1]
            key, value = ((line.start + found.start(n), line.start + found.end(n)) for n in (1, 2))
            entries.append(entry(source, key, value, section))
        elif last and section:
            end = line.start + len(line.text)
            more = entry(source, (line.start, line.start), (line.start, end), section)
            entries.append(
                Entry(
                    name=last,
                    value=more.value,
                    place=more.place,
                    value_place=more.value_place,
                    section=section,
                )
            )
        else:
            place = source.place(line.start, line.start + len(line.text))
            raise Broken(place, WHY[bool(section)])
    yield PipConf(entries=tuple(entries))


def env(source: Source) -> Iterator[object]:
    """Yield a file of variables, and the variables. Raises Template."""
    found = [
        Word(text=line.text, place=source.place(line.start, line.start + len(line.text)))
        for line in lines(source)
    ]
    yield EnvFile(lines=tuple(found))
    settings = tuple(one for line in lines(source) if (one := _setting(source, line.start, line.text)))
    if settings:
        yield Settings(owner="", settings=settings)


def _setting(source: Source, start: int, text: str) -> Setting | None:
    found = SETTING.match(text)
    if found is None:
        return None
    value = found[2].strip().strip("\"'")
    return Setting(
        name=found[1],
        value=value if "$" not in value else None,
        place=source.place(start + found.start(1), start + found.end(1)),
        value_place=source.place(start + found.start(2), start + found.end(2)),
    )
