"""``sudo python -m lab``: run the experiments, print fault x verdict x seconds, keep the recordings."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from lab.experiment import Experiment, perform
from lab.experiments import ALL
from lab.trials import TRIALS

RECORDINGS = Path(__file__).parent.parent / "tests" / "recordings"
ROW = "{:<20} {:<42} {:<42} {:<9} {:>6}"


def main() -> int:
    """Run what was asked for; 1 if any verdict is not the expected one."""
    options = _options()
    gpus = len(list(Path("/proc/driver/nvidia/gpus").glob("*")))
    wanted = [e for e in (*ALL, *TRIALS) if not options.only or e.name in options.only.split(",")]
    chosen = [e for e in wanted if e.gpus <= gpus]
    options.out.mkdir(parents=True, exist_ok=True)
    print(ROW.format("experiment", "expected", "first cause", "verdict", "s"), flush=True)
    results: dict[str, Any] = {}
    for experiment in chosen:
        result = perform(experiment, options.python)
        right = _right(experiment, result)
        results[experiment.name] = _row(experiment, result, right)
        if "recording" in result:
            recording = result["recording"] if not options.indent else _indented(result["recording"])
            (options.out / f"{experiment.name}.json").write_text(recording, encoding="utf-8")
    wrong = [name for name, row in results.items() if not row["right"]]
    (options.out / "results.tsv").write_text(_table(results), encoding="utf-8")
    print(f"{len(results) - len(wrong)} right of {len(results)}; wrong: {', '.join(wrong) or 'none'}")
    return 1 if wrong else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="lab", description=__doc__)
    parser.add_argument("--only", help="names of experiments, separated by commas")
    parser.add_argument("--python", default=sys.executable, help="interpreter of the job")
    parser.add_argument("--out", type=Path, default=RECORDINGS, help="folder of the recordings")
    parser.add_argument("--indent", action="store_true", help="write recordings one fact a line")
    return parser.parse_args()


def _indented(recording: str) -> str:
    return json.dumps(json.loads(recording), indent=1, sort_keys=True, ensure_ascii=False) + "\n"


def _right(experiment: Experiment, result: dict[str, Any]) -> bool:
    if "document" not in result:
        return False
    causes = result["document"]["causes"]
    if experiment.expect is None:
        untried = ("unknown",) if result["document"].get("not_tried") else ()
        return not causes and result["document"]["verdict"] in ("healthy", "risk", *untried)
    return bool(causes) and causes[0]["fault"] == experiment.expect


def _row(experiment: Experiment, result: dict[str, Any], right: bool) -> dict[str, Any]:
    document = result.get("document", {})
    causes = [cause["fault"] for cause in document.get("causes", ())]
    first = causes[0] if causes else result.get("error", "-")
    mark = "" if right else "  <-- " + ", ".join(causes[1:])
    shown = ROW.format(
        experiment.name,
        experiment.expect or "(works)",
        first,
        document.get("verdict", "error"),
        document.get("wall", 0),
    )
    print(shown + mark, flush=True)
    return {
        "right": right,
        "expect": experiment.expect or "",
        "first": first,
        "verdict": document.get("verdict", "error"),
        "seconds": document.get("wall", 0),
    }


def _table(results: dict[str, Any]) -> str:
    head = "experiment\texpected\tfirst cause\tverdict\tseconds\n"
    rows = (
        f"{name}\t{r['expect']}\t{r['first']}\t{r['verdict']}\t{r['seconds']}\n"
        for name, r in results.items()
    )
    return head + "".join(rows)


if __name__ == "__main__":
    sys.exit(main())
