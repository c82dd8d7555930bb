"""``matrix show``: every row of every topic in both languages, and what is not known."""

import io
import json
import unicodedata
from pathlib import Path

import pytest
from rich.console import Console

from codeblue.knowledge import DATE, lookup, table
from codeblue.knowledge.defects import affecting, is_affected
from codeblue.model.rows import Field, Grid, Row
from codeblue.report import row_words, rows
from tests.test_cli import Run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with a private state directory."""
    return Run(tmp_path / "state")


def terminal(found: list[Row], lang: str, width: int) -> str:
    """Return what a pipe of this width gets."""
    stream = io.StringIO()
    console = Console(file=stream, width=width, highlight=False, emoji=False)
    rows.show(console, found, lang)
    rows.show_list(console, found, lang)
    return stream.getvalue()


def cells(text: str) -> int:
    """Return how many columns a line takes."""
    return sum(2 if unicodedata.east_asian_width(letter) in "WF" else 1 for letter in text)


TOPICS = {
    "torch": "torch_releases",
    "driver": "drivers",
    "cuda": "cuda_toolkits",
    "cudnn": "cudnn",
    "nccl": "nccl",
    "tensorrt": "tensorrt",
    "gpu": "gpus",
    "xid": "xid",
    "sxid": "sxid",
    "env": "nccl_env",
    "toolkit": "container_toolkit",
    "bad": "known_bad",
}


@pytest.mark.parametrize("topic", lookup.TOPICS)
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_row_is_shown_at_every_width(topic: str, lang: str) -> None:
    found = lookup.listing(topic)

    page = rows.page(found, lang) + rows.page_list(found, lang)
    assert all(
        row.confidence in page or row_words.CONFIDENCE[row.confidence].say(lang) in page for row in found
    )
    for width, part in ((40, found), (80, found[:: 1 + len(found) // 30])):
        text = terminal(part, lang, width)
        assert "\x1b" not in text
        head, _, _ = text.partition(row_words.SOURCES.say(lang))
        assert max(map(cells, head.splitlines())) <= width


@pytest.mark.parametrize("topic", lookup.TOPICS)
def test_every_row_is_found_by_its_own_name(topic: str) -> None:
    asked = lookup.TOPICS[topic]
    listed = {row.name for row in lookup.listing(topic)}
    for raw in asked.rows():
        assert asked.build(raw, "").name in listed
        assert raw in asked.find(asked.name(raw))


@pytest.mark.parametrize(("topic", "name"), TOPICS.items())
def test_no_value_of_a_table_is_lost(topic: str, name: str) -> None:
    about = {"src", "confidence", "low", "version", "branch", "name", "code", "id", "component"}
    nested = {"variants", "aarch64_variants", "updates", "releases"}
    for raw, row in zip(table(name)["rows"], lookup.listing(topic), strict=True):
        keys = {field.key for field in row.fields} | {grid.key for grid in row.grids}
        assert set(raw) - about - nested <= keys
        assert {key for key in nested & set(raw) if raw[key]} <= keys


@pytest.mark.parametrize("topic", lookup.TOPICS)
def test_every_field_has_a_label_in_both_languages(topic: str) -> None:
    for row in lookup.listing(topic):
        every = [*row.fields, *(cell for grid in row.grids for cell in grid.rows[0])]
        assert {field.key for field in every} <= set(row_words.LABEL)
        assert {grid.key for grid in row.grids} <= set(row_words.GRID)


def test_values_on_memory_are_hints() -> None:
    [gpu] = lookup.look("gpu", ["Tesla V100-SXM2-16GB"])

    assert gpu.low == ["min_driver_branch"]
    assert "(hint)" in terminal([gpu], "en", 80)
    assert "（仅供参考）" in terminal([gpu], "zh", 80)


def test_a_torch_release_names_the_drivers_of_its_builds() -> None:
    [release] = lookup.look("torch", ["2.7.1+cu128"])

    [grid] = [grid for grid in release.grids if grid.key == "variants"]
    [build] = grid.rows
    told = {cell.key: cell.value for cell in build}
    assert (told["driver_min"], told["driver_native"], told["cuda"]) == ("525.60.13", "570.26", "12.8")
    assert "7.0" not in told["capabilities"]
    assert "known_bad" in [grid.key for grid in release.grids]


def test_a_shorter_version_means_all_that_begin_with_it() -> None:
    assert [row.name for row in lookup.look("torch", ["2.7"])] == ["2.7.0", "2.7.1"]
    assert [row.name for row in lookup.look("torch", ["v2.7.1", "2.7"])] == ["2.7.1", "2.7.0"]
    assert {row.name for row in lookup.look("cudnn", ["9.10"])} == {"9.10.0.56", "9.10.1.4", "9.10.2.21"}
    assert [row.name for row in lookup.look("cuda", ["12.8.1"])] == ["12.8.1"]
    assert lookup.look("tensorrt", ["10.3"])


def test_a_driver_release_is_judged_by_its_branch() -> None:
    [old] = lookup.look("driver", ["535.129.03"])
    told = {field.key: field.value for field in old.fields}

    assert old.name == "535.129.03"
    assert (told["cuda_max"], told["below_security_floor"], told["release_listed"]) == ("12.2", True, True)
    assert "12.9" in told["cuda_minor_compat"] and "13.0" not in told["cuda_minor_compat"]
    assert [row.name for row in lookup.look("driver", ["r580", "580.x"])] == ["580"]


def test_a_number_that_two_libraries_use_is_shown_for_both() -> None:
    assert {row.table for row in lookup.look("error", ["999"])} == {"cuda_errors", "nvml_errors"}
    assert [row.table for row in lookup.look("error", ["nvml", "999"])] == ["nvml_errors"]
    assert [row.table for row in lookup.look("error", ["cuda", "999"])] == ["cuda_errors"]
    assert [row.name for row in lookup.look("error", ["CUDA_ERROR_SYSTEM_NOT_READY"])] == [
        "cudaErrorSystemNotReady"
    ]
    assert len(lookup.look("error", ["802", "cudaErrorNoDevice"])) == 2


def test_words_of_a_gpu_need_no_quotes() -> None:
    assert [row.name for row in lookup.look("gpu", ["RTX", "4090"])] == ["NVIDIA GeForce RTX 4090"]
    assert len(lookup.look("gpu", ["T4", "H200"])) == 2


def test_a_container_toolkit_lists_the_holes_it_still_has() -> None:
    [old] = lookup.look("toolkit", ["1.17.4"])

    [holes] = old.grids
    assert "CVE-2025-23266" in [cells[0].value for cells in holes.rows]
    assert "CVE-2025-23359" not in [cells[0].value for cells in holes.rows]


@pytest.mark.parametrize(
    ("affected", "version", "expected"),
    [
        ("==2.29.2", "2.29.2", True),
        ("==2.29.2", "2.29.3", False),
        ("==2.9.0,==2.9.1", "2.9.1", True),
        (">=2.13,<2.17", "2.16.2", True),
        (">=2.13,<2.17", "2.17.1", False),
        ("<=2.21", "2.21.5", True),
        ("<=2.21", "2.22.3", False),
        ("==2.7.* +cu128", "2.7.1", True),
        ("525 releases before 525.105.17", "525.60.13", True),
        ("525 releases before 525.105.17", "525.105.17", False),
        ("(several)", "2.20.5", False),
        ("built with CUDA <11.3 or driver <465", "2.10.3", False),
    ],
)
def test_affected_versions(affected: str, version: str, expected: bool) -> None:
    assert is_affected(affected, version) is expected


def test_a_fixed_release_is_not_affected() -> None:
    assert [row["fixed_in"] for row in affecting("nccl", "2.29.2") if row["affected"] == "==2.29.2"] == [
        "2.29.3"
    ]
    assert "2.29.3" not in [row["fixed_in"] for row in affecting("nccl", "2.29.3")]


# As a user meets it.


def test_an_xid_names_the_page_that_goes_further(run: Run) -> None:
    document = json.loads(run("matrix", "show", "xid", "79", "--format", "json", code=0).stdout)

    assert (document["schema"], document["data"]) == ("codeblue/matrix-row/1", DATE)
    [row] = document["rows"]
    assert row["faults"][0] == "gpu-fallen-off-bus"
    assert row["fields"]["app_can_cause"] == "no"
    assert row["sources"]
    zh = run("--lang", "zh", "matrix", "show", "xid", "79", "--format", "json", code=0).stdout
    assert json.loads(zh) == document


def test_output_is_plain_when_piped(run: Run) -> None:
    text = run("matrix", "show", "torch", "2.7.1", code=0).stdout

    assert "\x1b" not in text
    assert not [line for line in text.splitlines() if line != line.rstrip()]
    assert (
        "cu128" in text
        and "数据日期" in run("--lang", "zh", "matrix", "show", "driver", "580", code=0).stdout
    )


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("gpux",), "no topic 'gpux'; topics: gpu"),
        (("torch", "2.7.9"), "nearest: 2.7.1"),
        (("gpu", "RTX", "4091"), "nearest: NVIDIA GeForce RTX 4090"),
        (("gpu", "RTX 4091 Laptop GPU"), "nearest: NVIDIA GeForce RTX 4090"),
        (("env", "NCCL_IB_DISABEL"), "nearest: NCCL_IB_DISABLE"),
        (("error", "cudaErrorSystemNotRead"), "nearest: cudaErrorSystemNotReady"),
        (("xid", "9999"), "no xid '9999'"),
        (("xid", "²"), "no xid '²'"),
        (("torch", "2.7.1+cu999"), "2.7.1"),
        (("torch", ""), "codeblue matrix show torch lists all"),
        (("driver", "\x1b[31m580"), "no driver '"),
        (("nccl", "9" * 5000), "…"),
    ],
)
def test_what_is_not_known_is_one_line(run: Run, arguments: tuple[str, ...], says: str) -> None:
    run.refused("matrix", "show", *arguments, says=says)


def test_unknown_names_are_refused_in_chinese_too(run: Run) -> None:
    run.refused(
        "--lang", "zh", "matrix", "show", "torch", "2.7.9", says="表中没有 torch '2.7.9'；最接近：2.7.1"
    )
    run.refused("--lang", "zh", "matrix", "show", "torhc", says="没有主题 'torhc'；可用：torch")


def test_text_of_the_tables_cannot_act_on_a_face() -> None:
    hostile = Field(key="note", value="<script>|`x`\x1b[31m\n# head", low=True)
    row = Row(
        topic="nccl",
        table="nccl",
        name="1\x1b]0;x\x07",
        confidence="low",
        date="2026-01-01",
        sources={"a": "[b](javascript:c)"},
        fields=(hostile,),
        grids=(Grid(key="known_bad", rows=((hostile, hostile, hostile),)),),
    )

    page = rows.page([row], "en")
    assert "\\<script\\>" in page and "\x1b" not in page and "\n# head" not in page
    assert "\\[b\\](javascript:c)" in page
    assert "\x1b" not in terminal([row], "en", 80)
