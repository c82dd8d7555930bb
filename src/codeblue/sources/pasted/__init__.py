"""Pasted command output becomes facts, so that the rules of a live machine judge it too.

One module a command. Each reads its shape out of all lines of a short text and yields
sections; what it did not see stays unread, and only a complete listing says *absent*.
"""

from collections.abc import Callable, Iterator, Sequence

from codeblue.model.section import Section, united
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
    kubernetes,
    libraries,
    lspci,
    modules,
    nccl_tests,
    nvcc,
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
    nvcc.read,
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
    kubernetes.read,
    nccl_tests.read,
)
"""The first that tells a fact is believed: what describes itself before what describes others."""

LONGEST = 2000
"""Characters of a line that are looked at: no command prints its facts behind them."""


def sections(lines: Sequence[Line]) -> dict[str, Section]:
    """Return what the programs' lines of a text say, by the name of the section."""
    printed = [line._replace(text=line.text[:LONGEST]) for line in lines if not line.note]
    return united(section for reader in READERS for section in reader(printed))
