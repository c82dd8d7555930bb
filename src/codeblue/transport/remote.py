"""Words that start the probe on another machine: over ssh, and as a task of Slurm."""

import shlex
from collections.abc import Sequence

from codeblue.transport.calling import call

INTERPRETERS = (
    "python3",
    "python",
    "/usr/bin/python3",
    "/opt/conda/bin/python3",
    "/usr/libexec/platform-python",
)
"""Tried in this order; Red Hat's 8 has the last one where no other is installed."""

SSH_OPTIONS = ("-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10", "-o", "LogLevel=ERROR")
"""No questions: unknown host keys are refused, unless the user's configuration says otherwise."""

SILENTLY = ("env", "-u", "DISPLAY", "SSH_ASKPASS_REQUIRE=never")
"""The ssh that a jump host is reached with does not get our options, and would ask in a window."""
VOICELESS = "during banner exchange"
"""What ssh says where somebody was reached who says nothing: the host, or its jump host."""
PATIENCE = 5.0
"""Seconds for reading the configuration."""

WITHOUT_GPU = "without-gpu"
"""Told to the probe where whoever started it asked for no GPU: that it finds none says nothing."""

OLD = "no Python 3.6 or later here"
FIND = (
    'for p in {names}; do "$p" -c "import sys; sys.exit(sys.version_info < (3, 6))" '
    '</dev/null >/dev/null 2>&1 && exec "$p" "$@"{told}; done; echo "{old} (tried {tried})" >&2; exit 127'
)


def interpreter(python: str | None = None, *, first: str = "", told: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the argv prefix that becomes the first Python that will do, or this one and no other.

    ``first`` is run by the shell before; ``told`` are words for the program beside its text.
    """
    names = (python,) if python else INTERPRETERS
    quoted = " ".join(map(shlex.quote, names))
    text = FIND.format(
        told="".join(f" {shlex.quote(word)}" for word in told),
        names=quoted,
        old=OLD,
        tried=" ".join(filter(_plain, names)) or "the path given",
    )
    return ("/bin/sh", "-c", first + text, "sh")


def over_ssh(host: str, words: Sequence[str], config: str | None = None) -> tuple[str, ...]:
    """Return the argv that runs these words on a host, by the user's own ssh configuration."""
    # The shell that the user has over there reads one line.
    return (*SILENTLY, "ssh", *SSH_OPTIONS, *_chosen(config), "--", host, f"exec {shlex.join(words)}")


def jump_host(host: str, config: str | None = None) -> str:
    """Return by way of whom ssh reaches a host, as the user's configuration says; empty for nobody."""
    answer = call(["ssh", "-G", *_chosen(config), "--", host], seconds=PATIENCE)
    rows = (row.partition(" ") for row in answer.out.decode("utf-8", "replace").splitlines())
    return next((value for name, _, value in rows if name == "proxyjump"), "")


def _chosen(config: str | None) -> tuple[str, ...]:
    return ("-F", config) if config else ()


def _plain(name: str) -> bool:
    return shlex.quote(name) == name
