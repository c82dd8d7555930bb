"""Shell text to commands, by the grammar of tree-sitter-bash."""

import re
from collections.abc import Iterable, Iterator
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
PIPEFAIL = re.compile(
    r"^[ \t]*set[ \t]+(?:[-+\w]+[ \t]+)*-[a-z]*o[ \t]+pipefail|^#!.*\bpipefail", re.MULTILINE
)
NESTS = frozenset(
    {
        "function_definition", "if_statement", "while_statement", "until_statement", "for_statement",
        "c_style_for_statement", "case_statement", "command_substitution", "subshell",
    }
)  # fmt: skip
EXPORTS = re.compile(r"export\b|(?:declare|typeset)[ \t]+-[a-zA-Z]*x")
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
        pipefail=PIPEFAIL.search(source.text) is not None,
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
        stack = [(root, False, False)]
        while stack:
            node, guarded, nested = stack.pop()
            if node.type == "command":
                self._command(node, guarded, nested)
            elif node.type == "declaration_command":
                self._declared(node)
            elif node.type == "variable_assignment" and (
                node.parent is None or node.parent.type != "command"
            ):
                self._assigned(node)
            guards = guarded or node.type in GUARDS
            nests = nested or node.type in NESTS
            stack += [(child, guards, nests) for child in reversed(node.children)]

    def place(self, node: Syntax) -> Place:
        return self._source.place(self._at(node.start_byte), self._at(node.end_byte))

    def _at(self, byte: int) -> int:
        return byte if self._ascii else len(self._bytes[:byte].decode("utf-8", "replace"))

    def _text(self, node: Syntax) -> str:
        return (node.text or b"").decode("utf-8", "replace")

    def _word(self, node: Syntax) -> Word:
        return Word(text=unquoted(self._text(node)), place=self.place(node))

    def _command(self, node: Syntax, guarded: bool, nested: bool) -> None:
        assigned: list[Setting] = []
        redirects: list[Syntax] = []
        lines: list[list[Syntax]] = [[]]
        for child in node.children:
            if child.type == "variable_assignment":
                assigned += self._settings(child)
            elif child.type in ("file_redirect", "herestring_redirect"):
                redirects.append(child)
            elif child.is_named and child.type not in ("heredoc_redirect", "comment"):
                if lines[-1] and self._ends_between(lines[-1][-1], child):
                    lines.append([])
                lines[-1].append(child)
        redirects += _redirects_around(node)
        for line in lines:
            last = line is lines[-1]
            words, besides = _run_by_another([self._word(one) for one in line])
            if words:
                self.commands.append(
                    Command(
                        words=tuple(words),
                        assigned=(*(assigned if line is lines[0] else ()), *besides),
                        place=self.place(node),
                        redirected=self._targets(redirects) if last else (),
                        guarded=guarded,
                        nested=nested,
                        overwritten=self._targets(filter(_empties, redirects)) if last else (),
                        feeds=self._fed(node) if last else "",
                    )
                )

    def _ends_between(self, one: Syntax, other: Syntax) -> bool:
        """Tell whether a line ends between two words: the grammar joins what follows some pipes."""
        if one.end_point.row == other.start_point.row:
            return False
        between = self._source.text[self._at(one.end_byte) : self._at(other.start_byte)]
        return "\n" in between.replace("\\\n", "")

    def _targets(self, redirects: Iterable[Syntax]) -> tuple[Word, ...]:
        return tuple(self._word(one.named_children[-1]) for one in redirects)

    def _fed(self, node: Syntax) -> str:
        """Return the program behind the next ``|``."""
        while node.parent is not None and node.parent.type in ("redirected_statement", "pipeline"):
            following = node.next_named_sibling
            if node.parent.type == "pipeline" and following is not None:
                while following.type in ("redirected_statement", "pipeline", "list"):
                    following = following.named_children[0]
                words, _ = _run_by_another([self._word(one) for one in following.named_children])
                return words[0].text.rsplit("/", 1)[-1] if words else ""
            node = node.parent
        return ""

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
        holder = node.parent
        # In front of a command it is given to that command.
        given = holder is not None and (
            holder.type == "command"
            or (holder.type == "declaration_command" and EXPORTS.match(self._text(holder)) is not None)
        )
        yield Setting(
            name=self._text(name),
            value=text if known else None,
            written=text,
            place=self.place(name),
            value_place=self.place(value) if value is not None else None,
            exported=given,
        )


def _redirects_around(node: Syntax) -> Iterator[Syntax]:
    """Yield the redirects of a command that stand behind it; those of a list belong to its last command."""
    while (parent := node.parent) is not None and parent.type in ("redirected_statement", "list"):
        if parent.type == "list":
            if parent.named_children[-1] != node:
                return
        else:
            for child in parent.children:
                yield from (
                    one
                    for one in (child, *child.children)
                    if one.type == "file_redirect" and one.named_children
                )
        node = parent


def _empties(redirect: Syntax) -> bool:
    return any(child.type in (">", ">|", "&>") for child in redirect.children)


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
        yield Directive(
            program=found[1],
            option=found[2],
            value=found[3] or "",
            place=place,
            value_place=source.place(*found.span(3)) if found[3] else None,
        )


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
