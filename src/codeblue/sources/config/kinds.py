"""Which kind of configuration a file is, by its name and content, and who reads it. One line a kind."""

import os
import re
from collections.abc import Iterator
from importlib import import_module
from typing import NamedTuple

from codeblue.model.config.place import Source

HEAD = 64 << 10
"""Characters in which a file shows what it is."""


class Kind(NamedTuple):
    """A kind of file. The first whose name and content fit is taken."""

    name: str
    paths: str
    """Pattern for the whole path, with ``/`` between its parts; names alone count as paths too."""
    content: str
    """Pattern searched in the first part of the text; empty for any content."""
    reader: str
    """Module beside this one that reads it, imported when the first such file is met; a function other than
    ``read`` stands behind a colon."""
    fault: str
    """What a file is that breaks the rules of its format."""

    def read(self, source: Source) -> Iterator[object]:
        """Yield the parts of a file. Raises Broken and Template."""
        module, _, function = self.reader.partition(":")
        parts: Iterator[object] = getattr(import_module(f"{__package__}.{module}"), function or "read")(
            source
        )
        return parts


YAML = r"\.ya?ml$|^stdin$"
SYNTAX = "config-syntax-error"
DOCKERFILE = r"(?:^|[/._-])(?:dockerfile|containerfile)(?:[._-][\w.-]+)?$"
GITHUB = r"(?:^|/)\.github/(?:workflows/[^/]+|actions/(?:[^/]+/)*action)\.ya?ml$"
HEAD_OF_LIST = r"\A(?:[ \t]*(?:#[^\n]*|---[^\n]*)?\n)*(?:---)?[ \t]*-[ \t]"
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
COMPOSE = r"(?:^|[/._-])compose(?:[._-][\w.-]*)?\.ya?ml$"
CONDA = r"(?:^|[/._-])(?:environment|env|conda)(?:[._-][\w.-]*)?\.ya?ml$"
REQUIREMENTS = (
    r"(?:^|[/._-])requirements?(?:[._-][\w.-]*)?\.(?:txt|in)$|(?:^|/)requirements/[^/]+\.(?:txt|in)$"
)
KINDS = (
    Kind("daemon.json", r"(?:^|/)daemon\.json$", "", "daemon_json", "daemon-json-invalid"),
    Kind("dockerfile", DOCKERFILE, r"^\s*FROM\s", "dockerfile", SYNTAX),
    Kind("compose", COMPOSE, r"^[\"']?services[\"']?\s*:", "compose", SYNTAX),
    Kind("conda environment", CONDA, r"^dependencies\s*:", "installs:read_conda", SYNTAX),
    Kind("requirements", REQUIREMENTS, "", "installs:read_requirements", SYNTAX),
    Kind("python project", r"(?:^|/)pyproject\.toml$", "", "installs:read_project", SYNTAX),
    Kind("shell", r"\.(?:sh|bash|sbatch|slurm)$", "", "shell", SYNTAX),
    Kind("shell", r"(?:^|/)[^/.]+$", r"\A#!\S*(?:/env\s+)?\S*\b(?:ba|da|z|k)?sh\b", "shell", SYNTAX),
    Kind("github workflow", GITHUB, "", "ci_github", SYNTAX),
    Kind("gitlab pipeline", r"(?:^|[/.])gitlab-ci\.ya?ml$", "", "ci_gitlab", SYNTAX),
    Kind("jenkinsfile", r"(?:^|[/._-])jenkinsfile(?:[._-][\w.-]+)?$", "", "jenkins", SYNTAX),
    Kind(
        "jenkins job",
        r"\.xml$",
        r"<(?:flow-definition|project|hudson\.tasks\.Shell)\b",
        "jenkins_xml",
        SYNTAX,
    ),
    Kind("ansible playbook", YAML, PLAYBOOK, "ansible", SYNTAX),
    Kind("ansible tasks", r"(?:^|/)(?:tasks|handlers)/(?:[^/]+/)*[^/]+\.ya?ml$", TASKS, "ansible", SYNTAX),
    Kind("kubernetes", YAML + r"|\.json$", r"[\"']?\bapiVersion[\"']?\s*:", "kubernetes", SYNTAX),
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
