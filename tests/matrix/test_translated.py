"""Every text of the tables that a person reads exists in Chinese."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from codeblue.knowledge import lookup, translated
from codeblue.knowledge.tables import table
from codeblue.knowledge.translated import chinese, row_in_chinese

TEXTS = {
    "known_bad": ("symptom", "condition", "action"),
    "xid": ("title", "meaning", "look_at", "vendor_followup"),
    "cuda_errors": ("meaning", "causes", "check"),
    "nvml_errors": ("meaning", "causes"),
    "nccl_env": ("purpose", "values", "risk", "note", "default"),
    "container_toolkit": ("facts", "what", "note", "symptom", "cause", "fix", "text"),
    "drivers": ("note", "type"),
    "cuda_toolkits": ("note", "added", "removed"),
    "cudnn": ("note",),
    "nccl": ("note",),
    "tensorrt": ("note",),
    "security": ("what",),
    "gpus": ("note",),
    "torch_releases": ("note",),
}
"""Fields of the tables that hold texts, not names or what software prints."""
WORDS = re.compile(r"[A-Za-z]{2,} [A-Za-z]{2,}")
PRINTED = re.compile(
    r"nvidia-container-cli: |could not select device driver|unknown or invalid runtime|libnvidia-ml\.so\.1: "
    r"|Driver/library version|^compute utility "
)
"""What software prints, or values as they are written: the same in every language."""


def texts(name: str) -> set[str]:
    """Return the texts of a table."""
    found: set[str] = set()
    for rows in table(name).values():
        for row in rows if isinstance(rows, list) else ():
            found.update(_below(row, TEXTS[name]))
    return found


def _below(value: Any, keys: tuple[str, ...], told: bool = False) -> Iterator[str]:
    if isinstance(value, str):
        if told:
            yield value
    elif isinstance(value, list):
        for one in value:
            yield from _below(one, keys, told)
    elif isinstance(value, dict):
        for key, one in value.items():
            yield from _below(one, keys, told or key in keys)


def test_the_list_of_tables_is_whole() -> None:
    assert set(TEXTS) == set(translated.TABLES)


@pytest.mark.parametrize("name", TEXTS)
def test_every_text_has_chinese_and_no_chinese_lacks_its_text(name: str) -> None:
    ours, theirs = set(translated.texts(name)), texts(name)

    assert sorted(one for one in theirs - ours if WORDS.search(one) and not PRINTED.search(one)) == []
    assert sorted(ours - theirs) == []


@pytest.mark.parametrize("name", TEXTS)
def test_chinese_is_chinese_and_keeps_the_numbers(name: str) -> None:
    for english, told in translated.texts(name).items():
        assert re.search(r"[\u4e00-\u9fff]", told), english
        assert not re.search(r"[\u4e00-\u9fff][,;:?!]|[,;?!][\u4e00-\u9fff]", told), told
        assert set(re.findall(r"\d+(?:\.\d+)+", english)) <= set(re.findall(r"\d+(?:\.\d+)+", told)), english


def test_a_row_is_translated_with_its_small_tables_and_what_has_no_chinese_stays() -> None:
    [row] = lookup.look("torch", ("2.9.1",))
    told = row_in_chinese(row)

    [bad] = [grid for grid in told.grids if grid.key == "known_bad"]
    said = {cell.key: cell.value for cell in bad.rows[0]}
    assert said["symptom"] == chinese("conv3d takes far more memory and time")
    assert said["condition"] == "cuDNN < 9.15"
    assert (told.name, told.sources, told.low) == (row.name, row.sources, row.low)
