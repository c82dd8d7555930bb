"""LIMIT_RAISE: resource limits of a user, or of a service."""

import os
import re
import resource
from collections.abc import Iterable, Sequence

from codeblue import patience
from codeblue.model.plan import Args
from codeblue.remedy.files import protocol
from codeblue.remedy.files.edits import edited
from codeblue.remedy.files.place import real
from codeblue.remedy.files.refusals import refused
from codeblue.remedy.verbs.file_edit import edit, given
from codeblue.remedy.verbs.filing import FileVerb, Wanted, wanted

ITEMS = {
    "-l": ("memlock", "MEMLOCK", resource.RLIMIT_MEMLOCK, 1024),
    "-n": ("nofile", "NOFILE", resource.RLIMIT_NOFILE, 1),
    "-v": ("as", "AS", resource.RLIMIT_AS, 1024),
    "-u": ("nproc", "NPROC", resource.RLIMIT_NPROC, 1),
    "-s": ("stack", "STACK", resource.RLIMIT_STACK, 1024),
    "-c": ("core", "CORE", resource.RLIMIT_CORE, 1024),
}
"""Flag of ulimit -> item of limits.conf(5), word of systemd.exec(5), number, bytes of a unit."""
USER = re.compile(r"[A-Za-z_@*%][A-Za-z0-9_.@-]*\$?")


class LimitRaise(FileVerb):
    """Arguments: ``flag`` (as for ulimit), ``value`` (in its units, or unlimited), ``user``, ``service``.

    Holds from the next login, or the next start of the service.
    """

    def __init__(self, system: str = "/etc") -> None:
        self._system = system

    def files(self, args: Args) -> Sequence[Wanted]:
        """Return the drop-in of the service, else the file of limits."""
        flag, value = given(args, "flag"), given(args, "value")
        if flag not in ITEMS or not (value == "unlimited" or (value.isascii() and value.isdigit())):
            raise refused(
                "{flag} {value}: this is no limit; flags are {flags}",
                "{flag} {value}：这不是资源限制；可用的参数有 {flags}",
                flag=flag[:20],
                value=value[:40],
                flags=" ".join(ITEMS),
            )
        path = self._path(args)
        return [
            _drop_in(path, flag, value) if args.get("service") else _lines(path, flag, value, _user(args))
        ]

    def places(self, args: Args) -> Iterable[str]:
        """Return the file."""
        return [real(self._path(args))]

    def _path(self, args: Args) -> str:
        service = args.get("service", "")
        if not service:
            return f"{self._system}/security/limits.d/90-codeblue.conf"
        if not re.fullmatch(r"[A-Za-z0-9@_.:-]+", service):
            raise refused(
                "{service}: this is no name of a service", "{service}：这不是服务名", service=service[:80]
            )
        unit = service if service.endswith(".service") else f"{service}.service"
        return f"{self._system}/systemd/system/{unit}.d/90-codeblue-limits.conf"


def _user(args: Args) -> str:
    """Who is meant: the one who asked, if it is run with sudo."""
    own = (name for name, number, _ in patience.accounts() if number == os.getuid())
    user = args.get("user") or os.environ.get("SUDO_USER") or next(own, "")
    if not USER.fullmatch(user):
        raise refused("{user}: this is no name of a user", "{user}：这不是用户名", user=user[:80])
    return user


def _drop_in(path: str, flag: str, value: str) -> Wanted:
    _, word, _, unit = ITEMS[flag]
    size = "infinity" if value == "unlimited" else f"{value}K" if unit == 1024 else value
    return edit(path, "ini", f"Service.Limit{word}", "set", size)


def _lines(path: str, flag: str, value: str, user: str) -> Wanted:
    """The hard limit is written only if the one of this process is too low: a higher one stays."""
    item, _, number, unit = ITEMS[flag]
    path = real(path)
    found = protocol.read(path)
    content = found[0] if found else b""
    for kind in ("soft", *(("hard",) if _too_low(number, value, unit) else ())):
        content = edited(
            path, content, "lines", f"{user} {kind} {item}", "set", f"{user} {kind} {item} {value}"
        )
    return wanted(path, content)


def _too_low(number: int, value: str, unit: int) -> bool:
    hard = resource.getrlimit(number)[1]
    return hard != resource.RLIM_INFINITY and (value == "unlimited" or hard < int(value) * unit)
