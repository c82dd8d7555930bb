"""What the matrix makes of reports about versions: ``python -m benchmarks.matrix_reports --reports FILE``.

FILE holds one report a line, with its ``id`` and confirmed ``cause``. The versions of a report stand as
combinations in ``tests/matrix/cases`` (``report A114`` in the title); why another one has none stands in
``matrix_reports.tsv``. The exit code is 1 if a case is judged wrong, or a report has neither.
"""

import argparse
import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

from tests.matrix.case_files import FILES, Case, cases, is_right, judged

ABOUT_VERSIONS = frozenset(
    {
        "aarch64-pypi-wheel-is-cpu-only",
        "build-lacks-gpu-arch",
        "conda-solver-picked-cpu-build",
        "cpu-only-torch-build",
        "cublas-shadowed",
        "cuda-compat-on-unsupported-gpu",
        "cudnn-not-on-loader-path",
        "cudnn-shadowed",
        "cudnn-version-mismatch",
        "driver-too-old-for-cuda",
        "driver-too-old-for-kernel",
        "extension-abi-mismatch",
        "glibc-too-old-for-cuda-libs",
        "gpu-arch-dropped-from-wheels",
        "gpu-needs-legacy-driver-branch",
        "image-cuda-compat-shadows-driver",
        "libstdcxx-too-old",
        "nccl-version-mismatch-between-nodes",
        "numpy2-with-older-torch",
        "nvrtc-older-than-gpu",
        "packages-for-other-cuda-major",
        "ptx-jit-on-first-use",
        "ptx-newer-than-driver",
        "tensorrt-engine-built-with-other-version",
        "toolkit-below-safe-version",
        "toolkit-release-regression",
        "toolkit-too-old-for-cgroup-v2",
        "toolkit-torch-cuda-mismatch",
        "torch-torchvision-version-mismatch",
        "wheel-not-built-for-python-version",
    }
)
"""Causes that are a matter of versions."""
NAMED = re.compile(r"\(report (\w+)\)")


def by_report() -> dict[str, list[Case]]:
    """Return the cases by the report that they come from."""
    found: dict[str, list[Case]] = defaultdict(list)
    for file in FILES:
        for case in cases(file):
            if report := NAMED.search(case.title):
                found[report[1]].append(case)
    return found


def left_out() -> dict[str, str]:
    """Return why reports have no case, by their id."""
    text = Path(__file__).with_suffix(".tsv").read_text(encoding="utf-8")
    return {name: why for name, _, why in (line.partition("\t") for line in text.splitlines())}


def answer(report: dict[str, Any], known: list[Case], why: str | None) -> tuple[str, bool]:
    """Return what the table says of a report, and whether that is all right."""
    if known:
        right = sum(is_right(case, judged(case)) for case in known)
        verdicts = ", ".join(case.expect.value for case in known)
        return f"{right} of {len(known)} right: {verdicts}", right == len(known)
    return (f"not judged: {why}", True) if why else ("no case, and no reason for that", False)


def main() -> int:
    """Print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.matrix_reports", description=__doc__)
    parser.add_argument("--reports", type=Path, required=True)
    text = parser.parse_args().reports.read_text(encoding="utf-8")
    known, reasons = by_report(), left_out()
    good = []
    for report in map(json.loads, text.splitlines()):
        name = report["id"]
        if report["cause"] in ABOUT_VERSIONS or name in known:
            said, right = answer(report, known.get(name, []), reasons.get(name))
            print(f"{name:6}{report['cause']:44}{said}")
            good.append(right)
    judged_ones = sum(name in known for name in (json.loads(line)["id"] for line in text.splitlines()))
    print(f"{len(good)} reports about versions: {judged_ones} judged, {good.count(False)} wrong or forgotten")
    return 0 if all(good) else 1


if __name__ == "__main__":
    raise SystemExit(main())
