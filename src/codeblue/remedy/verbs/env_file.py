"""ENV_SET and ENV_UNSET: variables where a start file or the system assigns them."""

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from codeblue import patience
from codeblue.model.plan import Args, Look
from codeblue.remedy.files import protocol
from codeblue.remedy.files.edits import edited as spliced
from codeblue.remedy.files.edits import env_text, lines_text, tree
from codeblue.remedy.files.place import real
from codeblue.remedy.files.refusals import refused
from codeblue.remedy.verbs.file_edit import given
from codeblue.remedy.verbs.filing import FileVerb, Wanted, wanted

OF_USER = (".bashrc", ".zshrc", ".zshenv", ".bash_profile", ".bash_login", ".profile", ".pam_environment")
"""What a shell reads last comes first: there an assignment counts."""
MARK = "# written by codeblue"


class _EnvVerb(FileVerb):
    context = 0
    """The lines around a variable in a start file may hold passwords."""

    def __init__(self, system: str = "/etc") -> None:
        self._system = system

    def places(self, args: Args) -> Iterable[str]:
        """Return every file that may assign a variable."""
        return [real(path) for path in self._candidates(args)]

    def _candidates(self, args: Args) -> list[str]:
        if args.get("file"):
            return [args["file"]]
        home = Path.home()
        user = [home / name for name in OF_USER] + sorted((home / ".config/environment.d").glob("*.conf"))
        system = Path(self._system)
        every = [*user, *sorted((system / "profile.d").glob("*.sh"), reverse=True), system / "environment"]
        paths = [str(path) for path in every]
        dead = patience.silent(paths)
        return [path for path in paths if path not in dead]

    def _assigning(self, args: Args, which: str = "name") -> list[tuple[str, bytes]]:
        """Return the files that assign the variable of an argument, with their content."""
        found: dict[str, bytes] = {}
        for path in self._candidates(args):
            if os.path.isfile(path) and os.access(path, os.R_OK):
                content = protocol.read(real(path))
                if content and given(args, which) in env_text.parse(
                    content[0].decode("utf-8", "surrogateescape")
                ):
                    found[real(path)] = content[0]
        return list(found.items())


class EnvSet(_EnvVerb):
    """Arguments: ``name``, ``value``, ``file`` (else the one that assigns it, else the login file).

    ``beside`` names another variable: the file that assigns it comes before the login file.
    """

    def files(self, args: Args) -> Sequence[Wanted]:
        """Return the one file whose assignment counts."""
        name, value = given(args, "name"), args.get("value", "")
        assigning = self._assigning(args)
        if assigning:
            path, content = assigning[0]
            return [wanted(path, spliced(path, content, "env", name, "set", value))]
        other = self._assigning(args, "beside") if "beside" in args else []
        path = real(args.get("file") or (other[0][0] if other else login_file()))
        found = protocol.read(path)
        content = found[0] if found else b""
        return [wanted(path, appended(path, content, name, value))]

    def places(self, args: Args) -> Iterable[str]:
        """Return every file that may assign it, and the login file."""
        return [*super().places(args), real(login_file())]


def login_file() -> str:
    """Return the file that this user's login shell reads."""
    home = Path.home()
    if os.path.basename(os.environ.get("SHELL", "")) == "zsh":
        return str(home / ".zshrc")
    names = (".bash_profile", ".bash_login")
    return str(next((home / name for name in names if (home / name).exists()), home / ".profile"))


def appended(path: str, content: bytes, name: str, value: str) -> bytes:
    """Return the content with one more assignment at its end, marked. Raises Refused."""
    spliced(path, b"", "env", name, "set", value)  # refuses names and values that cannot be written
    text = content.decode("utf-8", "surrogateescape")
    shell = os.path.splitext(path)[1] == ".sh" or os.path.basename(path).startswith(
        (".bash", ".z", ".profile")
    )
    line = f"{'export ' if shell else ''}{name}={env_text.quoted(value)}"
    text = lines_text.appended(lines_text.appended(text, MARK) if MARK not in text else text, line)
    if env_text.parse(text).get(name) != env_text.quoted(value):
        raise refused(
            "{path}: it ends inside of a quotation or a block; correct that first",
            "{path}：文件末尾的引号或语句块没有结束；请先修正",
            path=path,
        )
    return text.encode("utf-8", "surrogateescape")


class EnvUnset(_EnvVerb):
    """Arguments: ``name``, ``file`` (else every file that assigns it), ``absent``.

    ``absent`` is ``ok`` where it may also come from elsewhere: then no file is no reason to refuse.
    """

    def files(self, args: Args) -> Sequence[Wanted]:
        """Return the files without the variable."""
        name = given(args, "name")
        return [
            wanted(path, spliced(path, content, "env", name, "remove", tree.ABSENT))
            for path, content in self._assigning(args)
        ]

    def look(self, args: Args) -> Look:
        """Compare. Raises Refused if no file assigns it: then it came from the shell, or from a launcher."""
        seen = super().look(args)
        if not seen.needed and args.get("absent") != "ok":
            raise refused(
                "no start file sets {name}; take it out of the shell that starts the job: unset {name}",
                "没有启动文件设置 {name}；请在启动任务的 shell 中执行：unset {name}",
                name=args["name"],
            )
        return seen
