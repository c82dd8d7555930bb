"""FILE_MODE and NODE_MODE: permission bits, changed in place."""

import os
import stat
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.remedy.actions import Keep
from codeblue.remedy.files import modes
from codeblue.remedy.files.place import real
from codeblue.remedy.files.refusals import changed_since, refused
from codeblue.remedy.verbs.file_edit import given, octal

FILES = frozenset({stat.S_IFREG, stat.S_IFDIR})
NODES = frozenset({stat.S_IFCHR, stat.S_IFBLK, stat.S_IFDIR})
"""Folders of nodes too: where memory is shared, where the graphics nodes are."""


class ModeVerb:
    """Arguments: ``path``, ``mode`` (octal)."""

    undo = Undo.EXACT
    risk = Risk.SAFE

    def __init__(self, kinds: frozenset[int]) -> None:
        self._kinds = kinds

    def root(self, args: Args) -> bool:
        """Return whether the thing belongs to somebody else."""
        if os.geteuid() == 0:
            return False
        try:
            return self._seen(args).uid != os.geteuid()
        except Refused:
            return True

    def _seen(self, args: Args) -> modes.Seen:
        path = real(given(args, "path"))
        seen = modes.seen(path)
        if seen.kind not in self._kinds:
            raise refused(
                "{path}: this is not what was expected there; see what it is: ls -ld {path}",
                "{path}：它的类型与预期不符；请用 ls -ld {path} 查看",
                path=path,
            )
        return seen

    def look(self, args: Args) -> Look:
        """Compare; the preview is both modes."""
        seen, mode = self._seen(args), octal(args)
        if seen.mode == mode:
            return Look(needed=False)
        tells = modes.changing_mode(seen.mode, mode, real(args["path"]))
        return Look(needed=True, tells=(tells,), before=modes.stated(seen))

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Change the bits if it is still the same thing with the same ones."""
        modes.set_mode(real(given(args, "path")), modes.kept(before), octal(args))
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the bits are as wanted."""
        return self._seen(args).mode == octal(args)

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Set the old bits."""
        path, old = real(given(args, "path")), modes.kept(before)
        now = modes.seen(path)
        if now == old:
            return
        if (now.identity, now.uid, now.gid, now.mode) != (old.identity, old.uid, old.gid, octal(args)):
            raise changed_since(path)
        modes.set_mode(path, now, old.mode)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """One system call cannot be half done."""
        return ()

    def sweep(self, args: Args, name: str) -> None:
        """Nothing is written beside it."""
