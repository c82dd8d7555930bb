"""Why a fault fired on a snapshot, why it did not, and what could not be read."""

from collections.abc import Iterator

import pytest
from msgspec import structs

from codeblue import pipeline
from codeblue.diagnose.watch import watched
from codeblue.diagnose.why import why
from codeblue.faults import index
from codeblue.model.facts import Driver, Nodes
from codeblue.model.fault import Fault, Hit, Kind, Severity, cite
from codeblue.model.finding import Outcome
from codeblue.model.layers import Layer
from codeblue.model.section import State
from codeblue.model.snapshot import Snapshot
from codeblue.model.text import Text, message
from codeblue.model.why import Why
from codeblue.report import reasons
from tests.conftest import joined, recording, text

HEALTHY = "h200-healthy"
NODE = "device-node-permissions"


def shown(found: Why, lang: str = "en") -> str:
    """Return the lines for a terminal."""
    return "\n".join(line for line, _ in reasons.lines(found, lang))


def test_it_fired_because_of_its_evidence() -> None:
    closed = {"mode": "0644", "open_rw": "EACCES"}
    found = pipeline.why(NODE, recording(HEALTHY, nodes={"nodes": {"/dev/nvidiactl": closed}}))

    assert found.outcome is Outcome.FIRED
    assert "nodes[/dev/nvidiactl].mode = 0644 (stat /dev/nvidiactl)" in shown(found)


def test_a_consequence_names_its_cause() -> None:
    found = pipeline.why("cuda-init-failed", recording("nvidiactl-0644"))

    assert found.explained_by == (NODE,)
    assert NODE in shown(found)


def test_it_did_not_fire_and_says_which_facts_it_looked_at() -> None:
    found = pipeline.why(NODE, recording(HEALTHY))

    read = {evidence.path: evidence.value for evidence in found.facts}
    assert found.outcome is Outcome.CLEAR
    assert read["nodes[/dev/nvidiactl].open_rw"] == "ok"
    assert "nodes.nodes" not in read
    assert [looked.section for looked in found.sections] == ["nodes", "user", "driver", "container"]
    assert "nodes[/dev/nvidiactl].open_rw = ok" in shown(found)


def test_what_could_not_be_read_comes_with_the_words_of_its_reader() -> None:
    found = pipeline.why(NODE, recording(HEALTHY, nodes={"state": "denied", "reason": "EPERM on /dev"}))

    assert (found.outcome, found.reason) == (Outcome.SKIPPED, "nodes: denied")
    assert found.sections[0].state is State.DENIED
    assert "nodes: permission denied — EPERM on /dev" in shown(found)
    assert "没有权限" in shown(found, "zh")


def test_a_missing_fact_is_named() -> None:
    unread = {"params": ..., "module_version": ..., "unread": {"module_version": "timeout"}}
    found = pipeline.why("driver-upgraded-without-reboot", recording(HEALTHY, driver=unread))

    assert found.outcome is Outcome.SKIPPED
    assert "driver.module_version: no answer in time" in shown(found)


def test_lines_that_matched_are_listed_all() -> None:
    words = text(*["epoch 3", "RuntimeError: No CUDA GPUs are available"] * 4)
    found = pipeline.why("torch-cuda-unavailable", joined(recording(HEALTHY), words))

    assert [sighting.line for sighting in found.lines] == [2, 4, 6, 8]
    assert "train.log:8: RuntimeError" in shown(found)


def test_a_line_that_was_not_seen_rules_nothing_out() -> None:
    found = pipeline.why("rank-killed", text("epoch 3"))

    assert found.outcome is Outcome.CLEAR
    assert "rules nothing out" in shown(found)
    assert "no such line in the text (train.log)" in shown(found)


def test_without_a_text_it_says_how_to_give_one() -> None:
    found = pipeline.why("rank-hung", Snapshot())

    assert found.outcome is Outcome.SKIPPED
    assert "--log" in shown(found)
    assert "没有给出文本" in shown(found, "zh")


def test_a_broken_rule_is_said_to_be_broken() -> None:
    def check(driver: Driver) -> Iterator[Hit]:
        yield Hit(subject="driver", summary=message("x", "x"), because=cite(f"driver.{driver.flavour}"))

    broken = Fault(
        id="broken",
        title=Text("x", "x"),
        layer=Layer.DRIVER,
        kind=Kind.TROUBLE,
        severity=Severity.ERROR,
        check=check,
    )
    snapshot = recording(HEALTHY)
    found = why(broken, ["driver"], snapshot, pipeline.judge(snapshot))

    assert found.outcome is Outcome.BROKEN
    assert "AttributeError" in shown(found)
    assert [evidence.path for evidence in found.facts] == ["driver.flavour"]


def test_watching_changes_no_verdict() -> None:
    machine = recording("nvidiactl-0644").views[0]
    read: dict[str, None] = {}
    view = watched(machine, read)

    assert view.section(Nodes).nodes["/dev/nvidiactl"].mode == "0644"
    assert list(read) == ["nodes.nodes", "nodes[/dev/nvidiactl].mode"]


@pytest.mark.parametrize("name", [HEALTHY, "nvidiactl-0644", "no-gpu", "index"])
@pytest.mark.parametrize("lang", ["en", "zh"])
def test_every_fault_can_be_explained(name: str, lang: str) -> None:
    snapshot = recording(name)
    diagnosis = pipeline.judge(snapshot)
    for entry in index.entries().values():
        found = why(index.load(entry), entry.needs, snapshot, diagnosis)
        assert shown(found, lang)
        assert reasons.page(found, lang).startswith(f"# {entry.id}")


def test_a_fault_of_the_host_around_a_container_is_explained_there() -> None:
    inside = recording(HEALTHY).views[0]
    closed = {"mode": "0644", "open_rw": "EACCES"}
    around = recording(HEALTHY, nodes={"nodes": {"/dev/nvidiactl": closed}}).views[0]
    views = [structs.replace(inside, side="container"), structs.replace(around, side="host")]

    found = pipeline.why(NODE, Snapshot(target="docker:job", views=views))

    assert (found.outcome, found.side) == (Outcome.FIRED, "host")
