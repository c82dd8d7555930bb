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
    shows: bool = False
    """True for documents: what they hold of other kinds is shown, not run."""

    def read(self, source: Source) -> Iterator[object]:
        """Yield the parts of a file. Raises Broken and Template."""
        module, _, function = self.reader.partition(":")
        parts: Iterator[object] = getattr(import_module(f"{__package__}.{module}"), function or "read")(
            source
        )
        return parts


YAML = r"\.ya?ml$|^stdin$"
SYNTAX = "config-syntax-error"
DOCKERFILE = (
    r"(?:^|[/._-])(?:dockerfile|containerfile)"
    r"(?:[._-](?!(?:[\w.-]*\.)?(?:md|rst|txt|html?|py|go|js|ts|json|ya?ml|sh|ps1|j2|jinja2?|tmpl|tpl|template|erb|in)$)[\w.-]+)?$"
)
"""A document about it, or a template of one, is no Dockerfile."""
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
COMPOSE = r"(?:^|[/._-])compose(?:[._-][\w.-]*)?\.ya?ml$"
CONDA = r"(?:^|[/._-])(?:environment|env|conda)(?:[._-][\w.-]*)?\.ya?ml$"
REQUIREMENTS = (
    r"(?:^|[/._-])requirements?(?:[._-][\w.-]*)?\.(?:txt|in)$|(?:^|/)requirements/[^/]+\.(?:txt|in)$"
)
TOOLKIT = r"(?:^|/)(?:[\w-]*toolkit[\w-]*|nvidia-container-runtime|config)\.toml$"
CONTAINERD = r"(?:^|/)(?:[\w-]*containerd[\w-]*|containerd/.+|config)\.toml$"
CDI = r"(?:^|/)(?:[^/]*cdi[^/]*/.*|[^/]*(?:nvidia|cdi)[^/]*)\.(?:ya?ml|json)$"
MODPROBE = (
    r"(?:^|/)(?:modprobe\.d/[^/]+(?<!\.j2)|modprobe\.conf|[\w-]*(?:blacklist|nvidia|nouveau)[\w-]*\.conf)$"
)
UNIT = (
    r"\.(?:service|socket|timer|mount|target|slice|scope|path)$"
    r"|\.(?:service|slice|scope|socket)\.d/[^/]+\.conf$"
)
DOCUMENT = (
    r"\.(?:md|markdown|mdown|rst|html?)$|"
    r"(?:^|/)(?:readme|install|installation|setup|guide|howto|runbook|[\w-]*说明|[\w-]*指南|[\w-]*手册)[\w-]*\.txt$"
)
TOOLKIT_HOME = r"(?:^|/)nvidia-container-runtime/config\.toml$"
KINDS = (
    Kind("daemon.json", r"(?:^|/)daemon\.json$", "", "daemon_json", "daemon-json-invalid"),
    Kind("toolkit", TOOLKIT_HOME, "", "trees:toolkit", "toolkit-config-invalid"),
    Kind(
        "toolkit",
        TOOLKIT,
        r"^\s*\[?nvidia-container-(?:cli|runtime)",
        "trees:toolkit",
        "toolkit-config-invalid",
    ),
    Kind(
        "containerd",
        CONTAINERD,
        r"io\.containerd\.|^\[?plugins[.\]]|^disabled_plugins",
        "trees:containerd",
        SYNTAX,
    ),
    Kind(
        "cdi",
        CDI,
        r"^\s*\{?\s*[\"']?cdiVersion[\"']?\s*:|^\s*\{?\s*[\"']?containerEdits[\"']?\s*:",
        "trees:cdi",
        "cdi-spec-invalid",
    ),
    Kind(
        "grub",
        r"(?:^|/)(?:default/)?grub(?:\.d/[^/]+\.cfg)?$",
        r"^\s*GRUB_\w+\s*=",
        "boot:grub",
        "grub-cmdline-typo",
    ),
    Kind("cmdline", r"(?:^|/)(?:etc/)?kernel/cmdline$", r"=", "boot:cmdline", SYNTAX),
    Kind(
        "modprobe",
        MODPROBE,
        r"^\s*(?:blac?k?list|options?|install|alias|softdep|remove)\s",
        "host_lines:modprobe",
        SYNTAX,
    ),
    Kind("slurm", r"(?:^|/)(?:slurm|gres|cgroup)\.conf$", r"^\s*[A-Za-z]\w*\s*=", "slurm", SYNTAX),
    Kind("systemd", UNIT, r"^\s*\[(?:Unit|Service|Install|Socket|Timer|Slice)\]|^\w+=", "systemd", SYNTAX),
    Kind("sshd", r"(?:^|/)sshd_config(?:\.d/[^/]+\.conf)?$", "", "host_lines:sshd", SYNTAX),
    Kind("jupyter", r"(?:^|/)jupyter_\w+_config(?:\.d/[^/]+)?\.(?:py|json)$", "", "jupyter", SYNTAX),
    Kind("limits", r"(?:^|/)(?:limits\.conf|limits\.d/[^/]+)$", "", "host_lines:limits", SYNTAX),
    Kind("udev", r"\.rules$", r"\b(?:SUBSYSTEM|KERNEL|ACTION|ATTR|DRIVER|MODE|RUN)S?\b", "udev", SYNTAX),
    Kind(
        "apt",
        r"(?:^|/)(?:apt\.conf\.d/[^/]+|apt\.conf|\d\dunattended-upgrades|\d\dauto-upgrades)$",
        r"::|\{",
        "apt",
        SYNTAX,
    ),
    Kind("env", r"(?:^|/)(?:\.env(?:\.[\w-]+)*|[\w.-]+\.env)$", r"=", "host_lines:env", SYNTAX),
    Kind("condarc", r"(?:^|/)\.?condarc(?:\.ya?ml)?$", "", "conda:condarc", SYNTAX),
    Kind("pip", r"(?:^|/)pip\.(?:conf|ini)$", "", "host_lines:pip", SYNTAX),
    Kind("codeblue.toml", r"(?:^|/)codeblue\.toml$", "", "site_file", SYNTAX),
    Kind("conda environment", CONDA, r"^(?:dependencies|channels)\s*:", "conda:environment", SYNTAX),
    Kind(
        "conda channel",
        r"(?:^|/)(?:noarch|(?:linux|osx|win)-\w+)/repodata\.json$",
        r"\"packages",
        "conda:channel",
        SYNTAX,
    ),
    Kind("conda record", r"(?:^|/)info/repodata_record\.json$", "", "conda:record", SYNTAX),
    Kind("dockerfile", DOCKERFILE, r"^\s*FROM\s", "dockerfile", SYNTAX),
    Kind("compose", COMPOSE, r"^[\"']?services[\"']?\s*:", "compose", SYNTAX),
    Kind("requirements", REQUIREMENTS, "", "package_files:read_requirements", SYNTAX),
    Kind("python project", r"(?:^|/)pyproject\.toml$", "", "package_files:read_project", SYNTAX),
    Kind("shell", r"\.(?:sh|bash|sbatch|slurm)$", "", "shell", SYNTAX),
    Kind("shell", r"(?:^|/)[^/.]+$", r"\A#!\S*(?:/env\s+)?\S*\b(?:ba|da|z|k)?sh\b", "shell", SYNTAX),
    Kind("github workflow", GITHUB, "", "ci_github", SYNTAX),
    Kind("gitlab pipeline", r"(?:^|[/.])gitlab-ci\.ya?ml$", "", "ci_gitlab", SYNTAX),
    Kind("jenkinsfile", r"(?:^|[/._-])jenkinsfile(?:[._-][\w.-]+)?$", "", "jenkins", SYNTAX),
    Kind(
        "jenkins job",
        r"\.xml$",
        r"<(?:flow-definition|hudson\.tasks\.Shell)\b",
        "jenkins_xml",
        SYNTAX,
    ),
    Kind("ansible playbook", YAML, PLAYBOOK, "ansible", SYNTAX),
    Kind("ansible tasks", r"(?:^|/)(?:tasks|handlers)/(?:[^/]+/)*[^/]+\.ya?ml$", TASKS, "ansible", SYNTAX),
    Kind("kubernetes", YAML + r"|\.json$", r"[\"']?\bapiVersion[\"']?\s*:", "kubernetes", SYNTAX),
    Kind("document", DOCUMENT, "", "document", SYNTAX, shows=True),
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
