"""Continuous integration: the jobs of GitHub workflows, GitLab pipelines and Jenkins."""

from msgspec import Struct

from codeblue.model.config.node import Node
from codeblue.model.config.place import Place
from codeblue.model.config.shell import Script


class Job(Struct, frozen=True, kw_only=True):
    """One job and what it runs."""

    system: str
    """``github``, ``gitlab`` or ``jenkins``."""
    name: str
    place: Place
    """Of its name."""
    root: Node | None = None
    """Its keys; None where the file is no tree."""
    runner: str = ""
    """The labels or tags of the machine that it asks for, as one text; empty if it names none."""
    gpu: bool = False
    """True if those labels speak of a GPU."""
    image: str = ""
    scripts: tuple[Script, ...] = ()


class Pipeline(Struct, frozen=True, kw_only=True):
    """All jobs of a file."""

    system: str
    jobs: tuple[Job, ...]
    complete: bool
    """True if no other file adds jobs."""
