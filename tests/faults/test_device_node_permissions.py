"""device-node-permissions"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording

CLOSED = {"nodes": {"/dev/nvidiactl": {"mode": "0644", "open_rw": "EACCES"}}}


def test_fires_when_the_user_may_not_open_the_control_node() -> None:
    verdict = judge("device-node-permissions", recording("h200-healthy", nodes=CLOSED))

    [finding] = verdict.findings
    assert finding.subject == "node:/dev/nvidiactl"
    assert ("nodes[/dev/nvidiactl].mode", "0644", "stat /dev/nvidiactl") in [
        (e.path, e.value, e.source) for e in finding.evidence
    ]


def test_clear_when_every_needed_node_opens() -> None:
    tools = {"nodes": {"/dev/nvidia-uvm-tools": {"mode": "0600", "open_rw": "EACCES"}}}

    verdict = judge("device-node-permissions", recording("h200-healthy", nodes=tools))

    assert verdict.outcome is Outcome.CLEAR


def test_claims_nothing_when_the_nodes_could_not_be_read() -> None:
    verdict = judge("device-node-permissions", recording("h200-healthy", nodes={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "nodes: timeout")
