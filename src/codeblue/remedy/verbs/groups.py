"""group-join: one more group for a user; programs that run already do not see it."""

import grp
import pwd
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.run import change
from codeblue.remedy.verbs.by_program import ByProgram, unchanged, wanted

GROUPS = "/etc/group"

POWERFUL = frozenset(("root", "sudo", "wheel", "shadow", "disk", "kmem"))
"""Who is in one of these is root, or nearly."""


class GroupJoin(ByProgram):
    """Takes ``group`` and ``user``."""

    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Compare the members of a group that is kept in the local file."""
        group, user = wanted(args, "group"), wanted(args, "user")
        if group in POWERFUL:
            raise Refused(
                message(
                    "group {group} gives the rights of root: a person's decision",
                    "组 {group} 等于 root 权限：应由人来决定",
                    group=group,
                )
            )
        members = _members(group, user)
        needed = user not in members
        tells = message(
            "{user}: +{group} (from the next login on)",
            "{user}：+{group}（下次登录后生效）",
            user=user,
            group=group,
        )
        return Look(needed=needed, tells=(tells,) if needed else (), before={"members": ",".join(members)})

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Add the user with usermod, which writes both files of groups and syncs them."""
        members = _members(args["group"], args["user"])
        unchanged(before, {"members": ",".join(members)}, args["group"])
        change(("usermod", "-aG", args["group"], args["user"]), "passwd")
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the user is in the group for the next login."""
        return args["user"] in _members(args["group"], args["user"])

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Take the user out of the group, if the preview saw that he was not in it."""
        if self.verify(args) and args["user"] not in before["members"].split(","):
            change(("gpasswd", "-d", args["user"], args["group"]), "passwd")

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command that adds the user; it can be run again at any time."""
        return [("usermod", "-aG", args["group"], args["user"])]


def _members(group: str, user: str) -> list[str]:
    """Return the members, with the user first if it is his main group. Raises Refused."""
    try:
        number = pwd.getpwnam(user).pw_gid
    except KeyError:
        raise Refused(message("there is no user {user}", "没有用户 {user}", user=user)) from None
    try:
        entry = grp.getgrnam(group)
    except KeyError:
        raise Refused(message("there is no group {group}", "没有组 {group}", group=group)) from None
    if not _is_local(group):
        raise Refused(
            message(
                "group {group} is kept by a directory service, not in /etc/group",
                "组 {group} 由目录服务管理，不在 /etc/group 中",
                group=group,
            )
        )
    return [user, *entry.gr_mem] if number == entry.gr_gid else list(entry.gr_mem)


def _is_local(group: str) -> bool:
    with open(GROUPS, encoding="utf-8", errors="surrogateescape") as stream:
        return any(row.startswith(f"{group}:") for row in stream)
