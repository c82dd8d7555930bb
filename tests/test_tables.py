"""The knowledge tables: every row has a source that the table names, and a confidence."""

from importlib import resources
from typing import Any

import pytest

from codeblue.knowledge import cuda_error, nvml_error, sxid, table, xid

TABLES = sorted(
    entry.name.removesuffix(".json")
    for entry in resources.files("codeblue.knowledge").joinpath("data").iterdir()
    if entry.name.endswith(".json")
)


def rows(content: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the rows of all tables of a file."""
    return [
        row for name, part in content.items() if name != "_meta" for row in part if isinstance(part, list)
    ]


def test_all_tables_are_carried() -> None:
    assert len(TABLES) == 18


@pytest.mark.parametrize("name", TABLES)
def test_every_row_names_its_source(name: str) -> None:
    content = table(name)

    sources = content["_meta"]["sources"]
    for row in rows(content):
        assert row["src"], row
        assert set(row["src"]) <= set(sources), row


@pytest.mark.parametrize("name", TABLES)
def test_every_main_row_has_a_confidence(name: str) -> None:
    assert {row["confidence"] for row in table(name)["rows"]} <= {"verified", "medium", "low"}


def test_codes_have_names() -> None:
    # cuda.h, nvml.h and the Xid catalogue.
    no_device, mismatch, off_bus = cuda_error(100), nvml_error(18), xid(79)

    assert no_device is not None
    assert no_device.name == "CUDA_ERROR_NO_DEVICE"
    assert mismatch is not None
    assert mismatch.name == "NVML_ERROR_LIB_RM_VERSION_MISMATCH"
    assert off_bus is not None
    assert off_bus.severity in ("error", "fatal")
    assert (cuda_error(-1), xid(-1), sxid(0)) == (None, None, None)
