"""Files of plain lines (ld.so.conf, modprobe.d, limits.d): a line is found by the words it starts with."""

from typing import Any

from codeblue.remedy.files.edits import brackets, tree
from codeblue.remedy.files.refusals import refused


def parse(text: str) -> Any:
    """Return the lines that say something, white space made even."""
    return [words for line in text.splitlines() if (words := _even(line)) and not words.startswith("#")]


def _even(line: str) -> str:
    return " ".join(line.strip("\ufeff").split())


def wanted(old: Any, path: tree.Path, mode: tree.Mode, value: Any) -> Any:
    """Return the lines that should be there. Raises Refused."""
    start = " ".join(path)
    if mode == "set":
        fits = [line for line in old if _starts(line, start)]
        if len(fits) > 1:
            raise refused(
                "{count} lines start with {start}; say more words of the right one",
                "有 {count} 行以 {start} 开头；请写出更多词以确定是哪一行",
                count=len(fits),
                start=start,
            )
        return [_line(value) if line in fits else line for line in old] + ([] if fits else [_line(value)])
    if value is tree.ABSENT:
        return [line for line in old if not _starts(line, start)]
    if mode == "remove":
        return [line for line in old if line != _line(value)]
    return old if _line(value) in old else [*old, _line(value)]


def _starts(line: str, start: str) -> bool:
    return line == start or line.startswith(f"{start} ")


def _line(value: Any) -> str:
    if (
        not isinstance(value, str)
        or not value.strip()
        or len(value.splitlines()) != 1
        or value.startswith("#")
    ):
        raise refused("the value must be one line of text", "值必须是单行文本")
    return _even(value)


def splice(text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Return the text with lines replaced, added at the end, or removed. Raises Refused."""
    start = " ".join(path)
    rows = text.splitlines(keepends=True)
    new: list[str] = []
    done = False
    for row in rows:
        words = _even(row)
        if mode == "set" and _starts(words, start):
            new.append(value.strip() + row[len(row.rstrip("\r\n")) :])
            done = True
        elif mode == "remove" and (_starts(words, start) if value is tree.ABSENT else words == _line(value)):
            continue
        else:
            new.append(row)
    text = "".join(new)
    if mode == "remove" or done:
        return text
    return appended(text, value.strip())


def appended(text: str, line: str) -> str:
    """Return the text with a line at its end."""
    end = brackets.newline(text)
    joint = end if text.strip("\ufeff") and not text.endswith("\n") else ""
    return f"{text}{joint}{line}{end}"
