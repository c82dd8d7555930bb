"""``dcgmi diag -j``: every failed test becomes a line that says which GPU failed which test, and why.

DCGM 3 names GPUs in ``gpu_ids`` and gives one result for all of them in its software tests; DCGM 4 has
one result an entity (``entity_group``, ``entity_id``), warnings as objects, and a summary of each test.
"""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any

MARK = re.compile(rb'"DCGM (?:GPU |Multi-Node )?Diagnostic"')
LARGEST = 8 << 20
DEEP = 12
GPUS = 64
"""GPUs of one result that are named."""
MOST = 10_000
"""Lines of one document."""
FAILED = ("fail", "failed")
BEGIN = re.compile(r"^[ \t]*\{", re.MULTILINE)
SETTING = re.compile(r"persistence mode", re.IGNORECASE)
"""Level 1 fails on a GPU without persistence mode, which then only starts more slowly."""


def known(head: bytes) -> bool:
    """True for the first bytes of a diagnosis of DCGM in JSON, also below words of the tool itself."""
    return BEGIN.search(head.decode("latin-1")) is not None and MARK.search(head) is not None


def lines(content: bytes) -> Iterator[str]:
    """Yield one line for each failed result and each of its warnings; nothing of a document that passed.

    Words before and after the document are kept, and so is a document that is damaged.
    """
    text = content[:LARGEST].decode("utf-8", "replace")
    begin = BEGIN.search(text)
    try:
        position = begin.end() - 1 if begin else 0
        document, end = json.JSONDecoder().raw_decode(text, position)
    except (ValueError, RecursionError):
        yield from text.splitlines()
        return
    yield from text[:position].splitlines()
    yield from _stopped(document)
    yield from islice(_failures(document), MOST)
    yield from text[end:].splitlines()


def _failures(document: Any) -> Iterator[str]:
    for test in _tests(document, 0):
        failed = [result for result in _rows(test.get("results")) if _failed(result)]
        for result in failed or _summary(test):
            yield from _told(str(test.get("name", "?")), result)


def _stopped(document: Any) -> Iterator[str]:
    """Yield why the diagnosis did not run."""
    inside = document.values() if isinstance(document, dict) else ()
    for part in (document, *inside):
        if isinstance(part, dict) and isinstance(words := part.get("runtime_error"), str):
            yield f"DcgmDiagnosticError: {words}"


def _tests(value: Any, depth: int) -> Iterator[dict[str, Any]]:
    """Yield every object with results, wherever this version of DCGM puts it."""
    if depth > DEEP:
        return
    if isinstance(value, dict):
        if isinstance(value.get("results"), list):
            yield value
        else:
            for inner in value.values():
                yield from _tests(inner, depth + 1)
    elif isinstance(value, list):
        for inner in value:
            yield from _tests(inner, depth + 1)


def _rows(value: Any) -> list[dict[str, Any]]:
    return [row for row in value if isinstance(row, dict)] if isinstance(value, list) else []


def _failed(result: dict[str, Any]) -> bool:
    return str(result.get("status", "")).lower() in FAILED


def _summary(test: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the summary of a test that failed although no GPU did."""
    summary = test.get("test_summary")
    return [summary] if isinstance(summary, dict) and _failed(summary) else []


def _told(test: str, result: dict[str, Any]) -> Iterator[str]:
    texts = _warnings(result)
    if SETTING.search(test) or (texts and all(SETTING.search(text) for text in texts)):
        return
    for entity in _entities(result):
        for text in texts or [""]:
            yield f"DcgmDiagnosticError: test {test} failed{entity}: {text}".rstrip(": ")


def _warnings(result: dict[str, Any]) -> list[str]:
    found = result.get("warnings", result.get("warning"))
    texts = found if isinstance(found, list) else [found] if found else []
    return [str(text.get("warning", "") if isinstance(text, dict) else text) for text in texts]


def _entities(result: dict[str, Any]) -> list[str]:
    """Return whom a result is about: ``on GPU 3``, ``on CPU 0``, or nothing."""
    if "entity_id" in result:
        return [f" on {result.get('entity_group', 'GPU')} {result['entity_id']}"]
    numbers = re.findall(r"\d+", str(result.get("gpu_ids", "")))[:GPUS]
    return [f" on GPU {number}" for number in numbers] or [""]
