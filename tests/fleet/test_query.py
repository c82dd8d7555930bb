"""Questions in SQL."""

import json
from pathlib import Path
from typing import Any

import pytest

from benchmarks.synthetic import replies, run_of
from codeblue.fleet.paths import facts, place_of
from codeblue.fleet.store import Store
from tests.fleet.cli import codeblue


@pytest.fixture(scope="module")
def fleet(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a run over 60 nodes, one of them with a fault."""
    folder = tmp_path_factory.mktemp("fleet")
    run, store = run_of(60), Store(folder)
    store.begin(run)
    list(store.add(run, replies(run)))
    return folder


def ask(fleet: Path, sql: str, *more: str) -> str:
    done = codeblue("fleet", "query", sql, "--store", str(fleet), *more)
    assert done.code == 0, done.words
    return done.text


def test_findings_nodes_facts_and_runs(fleet: Path) -> None:
    sql = (
        "select n.node, f.fault, x.value, r.nodes from nodes n join findings f using (run, node) "
        "join facts x using (run, node) join runs r using (run) "
        "where f.role = 'cause' and x.path = 'driver.module_version'"
    )

    rows = json.loads(ask(fleet, sql, "--format", "json"))

    assert rows == [
        {"node": "gpu00050", "fault": "device-node-permissions", "value": "580.159.04", "nodes": 60}
    ]


def test_a_number_is_a_number_and_own_facts_are_there(fleet: Path) -> None:
    sql = "select avg(number), count(distinct value) from facts where path in ('host.cpus', 'host.boot_id')"

    assert ask(fleet, sql, "--format", "csv").splitlines()[0].startswith("avg(number)")
    assert ask(
        fleet, "select count(*) from facts where path = 'host.boot_id'", "--format", "csv"
    ).split() == [
        "count_star()",
        "60",
    ]


@pytest.mark.parametrize(
    "sql",
    [
        "select * from read_csv('/etc/passwd')",
        "select * from read_text('/etc/hostname')",
        "select * from '/etc/passwd'",
        "select * from glob('/*')",
    ],
)
def test_no_file_is_read(fleet: Path, sql: str) -> None:
    done = codeblue("fleet", "query", sql, "--store", str(fleet))

    assert (done.code, done.text) == (2, "")
    assert len(done.words.splitlines()) == 1
    assert "root:" not in done.words


@pytest.mark.parametrize(
    "sql",
    [
        "copy nodes to '/tmp/codeblue-never.csv'",
        "drop table nodes",
        "insert into nodes select * from nodes",
        "set memory_limit = '100GB'",
        "attach '/tmp/codeblue-never.db'",
        "select 1; select 2",
        "install httpfs",
        "",
    ],
)
def test_only_one_question_is_taken(fleet: Path, sql: str) -> None:
    done = codeblue("fleet", "query", sql, "--store", str(fleet))

    assert (done.code, done.text, len(done.words.splitlines())) == (2, "", 1)
    assert not Path("/tmp/codeblue-never.csv").exists() and not Path("/tmp/codeblue-never.db").exists()


def test_a_mistake_is_one_line(fleet: Path) -> None:
    done = codeblue("fleet", "query", "select nod from nodes", "--store", str(fleet))

    assert (done.code, len(done.words.splitlines())) == (2, 1)
    assert "nod" in done.words


def test_an_endless_question_ends(fleet: Path) -> None:
    sql = "select count(*) from range(1000000000000) a"

    done = codeblue("fleet", "query", sql, "--store", str(fleet), "--seconds", "1")

    assert (done.code, "1 s" in done.words) == (2, True)


def test_a_huge_question_stays_within_its_memory(fleet: Path) -> None:
    sql = "select list(i) from range(1000000000) t(i)"

    done = codeblue("fleet", "query", sql, "--store", str(fleet), "--seconds", "60")

    assert (done.code, len(done.words.splitlines())) == (2, 1)


def test_a_step_that_does_not_listen_is_ended(fleet: Path) -> None:
    sql = (
        "select length(list_sort(list_transform(range(4000000), lambda x: hash(x)::varchar)))::varchar "
        "from nodes"
    )

    done = codeblue("fleet", "query", sql, "--store", str(fleet), "--seconds", "1")

    assert (done.code, len(done.words.splitlines())) == (2, 1)


def test_an_unknown_run_is_one_line(fleet: Path) -> None:
    done = codeblue("fleet", "query", "select 1", "--run", "2099", "--store", str(fleet))

    assert (done.code, "2099" in done.words) == (2, True)


@pytest.mark.parametrize(
    ("section", "content", "path", "place", "value", "number"),
    [
        ("driver", {"module_version": "580"}, "driver.module_version", "driver.module_version", "580", None),
        ("nvml", {"gpus": {"0": {"minor": 3}}}, "nvml[0].minor", "nvml.gpus.minor", "3", 3.0),
        ("nodes", {"nodes": {"/a": {"char": True}}}, "nodes[/a].char", "nodes.nodes.char", "true", None),
        (
            "kernel_log",
            {"xids": [{"text": "x"}]},
            "kernel_log.xids[0].text",
            "kernel_log.xids.text",
            "x",
            None,
        ),
        (
            "kernel_log",
            {"xids": {"7": {"code": 79}}},
            "kernel_log.xids[7].code",
            "kernel_log.xids.code",
            "79",
            79.0,
        ),
        ("host", {"cmdline": ["a", "b"]}, "host.cmdline", "host.cmdline", '["a","b"]', None),
        ("host", {"secure_boot": None}, "host.secure_boot", "host.secure_boot", None, None),
        ("later", {"new": {"a.b": [{"c": []}]}}, "later.new.a.b[0].c", "later.new.a.b.c", "[]", None),
        ("later", {"big": 10**400}, "later.big", "later.big", str(10**400), None),
    ],
)
def test_paths_are_those_of_evidence(
    section: str, content: dict[str, Any], path: str, place: str, value: str | None, number: float | None
) -> None:
    content |= {"source": "x", "sources": {"a": "b"}, "seconds": 0.1, "nothing": {}}

    [(where, told, measured)] = facts(content, place_of(section))

    assert (where.path, where.place, told, measured) == (path, place, value, number)


def test_what_lies_very_deep_is_one_text() -> None:
    content: dict[str, Any] = {"a": 1}
    for _ in range(500):
        content = {"a": content}

    [(where, told, _)] = facts(content, place_of("later"))

    assert where.depth < 100 and told and told.count("a") > 400
