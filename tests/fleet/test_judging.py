"""Many nodes are judged as one is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.synthetic import RECORDINGS, machine, replies, reply, run_of
from codeblue.cli.fleet.judging import judged, new_judge
from codeblue.diagnose.barriers import barriers
from codeblue.fleet import judging, known
from codeblue.fleet.store import Store
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fleet import Judged, Listed, Run
from codeblue.model.snapshot import Snapshot, View
from codeblue.pipeline import judge
from codeblue.sources.live import view_of
from codeblue.sources.site import Loaded, load
from tests.conftest import recording

NAMES = sorted(path.stem for path in RECORDINGS.glob("*.json") if path.stem != "index")


def stored(tmp_path: Path, documents: dict[str, dict[str, Any]], site: Loaded | None = None) -> list[Judged]:
    """Return the verdicts on a run whose nodes answered these documents."""
    listed = tuple(Listed(name) for name in documents)
    run = Run(id="20261201T000000-0001", engine="ssh", nodes=listed)
    store = Store(tmp_path / "store")
    store.begin(run)
    list(store.add(run, (reply(node, documents[node.name]) for node in listed)))
    return judged(store, run, site or Loaded())


def as_asked(name: str) -> dict[str, Any]:
    """Return a recording as the answer of a probe."""
    header, sections = machine(name)
    return {**header, "sections": sections}


def told(found: Diagnosis) -> list[tuple[str, str, str, str]]:
    """Return what a report over many nodes keeps of a diagnosis."""
    rows = [("cause", cause.finding) for cause in found.causes]
    rows += [("consequence", effect.finding) for effect in found.consequences]
    rows += [("risk", risk) for risk in found.risks]
    return [(role, one.fault, one.subject, one.certainty.value) for role, one in rows]


def test_every_recording_is_judged_as_a_single_machine_is(tmp_path: Path) -> None:
    documents = {name: as_asked(name) for name in NAMES}
    signatures = new_judge(Loaded())._signatures

    many = {node.node: node for node in stored(tmp_path, documents)}

    for name in NAMES:
        view = view_of(documents[name], name, signatures, 1.0)
        alone = judge(Snapshot(target=name, views=[view]))
        row = many[name]
        assert row.verdict == alone.verdict.value, name
        assert [(f.role.value, f.fault, f.subject, f.certainty.value) for f in row.findings] == told(alone), (
            name
        )
        assert [f.summary.say("zh") for f in row.findings if f.role.value == "cause"] == [
            cause.finding.summary.say("zh") for cause in alone.causes
        ]
        assert row.host == alone.host


def test_what_is_remembered_does_not_depend_on_the_order(tmp_path: Path) -> None:
    documents = {name: as_asked(name) for name in reversed(NAMES)}

    there = stored(tmp_path / "a", documents)
    back = stored(tmp_path / "b", {name: as_asked(name) for name in NAMES})

    assert there == back


def test_little_memory_changes_no_verdict(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    documents = {name: as_asked(name) for name in NAMES}
    expected = stored(tmp_path / "a", documents)

    monkeypatch.setattr(known, "MOST", 1)

    assert stored(tmp_path / "b", documents) == expected


def test_a_second_process_says_the_same(tmp_path: Path) -> None:
    run = run_of(1600)
    store = Store(tmp_path)
    store.begin(run)
    list(store.add(run, replies(run)))

    assert len(store.batches(run)) > 2
    assert judged(store, run, Loaded()) == sorted(
        new_judge(Loaded()).run(store, run), key=lambda node: node.node
    )


def test_barriers_depend_on_the_sections_that_are_their_key(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    section = View.section

    def noted(view: View, kind: Any) -> Any:
        asked.add(kind.NAME)
        return section(view, kind)

    monkeypatch.setattr(View, "section", noted)
    for name in NAMES:
        view = recording(name).machine
        assert view is not None
        barriers(view)

    assert {"driver", "nvml"} <= asked <= set(judging.BARRIERS)


def test_expectations_are_placed_by_the_name_of_the_node(tmp_path: Path) -> None:
    config = tmp_path / "codeblue.toml"
    config.write_text('[expect]\ngpus = 1\n\n[[host]]\nmatch = "big*"\nexpect.gpus = 8\n', encoding="utf-8")
    document = as_asked("h200-healthy")

    small, big = sorted(
        stored(tmp_path, {"me@small1": document, "me@big1.site": document}, load(str(config), lambda: [])),
        key=lambda node: node.verdict,
    )

    assert (small.node, small.verdict, small.findings) == ("me@small1", "healthy", ())
    assert [one.fault for one in big.findings] == ["gpu-count-unexpected"]


def hostile() -> Iterator[dict[str, Any]]:
    """Yield answers that no probe of ours gives."""
    document = as_asked("healthy")
    yield {**document, "time": {}}
    yield {**document, "sections": []}
    yield {**document, "sections": {"host": [1]}}
    yield {"part": "final"}
    yield {"part": "error", "reason": "x" * 10_000}


def test_an_answer_that_cannot_be_read_costs_only_its_node(tmp_path: Path) -> None:
    bad = {f"bad{number}": document for number, document in enumerate(hostile())}
    strange = as_asked("healthy")
    strange["sections"] = {**strange["sections"], "driver": {"module_version": [580]}, "new": {"a": 1}}
    documents = {**bad, "good": as_asked("healthy"), "odd": strange}

    found = {node.node: node for node in stored(tmp_path, documents)}

    assert {found[name].state.value for name in bad} == {"unusable"}
    assert all(0 < len(found[name].why) <= 500 for name in bad)
    assert found["good"].verdict == "healthy"
    assert found["odd"].verdict == "unknown"
