"""Pasted command output becomes facts, so that the rules of a live machine judge it too.

One module a command. Each reads its shape out of all lines of a short text and yields
sections; what it did not see stays unread, and only a complete listing says *absent*.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence

from msgspec import UNSET, structs

from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted import (
    collect_env,
    container_cli,
    container_run,
    daemon_json,
    device_nodes,
    distributions,
    docker_info,
    environment,
    host,
    kernel_messages,
    kernel_module,
    libraries,
    lspci,
    modules,
    nvidia_smi,
    nvidia_smi_query,
    nvidia_smi_topo,
    packages,
    surroundings,
)

Reader = Callable[[Sequence[Line]], Iterator[Section]]

READERS: tuple[Reader, ...] = (
    kernel_module.read,
    nvidia_smi.read,
    nvidia_smi_query.read,
    nvidia_smi_topo.read,
    container_cli.read,
    device_nodes.read,
    collect_env.read,
    distributions.read,
    modules.read,
    lspci.read,
    host.read,
    kernel_messages.read,
    docker_info.read,
    daemon_json.read,
    container_run.read,
    libraries.read,
    environment.read,
    surroundings.read,
    packages.read,
)
"""The first that tells a fact is believed: what describes itself before what describes others."""

LONGEST = 2000
"""Characters of a line that are looked at: no command prints its facts behind them."""


def sections(lines: Sequence[Line]) -> dict[str, Section]:
    """Return what the programs' lines of a text say, by the name of the section."""
    printed = [line._replace(text=line.text[:LONGEST]) for line in lines if not line.note]
    return united(section for reader in READERS for section in reader(printed))


def united(found: Iterable[Section]) -> dict[str, Section]:
    """Return one section of each name; where two tell the same fact, the first is kept."""
    whole: dict[str, Section] = {}
    for section in found:
        known = whole.get(section.NAME)
        whole[section.NAME] = _joined(known, section) if known is not None else section
    return whole


def _joined(first: Section, second: Section) -> Section:
    changes: dict[str, object] = {"sources": second.sources | first.sources}
    for field in second.__struct_fields__:
        old, new = _raw(first, field), _raw(second, field)
        if field in Section.__struct_fields__ or new is UNSET:
            continue
        if old is UNSET:
            changes[field] = new
            if field not in first.sources and second.source:
                changes["sources"] = {**second.sources, **first.sources, field: second.source}
        elif isinstance(old, dict) and isinstance(new, dict):
            changes[field] = new | old
    return structs.replace(first, **changes)


def _raw(section: Section, field: str) -> object:
    """Return a field without asking whether it was read."""
    return object.__getattribute__(section, field)
