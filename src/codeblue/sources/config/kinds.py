"""Which kind of configuration a file is, by its name and content, and who reads it. One line a kind."""

import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from codeblue.model.config.place import Source
from codeblue.sources.config import conda, daemon_json, dockerfile, document, kubernetes, shell, site_file

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
YAML_END = r"[\w.-]*\.ya?ml$"
CONDA = r"(?:^|/)(?:[\w.-]*[-_.])?(?:environment|conda|env)(?:[-_.])?"
SYNTAX = "config-syntax-error"
DOCKERFILE = r"(?:^|[/._-])(?:dockerfile|containerfile)(?:[._-][\w.-]+)?$"
DOCUMENT = (
    r"\.(?:md|markdown|mdown|rst|html?)$|"
    r"(?:^|/)(?:readme|install|installation|setup|guide|howto|runbook|[\w-]*说明|[\w-]*指南|[\w-]*手册)[\w-]*\.txt$"
)
KINDS = (
    Kind("daemon.json", r"(?:^|/)daemon\.json$", "", daemon_json.read, "daemon-json-invalid"),
    Kind("dockerfile", DOCKERFILE, r"^\s*FROM\s", dockerfile.read, SYNTAX),
    Kind("shell", r"\.(?:sh|bash|sbatch|slurm)$", "", shell.read, SYNTAX),
    Kind("shell", r"(?:^|/)[^/.]+$", r"\A#!\S*(?:/env\s+)?\S*\b(?:ba|da|z|k)?sh\b", shell.read, SYNTAX),
    Kind("kubernetes", YAML + r"|\.json$", r"[\"']?\bapiVersion[\"']?\s*:", kubernetes.read, SYNTAX),
    Kind("codeblue.toml", r"(?:^|/)codeblue\.toml$", "", site_file.read, SYNTAX),
    Kind("conda-environment", CONDA + YAML_END, r"^(?:dependencies|channels)\s*:", conda.environment, SYNTAX),
    Kind("condarc", r"(?:^|/)\.?condarc(?:\.ya?ml)?$", r"^\w+\s*:", conda.condarc, SYNTAX),
    Kind(
        "conda-channel",
        r"(?:^|/)(?:noarch|(?:linux|osx|win)-\w+)/repodata\.json$",
        r"\"packages",
        conda.channel,
        SYNTAX,
    ),
    Kind("conda-record", r"(?:^|/)info/repodata_record\.json$", "", conda.record, SYNTAX),
    Kind("document", DOCUMENT, "", document.read, SYNTAX),
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
