"""``codeblue fix``, ``undo`` and ``journal`` as a user meets them."""

import json
import os
from collections.abc import Callable
from datetime import date, timedelta
from pathlib import Path

import pytest
from msgspec import structs

from codeblue.model.plan import Plan
from codeblue.remedy.approvals import encoded
from codeblue.remedy.planning import digest
from tests.fix.environments import FAULT, Environment
from tests.fix.executing import Bench, edit, filled, write
from tests.fix.kept import tree
from tests.test_cli import Run

APPROVAL = 'plan = "{plan}"\nowner = "ops"\nuntil = 2099-12-31\n'


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Environment:
    """The environment with the fault; each test leaves it as it was."""
    made = Environment(tmp_path_factory.mktemp("cli"))
    made.make()
    return made


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with private folders."""
    run = Run(tmp_path / "state")
    run.environment |= {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / "config")}
    return run


@pytest.fixture
def made(tmp_path: Path) -> Plan:
    """A plan for a file of this test."""
    plan, _ = Bench(tmp_path / "planning").planned([write(filled(tmp_path / "place"))])
    return plan


def saved(tmp_path: Path, plan: Plan) -> str:
    """Return a file with the plan, with the digest that it has as it is now."""
    path = tmp_path / "plan.json"
    path.write_bytes(encoded(structs.replace(plan, digest=digest(plan))))
    return str(path)


Spoil = Callable[[Plan], Plan]


@pytest.mark.parametrize(
    ("spoil", "says", "zh"),
    [
        (lambda plan: structs.replace(plan, host="0" * 16), "for another host", "另一台主机"),
        (lambda plan: structs.replace(plan, boot="0" * 16), "before the last reboot", "上次重启之前"),
        (lambda plan: structs.replace(plan, schema="other/1"), "not a plan", "不是 codeblue 的计划"),
        (lambda plan: structs.replace(plan, expires="2026-01-31"), "last day", "已于 2026-01-31 到期"),
    ],
)
def test_plans_that_are_not_for_here(
    run: Run, tmp_path: Path, made: Plan, spoil: Spoil, says: str, zh: str
) -> None:
    path = saved(tmp_path, spoil(made))
    old = tree(tmp_path / "place")

    run.refused("fix", "--apply", "--plan", path, says=says)
    run.refused("--lang", "zh", "fix", "--apply", "--plan", path, says=zh)

    assert tree(tmp_path / "place") == old


def test_files_that_are_no_plans(run: Run, tmp_path: Path, made: Plan) -> None:
    path = Path(saved(tmp_path, made))
    path.write_bytes(path.read_bytes().replace(b"new\\n", b"evil\\n"))
    run.refused("fix", "--apply", "--plan", str(path), says="the plan was edited")
    for content, says in ((b"{}", "not a plan"), (b"\xff\xfe", "not a text"), (b"", "not a plan")):
        path.write_bytes(content)
        run.refused("fix", "--apply", "--plan", str(path), says=says)
    run.refused("fix", "--apply", "--plan", str(tmp_path / "none"), says="cannot be read")
    run.refused("fix", "--apply", "--plan", str(tmp_path), says="cannot be read")


@pytest.mark.parametrize(
    ("content", "says"),
    [(None, "cannot be read"), ("plan = 1\n", "not an approval"), ("[", "not an approval"), ("", "not an")],
)
def test_files_that_are_no_approvals(
    run: Run, tmp_path: Path, made: Plan, content: str | None, says: str
) -> None:
    path = tmp_path / "ok.toml"
    if content is not None:
        path.write_text(content, encoding="ascii")

    run.refused("fix", "--apply", "--plan", saved(tmp_path, made), "--approval", str(path), says=says)


def test_words_that_nobody_understands(run: Run) -> None:
    run.refused("fix", "shm-permision", says="shm-permissions")
    run.refused("fix", "--temporary", "x", says="give days, as 3d")
    run.refused("fix", "--temporary", "0", says="give days, as 3d")
    run.refused("--lang", "zh", "fix", "--temporary", "400d", says="请给出天数")
    run.refused("fix", "--apply", "--render", "sh", says="--apply prints no plan")
    late = ("fix", "--apply", "--plan", "plan.json", "--temporary", "3d")
    run.refused(*late, says="--temporary is part of a saved plan")
    run.refused("--lang", "zh", *late, says="--temporary 是已保存计划的一部分")


def test_targets_on_which_nothing_is_changed(run: Run) -> None:
    run.refused("fix", "--on", f"pid:{os.getpid()}", says="fix works on local and python:PATH")
    run.refused("fix", "--apply", "--on", "docker:x", says="use --render for others")
    run.refused("--lang", "zh", "fix", "--apply", "--on", "docker:x", says="只在 local 和 python:路径 上")


def test_no_journal_no_change(run: Run, tmp_path: Path, made: Plan) -> None:
    (tmp_path / "state").mkdir()
    (tmp_path / "state" / "codeblue").write_text("in the way", encoding="ascii")
    old = tree(tmp_path / "place")

    run.refused("fix", "--apply", "--plan", saved(tmp_path, made), says="no journal can be kept here")
    run.refused("undo", says="no journal can be kept here")
    run.refused("--lang", "zh", "undo", says="无法在此保存操作日志")

    assert tree(tmp_path / "place") == old


def test_undo_keeps_copies_of_what_still_stands_alone(run: Run, tmp_path: Path) -> None:
    bench, place = Bench(tmp_path / "state" / "codeblue"), filled(tmp_path / "place")
    bench.apply([edit(place)])
    bench.apply([write(place)])
    copies = bench.folder / "before"
    assert len([*copies.iterdir()]) == 2

    run("undo", bench.last().name, code=0)

    [copy] = copies.iterdir()
    assert copy.read_bytes() == b'{"a": 1}\n'
    run("undo", code=0)
    assert [*copies.iterdir()] == []
    assert (place / "x.list").read_bytes() == b"old\n"


def test_nothing_to_undo_and_nothing_to_tell(run: Run) -> None:
    run.refused("undo", says="nothing that codeblue changed is left to take back")
    run.refused("undo", "0badcafe", says="no change of that name")
    run.refused("--lang", "zh", "undo", says="没有可撤销的改动")
    assert "has changed nothing here" in run("journal", code=0).stdout
    assert "没有在这里做过任何改动" in run("--lang", "zh", "journal", code=0).stdout
    assert json.loads(run("journal", "--format", "json", code=0).stdout)["records"] == []


def test_a_journal_that_was_changed(run: Run, tmp_path: Path) -> None:
    bench = Bench(tmp_path / "state" / "codeblue")
    bench.apply([write(filled(tmp_path / "place"))])
    path = bench.folder / "journal.jsonl"
    path.write_bytes(path.read_bytes().replace(b'"user":"', b'"user":"x', 1))

    done = run("journal", code=3)

    assert "lines 2 of the journal were changed" in done.stderr and "some-fault" in done.stdout
    assert "操作日志第 2 行被改动或不完整" in run("--lang", "zh", "journal", code=3).stderr


def test_a_preview_changes_nothing(environment: Environment) -> None:
    old = tree(environment.folder / "env")

    shown = environment.run("fix", FAULT, *environment.on, code=0).stdout
    chinese = environment.run("--lang", "zh", "fix", FAULT, *environment.on, code=0).stdout
    content = json.loads(environment.run("fix", FAULT, *environment.on, "--format", "json", code=0).stdout)

    assert "torchvision 0.20.0 -> 0.22.1" in shown and "nothing is changed yet" in shown
    assert f"codeblue fix {FAULT} --on python:{environment.python} --apply" in shown
    assert "尚未做任何改动" in chinese and "需要审批" in chinese
    assert content["items"][0]["fault"] == FAULT
    assert tree(environment.folder / "env") == old


def test_rendering_nothing_says_so(environment: Environment) -> None:
    done = environment.run("fix", *environment.on, "--render", "sh", code=0)
    assert (done.stdout, done.stderr) == ("", "codeblue: nothing to do\n")
    chinese = environment.run("--lang", "zh", "fix", *environment.on, "--render", "ansible", code=0)
    assert (chinese.stdout, chinese.stderr) == ("", "codeblue: 无需改动\n")
    named = environment.run("fix", "shm-permissions", *environment.on, "--render", "sh", code=0)
    assert named.stdout == "" and "shm-permissions: no plan: the last check did not find it" in named.stderr
    assert environment.run("fix", FAULT, *environment.on, "--render", "sh", code=0).stdout.startswith("#!")


def test_from_the_check_to_the_repair_and_back(environment: Environment) -> None:
    run, on = environment.run, environment.on
    plan, approval = environment.folder / "plan.json", environment.folder / "ok.toml"
    assert FAULT in run("check", on[1]).stdout
    run("fix", FAULT, *on, "--plan", str(plan), "--temporary", "3d", code=0)
    made = json.loads(plan.read_bytes())
    approval.write_text(APPROVAL.format(plan=made["digest"]), encoding="ascii")

    alone = run("fix", *on, "--plan", str(plan), "--apply", code=2)
    assert alone.stderr.count("\n") == 1 and "disruptive steps need a terminal" in alone.stderr
    other = run("fix", "shm-permissions", *on, "--plan", str(plan), "--apply", code=1)
    assert "shm-permissions: no plan: the saved plan has nothing for it" in other.stdout
    assert environment.torchvision() == "0.20.0"
    done = run("fix", FAULT, *on, "--plan", str(plan), "--approval", str(approval), "--apply", code=0)
    assert f"{FAULT}: fixed" in done.stdout and environment.torchvision() == "0.22.1"
    assert FAULT not in run("check", on[1]).stdout
    told = run("journal", code=0).stdout
    assert "approved by ops" in told and "pip-install" in told
    events = json.loads(run("journal", "--format", "json", code=0).stdout)["records"]
    assert made["expires"] == events[0]["expires"] == (date.today() + timedelta(days=3)).isoformat()
    assert "由 ops 批准" in run("--lang", "zh", "journal", code=0).stdout

    assert "taken back" in run("undo", FAULT, code=0).stdout and environment.torchvision() == "0.20.0"
    assert FAULT in run("check", on[1]).stdout


def test_the_word_at_the_terminal(environment: Environment) -> None:
    on = environment.on
    code, shown = environment.answered(b"n\r", "fix", FAULT, *on, "--apply")
    assert code == 1 and environment.torchvision() == "0.20.0", shown
    code, shown = environment.answered(b"\x03", "fix", FAULT, *on, "--apply")
    assert code == 130 and environment.torchvision() == "0.20.0", shown
    assert "Traceback" not in shown

    code, shown = environment.answered(b"y\r", "--lang", "zh", "fix", FAULT, *on, "--apply")
    assert code == 0 and environment.torchvision() == "0.22.1", shown
    assert "执行 1 项（会影响运行中的工作）？" in shown and "已修复" in shown
    assert "已撤销" in environment.run("--lang", "zh", "undo", code=0).stdout
    assert environment.torchvision() == "0.20.0"
