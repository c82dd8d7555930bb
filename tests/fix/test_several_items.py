"""Items of one plan that work on the same: each finds what those before it have made, and nothing else."""

from pathlib import Path

import pytest

from codeblue.model.journal import Event
from codeblue.model.plan import Plan, PlanItem, Refused
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.remedy.approvals import encoded
from codeblue.remedy.planning import plan
from codeblue.remedy.registry import ACTIONS
from tests.fix.environments import FAULT, Environment
from tests.fix.executing import HELPED, IN_VAIN, WHY, Bench, Wish, filled
from tests.fix.kept import tree
from tests.fix.verbs.test_pip import wheel

OTHER = "numpy2-with-older-torch"
"""A fault that this environment does not have: its item helps."""


def planned(*items: tuple[str, Wish]) -> Plan:
    """Return a plan with one step for each fault."""
    wanted = [
        (fault, "host", Remedy(WHY, (Step(verb, WHY, args),), Automation.AUTOMATIC, Undo.EXACT))
        for fault, (verb, args) in items
    ]
    made, refused = plan(wanted, ACTIONS, str, "0")
    assert not refused
    return made


def edit(place: Path, at: str) -> Wish:
    """Set one variable of a file."""
    return Verb.FILE_EDIT, {"path": str(place / "x.env"), "kind": "env", "at": at, "value": '"1"'}


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A folder with a file of variables."""
    folder = filled(tmp_path / "place")
    (folder / "x.env").write_text("A=1\n", encoding="ascii")
    return folder


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Bench:
    """An executor with a private state folder."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    return Bench(tmp_path / "state" / "codeblue")


def behind(bench: Bench, made: Plan, helped: bool = True) -> tuple[PlanItem, PlanItem]:
    """Carry the first item out; return both."""
    first, second = made.items
    bench.carry_out(made, first, HELPED if helped else IN_VAIN)
    return first, second


def test_two_edits_of_one_file(bench: Bench, place: Path) -> None:
    made = planned(("one", edit(place, "B")), ("two", edit(place, "C")))
    old = tree(place)
    first, second = behind(bench, made)

    result = bench.executor.apply(made, second, "0a0b0c0d", "", lambda _: HELPED, [first])

    assert result.event is Event.FIXED
    assert (place / "x.env").read_text(encoding="ascii") == "A=1\nB=1\nC=1\n"
    for run in reversed(bench.journal.runs()):
        assert [why for _, why in bench.executor.undo(run)] == [None]
    assert tree(place) == old


def test_one_that_was_taken_back_is_in_nobodys_way(bench: Bench, place: Path) -> None:
    made = planned(("one", edit(place, "B")), ("two", edit(place, "C")))
    first, second = behind(bench, made, helped=False)

    bench.executor.apply(made, second, "0a0b0c0d", "", lambda _: HELPED, [first])

    assert (place / "x.env").read_text(encoding="ascii") == "A=1\nC=1\n"


def test_what_the_first_has_done_already_is_no_step_of_the_second(bench: Bench, place: Path) -> None:
    made = planned(("one", edit(place, "B")), ("two", edit(place, "B")))
    first, second = behind(bench, made)

    assert bench.executor.apply(made, second, "0a0b0c0d", "", lambda _: HELPED, [first]).event is Event.FIXED
    assert not bench.last().standing()


def test_a_foreign_change_is_refused_all_the_same(bench: Bench, place: Path) -> None:
    made = planned(("one", edit(place, "B")), ("two", edit(place, "C")))
    first, second = behind(bench, made)
    with (place / "x.env").open("a", encoding="ascii") as file:
        file.write("C=9\n")

    with pytest.raises(Refused, match="not as it was in the preview"):
        bench.executor.apply(made, second, "0a0b0c0d", "", lambda _: HELPED, [first])


def test_two_changes_of_one_environment(tmp_path: Path) -> None:
    environment = Environment(tmp_path)
    environment.make()
    wheel(tmp_path / "wheels", "tiny", "2.0", ())
    python, run, on = str(environment.python), environment.run, environment.on
    wishes = {
        FAULT: (Verb.PIP_INSTALL, {"python": python, "requirement": "torchvision==0.22.1"}),
        OTHER: (Verb.PIP_INSTALL, {"python": python, "requirement": "tiny>=2"}),
    }
    with pytest.MonkeyPatch.context() as patched:
        for name, value in run.environment.items():
            patched.setenv(name, value)
        made = planned(*wishes.items())
    saved, approval = tmp_path / "plan.json", tmp_path / "ok.toml"
    saved.write_bytes(encoded(made))
    approval.write_text(f'plan = "{made.digest}"\nowner = "ops"\nuntil = 2099-12-31\n', encoding="ascii")
    old = tree(tmp_path / "env")

    done = run("fix", *on, "--plan", str(saved), "--approval", str(approval), "--apply", code=0)

    assert f"{FAULT}: fixed" in done.stdout and f"{OTHER}: fixed" in done.stdout
    assert environment.torchvision() == "0.22.1"
    assert [*tmp_path.glob("env/lib/python*/site-packages/tiny-2.0.dist-info")]
    run("undo", code=0)
    run("undo", code=0)
    assert tree(tmp_path / "env").keys() == old.keys()
    assert environment.torchvision() == "0.20.0"
