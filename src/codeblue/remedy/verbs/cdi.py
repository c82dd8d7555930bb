"""cdi-generate: the file by which container engines find the GPUs, written anew by NVIDIA's own program."""

import difflib
from collections.abc import Sequence

import yaml

from codeblue.model.plan import Args, Before, Look, Refused
from codeblue.model.remedy import Risk, Undo
from codeblue.model.text import message
from codeblue.remedy.actions import Keep
from codeblue.remedy.files import protocol
from codeblue.remedy.files.place import digest
from codeblue.remedy.run import told
from codeblue.remedy.verbs.by_program import ByProgram, unchanged, wanted

PACKAGE = "nvidia-container-toolkit-base"
FOLDERS = ("/etc/cdi/", "/var/run/cdi/", "/run/cdi/")
"""Where container engines look for specifications."""
MODE = 0o644
MOST_LINES = 200


class CdiGenerate(ByProgram):
    """Takes ``path`` of the specification, YAML."""

    undo = Undo.EXACT
    risk = Risk.SAFE

    def look(self, args: Args) -> Look:
        """Let the program print the specification; compare it with the file."""
        path, new = _path(args), _generated()
        found = protocol.read(path)
        old = found[0] if found else b""
        made = 0 if found else protocol.missing_folders(path)
        before = {"old": digest(old) if found else "", "new": digest(new), "made": str(made)}
        return Look(needed=old != new, shows=_difference(path, old, new), before=before)

    def apply(self, args: Args, before: Before, name: str, keep: Keep) -> Before:
        """Write the specification that the preview showed, by the protocol for files."""
        path, new = _path(args), _generated()
        unchanged({"new": before["new"]}, {"new": digest(new)}, "nvidia-ctk cdi generate")
        if before["old"]:
            protocol.replace(path, before["old"], new, name, keep, lambda written: None)
            return before
        protocol.create(path, new, MODE, name, lambda written: None, int(before["made"]))
        return before

    def verify(self, args: Args) -> bool:
        """Return whether the file is what the program would write now."""
        return protocol.same(_path(args), digest(_generated()))

    def back(self, args: Args, before: Before, name: str, keep: Keep) -> None:
        """Put the former file back, or remove the one that was not there."""
        path = _path(args)
        if not before["old"]:
            protocol.remove(path, before["new"], name, int(before["made"]))
            return
        protocol.replace(path, before["new"], keep.get(before["old"]), name, keep, lambda written: None)

    def by_hand(self, args: Args, before: Before) -> Sequence[Sequence[str]]:
        """Return the command; it can be run again at any time."""
        return [("nvidia-ctk", "cdi", "generate", f"--output={_path(args)}")]

    def sweep(self, args: Args, name: str) -> None:
        """Remove a specification that was being written."""
        protocol.sweep(_path(args), name)


def _path(args: Args) -> str:
    path = wanted(args, "path")
    if not path.startswith(FOLDERS) or not path.endswith((".yaml", ".yml")) or "/.." in path:
        raise Refused(
            message(
                "{path}: container engines read *.yaml in /etc/cdi and /var/run/cdi",
                "{path}：容器引擎只读取 /etc/cdi 与 /var/run/cdi 中的 *.yaml",
                path=path,
            )
        )
    return path


def _generated() -> bytes:
    """Return the specification. Raises Refused if it is none, or lists no device."""
    text = told(("nvidia-ctk", "cdi", "generate", "--format=yaml"), PACKAGE, seconds=120)
    try:
        specification = yaml.safe_load(text)
        devices = [str(one["name"]) for one in specification["devices"]]
    except (yaml.YAMLError, LookupError, TypeError):
        devices = []
    if not devices:
        raise Refused(
            message(
                "nvidia-ctk lists no device; see: nvidia-ctk cdi generate",
                "nvidia-ctk 没有列出任何设备；请查看 nvidia-ctk cdi generate 的输出",
            )
        )
    return text.encode()


def _difference(path: str, old: bytes, new: bytes) -> tuple[str, ...]:
    was, now = (one.decode("utf-8", "replace").splitlines() for one in (old, new))
    shown = list(difflib.unified_diff(was, now, path if old else "/dev/null", path, lineterm=""))
    return (*shown[:MOST_LINES], "…") if len(shown) > MOST_LINES else tuple(shown)
