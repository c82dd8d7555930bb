"""What is a node's own is set apart, and changes nothing that is said of the node."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.synthetic import machine, reply
from codeblue.cli.fleet.judging import new_judge
from codeblue.fleet import judging, known, own
from codeblue.fleet.judging import EVERY, Judge
from codeblue.fleet.own import FIELDS, KEYS, ROWS, UNSTABLE, apart, joined
from codeblue.fleet.store import Store
from codeblue.model.fleet import Judged, Listed, Run
from codeblue.model.snapshot import SECTIONS, Snapshot
from codeblue.pipeline import judge
from codeblue.sources.live import view_of
from codeblue.sources.site import Loaded
from tests.fleet.test_judging import NAMES, told

VARIANTS = 5
"""Of every recording."""
VALUES: dict[str, tuple[Any, ...]] = {
    "uptime_seconds": (5.0, 1e6),
    "memory_bytes": (1 << 30, 1 << 40),
    "memory_current": (0, 1 << 60),
    "uuid": ("gpu-1", "gpu-2"),
    "memory_used": (0, 150 << 30),
    "temperature": (30, 60, 99),
    "throttle": (0, 1, 4, 8, 0x20, 0x40, 0x80, 0xFF),
    "processes": ([], [{"pid": 7, "memory_bytes": 100 << 30, "name": "python"}], [{"pid": 8}]),
    "free": (0, 4096, 1 << 40),
    "inodes_free": (0, 1, 10**7),
    "inodes": (0, 10**7),
    "total": (4 << 20, 1 << 41),
    "major": (1, 195, 238),
    "expected_major": (None, 195, 238),
    "errors": (None, {}, {"correctable BadTLP": 10**6}),
    "link_speed": ("2.5 GT/s PCIe", None),
    "references": (0, 1, 9),
    "last_start": (None, 0.5, 1e5),
    "pcie_replays": (0, 10**6),
    "link_errors": ({}, {"0": {"replay": 10**6}}),
    "seconds": (None, 0.5),
    "SLURM_PROCID": ("0", "7"),
}
STRANGE: tuple[Any, ...] = ("no number", [1], {"a": {"b": None}})


def with_switches(sections: dict[str, Any]) -> dict[str, Any]:
    """Return the sections with more rows in which something is a node's own than the recordings have."""
    service = {"state": "active", "enabled": "enabled", "restarts": 40, "result": "exit-code"}
    gpu = {"unread": {}, "vbios": "96.00", "links": {"0": {"active": True}}}
    more = {
        "services": {"services": {"nvidia-persistenced": service}},
        "fabric": {"gpus": {"0": gpu}},
        "clock": {"synchronised": True, "estimated_error": 0.1, "daemons": ["chronyd"]},
    }
    return more | sections


def varied(random: Random, sections: dict[str, Any]) -> dict[str, Any]:
    """Return the sections with other values of what is a node's own, without some, and with strange ones."""
    found = {name: dict(section) for name, section in with_switches(sections).items()}
    strange = random.random() < 0.1
    for name, section in found.items():
        _vary(random, section, FIELDS.get(name, ()), strange)
        for table, keys in KEYS.get(name, {}).items():
            if table in section:
                section[table] = dict(section[table])
                _vary(random, section[table], keys, strange=False)
        for table, fields in ROWS.get(name, {}).items():
            rows = section.get(table) or {}
            changed = [dict(row) for row in (rows.values() if isinstance(rows, dict) else rows)]
            for row in changed:
                _vary(random, row, fields, strange)
            if table in section:
                section[table] = dict(zip(rows, changed, strict=True)) if isinstance(rows, dict) else changed
    return found


def _vary(random: Random, where: dict[str, Any], fields: tuple[str, ...], strange: bool) -> None:
    for field in fields:
        choice = random.random()
        if choice < 0.5 and field in VALUES:
            where[field] = random.choice(VALUES[field])
        elif choice < 0.6 and field not in ("hostname", "boot_id"):
            where.pop(field, None)
        elif strange and choice < 0.65:
            where[field] = random.choice(STRANGE)


def variants(names: Sequence[str] = NAMES) -> dict[str, dict[str, Any]]:
    """Return answers of nodes of which many share all but what is their own."""
    random = Random(9)  # noqa: S311 - no secret
    found = {}
    for name in names:
        header, sections = machine(name)
        for number in range(VARIANTS):
            found[f"{name}-{number}"] = {**header, "sections": varied(random, sections)}
    return found


