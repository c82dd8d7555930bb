"""conda's ``environment.yml``: packages, channels, and the part that pip installs."""

from codeblue.sources.manifests import match_spec, requirements
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered
from codeblue.sources.manifests.yaml_file import Node

MOST = 20_000
"""Packages of one file."""


def read(file: File, root: Node, into: Gathered) -> None:
    """Read ``environment.yml``."""
    for channel in root.get("channels").rows:
        into.index(channel.text, file.place(channel.line), "channel")
    for row in root.get("dependencies").rows[:MOST]:
        if row.text:
            match_spec.add(row.text, file.place(row.line), into)
        for key, value in row.items:
            if key != "pip":
                into.left(file.place(row.line), "'{key}' is not known here", "此处不认识 '{key}'", key=key)
            for line in value.rows if key == "pip" else []:
                requirements.read_line(line.text.strip(), file.place(line.line), file.folder, into)
    for name, value in root.get("variables").items:
        into.variable(name, value.text, file.place(value.line))
