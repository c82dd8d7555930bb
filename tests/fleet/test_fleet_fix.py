"""One repair on several nodes, over a real sshd: a canary, batches, a stop, and the way back."""

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest

from tests.conftest import thorough
from tests.fleet.nodes import BASHRC, CODEBLUE, FAULT, Nodes, needs_sshd

pytestmark = needs_sshd
APPROVAL = 'plan = "{plan}"\nowner = "ops"\nuntil = 2099-12-31\n'
REPAIRED = "alias l=ls\n"


@pytest.fixture
def nodes() -> Iterator[Nodes]:
    """Three nodes with the fault."""
    made = Nodes(["gpu1", "gpu2", "gpu3"])
    yield made
    made.end()


def way(nodes: Nodes) -> tuple[str, ...]:
    """Return how the nodes are reached."""
    return ("--ssh-config", str(nodes.config), "--remote-codeblue", CODEBLUE)


def previewed(nodes: Nodes, *options: str) -> dict[str, Any]:
    """Return the plan of all nodes."""
    argv = ("fleet", "fix", FAULT, "--ssh", "gpu[1-3]", *way(nodes), "--format", "json", *options)
    content: dict[str, Any] = json.loads(nodes.run(*argv, code=0).stdout)
    return content


def applying(nodes: Nodes, plan: dict[str, Any], *options: str) -> tuple[str, ...]:
    """Return the words that carry the plan out, with its approval."""
    path = nodes.folder / "ok.toml"
    path.write_text(APPROVAL.format(plan=plan["digest"]), encoding="ascii")
    return (
        "fleet",
        "fix",
        FAULT,
        "--run",
        plan["run"],
        *way(nodes),
        "--apply",
        "--approval",
        str(path),
        *options,
    )


def outcomes(told: str) -> list[tuple[str, int, str]]:
    """Return node, wave and outcome of each line of the journal that tells one."""
    rows = json.loads(told)["journal"]
    return [(row["node"], row["wave"], row["outcome"]) for row in rows if row["event"] == "outcome"]


def bashrc(nodes: Nodes) -> list[str]:
    """Return the start files of the nodes."""
    return [(nodes.home(name) / ".bashrc").read_text("ascii") for name in ("gpu1", "gpu2", "gpu3")]


def test_from_the_preview_to_the_repair_and_back(nodes: Nodes) -> None:
    plan = previewed(nodes)
    [group] = plan["groups"]
    assert group["nodes"] == ["gpu1", "gpu2", "gpu3"], "homes are no difference between plans"
    assert bashrc(nodes) == [BASHRC] * 3
    words = applying(nodes, plan, "--batch", "2", "--format", "json")
    alone = nodes.run(*words[:-6], code=2)
    assert alone.stderr.count("\n") == 1 and plan["digest"] in alone.stderr

    told = nodes.run(*words, code=0).stdout

    rows = outcomes(told)
    assert rows[0] == ("gpu1", 1, "fixed") and sorted(rows[1:]) == [
        ("gpu2", 2, "fixed"),
        ("gpu3", 2, "fixed"),
    ]
    assert bashrc(nodes) == [REPAIRED] * 3
    assert "--resume" in nodes.run(*words, code=2).stderr
    again = nodes.run(*words, "--resume", code=0).stdout
    assert outcomes(again) == rows, "who is fixed is not asked again"
    back = nodes.run("fleet", "undo", plan["run"], *way(nodes), code=0)
    assert "taken back: 3 nodes  gpu[1-3]" in back.stdout
    assert bashrc(nodes) == [BASHRC] * 3


CUT = """case "$HOME $*" in
*/gpu1*--apply*)
    {codeblue} "$@" &
    while grep -q OVERRIDE "$HOME/.bashrc"; do sleep 0.02; done
    kill -TERM $!
    wait $!
    exit 1 ;;
esac
exec {codeblue} "$@"
"""
"""Ends codeblue on one node between the change and the check after it."""


@thorough
def test_a_canary_that_is_taken_back_ends_it(nodes: Nodes) -> None:
    script = nodes.folder / "codeblue"
    script.write_text(CUT.format(codeblue=CODEBLUE), encoding="ascii")
    plan = previewed(nodes)
    words = applying(nodes, plan, "--remote-codeblue", f"bash {script}")

    done = nodes.run(*words, code=1)

    assert "taken back: 1 nodes  gpu1" in done.stdout
    assert "stopped: the first node was not fixed" in done.stdout
    assert "not touched: 2 nodes  gpu[2-3]" in done.stdout
    assert bashrc(nodes) == [BASHRC] * 3
    told = nodes.run("fleet", "undo", plan["run"], *way(nodes), code=0)
    assert told.stdout == "", "nothing stands"


HANGS = """case "$HOME $*" in
*/gpu2*--apply*) test -e {folder}/hang && exec sleep 300 ;;
esac
exec {codeblue} "$@"
"""


@thorough
def test_a_codeblue_that_hangs_stops_the_rest_and_is_repaired_later(nodes: Nodes) -> None:
    script = nodes.folder / "codeblue"
    script.write_text(HANGS.format(folder=nodes.folder, codeblue=CODEBLUE), encoding="ascii")
    (nodes.folder / "hang").touch()
    plan = previewed(nodes)
    words = applying(nodes, plan, "--batch", "1", "--format", "json", "--remote-codeblue", f"bash {script}")

    done = nodes.run(*words, "--seconds", "60", code=1)

    assert outcomes(done.stdout) == [("gpu1", 1, "fixed"), ("gpu2", 2, "refused")]
    assert json.loads(done.stdout)["stopped"] == "share"
    assert "not done in time" in done.stdout
    assert bashrc(nodes) == [REPAIRED, BASHRC, BASHRC]
    (nodes.folder / "hang").unlink()
    rest = nodes.run(*words, "--resume", code=0)
    # Who was not touched yet is the next canary; who failed comes last.
    assert outcomes(rest.stdout)[2:] == [("gpu3", 1, "fixed"), ("gpu2", 2, "fixed")]
    assert bashrc(nodes) == [REPAIRED] * 3


def test_a_node_without_codeblue_is_named(nodes: Nodes) -> None:
    argv = ("fleet", "fix", FAULT, "--ssh", "gpu[1-3]", "--ssh-config", str(nodes.config))
    shown = nodes.run(*argv, "--remote-codeblue", "/nowhere/codeblue", code=0).stdout
    assert re.search(r"no codeblue there.*: 3 nodes  gpu\[1-3\]", shown)


def test_words_that_make_no_sense(nodes: Nodes) -> None:
    for words, says in (
        (("--batch", "0"), "--batch 0: write 10% or 5"),
        (("--stop-above", "100%"), "--stop-above 100%: write 10%"),
        (("--drain",), "--drain goes with --slurm"),
        (("--resume",), "--resume needs --run RUN"),
    ):
        done = nodes.run("fleet", "fix", FAULT, "--ssh", "gpu1", *words, code=2)
        assert says in done.stderr and done.stderr.count("\n") == 1
    assert "no fault named" in nodes.run("fleet", "fix", "nonsense", "--ssh", "gpu1", code=2).stderr
