"""``python -m benchmarks.lint [--files N] [--runs N] [--tools DIR]``: speed beside general linters.

Makes manifests, Dockerfiles and scripts from varied templates (always the same ones), and lets codeblue
and each linter of ``--tools`` (a folder of programs; ``pip install .[bench]`` puts them beside the
interpreter) look at the same files, in turn. Those look at one kind each, so that codeblue is measured on
that kind too.
"""

import argparse
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

CODEBLUE = [sys.executable, "-m", "codeblue", "lint", "--jobs"]
SEED = 7
NAMES = ("trainer", "worker", "eval", "server", "prepare")
VARIABLES = (("NCCL_DEBUG", "WARN"), ("OMP_NUM_THREADS", "8"), ("NCCL_IB_HCA", "mlx5"), ("HF_HOME", "/cache"))
BASES = (
    "nvidia/cuda:12.8.1-cudnn-devel-ubuntu24.04",
    "python:3.12-slim",
    "pytorch/pytorch:2.8.0-cuda12.8-cudnn9-runtime",
)


class Work(NamedTuple):
    """Seconds of one run."""

    wall: float
    work: float
    """Of the processor, children included."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.lint", description=__doc__)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--tools", default=str(Path(sys.executable).parent))
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        made = _make(root, asked.files)
        sizes = [path.stat().st_size for files in made.values() for path in files]
        print(f"{len(sizes)} files, {sum(sizes) >> 10} kB")
        _alone(root, made, asked.runs)
        for title, kind, command in _others(Path(asked.tools)):
            _beside(title, root / kind, made[kind], command, asked.runs)


def _alone(root: Path, made: dict[str, list[Path]], runs: int) -> None:
    count = sum(map(len, made.values()))
    for jobs in ("1", "2"):
        took = [_run([*CODEBLUE, jobs, str(root)]) for _ in range(runs)]
        wall = statistics.median(one.wall for one in took)
        print(
            f"codeblue, {jobs} process(es), all files: {count / wall:8.0f} files/s  {wall:6.2f} s", flush=True
        )


def _others(tools: Path) -> list[tuple[str, str, list[str]]]:
    known = [
        ("yamllint -d relaxed", "manifests", ["yamllint", "-d", "relaxed"]),
        ("kubernetes-validate --strict", "manifests", ["kubernetes-validate", "--strict", "--quiet"]),
        ("hadolint", "dockerfiles", ["hadolint"]),
        ("shellcheck", "scripts", ["shellcheck"]),
    ]
    found = [(title, kind, [str(tools / words[0]), *words[1:]]) for title, kind, words in known]
    for title, _, words in found:
        if not Path(words[0]).exists():
            print(f"{title}: not in {tools}; pip install '.[bench]'")
    return [one for one in found if Path(one[2][0]).exists()]


def _beside(title: str, folder: Path, files: list[Path], command: list[str], runs: int) -> None:
    """Take turns; print files per second, and ratios by the clock and by work."""
    paths = [str(path) for path in files]
    one, two, theirs = [], [], []
    for _ in range(runs):
        one.append(_run([*CODEBLUE, "1", str(folder)]))
        two.append(_run([*CODEBLUE, "2", str(folder)]))
        theirs.append(_run([*command, *paths]))
    middle = [statistics.median(run.wall for run in took) for took in (one, two, theirs)]
    work = [statistics.median(run.work for run in took) for took in (one, theirs)]
    print(
        f"{len(files):5} {folder.name:<12} codeblue {len(files) / middle[0]:7.0f} files/s  {title:<30} "
        f"{len(files) / middle[2]:7.0f} files/s  ratio {middle[2] / middle[0]:6.1f}, two processes "
        f"{middle[2] / middle[1]:6.1f}, by work {work[1] / work[0]:6.1f}",
        flush=True,
    )


def _run(command: list[str]) -> Work:
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    started = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
    wall = time.monotonic() - started
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return Work(wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)


def _make(root: Path, count: int) -> dict[str, list[Path]]:
    """Write six manifests for three Dockerfiles and one script."""
    dice = random.Random(SEED)  # noqa: S311 - the same files every time
    kinds = {
        "manifests": (_manifest, ".yaml"),
        "dockerfiles": (_dockerfile, ".Dockerfile"),
        "scripts": (_script, ".sh"),
    }
    made: dict[str, list[Path]] = {kind: [] for kind in kinds}
    for number in range(count):
        kind = "manifests" if number % 10 < 6 else "dockerfiles" if number % 10 < 9 else "scripts"
        write, ending = kinds[kind]
        path = root / kind / f"{number}{ending}"
        path.parent.mkdir(exist_ok=True)
        path.write_text(write(dice))
        made[kind].append(path)
    return made


def _manifest(dice: random.Random) -> str:
    documents = [_object(dice) for _ in range(dice.randint(1, 3))]
    return "---\n".join(documents)


def _object(dice: random.Random) -> str:
    name, kind = dice.choice(NAMES), dice.choice(("Pod", "Job", "Deployment"))
    containers = "".join(_container(dice, name, number) for number in range(dice.randint(1, 2)))
    volume = "- name: shm\n  emptyDir:\n    medium: Memory\n    sizeLimit: 16Gi\n"
    spec = f"containers:\n{containers}volumes:\n{volume}"
    api = {"Pod": "v1", "Job": "batch/v1", "Deployment": "apps/v1"}[kind]
    head = f"apiVersion: {api}\nkind: {kind}\nmetadata:\n  name: {name}\n  labels:\n    app: {name}\nspec:\n"
    if kind == "Pod":
        return head + _indented(spec, 2)
    selector = f"  selector:\n    matchLabels:\n      app: {name}\n" if kind == "Deployment" else ""
    template = f"  template:\n    metadata:\n      labels:\n        app: {name}\n    spec:\n"
    restart = "      restartPolicy: Never\n" if kind == "Job" else ""
    return head + selector + template + restart + _indented(spec, 6)


def _container(dice: random.Random, name: str, number: int) -> str:
    variables = dice.sample(VARIABLES, dice.randint(1, 4))
    env = "".join(f'  - name: {key}\n    value: "{value}"\n' for key, value in variables)
    gpus = dice.choice((1, 2, 4, 8))
    return (
        f"- name: {name}-{number}\n  image: registry.example/{name}:1.{dice.randint(0, 99)}\n"
        f"  command:\n  - torchrun\n  - --nproc_per_node={gpus}\n  - train.py\n  env:\n{env}"
        f"  resources:\n    limits:\n      nvidia.com/gpu: {gpus}\n      memory: 64Gi\n"
        "  volumeMounts:\n  - name: shm\n    mountPath: /dev/shm\n"
    )


def _indented(text: str, columns: int) -> str:
    return "".join(f"{' ' * columns}{line}\n" for line in text.splitlines())


def _dockerfile(dice: random.Random) -> str:
    packages = " ".join(dice.sample(("git", "curl", "ninja-build", "libgl1", "openmpi-bin"), 3))
    lines = [
        f"FROM {dice.choice(BASES)} AS build",
        "ENV PYTHONUNBUFFERED=1 \\\n    HF_HOME=/cache",
        f"RUN apt-get update && \\\n    apt-get install -y --no-install-recommends {packages} && \\\n"
        "    rm -rf /var/lib/apt/lists/*",
        "COPY requirements.txt /app/",
        "RUN pip install --no-cache-dir -r /app/requirements.txt",
        "FROM build",
        "COPY . /app",
        "WORKDIR /app",
        'CMD ["python", "train.py"]',
    ]
    return "\n".join(lines) + "\n"


def _script(dice: random.Random) -> str:
    gpus = dice.choice((1, 4, 8))
    return (
        f"#!/bin/bash\n#SBATCH --gres=gpu:{gpus}\n#SBATCH --nodes={dice.randint(1, 4)}\n"
        "set -euo pipefail\nexport NCCL_DEBUG=WARN\n"
        'for part in a b c; do\n  if [ -d "$part" ]; then\n    echo "$part"\n  fi\ndone\n'
        f'torchrun --nproc_per_node={gpus} train.py --out "$SLURM_JOB_ID" > "log.$SLURM_JOB_ID" 2>&1\n'
    )


if __name__ == "__main__":
    main()
