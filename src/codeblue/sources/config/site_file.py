"""``codeblue.toml`` as a file that is judged."""

import re
import sys
from collections.abc import Iterator

import msgspec

from codeblue.model.config.place import Place, Source
from codeblue.model.config.site_file import SiteFile
from codeblue.model.site import Site
from codeblue.model.text import message
from codeblue.sources.config.broken import Broken
from codeblue.sources.site import position

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

AT = re.compile(r"\(at line (\d+), column (\d+)\)")


def read(source: Source) -> Iterator[object]:
    """Yield the file as one part. Raises Broken."""
    try:
        content = tomllib.loads(source.text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise _broken(source, str(error)) from None
    try:
        site = msgspec.convert(content, Site)
    except msgspec.ValidationError as error:
        raise _refused(source, str(error)) from None
    yield SiteFile(
        site=site,
        waived=tuple(_place(source, ("waive", number, "expires")) for number in range(len(site.waive))),
        owners=tuple(_place(source, ("waive", number, "owner")) for number in range(len(site.waive))),
        until=tuple(_place(source, ("approver", number, "until")) for number in range(len(site.approver))),
    )


def _place(source: Source, path: tuple[str | int, ...]) -> Place:
    """Return the place of a key, up to the end of its line."""
    line, column = map(int, position(source.text, path).split(":"))
    text = source.text.split("\n")[line - 1]
    return Place(line, column, line, max(column, len(text.rstrip()) + 1))


def _broken(source: Source, words: str) -> Broken:
    found = AT.search(words)
    lines = source.text.rstrip("\n").split("\n")
    line, column = (int(found[1]), int(found[2])) if found else (len(lines), len(lines[-1]) + 1)
    why = AT.sub("", words).strip()
    return Broken(
        Place(line, column, line, column + 1), message("not TOML: {why}", "不是合法的 TOML：{why}", why=why)
    )


def _refused(source: Source, words: str) -> Broken:
    why, _, where = words.partition(" - at `$")
    steps = tuple(name or int(number) for name, number in re.findall(r"\.([\w-]+)|\[(\d+)\]", where))
    unknown = re.search(r"unknown field `(.*)`", why)
    path = (*steps, unknown[1]) if unknown else steps
    return Broken(
        _place(source, path) if path else Place(1, 1, 1, 1),
        message("codeblue.toml: {why}", "codeblue.toml：{why}", why=why),
    )
