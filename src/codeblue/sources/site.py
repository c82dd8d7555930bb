"""Find and read ``codeblue.toml``. Every mistake in it is one line with its place."""

import os
import re
import sys
from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator
from typing import Any, NoReturn

import msgspec

from codeblue import patience
from codeblue.model.site import Approver, Check, Expect, Fix, Gate, Host, Site, Waiver, Window
from codeblue.model.text import Text, message
from codeblue.sources.failures import because
from codeblue.sources.target import Unusable, no_answer

NAME = "codeblue.toml"
LARGEST = 1 << 18
"""Bytes. A larger file is something else."""

LONGEST = 200
"""Lines of one statement, when its place is looked for."""

Path = tuple[str | int, ...]

TABLES: dict[Path, type[msgspec.Struct]] = {
    (): Site,
    ("expect",): Expect,
    ("host",): Host,
    ("host", "expect"): Expect,
    ("waive",): Waiver,
    ("check",): Check,
    ("gate",): Gate,
    ("fix",): Fix,
    ("fix", "window"): Window,
    ("approver",): Approver,
}
UNKNOWN = re.compile(r"Object contains unknown field `(.*)`", re.DOTALL)
WRITE = {
    "driver": '"580", "580.159.04", ">=580.65"',
    "cuda": '">=13.0"',
    "torch": '"2.11.*", ">=2.10"',
    "shm": '"16G", "512M"',
    "memlock": '"unlimited", "64G"',
}


class Loaded(msgspec.Struct, frozen=True):
    """A site's file and what it says."""

    site: Site = Site()
    path: str = ""
    """Empty if there is no file."""
    asked: bool = False
    """The user named the file."""


def load(asked: str | None, faults: Callable[[], Collection[str]]) -> Loaded:
    """Read the file that was asked for, else the first one found; none at all is an empty one.

    ``faults`` gives the names of the catalogue; it is called only if the file names any.
    Raises Unusable with one line.
    """
    path = asked if asked is not None else _found()
    if asked is not None and not patience.answers(asked):
        raise Unusable(no_answer(asked))
    if path is None:
        return Loaded()
    text = _text(path)
    site = _site(path, text)
    if named := list(_faults(site)):
        _known(path, text, named, list(faults()))
    return Loaded(site, path, asked is not None)


def _found() -> str | None:
    base = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
    places = (NAME, os.path.join(base, "codeblue", NAME), f"/etc/codeblue/{NAME}")
    dead = patience.silent(os.path.dirname(os.path.abspath(place)) for place in places)
    alive = (place for place in places if os.path.dirname(os.path.abspath(place)) not in dead)
    return next((place for place in alive if os.path.lexists(place)), None)


def _text(path: str) -> str:
    try:
        with open(path, "rb") as stream:
            content = stream.read(LARGEST + 1)
    except OSError as error:
        why = because(error)
        _refuse(path, Text("cannot read it: {en}", "无法读取：{zh}"), en=why.en, zh=why.zh)
    if len(content) > LARGEST:
        _refuse(
            path, Text("too large for a configuration (at most 256 kB)", "对配置文件来说太大（上限 256 kB）")
        )
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        _refuse(f"{path}:{line}:{column}", Text("not UTF-8; save it as UTF-8", "不是 UTF-8；请保存为 UTF-8"))


def _site(path: str, text: str) -> Site:
    try:
        content = _parsed(text)
    except (ValueError, RecursionError) as error:
        _refuse(
            f"{path}{_place_of_syntax(str(error), text)}",
            Text("not valid TOML: {why}; correct this line", "不是合法的 TOML：{why}；请改正这一行"),
            why=re.sub(r" \(at .*\)$", "", str(error)),
        )
    try:
        return msgspec.convert(content, Site)
    except msgspec.ValidationError as error:
        _refuse_value(path, text, content, str(error))


def _parsed(text: str) -> dict[str, Any]:
    # Imported here: most runs have no file, and the probe waits to be sent.
    if sys.version_info >= (3, 11):
        import tomllib
    else:
        import tomli as tomllib
    content: dict[str, Any] = tomllib.loads(text)
    return content


def _place_of_syntax(words: str, text: str) -> str:
    found = re.search(r"\(at line (\d+), column (\d+)\)", words)
    if found:
        return f":{found[1]}:{found[2]}"
    last = text.rstrip("\n").split("\n")
    return f":{len(last)}:{len(last[-1]) + 1}"


