"""Does a key stand once in its map?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.kubernetes import Manifest
from codeblue.model.config.node import Node
from codeblue.model.config.place import Place, Source
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message


@rule("manifest-key-duplicate")
def keys_stand_once(manifest: Manifest) -> Iterator[Problem]:
    """Of two equal keys of a map the last one counts, and nobody is told."""
    for node in manifest.root.walk():
        seen: dict[str, tuple[Node, Node]] = {}
        for key, value in node.pairs:
            # What a << brings stands before the map; the map's own key is meant to replace it.
            if key.kind in ("map", "list") or key.place < node.place.start:
                continue
            first = seen.get(key.text)
            if first is not None:
                yield _twice(key, value, first, manifest.source)
            seen[key.text] = key, value


def _twice(key: Node, value: Node, first: tuple[Node, Node], source: Source | None) -> Problem:
    old = first[1]
    scalar = value.kind not in ("map", "list")
    same = scalar and (value.kind, value.text) == (old.kind, old.text)
    return Problem(
        place=key.place,
        variant="same" if same else "different",
        message=message(
            "`{key}` stands here again: this one counts, that of line {line} is lost, and strict readers "
            "refuse the file",
            "`{key}` 在这里又出现一次：以这里为准，第 {line} 行的那个失效，严格的读取程序会拒绝该文件",
            key=key.text,
            line=first[0].place.line,
        ),
        fix=_once(key, value, source) if same and source is not None else None,
    )


def _once(key: Node, value: Node, source: Source) -> Fix | None:
    """Return the file without the second one; None if it does not have a line of its own."""
    number = key.place.line
    line = source.text.split("\n")[number - 1]
    rest = line[value.place.end_column - 1 :] if value.place.end_line == number else "more"
    if line[: key.place.column - 1].strip() or rest.strip():
        return None
    whole = Place(number, 1, number + 1, 1)
    return Fix(message("take the double away", "删除重复的一行"), (Edit(whole, ""),), safe=True)


RULES = (keys_stand_once,)
