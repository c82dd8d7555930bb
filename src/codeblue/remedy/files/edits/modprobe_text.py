"""Options of kernel modules in modprobe.d: a path is ``module.option``."""

import re
from typing import Any

from codeblue.remedy.files.edits import lines_text, tree
from codeblue.remedy.files.refusals import refused

OPTIONS = re.compile(r"^[ \t]*options[ \t]+(?P<module>\S+)(?P<rest>[^\r\n#]*)", re.MULTILINE)
WORD = re.compile(r"[A-Za-z0-9_.,:=/@%+-]+")


def parse(text: str) -> Any:
    """Return ``{module: {option: value}, "": other lines}``; the last of several counts."""
    found: dict[str, Any] = {"": [line for line in lines_text.parse(text) if not line.startswith("options ")]}
    for row in OPTIONS.finditer(text):
        options = found.setdefault(_plain(row["module"]), {})
        for word in row["rest"].split():
            name, _, value = word.partition("=")
            options[name] = value
    return found


def _plain(module: str) -> str:
    return module.replace("-", "_")


def _place(path: tree.Path) -> tuple[str, str]:
    if len(path) != 2 or not all(WORD.fullmatch(part) for part in path):
        raise refused(
            "{at}: in this kind of file a path has two parts, module.option",
            "{at}：这类文件的路径由两部分组成：模块.选项",
            at=".".join(path)[:80],
        )
    return _plain(path[0]), path[1]


def wanted(old: Any, path: tree.Path, mode: tree.Mode, value: Any) -> Any:
    """Return what the change should make of the options. Raises Refused."""
    new = tree.changed(old, _place(path), mode, value)
    return {module: options for module, options in new.items() if options or not module}


def splice(text: str, path: tree.Path, mode: tree.Mode, value: Any) -> str:
    """Return the text with one option set, or removed from every line. Raises Refused."""
    module, option = _place(path)
    if mode == "add" or (mode == "set" and not (isinstance(value, str) and WORD.fullmatch(value))):
        raise refused("an option is set to one word, or removed", "选项只能设为一个词，或被删除")
    rows = [row for row in OPTIONS.finditer(text) if _plain(row["module"]) == module]
    word = re.compile(rf"(?P<space>[ \t]+){re.escape(option)}(?:=\S*)?(?=[ \t]|$)")
    holding = [row for row in rows if word.search(row["rest"])]
    if mode == "remove":
        for row in reversed(holding):
            text = _without(text, row, word)
        return text
    if not holding:
        return lines_text.appended(text, f"options {path[0]} {option}={value}")
    start, rest = holding[-1].start("rest"), holding[-1]["rest"]
    found = list(word.finditer(rest))[-1]
    return text[: start + found.end("space")] + f"{option}={value}" + text[start + found.end() :]


def _without(text: str, row: "re.Match[str]", word: "re.Pattern[str]") -> str:
    rest = word.sub("", row["rest"])
    if rest.strip():
        return text[: row.start("rest")] + rest + text[row.end("rest") :]
    return text[: row.start()] + text[text.find("\n", row.end()) + 1 or len(text) :]
