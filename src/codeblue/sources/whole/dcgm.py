"""``dcgmi diag -j``: every failed test becomes a line that says which GPU failed which test, and why."""

import json
from collections.abc import Iterator
from typing import Any

MARK = b'"DCGM'
LARGEST = 8 << 20
DEEP = 12
FAILED = ("fail", "failed")


def known(head: bytes) -> bool:
    """True for the first bytes of a diagnosis of DCGM in JSON."""
    return head.lstrip().startswith(b"{") and MARK in head


def lines(content: bytes) -> Iterator[str]:
    """Yield one line for each failed result and each of its warnings; nothing of a document that passed."""
    try:
        document = json.loads(content[:LARGEST])
    except (ValueError, RecursionError):
        return
    for test in _tests(document, 0):
        for result in _rows(test.get("results")):
            if str(result.get("status", "")).lower() in FAILED:
                yield from _told(str(test.get("name", "?")), result)


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


def _told(test: str, result: dict[str, Any]) -> Iterator[str]:
    gpus = str(result.get("gpu_ids", result.get("entity_id", "?")))
    warnings = result.get("warnings", result.get("warning"))
    texts = warnings if isinstance(warnings, list) else [warnings] if warnings else [""]
    for text in texts:
        words = text.get("warning", "") if isinstance(text, dict) else text
        yield f"DcgmDiagnosticError: test {test} failed on GPU {gpus}: {words}".rstrip(": ")
