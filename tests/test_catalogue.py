"""Promises that every fault of the catalogue keeps."""

import json
import re
from pathlib import Path

import msgspec
import pytest
import re2

from codeblue.faults import index
from codeblue.faults.catalogue import CATALOGUE
from codeblue.model.entry import Entry
from codeblue.model.fault import Certainty, Kind
from codeblue.model.snapshot import SECTIONS
from codeblue.remedy.shell import ARGUMENTS
from scripts.build_index import built

ROOT = Path(__file__).parent.parent
FAULTS = ROOT / "src" / "codeblue" / "faults"
ENTRIES = list(index.entries().values())
IDS = [entry.id for entry in ENTRIES]

HEADINGS = {
    "en": [
        "What it means",
        "Why it happens",
        "When it is not a fault",
        "What to do",
        "How safe the fix is",
    ],
    "zh": ["含义", "为什么会发生", "什么时候不是故障", "怎么办", "修复有多安全"],
}

every_fault = pytest.mark.parametrize("entry", ENTRIES, ids=IDS)


def test_the_index_is_fresh() -> None:
    """``make index`` has been run since the catalogue changed."""
    assert (FAULTS / "index.json").read_text(encoding="utf-8") == built()


def test_every_file_of_a_fault_is_registered() -> None:
    """A file that declares a fault stands in CATALOGUE."""
    coded = {p for p in FAULTS.glob("*/*.py") if "\n@fault(\n" in p.read_text(encoding="utf-8")}
    data = {p for p in FAULTS.glob("*/*.md") if not p.name.endswith(".zh.md")}

    places = {str(p.relative_to(FAULTS).with_suffix("")) for p in coded | data}

    assert places == set(CATALOGUE)


def test_names_are_unique() -> None:
    """No fault is registered twice."""
    assert len(set(CATALOGUE)) == len(CATALOGUE)
    assert len(set(IDS)) == len(IDS)


@every_fault
def test_the_id_is_a_kebab_case_noun_that_names_the_file(entry: Entry) -> None:
    """Id, module and test share one name."""
    assert re.fullmatch(r"[a-z][a-z0-9]*(-[a-z0-9]+)+", entry.id)
    assert entry.place.rsplit("/", 1)[1] == entry.id.replace("-", "_")


@every_fault
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_has_the_agreed_headings(entry: Entry, lang: str) -> None:
    """Both pages have the same five headings, each with something below it."""
    page = index.page(entry.id, lang)

    assert re.findall(r"^## (.+)$", page, re.MULTILINE) == HEADINGS[lang]
    assert all(len(part.strip()) > 10 for part in re.split(r"^## .+$", page, flags=re.MULTILINE)[1:])


@every_fault
def test_both_languages_have_a_title(entry: Entry) -> None:
    """The Chinese title is Chinese."""
    assert entry.title.en
    assert re.search(r"[\u4e00-\u9fff]", entry.title.zh)


@every_fault
def test_the_layer_fits_the_folder(entry: Entry) -> None:
    """A fault lives in the folder of its layer; harmless ones have their own."""
    layer = entry.layer.value.replace("-", "_") if entry.layer else "harmless"
    assert entry.place.split("/", 1)[0] in (layer, "harmless" if entry.kind is Kind.HARMLESS else layer)


@every_fault
def test_what_it_explains_exists(entry: Entry) -> None:
    """``explains`` names faults of the catalogue, not itself."""
    assert set(entry.explains) <= set(IDS) - {entry.id}


def test_explains_has_no_cycle() -> None:
    """Following ``explains`` always ends."""
    graph = index.explains()

    def walk(fault: str, path: tuple[str, ...]) -> None:
        assert fault not in path, " -> ".join((*path, fault))
        for effect in graph[fault]:
            walk(effect, (*path, fault))

    for fault in graph:
        walk(fault, ())


@every_fault
def test_references_are_dated_pages(entry: Entry) -> None:
    """Every reference can be opened and says when it was read."""
    for reference in entry.references:
        assert reference.url.startswith("https://")
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", reference.date)


@every_fault
def test_it_can_be_found(entry: Entry) -> None:
    """A fault has a check, a signature or a lint rule, and its needs are sections of the snapshot."""
    assert entry.judged or entry.linted
    assert set(entry.needs) <= set(SECTIONS)


@every_fault
def test_its_signatures_run_on_every_engine(entry: Entry) -> None:
    """Patterns keep to the syntax that re and RE2 share, and their anchors are literals of them."""
    for signature in entry.signatures:
        assert re.compile(signature.pattern).groupindex.keys() == set(
            re.findall(r"\(\?P<(\w+)>", signature.pattern)
        )
        re2.compile(signature.pattern)
        assert len(signature.anchor) >= 4


@every_fault
def test_its_clues_join_what_lines_say_apart(entry: Entry) -> None:
    """One word alone is no clue, no clue is certain, and RE2 can run the patterns."""
    for clue in entry.clues:
        assert len(clue.all) > 1
        assert clue.certainty is not Certainty.CERTAIN
        for pattern in (*clue.all, *clue.none):
            re2.compile(pattern)


@every_fault
def test_its_remedy_can_be_written_as_commands(entry: Entry) -> None:
    """Declared remedies use known verbs with their arguments."""
    remedy = index.load(entry).remedy
    for step in remedy.steps if remedy else ():
        assert ARGUMENTS[step.verb] <= set(step.args)


@pytest.mark.parametrize("entry", [entry for entry in ENTRIES if entry.judged], ids=lambda entry: entry.id)
def test_it_is_tested(entry: Entry) -> None:
    """Fires, stays clear, claims nothing when unread: three tests at least. Lint rules have cases."""
    path = ROOT / "tests" / "faults" / f"test_{entry.id.replace('-', '_')}.py"
    content = path.read_text(encoding="utf-8")
    for start in ("test_fires_", "test_clear_", "test_claims_nothing_"):
        assert f"def {start}" in content, f"{path.name}: no {start}"


def test_the_index_holds_no_more_than_it_needs() -> None:
    """The index decodes to what the loader expects, one row per line of the file."""
    lines = (FAULTS / "index.json").read_text(encoding="utf-8").splitlines()[1:-1]
    assert [json.loads(line.rstrip(","))["id"] for line in lines] == IDS
    assert msgspec.json.decode("[" + "".join(lines) + "]", type=list[Entry]) == ENTRIES
