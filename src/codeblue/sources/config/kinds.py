"""Which kind of configuration a file is, by its name and content, and who reads it. One line a kind."""

import os
import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

from codeblue.model.config.place import Source
from codeblue.sources.config import (
    ansible,
    ci_github,
    ci_gitlab,
    daemon_json,
    dockerfile,
    jenkins,
    jenkins_xml,
    kubernetes,
    shell,
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
GITHUB = r"(?:^|/)\.github/(?:workflows/[^/]+|actions/(?:[^/]+/)*action)\.ya?ml$"
HEAD_OF_LIST = r"\A(?:[ \t]*(?:#[^\n]*|---[^\n]*)?\n)*(?=(?:---)?[ \t]*-[ \t])"
PLAYBOOK = (
    HEAD_OF_LIST + r"[\s\S]{0,65536}?^(?:[ ]*-[ \t]+|[ ]{2,4})"
    r"(?:hosts|(?:ansible\.builtin\.)?import_playbook)[ \t]*:[ \t]*\S"
)
MODULE = r"ansible\.(?:builtin|posix|legacy)\.\w+|community\.\w+\.\w+"
PLAIN_MODULE = (
    r"apt|block|blockinfile|command|copy|debug|dnf|docker_\w+|file|get_url|import_\w+|include_\w+|include|kernel_blacklist"
    r"|lineinfile|meta|modprobe|package|pip|reboot|replace|set_fact|shell|stat|service|sysctl|systemd|template|user|yum"
)
TASKS = HEAD_OF_LIST + r"[\s\S]{0,65536}?^(?:-[ \t]+|[ \t]+)(?:" + MODULE + "|" + PLAIN_MODULE + r")[ \t]*:"
KINDS = (
    Kind("daemon.json", r"(?:^|/)daemon\.json$", "", daemon_json.read, "daemon-json-invalid"),
    Kind("dockerfile", DOCKERFILE, r"^\s*FROM\s", dockerfile.read, SYNTAX),
    Kind("shell", r"\.(?:sh|bash|sbatch|slurm)$", "", shell.read, SYNTAX),
    Kind("shell", r"(?:^|/)[^/.]+$", r"\A#!\S*(?:/env\s+)?\S*\b(?:ba|da|z|k)?sh\b", shell.read, SYNTAX),
    Kind("github workflow", GITHUB, "", ci_github.read, SYNTAX),
    Kind("gitlab pipeline", r"(?:^|[/.])gitlab-ci\.ya?ml$", "", ci_gitlab.read, SYNTAX),
    Kind("jenkinsfile", r"(?:^|[/._-])jenkinsfile(?:[._-][\w.-]+)?$", "", jenkins.read, SYNTAX),
    Kind(
        "jenkins job",
        r"\.xml$",
        r"<(?:flow-definition|project|hudson\.tasks\.Shell)\b",
        jenkins_xml.read,
        SYNTAX,
    ),
    Kind("ansible playbook", YAML, PLAYBOOK, ansible.read, SYNTAX),
    Kind("ansible tasks", r"(?:^|/)(?:tasks|handlers)/(?:[^/]+/)*[^/]+\.ya?ml$", TASKS, ansible.read, SYNTAX),
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