def _refuse_value(path: str, text: str, content: dict[str, Any], words: str) -> NoReturn:
    why, _, where = words.partition(" - at `$")
    place = _path(where)
    unknown = UNKNOWN.fullmatch(why)
    if unknown:
        table = TABLES[tuple(step for step in place if isinstance(step, str))]
        _refuse_unknown(path, text, (*place, unknown[1]), table)
    key = str(place[-1]) if place else ""
    if key in WRITE:
        _refuse(
            f"{path}:{position(text, place)}",
            Text(
                "{key} = {value} is not understood; write for example {examples}",
                "看不懂 {key} = {value}；例如可写 {examples}",
            ),
            key=_named(place),
            value=repr(_value(content, place)),
            examples=WRITE[key],
        )
    _refuse(
        f"{path}:{position(text, place)}",
        Text("{key}: {why}", "{key}：{why}"),
        key=_named(place) or NAME,
        why=why.replace("Object missing required field", "missing key"),
    )


def _refuse_unknown(path: str, text: str, place: Path, table: type[msgspec.Struct]) -> NoReturn:
    known = list(table.__struct_encode_fields__)
    _refuse(
        f"{path}:{position(text, place)}",
        Text("unknown key {key}; {hint}", "未知的键 {key}；{hint}"),
        key=_named(place),
        hint=_hint(str(place[-1]), known, ", ".join(known)),
    )


def _faults(site: Site) -> Iterator[tuple[Path, str]]:
    """Yield the names of faults and where they stand."""
    for number, waiver in enumerate(site.waive):
        yield ("waive", number, "fault"), waiver.fault
    for key, names in (("refuse-for", site.gate.refuse_for), ("only-report", site.gate.only_report)):
        yield from ((("gate", key), name) for name in names)


def _known(path: str, text: str, named: list[tuple[Path, str]], known: list[str]) -> None:
    for place, fault in named:
        if fault not in known:
            _refuse(
                f"{path}:{position(text, place)}",
                Text("no fault named '{fault}'; {hint}", "没有名为 '{fault}' 的故障；{hint}"),
                fault=fault,
                hint=_hint(fault, known, "codeblue explain --list"),
            )


def _hint(word: str, known: list[str], otherwise: str) -> Text:
    from difflib import get_close_matches

    near = get_close_matches(word, known, n=3)
    if near:
        return Text(f"did you mean {', '.join(near)}?", f"是否指 {'、'.join(near)}？")
    return Text(f"known: {otherwise}", f"可用的有：{otherwise}")


def _path(where: str) -> Path:
    """Return ``("host", 0, "expect")`` for ``.host[0].expect``."""
    steps = re.findall(r"\.([\w-]+)|\[(\d+)\]", where)
    return tuple(name or int(number) for name, number in steps)


def _named(place: Path) -> str:
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")


def _value(content: Any, place: Path) -> Any:
    for step in place:
        content = content[step]
    return content


def position(text: str, place: Path) -> str:
    """Return ``line:column`` of a key in a valid TOML text; the parser itself says where it appears.

    A whole statement more makes the key appear; the lines in between do not parse.
    """
    lines = text.split("\n")

    def complete(count: int) -> tuple[int, Any]:
        for end in range(count, min(count + LONGEST, len(lines))):
            try:
                return end, _parsed("\n".join(lines[:end]) + "\n")
            except ValueError:
                continue
        return len(lines), _parsed(text)

    def appears(count: int) -> bool:
        return _holds(complete(count)[1], place)

    line = max(1, bisect_left(range(len(lines) + 1), True, key=appears))
    end = complete(line)[0]
    key = next((step for step in reversed(place) if isinstance(step, str)), "")
    word = re.compile(rf"(?<![\w-]){re.escape(key)}(?![\w-])")
    for number, content in enumerate(lines[line - 1 : end], line):
        found = word.search(content)
        if key and found:
            return f"{number}:{found.start() + 1}"
    return f"{line}:1"


def _holds(content: Any, place: Path) -> bool:
    try:
        _value(content, place)
    except (LookupError, TypeError):
        return False
    return True


def _refuse(place: str, line: Text, **values: object) -> NoReturn:
    filled = {
        lang: {k: v.say(lang) if isinstance(v, Text) else str(v) for k, v in values.items()}
        for lang in ("en", "zh")
    }
    flat = {lang: _one_line(line.say(lang, **filled[lang])) for lang in ("en", "zh")}
    raise Unusable(message("{place}: {en}", "{place}：{zh}", place=place, en=flat["en"], zh=flat["zh"]))


def _one_line(text: str) -> str:
    shown = "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in " ".join(text.split()))
    return shown if len(shown) <= 300 else f"{shown[:299]}…"
