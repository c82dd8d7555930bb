"""Shell text to commands, by the grammar of tree-sitter-bash."""

import re
from collections.abc import Iterator
from functools import cache

import tree_sitter_bash
from tree_sitter import Language, Parser
from tree_sitter import Node as Syntax

from codeblue.model.config.place import Place, Source
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import BEFORE, Command, Directive, Script, Word

GUARDS = frozenset({"if_statement", "while_statement", "until_statement", "list", "negated_command"})
DIRECTIVE = re.compile(r"^#(SBATCH|PBS|BSUB|\$)[ \t]+(-{1,2}[\w-]+)(?:[= \t]+([^\s#]\S*))?", re.MULTILINE)
ERREXIT = re.compile(
    r"^[ \t]*set[ \t]+(?:-[a-z]*e[a-z]*\b|-o[ \t]+errexit)|^#!.*\b(?:ba|z|da)?sh[ \t]+-[a-z]*e", re.MULTILINE
)
ASSIGNED = re.compile(r"([A-Za-z_]\w*)=(.*)", re.DOTALL)


def read(source: Source) -> Iterator[object]:
    """Yield a file as a script, and the variables that it sets."""
    yield from parts(script(source, "script", whole=True))


def parts(script: Script) -> Iterator[object]:
    """Yield a script and its variables."""
    yield script
    assigned = (*script.settings, *(one for command in script.commands for one in command.assigned))
    if assigned:
        yield Settings(owner=script.owner, settings=assigned)


def script(source: Source, owner: str, *, whole: bool = False) -> Script:
    """Return a text as a script."""
    reader = _Reader(source)
    root = _parser().parse(source.text.encode()).root_node
    reader.walk(root)
    wrong = (
        next((node for node in _all(root) if node.is_error or node.is_missing), None)
        if root.has_error
        else None
    )
    return Script(
        source=source,
        owner=owner,
        whole=whole,
        commands=tuple(reader.commands),
        settings=tuple(reader.settings),
        directives=tuple(_directives(source)),
        errexit=ERREXIT.search(source.text) is not None,
        cut=reader.place(wrong) if wrong else None,
    )


@cache
def _parser() -> Parser:
    return Parser(Language(tree_sitter_bash.language()))


def _all(node: Syntax) -> Iterator[Syntax]:
    stack = [node]
    while stack:
        one = stack.pop()
        yield one
        stack += reversed(one.children)


class _Reader:
    def __init__(self, source: Source) -> None:
        self._source = source
        self._ascii = source.text.isascii()
        self._bytes = b"" if self._ascii else source.text.encode()
        self.commands: list[Command] = []
        self.settings: list[Setting] = []

    def walk(self, root: Syntax) -> None:
        stack = [(root, False)]
        while stack:
            node, guarded = stack.pop()
            if node.type == "command":
                self._command(node, guarded)
            elif node.type == "declaration_command":
                self._declared(node)
            elif node.type == "variable_assignment" and (
                node.parent is None or node.parent.type != "command"
            ):
                self._assigned(node)
            guards = guarded or node.type in GUARDS
            stack += [(child, guards) for child in reversed(node.children)]

    def place(self, node: Syntax) -> Place:
        return self._source.place(self._at(node.start_byte), self._at(node.end_byte))

    def _at(self, byte: int) -> int:
        return byte if self._ascii else len(self._bytes[:byte].decode("utf-8", "replace"))

    def _text(self, node: Syntax) -> str:
        return (node.text or b"").decode("utf-8", "replace")

    def _word(self, node: Syntax) -> Word:
        return Word(text=unquoted(self._text(node)), place=self.place(node))

    def _command(self, node: Syntax, guarded: bool) -> None:
        words: list[Word] = []
        assigned: list[Setting] = []
        redirected: list[Word] = []
        for child in node.children:
            if child.type == "variable_assignment":
                assigned += self._settings(child)
            elif child.type in ("file_redirect", "herestring_redirect"):
                redirected += [self._word(one) for one in child.named_children[-1:]]
            elif child.is_named and child.type not in ("heredoc_redirect", "comment"):
                words.append(self._word(child))
        parent = node.parent
        if parent is not None and parent.type == "redirected_statement":
            redirected += [
                self._word(one.named_children[-1])
                for child in parent.children
                for one in (child, *child.children)
                if one.type == "file_redirect" and one.named_children
            ]
        words, besides = _run_by_another(words)
        if words:
            self.commands.append(
                Command(
                    words=tuple(words),
                    assigned=(*assigned, *besides),
                    place=self.place(node),
                    redirected=tuple(redirected),
                    guarded=guarded,
                )
            )

    def _declared(self, node: Syntax) -> None:
        """``export``, ``declare -x``: assignments are met on their own."""
        words = [self._word(child) for child in node.children if child.type not in ("variable_assignment",)]
        self.commands.append(Command(words=tuple(words), place=self.place(node)))

    def _assigned(self, node: Syntax) -> None:
        self.settings += self._settings(node)

    def _settings(self, node: Syntax) -> Iterator[Setting]:
        name, value = node.child_by_field_name("name"), node.child_by_field_name("value")
        if name is None or name.type != "variable_name":
            return
        text = unquoted(self._text(value)) if value is not None else ""
        known = "$" not in text and "`" not in text and (value is None or value.type != "array")
        yield Setting(
            name=self._text(name),
            value=text if known else None,
            place=self.place(name),
            value_place=self.place(value) if value is not None else None,
        )


def _run_by_another(words: list[Word]) -> tuple[list[Word], list[Setting]]:
    """Return a command without the programs that only run it, and the variables that ``env`` gives it."""
    besides: list[Setting] = []
    while len(words) > 1 and words[0].text.rsplit("/", 1)[-1] in BEFORE:
        rest = words[1:]
        while rest and (rest[0].text.startswith("-") or ASSIGNED.match(rest[0].text)):
            found = ASSIGNED.match(rest[0].text)
            if found and not rest[0].text.startswith("-"):
                known = rest[0].literal
                besides.append(Setting(name=found[1], value=found[2] if known else None, place=rest[0].place))
            rest = rest[1:]
        if not rest:
            break
        words = rest
    return words, besides


def _directives(source: Source) -> Iterator[Directive]:
    for found in DIRECTIVE.finditer(source.text):
        place = source.place(*found.span(2))
        yield Directive(program=found[1], option=found[2], value=found[3] or "", place=place)


def unquoted(raw: str) -> str:
    """Return a word without its quotes and escapes; variables stay as they are written."""
    if not any(sign in raw for sign in "'\"\\"):
        return raw
    found, at, quote = [], 0, ""
    while at < len(raw):
        sign = raw[at]
        if quote == "'" and sign != "'":
            found.append(sign)
        elif sign in "'\"" and quote in ("", sign):
            quote = "" if quote else sign
        elif sign == "\\" and at + 1 < len(raw) and (quote == "" or raw[at + 1] in '"\\$`\n'):
            at += 1
            found.append("" if raw[at] == "\n" else raw[at])
        else:
            found.append(sign)
        at += 1
    return "".join(found)
