"""``matrix table`` and ``matrix audit``."""

import csv
import html.parser
import io
import json
import re
from datetime import date
from pathlib import Path

import pytest
from msgspec.structs import replace
from rich.console import Console

from codeblue import __version__
from codeblue.knowledge import DATE, table
from codeblue.knowledge.freshness import CONFIDENCE, audit
from codeblue.knowledge.lookup.table import COLUMNS, pytorch
from codeblue.model.rows import Field, Grid
from codeblue.report import audit as audit_report
from codeblue.report import row_words
from codeblue.report.matrix_table import render
from tests.test_cli import Run

DATA = Path(__file__).parent.parent.parent / "src" / "codeblue" / "knowledge" / "data"
HOSTILE = "<script>alert(1)</script>|&\x1b[31m\n"


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with a private state directory."""
    return Run(tmp_path / "state")


class Tags(html.parser.HTMLParser):
    """Collects tags and the text of the cells."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note the tag."""
        self.tags.append(tag)

    def handle_data(self, data: str) -> None:
        """Note the text."""
        self.text += data


def test_every_build_is_one_row() -> None:
    grid = pytorch(None)

    builds = sum(
        len(raw["variants"]) + len(raw["aarch64_variants"]) for raw in table("torch_releases")["rows"]
    )
    assert len(grid.rows) == builds
    assert grid.rows[0][0].value == table("torch_releases")["rows"][-1]["version"]
    assert {cell.key for cell in grid.rows[0]} == set(COLUMNS) <= set(row_words.LABEL)


def test_each_release_has_at_most_one_plain_build_for_a_processor() -> None:
    plain = [
        (told["torch"], told["machine"])
        for cells in pytorch(None).rows
        if (told := {cell.key: cell.value for cell in cells})["plain"]
    ]

    assert len(plain) == len(set(plain))
    assert ("2.7.1", "x86_64") in plain and ("2.7.1", "aarch64") not in plain


def test_drivers_and_architectures_are_joined() -> None:
    told = [{cell.key: cell.value for cell in cells} for cells in pytorch("2.7.1").rows]
    wanted = ("2.7.1", "cu128", "x86_64")
    [build] = [one for one in told if (one["torch"], one["variant"], one["machine"]) == wanted]

    assert (build["driver_min"], build["driver_native"]) == ("525.60.13", "570.26")
    assert build["archs"] == ["Turing", "Ampere", "Hopper", "Blackwell"]


def test_since_leaves_older_releases_out(run: Run) -> None:
    text = run("matrix", "table", "--since", "2.14", "--format", "csv", code=0).stdout

    rows = list(csv.DictReader(io.StringIO(text)))
    assert {row["torch"].rpartition(".")[0] for row in rows} == {"2.14", "2.15"}
    assert {(row["data"], row["codeblue"]) for row in rows} == {(DATE, __version__)}


@pytest.mark.parametrize("since", ["x", "99", ""])
def test_a_since_without_releases_is_refused(run: Run, since: str) -> None:
    run.refused("matrix", "table", "--since", since, says="no such or newer PyTorch release")


@pytest.mark.parametrize("form", ["md", "html", "csv", "json"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_no_cell_can_act(form: str, lang: str) -> None:
    cells = (Field(key="torch", value=HOSTILE), Field(key="cuda", value="=1+1", low=True))

    text = render(Grid(key="pytorch", rows=(cells,)), form, DATE, lang)
    assert "\x1b" not in text
    assert DATE in text
    if form in ("md", "html"):
        assert not re.search(r"(?<!\\)<script", text)
        assert __version__ in text.replace("\\", "")
    if form == "csv":
        [row] = csv.DictReader(io.StringIO(text))
        assert row["cuda"] == "'=1+1"


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_html_is_one_table_without_scripts(lang: str) -> None:
    grid = pytorch("2.4")
    page = Tags()
    page.feed(render(grid, "html", DATE, lang))

    assert page.tags.count("table") == page.tags.count("caption") == 1
    assert page.tags.count("td") == len(grid.rows) * len(COLUMNS)
    assert set(page.tags) == {"table", "caption", "thead", "tbody", "tr", "th", "td"}
    assert row_words.label("table", "driver_min", lang) in page.text


def test_markdown_rows_have_as_many_cells_as_the_head() -> None:
    lines = render(pytorch(None), "md", DATE, "zh").splitlines()

    assert {line.replace("\\|", "").count("|") for line in lines[2:]} == {len(COLUMNS) + 1}


def test_the_table_is_written_to_a_file(run: Run, tmp_path: Path) -> None:
    target = tmp_path / "table.html"
    run("matrix", "table", "--format", "html", "-o", str(target), code=0)

    assert target.read_text(encoding="utf-8").startswith("<table")
    run.refused("matrix", "table", "-o", str(tmp_path / "none" / "x"), says="cannot write")


# audit


def test_the_oldest_and_least_sure_rows_come_first() -> None:
    found = audit(date(2027, 1, 1))

    assert [row.days for row in found.rows] == sorted((row.days for row in found.rows), reverse=True)
    same = [row for row in found.rows if row.days == found.rows[0].days]
    sure = [CONFIDENCE.index(row.confidence) for row in same]
    assert sure == sorted(sure)


def test_counts_add_up() -> None:
    found = audit(date(2027, 1, 1))

    assert {one.table for one in found.tables} == {path.stem for path in DATA.glob("*.json")}
    for one in found.tables:
        mine = [row for row in found.rows if row.table == one.table]
        assert one.rows == len(mine) == one.verified + one.medium + one.low == len(table(one.table)["rows"])
        assert one.hints == sum(len(row.low) for row in mine)


@pytest.mark.parametrize("width", [40, 80])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_audit_fits_a_terminal(width: int, lang: str) -> None:
    stream = io.StringIO()
    found = audit(date(2027, 1, 1))
    audit_report.show(Console(file=stream, width=width), found, 5, lang)

    assert "\x1b" not in stream.getvalue()
    assert audit_report.REST.say(lang, n=len(found.rows) - 5) in stream.getvalue().replace("\n", " ").replace(
        "  ", " "
    )


def test_csv_cells_of_an_audit_do_not_compute() -> None:
    row = replace(audit(date(2027, 1, 1)).rows[0], name="=cmd\x1b")

    [read] = csv.DictReader(io.StringIO(audit_report.sheet([row])))
    assert read["name"].startswith("'=cmd") and "\x1b" not in read["name"]


def test_stale_rows_fail_a_build(run: Run) -> None:
    document = json.loads(run("matrix", "audit", "--stale", "0", "--format", "json").stdout)
    assert document["schema"] == "codeblue/matrix-audit/1"
    assert all(row["days"] > 0 for row in document["rows"])

    assert run("matrix", "audit", "--stale", "100000", code=0).stdout.rstrip().endswith("no such rows")
    run.refused("matrix", "audit", "--stale", "x", says="--stale")


def test_matrix_alone_lists_its_verbs(run: Run) -> None:
    for lang, word in (("en", "audit"), ("zh", "数据的新旧")):
        assert word in run("--lang", lang, "matrix", code=0).stdout
