"""A run for Prometheus: few series, however many nodes there are."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime, timezone

from codeblue.model.fleet import Judged, NodeState, Run, Shared

VERDICTS = ("healthy", "risk", "trouble", "unknown")
HELP = {
    "codeblue_fleet_nodes": "Nodes of the last run by what became of them.",
    "codeblue_fleet_verdicts": "Nodes that answered, by verdict.",
    "codeblue_fleet_fault_nodes": "Nodes on which a fault was found.",
    "codeblue_fleet_run_timestamp_seconds": "When the last run began.",
}


def render(run: Run, nodes: Sequence[Judged], found: Sequence[Shared], lang: str = "en") -> str:
    """Return the text; it is the same in every language."""
    states, verdicts = Counter(node.state for node in nodes), Counter(node.verdict for node in nodes)
    series = {
        "codeblue_fleet_nodes": [_row(states[one], engine=run.engine, state=one.value) for one in NodeState],
        "codeblue_fleet_verdicts": [_row(verdicts[one], engine=run.engine, verdict=one) for one in VERDICTS],
        "codeblue_fleet_fault_nodes": [
            _row(len(one.nodes), fault=one.fault, kind=one.kind.value, role=one.role.value) for one in found
        ],
        "codeblue_fleet_run_timestamp_seconds": [_row(began(run), engine=run.engine)],
    }
    return "".join(_lines(series))


def _lines(series: dict[str, list[str]]) -> Iterator[str]:
    for name, rows in series.items():
        yield f"# HELP {name} {HELP[name]}\n# TYPE {name} gauge\n"
        yield from (f"{name}{row}\n" for row in rows)


def _row(value: float, **labels: str) -> str:
    pairs = ",".join(f'{name}="{_quoted(text)}"' for name, text in labels.items())
    return f"{{{pairs}}} {value:.15g}"


def _quoted(text: str) -> str:
    return text.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")


def began(run: Run) -> float:
    """Return when a run began, seconds since 1970."""
    stamp = datetime.strptime(run.id[:15], "%Y%m%dT%H%M%S")
    return stamp.replace(tzinfo=timezone.utc).timestamp()
