"""Reports over many nodes: nothing hostile acts, nothing is lost, few series."""

import json
import re
from html.parser import HTMLParser
from io import StringIO
from typing import Any

import pytest
from msgspec import structs
from rich.console import Console

from codeblue.fleet.shared import shared
from codeblue.model.fault import Certainty, Kind
from codeblue.model.fleet import Cascade, CascadeKind, Judged, NodeFinding, NodeState, Role, Run
from codeblue.model.layers import Layer
from codeblue.model.oddities import OddFact, Oddities, Oddity, OddKind, Peers
from codeblue.model.text import message
from codeblue.report.fleet import html, json_v1, markdown, prometheus, slurm_reasons, terminal

HOSTILE = '</script><img src=x onerror="alert(1)">{}\x1b[31m'
RUN = Run(id="20261201T100000-abcd", engine="slurm", asked=("-p", HOSTILE), codeblue="0.1")


def finding(fault: str, layer: Layer, role: Role, certainty: Certainty = Certainty.CERTAIN) -> NodeFinding:
    return NodeFinding(
        fault=fault,
        subject="gpu:3",
        layer=layer,
        kind=Kind.RISK if role is Role.RISK else Kind.TROUBLE,
        certainty=certainty,
        role=role,
        summary=message(f"told {HOSTILE.replace('{}', '')}", "说明"),
    )


def nodes(count: int) -> list[Judged]:
    made = []
    for number in range(count):
        sick = number % 10 == 0
        made.append(
            Judged(
                node=f"gpu{number:05}",
                group=("h100", "h200")[number % 2],
                state=NodeState.ANSWERED,
                why="",
                verdict="trouble" if sick else "healthy",
                findings=(finding("gpu-overheating", Layer.HARDWARE, Role.CAUSE),) if sick else (),
            )
        )
    silent = Judged(node=f"x{HOSTILE}", group="", state=NodeState.SILENT, why=HOSTILE, verdict="")
    return [*made, silent]


