"""Recordings with the smallest change that makes a fault, and one rule judged at a time."""

import json
import os
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

import codeblue
from codeblue.diagnose.engine import assemble, evaluate
from codeblue.faults import index
from codeblue.model.fault import Kind
from codeblue.model.finding import Verdict
from codeblue.model.snapshot import Snapshot, View
from codeblue.sources.clues import Tap
from codeblue.sources.logs import Signatures
from codeblue.sources.texts import sighted

thorough = pytest.mark.skipif(
    not os.environ.get("CODEBLUE_THOROUGH"), reason="takes long beside others like it: make thorough"
)
"""For tests of real services that each take many seconds and have a quicker one beside them."""

RECORDINGS = Path(__file__).parent / "recordings"


def recording(name: str, **changes: Any) -> Snapshot:
    """Return a recorded snapshot with changed sections of its machine view.

    A changed section is merged into the recorded one, field by field and row by row;
    ``...`` as a value makes that fact unread, and a section with ``state`` replaces the
    recorded one.
    """
    content = json.loads((RECORDINGS / f"{name}.json").read_text(encoding="utf-8"))
    view = next(v for v in content["views"] if v["kind"] == "probe")
    for section, change in changes.items():
        view[section] = change if "state" in change else _merged(view.get(section, {}), change)
    return msgspec.convert(content, Snapshot)


def _merged(old: Any, new: Any) -> Any:
    if not isinstance(old, dict) or not isinstance(new, dict):
        return new
    merged = {key: _merged(old.get(key), value) for key, value in new.items() if value is not ...}
    return {key: value for key, value in old.items() if key not in new} | merged


def text(*lines: str) -> Snapshot:
    """Return a snapshot of one text, as if it had been given with ``--log``."""
    entries = index.entries().values()
    harmless = (e.id for e in entries if e.kind is Kind.HARMLESS)
    signatures = Signatures(
        ((e.id, e.signatures) for e in entries), (), (e for e in entries if e.clues), harmless
    )
    tap = Tap("train.log")
    sightings = sighted(tap.passing(lines), tap, signatures)
    return Snapshot(views=[View(kind="text", name="train.log", sightings=sightings)])


def joined(machine: Snapshot, words: Snapshot) -> Snapshot:
    """Return both snapshots' views as one snapshot."""
    return msgspec.structs.replace(machine, views=[*machine.views, *words.views])


def judge(fault: str, snapshot: Snapshot) -> Verdict:
    """Return the verdict of one fault of the catalogue."""
    [verdict] = evaluate([index.load(index.entries()[fault])], assemble(snapshot))
    return verdict


@pytest.fixture
def recordings() -> Path:
    """The folder of recorded snapshots."""
    return RECORDINGS


START = "import sys; sys.path.insert(0, {source!r}); from codeblue.cli.main import main; main()"


@pytest.fixture
def command(tmp_path: Path) -> list[str]:
    """The command line as installed: without the working directory or the user's packages on its path."""
    script = tmp_path / "codeblue-command"
    script.write_text(START.format(source=str(Path(codeblue.__file__).parents[1])), encoding="utf-8")
    return [sys.executable, "-I", str(script)]
