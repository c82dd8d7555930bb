"""FILE_EDIT: one key, line or word of a file."""

from collections.abc import Iterable, Sequence

from codeblue.model.plan import Args
from codeblue.remedy.files import protocol
from codeblue.remedy.files.edits import edited, tree
from codeblue.remedy.files.place import real
from codeblue.remedy.files.refusals import refused
from codeblue.remedy.verbs.filing import FileVerb, Wanted, wanted


class FileEdit(FileVerb):
    """Arguments: ``path``, ``kind`` (``edits.FORMATS``), ``at``, ``value`` (JSON), ``mode`` (``tree.MODES``).

    Without ``value`` the place itself is removed.
    """

    def files(self, args: Args) -> Sequence[Wanted]:
        """Return the file with the edit."""
        path = given(args, "path")
        value = tree.value_of(args.get("value"))
        mode = args.get("mode") or ("remove" if value is tree.ABSENT else "set")
        return [edit(path, given(args, "kind"), args.get("at", ""), mode, value)]

    def places(self, args: Args) -> Iterable[str]:
        """Return the file."""
        return [real(given(args, "path"))]


def edit(path: str, kind: str, at: str, mode: tree.Mode, value: object) -> Wanted:
    """Return a file with one edit; one that is not there counts as empty. Raises Refused."""
    path = real(path)
    found = protocol.read(path)
    if found is None and mode == "remove":
        return Wanted(path, b"", 0, b"")
    return wanted(path, edited(path, found[0] if found else b"", kind, at, mode, value))


def given(args: Args, name: str) -> str:
    """Return an argument. Raises Refused if it is missing, or is a path that is not absolute."""
    value = args.get(name, "")
    if not value or "\0" in value or (name == "path" and not value.startswith(("/", "~"))):
        raise refused(
            "the argument {name} is missing or is not usable; correct the plan",
            "参数 {name} 缺失或不可用；请修正计划",
            name=name,
        )
    return value


def octal(args: Args) -> int:
    """Return the permission bits of the argument ``mode``. Raises Refused."""
    text = given(args, "mode")
    if not text.isascii() or not text.isdigit() or not 0 < len(text) <= 5 or any(c in "89" for c in text):
        raise refused(
            "{mode}: this is no mode; write it in octal, as 0644",
            "{mode}：这不是权限模式；请用八进制书写，例如 0644",
            mode=text[:20],
        )
    return int(text, 8) & 0o7777
