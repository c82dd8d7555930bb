"""service-start, service-restart, service-reload, service-enable: by systemd, or by the init script."""

import os
import re
from collections.abc import Sequence

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.run import ask, change, told
from codeblue.remedy.verbs.by_program import ByProgram, unchanged, wanted

RUNNING_SYSTEMD = "/run/systemd/system"
SCRIPTS = "/etc/init.d"
NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9:_.@\\-]*")
RUNS = frozenset(("active", "reloading", "refreshing"))
STATUS = {0: "active", 1: "failed", 2: "failed", 3: "inactive"}
"""Exit codes of ``status`` after the Linux Standard Base; others say nothing."""
SWITCHED = frozenset(("enabled", "enabled-runtime", "disabled"))
"""States that ``enable`` and ``disable`` change; a static or masked unit has another one."""
SECONDS = 180.0
"""systemd itself waits 90 s for a start, and as long for the stop before it."""


class _Service(ByProgram):
    """Takes ``service`` and ``manager``: ``systemd`` or ``sysv``; default is what runs here."""

    job = "start"
    undo = Undo.NONE
    risk = Risk.DISRUPTIVE

    def look(self, args: Args) -> Look:
        """Read the state. Raises Refused if there is no such service, or if it cannot be told."""
        state = _state(args)
        needed = self.job != "start" or state not in RUNS
        shows = (f"{args['service']}: {state} -> {self.job}",) if needed else ()
        return Look(needed=needed, shows=shows, before={"state": state})

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Have the job done and wait for its end. Raises Failed with the manager's reason."""
        unchanged(before, {"state": _state(args)}, args["service"])
        for argv in _forgiven(args, before):
            change(argv)
        change(_argv(args, self.job), seconds=SECONDS)
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the service runs."""
        return _state(args) in RUNS

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command, and the one that shows why it may not have worked."""
        return [*_forgiven(args, before), _argv(args, self.job), _argv(args, "status")]


class ServiceStart(_Service):
    """Start a service that does not run."""

    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Start it, unless somebody else, or a step before this one, has done so."""
        state = _state(args)
        return {"state": state} if state in RUNS else super().apply(args, before, name, keep)

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Stop it, if it did not run before."""
        if before["state"] not in RUNS and _state(args) != "inactive":
            change(_argv(args, "stop"), seconds=SECONDS)


class ServiceRestart(_Service):
    """Stop a service and start it again; what it does meanwhile is lost."""

    job = "restart"


class ServiceReload(_Service):
    """Have a running service read its configuration again."""

    job = "reload"
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Read the state. Raises Refused if the service does not run, or cannot reload."""
        look = super().look(args)
        if look.before["state"] not in RUNS:
            raise _refused(args, "does not run: nothing to reload", "没有运行，无法重新加载配置")
        if _by_systemd(args) and _properties(args).get("CanReload") != "yes":
            raise _refused(args, "cannot reload; it must be restarted", "不支持重新加载，需要重启服务")
        return look


class ServiceEnable(ByProgram):
    """Takes ``service``. It starts at every boot from then on; nothing that runs now is touched.

    Going back also disables units that its ``Also=`` names and that were enabled before.
    """

    undo = Undo.COMPENSATING
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Read whether it is enabled. Raises Refused for what no boot can be told to start."""
        state = _at_boot(args)
        needed = state != "enabled"
        shows = (f"{args['service']}: {state} -> enabled",) if needed else ()
        return Look(needed=needed, shows=shows, before={"at_boot": state})

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Enable it. Raises Failed with systemd's reason."""
        unchanged(before, {"at_boot": _at_boot(args)}, args["service"])
        change(_argv(args, "enable"), seconds=SECONDS)
        return before

    def verify(self, args: Args) -> bool:
        """Return whether it is enabled."""
        return _at_boot(args) == "enabled"

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Disable it, if it was so before and our change is still there."""
        if before["at_boot"] != "enabled" and self.verify(args):
            change(_argv(args, "disable"), seconds=SECONDS)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command; it can be run again at any time."""
        return [_argv(args, "enable")]


def _at_boot(args: Args) -> str:
    """Return ``enabled``, ``disabled`` or ``enabled-runtime``. Raises Refused for every other state."""
    if not _by_systemd(args):
        raise _refused(
            args, "is not started by systemd, which does not run here", "不由 systemd 启动：本机没有运行它"
        )
    state = ask(("systemctl", "is-enabled", "--", _service(args)), "systemd").out.strip()
    if state not in SWITCHED:
        raise _refused(
            args,
            f"cannot be enabled: systemd says {state or 'that there is none'}",
            f"无法启用：systemd 报告 {state or '没有该服务'}",
        )
    return state


def _service(args: Args) -> str:
    name = wanted(args, "service")
    if not NAME.fullmatch(name):
        raise _refused(args, "is no name of a service", "不是服务名")
    return name


def _refused(args: Args, en: str, zh: str) -> Refused:
    return Refused(message(f"service {{name}} {en}", f"服务 {{name}} {zh}", name=args["service"]))


def _by_systemd(args: Args) -> bool:
    return args.get("manager", "systemd" if os.path.isdir(RUNNING_SYSTEMD) else "sysv") == "systemd"


def _argv(args: Args, job: str) -> tuple[str, ...]:
    if _by_systemd(args):
        return ("systemctl", "--no-ask-password", "--no-pager", job, "--", _service(args))
    return (f"{SCRIPTS}/{_service(args).removesuffix('.service')}", job)


def _forgiven(args: Args, before: Before) -> Sequence[tuple[str, ...]]:
    """Return what makes systemd forget the failures after which it refuses every start."""
    failed = before.get("state") == "failed" and _by_systemd(args)
    return [_argv(args, "reset-failed")] if failed else []


def _properties(args: Args) -> dict[str, str]:
    show = ("systemctl", "show", "--property=LoadState,ActiveState,CanReload", "--", _service(args))
    return dict(row.split("=", 1) for row in told(show).splitlines() if "=" in row)


def _state(args: Args) -> str:
    if _by_systemd(args):
        known = _properties(args)
        if known.get("LoadState") == "masked":
            raise _refused(
                args, "is masked: somebody forbade its start", "已被屏蔽（masked）：有人禁止它启动"
            )
        if known.get("LoadState") != "loaded":
            raise _refused(args, "is not known to systemd", "不为 systemd 所知")
        return known["ActiveState"]
    script = _argv(args, "status")
    if not os.access(script[0], os.X_OK):
        raise _refused(
            args,
            "has no script in /etc/init.d, and systemd does not run here",
            "在 /etc/init.d 中没有脚本，本机也没有运行 systemd",
        )
    state = STATUS.get(ask(script, seconds=30).code)
    if state is None:
        raise _refused(args, "does not tell its state", "没有报告自己的状态")
    return state
