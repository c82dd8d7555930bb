"""Shell text: launch scripts, and the lines that other files hand to a shell."""

from msgspec import Struct

from codeblue.model.config.place import Place, Source
from codeblue.model.config.setting import Setting

BEFORE = frozenset({"sudo", "exec", "nohup", "time", "command", "env", "nice", "ionice", "stdbuf", "setsid"})
"""Programs that run another one."""


class Word(Struct, frozen=True, kw_only=True):
    """One word of a command, quotes taken away; ``$X`` stays as it is written."""

    text: str
    place: Place

    @property
    def literal(self) -> bool:
        """True if the shell puts nothing else in its place."""
        return "$" not in self.text and "`" not in self.text


class Command(Struct, frozen=True, kw_only=True):
    """One simple command, wherever it stands: in a pipe, a loop, a function."""

    words: tuple[Word, ...]
    assigned: tuple[Setting, ...] = ()
    """Variables for this command alone, ``X=1 command`` and ``env X=1 command``."""
    place: Place
    redirected: tuple[Word, ...] = ()
    """Files that it writes or reads by ``>`` and ``<``."""
    guarded: bool = False
    """True if a condition, ``||`` or ``&&`` looks at how it ends."""
    nested: bool = False
    """True inside of a function, a loop, a condition or a substitution: it may run later, often, or not."""
    overwritten: tuple[Word, ...] = ()
    """Files whose content ``>`` replaces."""
    feeds: str = ""
    """The program that gets its output through a pipe."""

    @property
    def name(self) -> str:
        """The program without its folder."""
        return self.words[0].text.rpartition("/")[2] if self.words else ""

    @property
    def arguments(self) -> tuple[Word, ...]:
        """The words behind the program."""
        return self.words[1:]

    def starts(self, *names: str) -> bool:
        """Tell whether it begins with these words, the program by its name alone."""
        return [self.name, *(word.text for word in self.words[1:])][: len(names)] == list(names)

    def has(self, *options: str) -> Word | None:
        """Return the first of these options that is given, as ``--x`` or ``--x=value``."""
        for word in self.arguments:
            if word.text in options or word.text.split("=", 1)[0] in options:
                return word
        return None

    def option(self, *names: str) -> Word | None:
        """Return the word that holds an option's value: behind it, or the same one with ``=``."""
        for number, word in enumerate(self.arguments):
            if word.text in names:
                return self.arguments[number + 1] if number + 1 < len(self.arguments) else None
            if word.text.split("=", 1)[0] in names and "=" in word.text:
                return word
        return None

    def value(self, *names: str) -> str:
        """Return the value of an option; empty if it is not given."""
        word = self.option(*names)
        if word is None:
            return ""
        return word.text.split("=", 1)[1] if word.text.split("=", 1)[0] in names else word.text


class Directive(Struct, frozen=True, kw_only=True):
    """``#SBATCH --option=value``."""

    program: str
    option: str
    value: str
    place: Place
    """Of the option."""
    value_place: Place | None = None


class Script(Struct, frozen=True, kw_only=True):
    """A text for a shell."""

    source: Source
    owner: str = ""
    """``script``, ``stage build``, ``task install``, …"""
    whole: bool = False
    """True for a file of its own, False for lines inside of another file."""
    commands: tuple[Command, ...]
    settings: tuple[Setting, ...]
    """Assigned and exported variables, in order."""
    directives: tuple[Directive, ...] = ()
    errexit: bool = False
    """True if it ends at the first command that fails."""
    pipefail: bool = False
    """True if a pipe fails when any command of it does."""
    cut: Place | None = None
    """Where the shell's grammar was not understood; what is behind it may be read wrong."""
