"""``conda-lock.yml`` and ``pixi.lock``: exact packages, of which those for the machine are taken."""

from codeblue.sources.manifests import conda_lists, pip_specs
from codeblue.sources.manifests.files import File
from codeblue.sources.manifests.gathered import Gathered
from codeblue.sources.manifests.yaml_file import Node

MOST = 20_000
"""Packages of one file."""


def read(file: File, root: Node, into: Gathered) -> None:
    """Read conda-lock's list."""
    for channel in root.get("metadata", "channels").rows:
        into.index(channel.get("url").text or channel.text, file.place(channel.line), "channel")
    platform = _platform(into)
    rows = [row for row in root.get("package").rows[:MOST] if row.get("platform").text == platform]
    for row in rows:
        if row.get("optional").text != "true":
            _locked(row, file.place(row.line), into)
    _say_none(rows, file.place(root.get("package").line), platform, into)


def read_pixi(file: File, root: Node, into: Gathered) -> None:
    """Read the default environment of pixi's lock."""
    environment = root.get("environments", "default")
    for channel in environment.get("channels").rows:
        into.index(channel.get("url").text, file.place(channel.line), "channel")
    platform = _platform(into)
    rows = environment.get("packages", platform).rows[:MOST]
    for row in rows:
        if row.get("conda").text:
            conda_lists.at(row.get("conda").text, file.place(row.line), into)
        elif row.get("pypi").text:
            pip_specs.add(row.get("pypi").text, file.place(row.line), into, locked=True)
    _say_none(rows, file.place(environment.line), platform, into)


def _platform(into: Gathered) -> str:
    return "linux-aarch64" if into.machine == "aarch64" else "linux-64"


def _say_none(rows: list[Node], origin: str, platform: str, into: Gathered) -> None:
    if not rows:
        into.left(
            origin,
            "nothing in it is for {platform}",
            "其中没有适用于 {platform} 的内容",
            platform=platform,
        )


def _locked(row: Node, origin: str, into: Gathered) -> None:
    name, url = row.get("name").text, row.get("url").text
    if row.get("manager").text == "pip":
        conda_lists.pip(name, row.get("version").text, url or None, origin, into)
        return
    archive = conda_lists.ARCHIVE.match(url.rpartition("/")[2].partition("#")[0])
    conda_lists.conda(name, row.get("version").text, archive[3] if archive else "", url or None, origin, into)
