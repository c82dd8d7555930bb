"""Jenkins' ``config.xml`` of a job: its shell steps, or the pipeline in it."""

import re
from collections.abc import Iterator
from xml.parsers import expat

from codeblue.model.config.ci import Job
from codeblue.model.config.place import Source
from codeblue.model.text import message
from codeblue.sources.config import jenkins
from codeblue.sources.config.broken import Broken
from codeblue.sources.config.ci_parts import parts, script, speaks_of_gpu

COMMAND = re.compile(r"<hudson\.tasks\.Shell\b[^>]*>\s*<command>([^<]*)</command>")
PIPELINE = re.compile(r"<script>([^<]*)</script>")
NODE = re.compile(r"<assignedNode>([^<]*)</assignedNode>")
ENTITY = re.compile(r"&(lt|gt|amp|quot|apos|#\d{1,7}|#x[0-9a-fA-F]{1,6});")
NAMED = {"lt": "<", "gt": ">", "amp": "&", "quot": '"', "apos": "'"}


def read(source: Source) -> Iterator[object]:
    """Yield the job and its scripts. Raises Broken."""
    _check(source)
    for found in PIPELINE.finditer(source.text):
        yield from jenkins.read(_plain(source.part(*found.span(1))))
    commands = list(COMMAND.finditer(source.text))
    if not commands:
        return
    node = NODE.search(source.text)
    runner = node[1] if node else ""
    job = Job(
        system=jenkins.SYSTEM,
        name="job",
        place=source.place(*commands[0].span(1)),
        runner=runner,
        gpu=speaks_of_gpu(runner),
        scripts=tuple(
            script(_plain(source.part(*found.span(1))), "shell step", pipefail=False) for found in commands
        ),
    )
    yield from parts(jenkins.SYSTEM, [job], complete=True)


def _check(source: Source) -> None:
    """Raise Broken if it is no XML; a file that declares entities is not followed at all."""
    parser = expat.ParserCreate()
    parser.EntityDeclHandler = _refuse
    # Jenkins writes version 1.1, which expat does not know; for such files there is no difference.
    text = re.sub(r"\A(<\?xml[^>]*version=['\"])1\.1", r"\g<1>1.0", source.text)
    try:
        parser.Parse(re.sub(r"\A(<\?xml[^>]*?)\s+encoding=(['\"]).*?\2", r"\1", text).encode(), True)
    except expat.ExpatError as error:
        offset = _offset(source.text, error.lineno, error.offset)
        raise Broken(
            source.place(offset, offset + 1),
            message("not XML: {why}", "不是合法的 XML：{why}", why=expat.ErrorString(error.code)),
        ) from None
    except _Entity:
        offset = max(0, source.text.find("<!ENTITY"))
        raise Broken(
            source.place(offset, offset + len("<!ENTITY")),
            message("declares entities, which no job of Jenkins does", "声明了实体；Jenkins 任务不会这样写"),
        ) from None


class _Entity(Exception):
    pass


def _refuse(*_: object) -> None:
    raise _Entity


def _offset(text: str, line: int, column: int) -> int:
    lines = text.split("\n")
    return min(sum(len(one) + 1 for one in lines[: line - 1]) + column, len(text))


def _plain(source: Source) -> Source:
    """Return the text with its entities replaced, places kept."""
    pieces: list[str] = []
    marks: list[tuple[int, int, int]] = []
    at = length = 0
    for found in (*ENTITY.finditer(source.text), None):
        end = found.start() if found else len(source.text)
        for offset, line in _starts(source.text[at:end]):
            marks.append((length + offset, *source.point(at + offset)))
            pieces.append(line)
        length += end - at
        if found:
            marks.append((length, *source.point(found.start())))
            pieces.append(_character(found[1]))
            length += 1
            at = found.end()
    return Source(source.name, "".join(pieces), marks or [(0, *source.point(0))])


def _starts(text: str) -> Iterator[tuple[int, str]]:
    offset = 0
    for line in text.splitlines(keepends=True):
        yield offset, line
        offset += len(line)


def _character(name: str) -> str:
    if name in NAMED:
        return NAMED[name]
    code = int(name[2:], 16) if name[1] == "x" else int(name[1:])
    return chr(code) if 0 < code < 0x110000 and not 0xD800 <= code < 0xE000 else "\ufffd"
