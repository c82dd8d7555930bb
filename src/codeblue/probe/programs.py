"""Ask a system tool that only reads, with an argument vector and a time limit.

Of a long answer the end is kept: the newest lines of a log stand there.
"""

import os
import subprocess

from codeblue_probe.report import Unread

ADMIN_FOLDERS = ":/usr/local/sbin:/usr/sbin:/sbin"
"""An ordinary user's PATH often lacks the folders in which dmesg and its like live."""


def output(arguments, seconds, limit=4 << 20):
    """Return exit code, standard output and the first words of standard error.

    Raises FileNotFoundError if the program is not installed, Unread if it did not end in time.
    """
    environment = dict(os.environ, LC_ALL="C")
    environment["PATH"] = environment.get("PATH", os.defpath) + ADMIN_FOLDERS
    process = subprocess.Popen(
        [_found(arguments[0], environment["PATH"])] + list(arguments[1:]),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment,
        close_fds=True,
    )
    try:
        out, err = process.communicate(timeout=seconds)
    except subprocess.TimeoutExpired:
        process.kill()
        raise Unread("timeout", "%s: no answer within %g s" % (arguments[0], seconds))
    words = err[:300].decode("utf-8", "replace").strip()
    return process.returncode, out[-limit:].decode("utf-8", "replace"), words


def _found(name, path):
    for folder in path.split(":"):
        if folder and os.access(os.path.join(folder, name), os.X_OK):
            return os.path.join(folder, name)
    raise FileNotFoundError(2, "no such program", name)
