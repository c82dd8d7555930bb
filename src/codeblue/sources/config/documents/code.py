"""Code in documents: shell, manifests and Dockerfiles are handed to the readers of their kinds."""

import re
from collections.abc import Callable, Iterator

from msgspec import structs

from codeblue.model.config.place import Source
from codeblue.model.config.setting import Settings
from codeblue.sources.config import dockerfile, kubernetes, shell
from codeblue.sources.config.broken import Broken, Template
from codeblue.sources.config.documents.block import Block
from codeblue.sources.config.documents.lines import joined, spans

SHELL = frozenset(
    {
        "bash",
        "sh",
        "shell",
        "zsh",
        "console",
        "shell-session",
        "shellsession",
        "terminal",
        "cmd",
        "prompt",
        "commandline",
    }
)
PROMPT = re.compile(r"^\s*(?:\([\w.-]+\)\s*)?(?:[\w.-]+@[\w.-]+[:\s][^\s$#]*\s*)?[$#❯]\s+(?=\S)")
KNOWN = re.compile(
    r"\s*(?:#[^\n]*\n\s*)*(?:sudo\s+)?(?:pip3?|conda|mamba|docker|podman|nvidia-docker|apt(?:-get|"
    r"-key)?|yum|dnf|python3?|torchrun|git|export|wget|"
    r"curl|nvidia-smi|nvidia-ctk|singularity|apptainer|kubectl|helm|srun|sbatch|uv|accelerate|deepspeed)\s"
)
OTHER = re.compile(
    r"^\s*(?:import \w|from [\w.]+ import|def \w|class \w|>>> |In \[|print\(|with \w+\(|[\w.\[\]]+ = )",
    re.MULTILINE,
)
"""Lines of other languages, whatever somebody wrote behind the fence."""
MANIFEST = re.compile(r"^apiVersion:\s*\S", re.MULTILINE)
HAS_KIND = re.compile(r"^kind:\s*\S", re.MULTILINE)
FROM = re.compile(r"\A(?:\s*#[^\n]*\n|\s*ARG [^\n]*\n|\s*\n)*\s*FROM\s+\S")
CUT = re.compile(r"^\s*(?:#\s*)?(?:\.\.\.|…|<snip>|\[\.\.\.\])", re.MULTILINE)
"""Where something was left out."""
HOLE = re.compile(r"<[A-Za-z][\w -]*>|\{\{|\$\{\{")


def parts(block: Block) -> Iterator[object]:
    """Yield what the readers of the kinds make of a block of code; excerpts are left alone."""
    for part in _read(block):
        yield _names_only(part) if isinstance(part, Settings) else part


def _read(block: Block) -> Iterator[object]:
    text, language = block.source.text, block.language
    if language in ("yaml", "yml", "") and MANIFEST.search(text) and HAS_KIND.search(text):
        yield from _whole(kubernetes.read, block.source)
    elif language in ("dockerfile", "docker", "") and FROM.match(text):
        yield from _whole(dockerfile.read, block.source)
    elif language in SHELL or (not language and (KNOWN.match(text) or PROMPT.match(text))):
        said = commands(block.source)
        if not OTHER.search(said.text):
            yield from shell.parts(shell.script(said, "document"))


def _names_only(settings: Settings) -> Settings:
    """Return variables without values: in a document these are examples, and many are for one try."""
    bare = tuple(structs.replace(one, value=None, value_place=None) for one in settings.settings)
    return structs.replace(settings, settings=bare)


def _whole(read: Callable[[Source], Iterator[object]], source: Source) -> Iterator[object]:
    """Yield the parts of a file that is complete in a block; one that cannot be read is an excerpt."""
    if CUT.search(source.text) or HOLE.search(source.text):
        return
    try:
        yield from list(read(source))
    except (Broken, Template):
        return


def commands(source: Source) -> Source:
    """Return the commands of a block; where some lines have a prompt, the others are what programs said."""
    lines = spans(source.text)
    prompts = [PROMPT.match(source.text[start:end]) for start, end in lines]
    dollar = [found for found in prompts if found and found[0].rstrip().endswith(("$", "❯"))]
    if not dollar:
        return source
    kept: list[tuple[int, int]] = []
    continued = False
    for (start, end), prompt in zip(lines, prompts, strict=True):
        if prompt in dollar and prompt is not None:
            kept.append((start + prompt.end(), end))
        elif continued:
            kept.append((start, end))
        continued = bool(kept) and kept[-1][1] == end and source.text[start:end].endswith("\\")
    return joined(source, kept)
