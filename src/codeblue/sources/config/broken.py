"""A file that does not follow its own format."""

from codeblue.model.config.place import Place
from codeblue.model.lint import Fix
from codeblue.model.text import Message


class Broken(Exception):
    """The format's rules are broken at a place; what stands behind it cannot be judged."""

    def __init__(self, place: Place, line: Message, fix: Fix | None = None) -> None:
        super().__init__(line.text.en)
        self.place = place
        self.line = line
        self.fix = fix


class Template(Exception):
    """The file is not configuration yet: a program fills it in first."""

    def __init__(self, line: Message) -> None:
        super().__init__(line.text.en)
        self.line = line
