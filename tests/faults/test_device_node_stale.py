"""device-node-stale"""

from typing import Any

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from tests.conftest import judge, recording

FAULT = "device-node-stale"
OLD = {"major": 237, "expected_major": 238, "open_rw": "ENXIO"}
PLAIN = {"char": False, "major": 0, "minor": 0}


def test_fires_when_the_major_number_is_of_an_earlier_load() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", nodes={"nodes": {"/dev/nvidia-uvm": OLD}})).findings

    assert (finding.subject, finding.variant) == ("node:/dev/nvidia-uvm", "other-major")
    assert [e.value for e in finding.evidence] == [237, 238, "ENXIO"]
    assert finding.remedy and [s.verb for s in finding.remedy.steps] == [Verb.FILE_RENAME, Verb.NODES_CREATE]


def test_fires_on_a_plain_file_and_tells_a_container_to_be_created_again() -> None:
    snapshot = recording(
        "h200-healthy",
        nodes={"nodes": {"/dev/nvidia0": PLAIN}},
        container={"state": "read", "engine": "lxc", "injected": []},
    )

    [finding] = judge(FAULT, snapshot).findings
    assert (finding.subject, finding.variant) == ("node:/dev/nvidia0", "plain-file")
    assert finding.remedy and [s.verb for s in finding.remedy.steps] == [Verb.INSTRUCT]


@pytest.mark.parametrize(
    "nodes",
    [
        {},
        {"/dev/nvidia-uvm": OLD | {"expected_major": None}},
        {"/dev/nvidia-uvm": OLD | {"open_rw": "ok"}},
        {"/dev/nvidia-uvm-tools": OLD},
        {"/dev/nvidia-uvm": {"exists": False, "mode_after": None}},
        {"/dev/nvidia-nvswitch0": PLAIN | OLD | {"char": True, "exists": True}},
    ],
    ids=["healthy", "driver not listed", "opens", "tools", "missing", "switch"],
)
def test_clear_when_every_needed_node_leads_to_the_driver(nodes: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", nodes={"nodes": nodes})).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_numbers_were_not_read() -> None:
    nodes = {"nodes": {"/dev/nvidia0": {"char": ...}}}

    assert judge(FAULT, recording("h200-healthy", nodes=nodes)).outcome is Outcome.SKIPPED
