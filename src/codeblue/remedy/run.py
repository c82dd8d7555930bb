"""Start one program that looks at or changes the machine: guarded, timed, never through a shell."""

import os
import re
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress

from msgspec import Struct

from codeblue.model.plan import Refused
from codeblue.model.text import Message, message
from codeblue.remedy.started import GATE, NOTED, Noted, start_of

MOST = 32 << 20
"""Bytes of output that are kept; a program that says more is cut."""

LOOK_SECONDS = 60.0
CHANGE_SECONDS = 900.0
GRACE = 10.0
"""Seconds between the polite and the hard end of a program whose time is over."""

LATE = 124
"""Exit code of what did not end in time."""

SBIN = ("/usr/local/sbin", "/usr/sbin", "/sbin")
"""Not on the path of ordinary users, but looking needs the programs in there too."""

MISLEADING = ("LD_PRELOAD", "LD_LIBRARY_PATH", "PYTHONPATH", "PYTHONHOME", "LANGUAGE")
"""Variables that may be the very trouble; the system's programs do without."""

CREDENTIALS = re.compile(r"(?<=://)[^/\s@]+@")
SECRET_NAME = re.compile(r"(?i)TOKEN|SECRET|PASSW|KEY|AUTH|CREDENTIAL")
SHORTEST = 8
"""Characters of a secret; a shorter value could be part of any word."""


class Failed(OSError):
    """A program that was to change the machine did not end well: what it has changed is not known."""

    def __init__(self, line: Message) -> None:
        super().__init__(line.say("en"))
        self.line = line


class Ran(Struct, frozen=True):
    """What a program did."""

    code: int
    """Negative if a signal ended it, LATE if its time was over."""
    out: str
    err: str

    @property
    def reason(self) -> str:
        """Its last words, one line without secrets."""
        lines = [line.strip() for line in (self.err or self.out).splitlines() if line.strip()]
        return hidden(lines[-1])[:300] if lines else f"exit {self.code}"


def hidden(text: str) -> str:
    """Return the text without credentials of addresses and values of secret-named variables."""
    for name, value in os.environ.items():
        if SECRET_NAME.search(name) and len(value) >= SHORTEST and not value.startswith("/"):
            text = text.replace(value, "***")
    return CREDENTIALS.sub("***@", text)


def environment(keep: Sequence[str] = (), **more: str) -> dict[str, str]:
    """Return the variables of a program: ours, in plain English, without what may be the trouble."""
    kept = {name: value for name, value in os.environ.items() if name not in MISLEADING or name in keep}
    return kept | {"LC_ALL": "C", "DEBIAN_FRONTEND": "noninteractive", "PATH": _path()} | more


def found(program: str) -> str | None:
    """Return the path of a program, None if it is not installed."""
    return shutil.which(program, path=_path())


def needed(program: str, package: str) -> str:
    """Return the path of a program. Raises Refused with the package that has it."""
    path = found(program)
    if path is None:
        raise Refused(
            message(
                "{program} is not installed here (package {package})",
                "本机没有安装 {program}（软件包 {package}）",
                program=program,
                package=package,
            )
        )
    return path


def ask(
    argv: Sequence[str],
    package: str = "",
    *,
    seconds: float = LOOK_SECONDS,
    env: Mapping[str, str] | None = None,
    user: tuple[int, int] | None = None,
) -> Ran:
    """Run a program that only looks. Raises Refused if it is missing or gives no answer in time."""
    ran = _run([needed(argv[0], package or argv[0]), *argv[1:]], seconds, env, user)
    if ran.code == LATE:
        raise Refused(_late(argv[0], seconds))
    return ran


def told(argv: Sequence[str], package: str = "", *, seconds: float = LOOK_SECONDS) -> str:
    """Return what a looking program prints. Raises Refused with its reason if it fails."""
    ran = ask(argv, package, seconds=seconds)
    if ran.code:
        raise Refused(_ended(argv[0], ran.reason))
    return ran.out


def change(
    argv: Sequence[str],
    package: str = "",
    *,
    seconds: float = CHANGE_SECONDS,
    env: Mapping[str, str] | None = None,
    user: tuple[int, int] | None = None,
) -> Ran:
    """Run a program that changes the machine. Raises Refused if it is missing, Failed if it fails."""
    ran = _run([needed(argv[0], package or argv[0]), *argv[1:]], seconds, env, user, NOTED.get())
    if ran.code == LATE:
        raise Failed(_late(argv[0], seconds))
    if ran.code:
        raise Failed(_ended(argv[0], ran.reason))
    return ran


