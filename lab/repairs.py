"""``sudo python -m lab.repairs``: fault, check, fix, check, undo, check, each on a real GPU.

Every repair has its own mount namespace, home and state folder. The plan is saved, approved in a file and
applied from it, as a site would do it. Variables come from the start file of a shell, which every command
reads anew.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from lab import injections as do
from lab.experiment import Experiment, Stage, isolated
from lab.experiments import PLAIN

ROW = "{:<20} {:<38} {:<9} {:<10} {:<9} {:<10} {:<9} {:>6}"


class Repair(NamedTuple):
    """A fault that codeblue repairs by itself."""

    name: str
    fault: str
    experiment: Experiment
    start_file: str = ""
    """Lines of the user's ~/.bashrc."""
    root: bool = False
    """The repair needs root; the fault is still that of an ordinary user."""


def repair(name: str, fault: str, start_file: str = "", root: bool = False, **what: Any) -> Repair:
    """Return a repair; ``what`` says how its fault is injected."""
    experiment = Experiment(name=name, expect=fault, environment=dict(PLAIN), **what)
    return Repair(name, fault, experiment, start_file, root)


ALL = (
    repair("nvidiactl-0644", "device-node-permissions", root=True, inject=do.node_mode("nvidiactl", 0o644)),
    repair("nvidia0-0600", "device-node-permissions", root=True, inject=do.node_mode("nvidia0", 0o600)),
    repair("uvm-missing", "device-node-missing", root=True, inject=do.nodes_missing("nvidia-uvm")),
    repair("cvd-empty", "cuda-visible-devices-empty", "export CUDA_VISIBLE_DEVICES=\n"),
    repair("cvd-9", "cuda-visible-devices-names-absent-gpu", "export CUDA_VISIBLE_DEVICES=9\n"),
    repair("libcuda-stub", "libcuda-stub-loaded", "export LD_LIBRARY_PATH={stubs}\n"),
    repair(
        "allocator-value",
        "allocator-config-invalid",
        "export PYTORCH_CUDA_ALLOC_CONF=max_split_size_mb:many\n",
    ),
    repair("tf32-products", "numerics-changed-by-environment", "export TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1\n"),
    repair("tf32-forced", "numerics-changed-by-environment", "export NVIDIA_TF32_OVERRIDE=1\n"),
    repair("torch-file", "local-file-shadows-torch", files={"torch.py": "import numpy\n"}),
    repair("stdlib-file", "local-file-shadows-stdlib-module", files={"queue.py": "jobs = [1]\n"}),
)


class Bench:
    """Runs codeblue as a user of the stage, in a shell that has read the start file."""

    def __init__(self, stage: Stage, one: Repair) -> None:
        self._stage = stage
        self._one = one
        self._target = f"python:{stage.python}"
        (stage.home / ".bashrc").write_text(one.start_file.format(stubs=_stubs()), encoding="utf-8")
        for path in (stage.home / ".bashrc", *(stage.home / "job").iterdir()):
            subprocess.run(["chown", "65534:65534", str(path)], check=True)

    def run(self, *words: str) -> "subprocess.CompletedProcess[str]":
        """Run codeblue with these words."""
        user = [] if self._one.root else ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups"]
        command = [*user, sys.executable, "-m", "codeblue", *words]
        script = f". {shlex.quote(str(self._stage.home))}/.bashrc; exec {shlex.join(command)}"
        return subprocess.run(
            ["bash", "--norc", "-c", script],
            cwd=self._stage.home / "job",
            env=self._stage.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=120,
            check=False,
        )

    def found(self) -> bool:
        """Check; return whether the fault is among what was found."""
        asked = ("--as-user", "nobody") if self._one.root else ()
        said = json.loads(self.run("check", self._target, "--format", "json", *asked).stdout)
        everything = [*said["causes"], *said["consequences"], *said["risks"]]
        return self._one.fault in [one["fault"] for one in everything]

    def fix(self) -> "subprocess.CompletedProcess[str]":
        """Plan, sign off, apply."""
        asked = ("--as-user", "nobody") if self._one.root else ()
        plan, approval = self._stage.home / "plan.json", self._stage.home / "approval.toml"
        target = ("--on", self._target, *asked)
        self.run("fix", self._one.fault, *target, "--plan", str(plan))
        digest = json.loads(plan.read_text(encoding="utf-8"))["digest"]
        approval.write_text(f'plan = "{digest}"\nowner = "lab"\nuntil = 2099-01-01\n', encoding="utf-8")
        return self.run("fix", *target, "--plan", str(plan), "--apply", "--yes", "--approval", str(approval))


def _stubs() -> str:
    """Return a folder of the toolkit's stubs, where libcuda.so.1 is one too."""
    folder = Path(tempfile.gettempdir(), "codeblue-lab-stubs")
    folder.mkdir(exist_ok=True)
    link = folder / "libcuda.so.1"
    stub = next(Path("/usr/local").glob("cuda*/lib64/stubs/libcuda.so"), None)
    if stub is not None and not link.is_symlink():
        link.symlink_to(stub)
    return str(folder)


def performed(one: Repair, stage: Stage) -> dict[str, Any]:
    """Go the whole way with one repair."""
    stage.set_up()
    bench = Bench(stage, one)
    started = time.monotonic()
    row: dict[str, Any] = {"before": bench.found()}
    fixed = bench.fix()
    row |= {"fix": fixed.returncode, "said": (fixed.stdout + fixed.stderr)[-2000:]}
    row["after"] = bench.found()
    undone = bench.run("undo")
    row |= {"undo": undone.returncode, "undo_said": undone.stdout + undone.stderr, "again": bench.found()}
    return row | {"seconds": round(time.monotonic() - started, 1)}


def right(row: Mapping[str, Any]) -> bool:
    """Return whether the fault was there, went, and came back with the undo."""
    return (row.get("before"), row.get("fix"), row.get("after"), row.get("undo"), row.get("again")) == (
        True,
        0,
        False,
        0,
        True,
    )


def main() -> int:
    """Run what was asked for; 1 if any repair did not go the whole way."""
    parser = argparse.ArgumentParser(prog="lab.repairs", description=__doc__)
    parser.add_argument("--only", help="names of repairs, separated by commas")
    parser.add_argument("--python", default=sys.executable, help="interpreter of the job")
    parser.add_argument("--out", type=Path, help="file for the results, with what the commands said (JSON)")
    asked = parser.parse_args()
    results: dict[str, Any] = {}
    print(ROW.format("repair", "fault", "found", "fix", "found", "undo", "found", "s"))
    for one in ALL:
        if asked.only and one.name not in asked.only.split(","):
            continue
        row = isolated(one.experiment, asked.python, partial(performed, one))
        results[one.name] = row | {"fault": one.fault, "right": right(row)}
        cells = [str(row.get(key, "-")) for key in ("before", "fix", "after", "undo", "again", "seconds")]
        print(ROW.format(one.name, one.fault, *cells), "" if right(row) else f"<-- {row}", flush=True)
    if asked.out:
        asked.out.write_text(json.dumps(results, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    wrong = [name for name, row in results.items() if not row["right"]]
    print(f"{len(results) - len(wrong)} right of {len(results)}; wrong: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
