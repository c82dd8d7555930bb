"""What the readers of CI files share."""

import re
from collections.abc import Iterator, Sequence

from msgspec.structs import replace

from codeblue.model.config.ci import Job, Pipeline
from codeblue.model.config.node import Node
from codeblue.model.config.place import Source
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import Script
from codeblue.sources.config import shell

GPU = re.compile(
    r"gpu|cuda|nvidia|(?<![a-z0-9])(?:[abhlv]\d{2,3}s?|t4|g4dn|g5|g6|p[345]d?e?|dgx|hgx|rtx\w*|gb?200)(?![a-z0-9])",
    re.IGNORECASE,
)
NO_GPU = re.compile(r"\b(?:no|non|without)[-_]?(?:gpu|cuda)|cpu[-_]?only", re.IGNORECASE)


def speaks_of_gpu(labels: str) -> bool:
    """Tell whether the labels of a runner say that it has a GPU."""
    return GPU.search(NO_GPU.sub("", labels)) is not None


def said(node: Node | None) -> str:
    """Return all scalars below a node as one text."""
    if node is None:
        return ""
    return " ".join(one.text for one in node.walk() if one.kind not in ("map", "list"))


def settings(table: Node | None, owner: str) -> Iterator[Settings]:
    """Yield the variables of a map, if it has any; values may be maps with ``value``."""
    found = tuple(
        Setting(
            name=key.text,
            value=value.text if value.kind not in ("map", "list") and "${{" not in value.text else None,
            place=key.place,
            value_place=value.place,
            owner=owner,
        )
        for key, value in (table.pairs if table is not None else ())
    )
    if found:
        yield Settings(owner=owner, settings=found)


def script(source: Source, owner: str, *, pipefail: bool) -> Script:
    """Return lines that the system runs with ``-e``."""
    found = shell.script(source, owner)
    return replace(found, errexit=True, pipefail=found.pipefail or pipefail)


def parts(system: str, jobs: Sequence[Job], *, complete: bool) -> Iterator[object]:
    """Yield the pipeline, its jobs, and what they hand to a shell."""
    yield Pipeline(system=system, jobs=tuple(jobs), complete=complete)
    for job in jobs:
        yield job
        for one in job.scripts:
            yield from shell.parts(one)