def _path() -> str:
    told = os.environ.get("PATH", os.defpath).split(os.pathsep)
    return os.pathsep.join(dict.fromkeys([*told, *SBIN]))


def _late(program: str, seconds: float) -> Message:
    return message(
        "{program} did not end within {seconds} s",
        "{program} 在 {seconds} 秒内没有结束",
        program=os.path.basename(program),
        seconds=f"{seconds:g}",
    )


def _ended(program: str, reason: str) -> Message:
    return message(
        "{program}: {reason}", "{program}：{reason}", program=os.path.basename(program), reason=reason
    )


def _run(
    argv: Sequence[str],
    seconds: float,
    env: Mapping[str, str] | None,
    user: tuple[int, int] | None,
    noted: Noted | None = None,
) -> Ran:
    # Not pipes: if we are killed, a package manager at work must not die of a broken pipe.
    out, err = _memory(), _memory()
    given = dict(env) if env is not None else environment()
    try:
        if noted is None:
            child = _started(argv, (out, err), given, user)
        else:
            child = _gated(argv, (out, err), given, user, noted)
        code = _ends(child, time.monotonic() + seconds, (out, err))
        return Ran(code, _content(out), _content(err))
    finally:
        os.close(out)
        os.close(err)


def _gated(
    argv: Sequence[str],
    outputs: tuple[int, int],
    env: dict[str, str],
    user: tuple[int, int] | None,
    noted: Noted,
) -> "subprocess.Popen[bytes]":
    """Start a program that begins once it is noted: whatever kills us, none is at work that nobody knows."""
    closed, opened = os.pipe()
    try:
        child = _started((*GATE, *argv), outputs, env, user, closed)
        try:
            noted(os.path.basename(argv[0]), child.pid, start_of(child.pid))
            os.write(opened, b"\n")
        except BaseException:
            _stop(child)  # it has not begun
            raise
        return child
    finally:
        os.close(closed)
        os.close(opened)


def _started(
    argv: Sequence[str],
    outputs: tuple[int, int],
    env: dict[str, str],
    user: tuple[int, int] | None,
    stdin: int = subprocess.DEVNULL,
) -> "subprocess.Popen[bytes]":
    """Start a program. Raises Refused if that cannot be done, with the system's reason."""
    try:
        return subprocess.Popen(  # noqa: S603 - an argument vector, never a shell
            argv,
            stdin=stdin,
            stdout=outputs[0],
            stderr=outputs[1],
            env=env,
            start_new_session=True,
            # The folder in which we are may be gone, and Python imports from there.
            cwd="/",
            user=user[0] if user else None,
            group=user[1] if user else None,
            extra_groups=[] if user else None,
        )
    except OSError as error:
        raise Refused(_ended(argv[0], error.strerror or str(error))) from None


def _memory() -> int:
    own = os.memfd_create("output")
    # Appending, so that cutting it makes the writer begin anew instead of leaving a hole.
    appending = os.open(f"/proc/self/fd/{own}", os.O_RDWR | os.O_APPEND)
    os.close(own)
    return appending


def _ends(child: "subprocess.Popen[bytes]", deadline: float, outputs: tuple[int, int]) -> int:
    """Return the exit code of a program, or LATE after ending it with all that it started."""
    pause = 0.002
    try:
        while time.monotonic() < deadline:
            with suppress(subprocess.TimeoutExpired):
                return child.wait(pause)
            pause = min(pause * 2, 0.25)
            for output in outputs:
                if os.fstat(output).st_size > MOST:
                    os.ftruncate(output, 0)
    except BaseException:
        _stop(child)  # interrupted: nothing is to go on without us
        raise
    _stop(child)
    return LATE


def _stop(child: "subprocess.Popen[bytes]") -> None:
    for number in (signal.SIGTERM, signal.SIGKILL):
        with suppress(ProcessLookupError):
            os.killpg(child.pid, number)
        with suppress(subprocess.TimeoutExpired):
            child.wait(GRACE)
            return


def _content(output: int) -> str:
    return os.pread(output, MOST, 0).decode("utf-8", "replace")
