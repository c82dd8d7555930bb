"""A repair through Slurm: the node takes no other job meanwhile, and a human's drain is never touched."""

import json
import shlex
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conftest import thorough
from tests.fleet.cluster import Cluster, lacking
from tests.fleet.nodes import BASHRC, FAULT

pytestmark = [pytest.mark.root, pytest.mark.skipif(bool(lacking()), reason=lacking() or "")]
APPROVAL = 'plan = "{plan}"\nowner = "ops"\nuntil = 2099-12-31\n'
WATCHED = """case "$*" in
*--apply*) scontrol show node "$SLURMD_NODENAME" >{folder}/during ;;
esac
exec {codeblue} "$@"
"""
ONE = ("--slurm", "--slurm-nodes", "node1", "--without-gpu")


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    """Nodes that share a home with the fault."""
    made = Cluster(tmp_path)
    yield made
    made.end()


@thorough
def test_drained_while_it_is_repaired_and_given_back(cluster: Cluster) -> None:
    home = cluster.folder / "home"
    home.mkdir()
    (home / ".bashrc").write_text(BASHRC, encoding="ascii")
    script = cluster.folder / "codeblue"
    codeblue = shlex.join([sys.executable, "-m", "codeblue"])
    script.write_text(WATCHED.format(folder=cluster.folder, codeblue=codeblue), encoding="ascii")
    cluster.environment |= {"HOME": str(home), "TORCH_ALLOW_TF32_CUBLAS_OVERRIDE": "1", "SHELL": "/bin/bash"}
    way = (*ONE, "--remote-codeblue", f"bash {script}", "--format", "json")
    shown = cluster.codeblue("fleet", "fix", FAULT, *way)
    plan = json.loads(shown.stdout)
    assert [group["nodes"] for group in plan["groups"]] == [["node1"]], shown.stdout + shown.stderr
    approval = cluster.folder / "ok.toml"
    approval.write_text(APPROVAL.format(plan=plan["digest"]), encoding="ascii")
    words = (
        "fleet",
        "fix",
        FAULT,
        "--run",
        plan["run"],
        *way,
        "--apply",
        "--approval",
        str(approval),
        "--drain",
    )

    done = cluster.codeblue(*words)

    assert done.returncode == 0, done.stdout + done.stderr
    during = (cluster.folder / "during").read_text("utf-8")
    assert "DRAIN" in during and f"Reason=codeblue {plan['run']}" in during
    after = cluster.done("scontrol", "show", "node", "node1")
    assert "DRAIN" not in after and "codeblue" not in after
    assert (home / ".bashrc").read_text("ascii") == "alias l=ls\n"

    (home / ".bashrc").write_text(BASHRC, encoding="ascii")
    cluster.done("scontrol", "update", "nodename=node1", "state=drain", "reason=by hand")
    again = json.loads(cluster.codeblue("fleet", "fix", FAULT, *way).stdout)
    assert [row["outcome"] for row in again["without"]] == ["left-alone"]
    assert "Reason=by hand" in cluster.done("scontrol", "show", "node", "node1")
