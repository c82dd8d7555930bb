"""Which kind of configuration a file is, by its name and content, and who reads it. One line a kind."""

import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from codeblue.model.config.place import Source
from codeblue.sources.config import (
    apt,
    boot,
    daemon_json,
    dockerfile,
    host_lines,
    jupyter,
    kubernetes,
    shell,
    slurm,
    systemd,
    trees,
    udev,
)

Read = Callable[[Source], Iterator[object]]
HEAD = 64 << 10
"""Characters in which a file shows what it is."""


class Kind(NamedTuple):
    """A kind of file. The first whose name and content fit is taken."""

    name: str
    paths: str
    """Pattern for the whole path, with ``/`` between its parts; names alone count as paths too."""
    content: str
    """Pattern searched in the first part of the text; empty for any content."""
    read: Read
    fault: str
    """What a file is that breaks the rules of its format."""


YAML = r"\.ya?ml$|^stdin$"
SYNTAX = "config-syntax-error"
DOCKERFILE = r"(?:^|[/._-])(?:dockerfile|containerfile)(?:[._-][\w.-]+)?$"
TOOLKIT = r"(?:^|/)(?:[\w-]*toolkit[\w-]*|nvidia-container-runtime|config)\.toml$"
TOOLKIT_HOME = r"(?:^|/)nvidia-container-runtime/config\.toml$"
CONTAINERD = r"(?:^|/)(?:[\w-]*containerd[\w-]*|containerd/.+|config)\.toml$"
CDI = r"(?:^|/)(?:[^/]*cdi[^/]*/.*|[^/]*(?:nvidia|cdi)[^/]*)\.(?:ya?ml|json)$"
MODPROBE = (
    r"(?:^|/)(?:modprobe\.d/[^/]+(?<!\.j2)|modprobe\.conf|[\w-]*(?:blacklist|nvidia|nouveau)[\w-]*\.conf)$"
)
UNIT = (
    r"\.(?:service|socket|timer|mount|target|slice|scope|path)$"
    r"|\.(?:service|slice|scope|socket)\.d/[^/]+\.conf$"
)
KINDS = (
    Kind("daemon.json", r"(?:^|/)daemon\.json$", "", daemon_json.read, "daemon-json-invalid"),
    Kind("toolkit", TOOLKIT_HOME, "", trees.toolkit, "toolkit-config-invalid"),
    Kind(
        "toolkit",
        TOOLKIT,
        r"^\s*\[?nvidia-container-(?:cli|runtime)",
        trees.toolkit,
        "toolkit-config-invalid",
    ),
    Kind(
        "containerd",
        CONTAINERD,
        r"io\.containerd\.|^\[?plugins[.\]]|^disabled_plugins",
        trees.containerd,
        SYNTAX,
    ),
    Kind(
        "cdi",
        CDI,
        r"^\s*\{?\s*[\"']?cdiVersion[\"']?\s*:|^\s*\"(?:containerEdits|kind)\"",
        trees.cdi,
        "cdi-spec-invalid",
    ),
    Kind(
        "grub",
        r"(?:^|/)(?:default/)?grub(?:\.d/[^/]+\.cfg)?$",
        r"^\s*GRUB_\w+\s*=",
        boot.grub,
        "grub-cmdline-typo",
    ),
    Kind("cmdline", r"(?:^|/)(?:etc/)?kernel/cmdline$", r"=", boot.cmdline, SYNTAX),
    Kind(
        "modprobe",
        MODPROBE,
        r"^\s*(?:blac?k?list|options?|install|alias|softdep|remove)\s",
        host_lines.modprobe,
        SYNTAX,
    ),
    Kind("slurm", r"(?:^|/)(?:slurm|gres|cgroup)\.conf$", r"^\s*[A-Za-z]\w*\s*=", slurm.read, SYNTAX),
    Kind("systemd", UNIT, r"^\s*\[(?:Unit|Service|Install|Socket|Timer|Slice)\]|^\w+=", systemd.read, SYNTAX),
    Kind("sshd", r"(?:^|/)sshd_config(?:\.d/[^/]+\.conf)?$", "", host_lines.sshd, SYNTAX),
    Kind("jupyter", r"(?:^|/)jupyter_\w+_config(?:\.d/[^/]+)?\.(?:py|json)$", "", jupyter.read, SYNTAX),
    Kind("limits", r"(?:^|/)(?:limits\.conf|limits\.d/[^/]+)$", "", host_lines.limits, SYNTAX),
    Kind("udev", r"\.rules$", r"\b(?:SUBSYSTEM|KERNEL|ACTION|ATTR|DRIVER|MODE|RUN)S?\b", udev.read, SYNTAX),
    Kind(
        "apt",
        r"(?:^|/)(?:apt\.conf\.d/[^/]+|apt\.conf|\d\dunattended-upgrades|\d\dauto-upgrades)$",
        r"::|\{",
        apt.read,
        SYNTAX,
    ),
    Kind("env", r"(?:^|/)(?:\.env(?:\.[\w-]+)*|[\w.-]+\.env)$", r"=", host_lines.env, SYNTAX),
    Kind("condarc", r"(?:^|/)\.?condarc(?:\.ya?ml)?$", "", trees.condarc, SYNTAX),
    Kind("pip", r"(?:^|/)pip\.(?:conf|ini)$", "", host_lines.pip, SYNTAX),
    Kind("dockerfile", DOCKERFILE, r"^\s*FROM\s", dockerfile.read, SYNTAX),
    Kind("shell", r"\.(?:sh|bash|sbatch|slurm)$", "", shell.read, SYNTAX),
    Kind("shell", r"(?:^|/)[^/.]+$", r"\A#!\S*(?:/env\s+)?\S*\b(?:ba|da|z|k)?sh\b", shell.read, SYNTAX),
    Kind("kubernetes", YAML + r"|\.json$", r"[\"']?\bapiVersion[\"']?\s*:", kubernetes.read, SYNTAX),
)


def kind_of(source: Source) -> Kind | None:
    """Return the kind of a file; None for files that lint has nothing to say about."""
    head = source.text[:HEAD]
    path = source.name.replace(os.sep, "/")
    for kind in KINDS:
        if re.search(kind.paths, path, re.IGNORECASE) and re.search(kind.content, head, re.MULTILINE):
            return kind
    return None


def may_be_known(path: str) -> bool:
    """Tell from the path alone whether a file is worth opening."""
    path = path.replace(os.sep, "/")
    return any(re.search(kind.paths, path, re.IGNORECASE) for kind in KINDS)