def judged(folder: Path, documents: dict[str, dict[str, Any]], judge: Judge) -> dict[str, Judged]:
    """Return the verdicts on nodes that gave these answers."""
    run = Run(id="20261201T000000-0001", engine="ssh", nodes=tuple(map(Listed, documents)))
    store = Store(folder)
    store.begin(run)
    list(store.add(run, (reply(node, documents[node.name]) for node in run.nodes)))
    return {node.node: node for node in judge.run(store, run)}


@pytest.mark.parametrize("first", [2, 10**9])
def test_verdicts_are_those_on_each_machine_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, first: int
) -> None:
    monkeypatch.setattr(known, "FIRST", first)  # rules are asked node by node as soon as may be, or never
    documents = variants()
    judges = new_judge(Loaded())

    many = judged(tmp_path, documents, judges)

    faults = set()
    for name, document in documents.items():
        alone = judge(Snapshot(target=name, views=[view_of(document, name, judges._signatures, 1.0)]))
        row = many[name]
        said = [(one.role.value, one.fault, one.subject, one.certainty.value) for one in row.findings]
        assert (row.verdict, said) == (alone.verdict.value, told(alone)), name
        assert [one.summary.say("en") for one in row.findings if one.role.value == "cause"] == [
            cause.finding.summary.say("en") for cause in alone.causes
        ], name
        faults |= {one.fault for one in row.findings}
    assert {"gpu-overheating", "filesystem-full", "inodes-exhausted", "device-node-stale"} <= faults


def test_runs_in_which_less_was_set_apart_are_judged_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def said(folder: str) -> dict[str, Any]:
        nodes = judged(tmp_path / folder, variants(NAMES[::3]), new_judge(Loaded()))
        return {name: (node.verdict, node.findings) for name, node in nodes.items()}

    now = said("now")

    monkeypatch.setattr(own, "ROWS", {})
    monkeypatch.setattr(own, "KEYS", {})
    monkeypatch.setattr(own, "FIELDS", {"host": ("hostname", "boot_id", "uptime_seconds")})

    assert said("then") == now


@pytest.mark.parametrize("name", NAMES)
def test_what_is_set_apart_is_put_back(name: str) -> None:
    random = Random(name)  # noqa: S311 - no secret
    _, sections = machine(name)
    for section, content in {**varied(random, sections), "new": {"a": {"b": 1}}}.items():
        shared, mine = apart(section, content)
        whole = {key: value for key, value in content.items() if key not in UNSTABLE}

        assert joined(shared, mine) == whole
        assert apart(section, shared) == (shared, {})


def test_nodes_that_differ_only_in_what_is_their_own_have_equal_sections() -> None:
    _, sections = machine("h200-healthy")
    other = varied(Random(1), sections)  # noqa: S311 - no secret
    other["nvml"]["gpus"]["0"] |= {"temperature": 77, "uuid": "gpu-7", "memory_used": 5, "throttle": 4}
    other["nvml"]["gpus"]["0"] = {**sections["nvml"]["gpus"]["0"], **other["nvml"]["gpus"]["0"]}

    assert apart("nvml", other["nvml"])[0] == apart("nvml", sections["nvml"])[0]
    assert apart("nvml", other["nvml"])[1]["gpus"]["0"]["temperature"] == 77


def test_another_shape_than_agreed_stays_where_it_is() -> None:
    content = {"state": "read", "gpus": {"0": {"name": "H200", "temperature": "hot"}}}

    assert apart("nvml", content) == (dict(sorted(content.items())), {})


def test_all_of_it_can_be_unread() -> None:
    """What is set apart is missing from the shared section: it must be a fact that may be missing."""
    assert set(FIELDS) | set(ROWS) | set(KEYS) <= set(EVERY)
    for name in (*FIELDS, *ROWS):
        kind = SECTIONS[name]
        assert kind() is not None
        assert set(FIELDS.get(name, ())) | set(ROWS.get(name, ())) <= set(kind.__struct_fields__)


@pytest.mark.parametrize("key", [key for tables in KEYS.values() for keys in tables.values() for key in keys])
def test_no_rule_looks_at_an_entry_that_is_set_apart(key: str) -> None:
    source = Path(judging.__file__).parents[1]
    code = [path for part in ("faults", "diagnose") for path in (source / part).rglob("*.py")]

    assert [path.name for path in code if key in path.read_text(encoding="utf-8")] == []
