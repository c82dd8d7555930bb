"""Documents and configuration against many nodes."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.synthetic import Sections
from codeblue.cli.fleet.lint import command
from codeblue.fleet.store import Store
from codeblue.lint.machines import together
from codeblue.model.config.place import Place
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Finding, Linted
from codeblue.model.text import Text, message
from tests.fleet.cli import codeblue
from tests.fleet.kept import edit, keep

OLD = "570.86.10"
PAGE = "# Cluster\n\nAll nodes run driver {driver}.\n"


def change(number: int, sections: Sections) -> None:
    """Three nodes have another driver."""
    if number in (3, 4, 5):
        edit(sections, "driver", module_version=OLD)


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run over twelve nodes."""
    folder = tmp_path_factory.mktemp("fleet")
    keep(Store(folder), 12, change)
    return folder


def found(fleet: Path, page: Path, *more: str) -> list[dict[str, Any]]:
    done = codeblue("fleet", "lint", str(page), "--store", str(fleet), "--format", "json", *more)
    assert done.code in (0, 1), done.words
    findings: list[dict[str, Any]] = json.loads(done.text)["findings"]
    return findings


@pytest.mark.parametrize(
    ("driver", "said"),
    [
        ("580.159.04", f"has driver {OLD}, not 580.159.04 (3 of 12 nodes: gpu[00004-00006])"),
        (OLD, f"has driver 580.159.04, not {OLD} (9 of 12 nodes: gpu[00001-00003,00007-00012])"),
        (
            "535.129.03",
            "(9 of 12 nodes: gpu[00001-00003,00007-00012]; the others differ from it in other ways)",
        ),
    ],
)
def test_a_page_tells_for_which_nodes_it_is_wrong(
    fleet: Path, tmp_path: Path, driver: str, said: str
) -> None:
    page = tmp_path / "wiki.md"
    page.write_text(PAGE.format(driver=driver), encoding="utf-8")

    [one] = found(fleet, page)

    assert one["fault"] == "document-version-stale" and one["message"].endswith(said)
    assert one["line"] == 3


def test_what_has_nothing_to_do_with_nodes_is_told_once(fleet: Path, tmp_path: Path) -> None:
    script = tmp_path / "run.sh"
    script.write_text("#!/bin/sh\nexport NCCL_P2P_DISABLED=1\ntorchrun train.py\n", encoding="utf-8")

    ours = [(one["fault"], one["message"]) for one in found(fleet, script)]

    alone = json.loads(codeblue("lint", str(script), "--format", "json").text)["findings"]
    assert ours == [(one["fault"], one["message"]) for one in alone] and ours


def test_a_message_with_a_number_of_nodes_of_its_own_keeps_it() -> None:
    place = Place(1, 1, 1, 2)
    own = message("{nodes} nodes, {n} of {of}", "{nodes} {n} {of}", nodes="seven", n="eight", of="nine")
    finding = Finding(
        fault="shm-too-small",
        variant=None,
        title=Text("", ""),
        layer=None,
        kind=Kind.TROUBLE,
        severity=Severity.ERROR,
        certainty=Certainty.CERTAIN,
        path="a",
        place=place,
        message=own,
        line="",
    )

    linted = together([(["gpu1", "gpu2"], Linted(findings=(finding,))), (["gpu3"], Linted())])

    assert linted.findings[0].message.say("en") == "seven nodes, eight of nine (2 of 3 nodes: gpu[1-2])"


def test_who_was_not_compared_is_counted(
    fleet: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codeblue.fleet.alike.MOST", 1)
    page = tmp_path / "wiki.md"
    page.write_text(PAGE.format(driver=OLD), encoding="utf-8")

    ran = CliRunner().invoke(command, [str(page), "--store", str(fleet)], standalone_mode=False)

    assert "3 more nodes" in ran.output


def test_what_cannot_be_used_is_one_line(fleet: Path, tmp_path: Path) -> None:
    for arguments in (("--run", "1999"), ("--store", str(tmp_path))):
        done = codeblue("fleet", "lint", "--store", str(fleet), *arguments)
        assert (done.code, len(done.words.splitlines())) == (2, 1), done