class Tags(HTMLParser):
    """Collects elements and what stands in the one with the data."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: list[str] = []
        self.data = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append(tag)
        self._inside = ("id", "data") in attrs

    def handle_data(self, data: str) -> None:
        self.data += data if self._inside else ""
        self._inside = False


def expanded(names: str | list[Any]) -> list[str]:
    """Return the names that the script of the page shows."""
    if isinstance(names, str):
        return [names]
    before, after, width, ranges = names
    pairs = zip(ranges[::2], ranges[1::2], strict=True)
    return [f"{before}{n:0{width}}{after}" for first, last in pairs for n in range(first, last + 1)]


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_the_page_holds_every_node_and_nothing_acts(lang: str) -> None:
    fleet = nodes(50)

    page = html.render(RUN, fleet, shared(fleet), lang)

    tags = Tags()
    tags.feed(page)
    assert "img" not in tags.seen and tags.seen.count("script") == 2
    data = json.loads(tags.data)
    assert sum(len(numbers) for *_, names in data["sets"] for numbers in map(expanded, names)) == 51
    assert data["kinds"][data["sets"][0][1]]["style"] == "bad"
    assert "\x1b" not in page
    assert re.search(r"script-src 'sha256-[A-Za-z0-9+/=]{44}'", page)


def test_ten_thousand_nodes_fit_a_page() -> None:
    fleet = nodes(10_000)

    assert len(html.render(RUN, fleet, shared(fleet), "en")) < 1 << 20


def test_a_hundred_thousand_nodes_with_different_words_fit_a_page() -> None:
    full = finding("filesystem-full", Layer.NETWORK, Role.CAUSE)
    fleet = [
        Judged(
            node=f"rack{n % 997}-gpu{n}.cluster.example.org",
            group=f"g{n % 50_000}",
            state=NodeState.SILENT,
            why=f"{n}: {'x' * 90}",
            verdict="",
            findings=(structs.replace(full, summary=message(f"free: {n}" * 9, "")),),
        )
        for n in range(100_000)
    ]

    page = html.render(RUN, fleet, shared(fleet), "en")

    assert len(page.encode()) < 10 << 20
    assert "codeblue fleet report --format json" in page


def test_markdown_is_escaped() -> None:
    fleet = nodes(10)
    text = markdown.render(RUN, fleet, shared(fleet), "en")

    assert not re.search(r"(?<!\\)<img", text) and "gpu-overheating" in text


def test_prometheus_has_few_series_and_true_numbers() -> None:
    small, large = nodes(10), nodes(5_000)
    one = prometheus.render(RUN, small, shared(small))
    other = prometheus.render(RUN, large, shared(large))

    assert len(one.splitlines()) == len(other.splitlines())
    assert 'codeblue_fleet_fault_nodes{fault="gpu-overheating",kind="trouble",role="cause"} 500' in other
    assert 'codeblue_fleet_nodes{engine="slurm",state="silent"} 1' in other
    assert "codeblue_fleet_run_timestamp_seconds" in other


def test_reasons_for_slurm_name_what_concerns_the_node_itself() -> None:
    own = finding("gpu-memory-ecc-fault", Layer.HARDWARE, Role.CAUSE)
    users = finding("local-file-shadows-torch", Layer.PYTHON, Role.CAUSE)
    guess = finding("gpu-poorly-seated", Layer.HARDWARE, Role.CAUSE, Certainty.POSSIBLE)
    fleet = [
        Judged(node=f"gpu{n}", group="", state=NodeState.ANSWERED, why="", verdict="trouble", findings=found)
        for n, found in enumerate([(own,), (users,), (guess,), (own,)])
    ]

    text = slurm_reasons.render(RUN, fleet, shared(fleet), "en")

    assert text.count("scontrol") == 1
    assert "NodeName=gpu[0,3] State=DRAIN Reason='codeblue: gpu-memory-ecc-fault" in text


def test_json_names_causes_and_nodes() -> None:
    fleet = nodes(20)
    document = json.loads(json_v1.render(RUN, fleet, shared(fleet), "zh"))

    assert document["schema"] == "codeblue/fleet/1"
    assert document["found"][0]["nodes"] == "gpu[00000,00010]"
    assert document["nodes"][-1]["state"] == "silent"


def test_pages_tell_who_differs_and_what_nodes_have_in_common() -> None:
    fleet = nodes(10)
    fact = OddFact(
        path="driver.module_version",
        place="driver.module_version",
        kind=OddKind.DIFFERS,
        value=f"570 {HOSTILE}",
        common="580",
        share=0.9,
    )
    group = Peers(name="H200 × 8", nodes=("gpu1",))
    odd = Oddities(
        run=RUN.id,
        groups=(group,),
        found=(Oddity(peers=group.name, of=10, nodes=("gpu1",), facts=(fact,)),),
    )
    across = (
        Cascade(
            kind=CascadeKind.SWITCH,
            group="h100",
            nodes=("gpu1", "gpu2"),
            of=10,
            certainty=Certainty.LIKELY,
            summary=message("the same port is down", "同一端口断开"),
        ),
    )

    page = html.render(RUN, fleet, shared(fleet), "en", across, odd)
    text = markdown.render(RUN, fleet, shared(fleet), "zh", across, odd)

    assert "the same port is down" in page and "driver.module_version: 570" in page
    assert "<img" not in page
    assert "同一端口断开" in text and "gpu\\[1-2\\]" in text and "多数为 580" in text


@pytest.mark.parametrize(
    ("lang", "said"),
    [
        (
            "en",
            ("of these read without a GPU", "who they are, and their clocks", "its clock is ahead of ours"),
        ),
        ("zh", ("其中未占用 GPU 读取的", "节点身份与时钟", "其时钟比我们的快")),
    ],
)
def test_every_report_tells_who_was_read_without_a_gpu_and_who_is_odd(
    lang: str, said: tuple[str, ...]
) -> None:
    note = message(f"its clock is ahead of ours {HOSTILE.replace('{}', '')}", "其时钟比我们的快")
    fleet = [
        structs.replace(node, without_gpu=number in (2, 3), notes=(note,) if number in (4, 5, 6) else ())
        for number, node in enumerate(nodes(10))
    ]

    text = StringIO()
    terminal.show(Console(file=text, width=1000), RUN, fleet, shared(fleet), lang)
    page = html.render(RUN, fleet, shared(fleet), lang)
    tags = Tags()
    tags.feed(page)
    paper = markdown.render(RUN, fleet, shared(fleet), lang)

    for report, sets in ((text.getvalue(), "gpu[{}]"), (page, "gpu[{}]"), (paper, "gpu\\[{}\\]")):
        assert all(words in report for words in said)
        assert sets.format("00002-00003") in report and sets.format("00004-00006") in report
    assert "<img" not in page and not re.search(r"(?<!\\)<img", paper)
    data = json.loads(tags.data)
    rows = {name: row for *row, names in data["sets"] for numbers in names for name in expanded(numbers)}
    told, light = ({name: row[at] for name, row in rows.items()} for at in (4, 5))
    assert [name for name, yes in light.items() if yes] == ["gpu00002", "gpu00003"]
    assert data["notes"][told["gpu00004"][0]].startswith(said[2])
    assert told["gpu00002"] == []
    # The heading and what stands below it are lines of their own.
    assert f"{said[1]}\n" in text.getvalue()


def test_markdown_names_who_was_not_looked_at_and_why() -> None:
    fleet = [
        Judged(node=f"gpu{n}", group="", state=NodeState.SILENT, why="No route to host", verdict="")
        for n in range(3)
    ]

    text = markdown.render(RUN, fleet, shared(fleet), "en")

    assert "| no answer | No route to host | 3: gpu\\[0-2\\] |" in text
