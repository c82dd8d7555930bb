"""FILE_OWNER: user and group of a file or directory."""

import os
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.files import modes
from codeblue.remedy.files.place import real
from codeblue.remedy.files.refusals import changed, changed_since, refused
from codeblue.remedy.verbs.file_edit import given


class FileOwner:
    """Arguments: ``path``, ``user`` and ``group`` (names or numbers; one may be missing)."""

    undo = Undo.EXACT
    risk = Risk.SAFE

    def root(self, args: Args) -> bool:
        """Only root gives files away."""
        return os.geteuid() != 0

    def look(self, args: Args) -> Look:
        """Compare; the preview is both owners by number."""
        path = real(given(args, "path"))
        seen = modes.seen(path)
        uid, gid = _wanted(args, seen)
        if (seen.uid, seen.gid) == (uid, gid):
            return Look(needed=False)
        before = modes.stated(seen) | {"to": f"{uid}:{gid}"}
        tells = message(
            "owner {old} -> {new} {path}",
            "属主 {old} -> {new} {path}",
            old=f"{seen.uid}:{seen.gid}",
            new=f"{uid}:{gid}",
            path=path,
        )
        return Look(needed=True, tells=(tells,), before=before)

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Change the owner if it is still the same thing."""
        path, seen = real(given(args, "path")), modes.kept(before)
        uid, gid = _wanted(args, seen)
        if before.get("to") != f"{uid}:{gid}":
            raise changed(path)
        modes.set_owner(path, seen, uid, gid)
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the owner is as wanted."""
        seen = modes.seen(real(given(args, "path")))
        return (seen.uid, seen.gid) == _wanted(args, seen)

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Give it back."""
        path, old = real(given(args, "path")), modes.kept(before)
        now = modes.seen(path)
        if now == old:
            return
        if (now.identity, now.mode, f"{now.uid}:{now.gid}") != (old.identity, old.mode, before.get("to")):
            raise changed_since(path)
        modes.set_owner(path, now, old.uid, old.gid)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """One system call cannot be half done."""
        return ()

    def sweep(self, args: Args, name: str) -> None:
        """Nothing is written beside it."""


def _wanted(args: Args, seen: modes.Seen) -> tuple[int, int]:
    user, group = args.get("user", ""), args.get("group", "")
    uid = seen.uid if not user else _number(user, "/etc/passwd")
    return uid, seen.gid if not group else _number(group, "/etc/group")


def _number(name: str, table: str) -> int:
    """Look names up in this machine's own tables: a directory service may never answer."""
    if name.isascii() and name.isdigit() and int(name) < 2**32 - 1:
        return int(name)
    with open(table, encoding="utf-8", errors="replace") as rows:
        for row in rows:
            fields = row.split(":")
            if fields[0] == name and len(fields) > 2 and fields[2].strip().isdigit():
                return int(fields[2])
    raise refused(
        "{name}: not in {table}; give its number",
        "{name}：不在 {table} 中；请给出其数字编号",
        name=name[:80],
        table=table,
    )
