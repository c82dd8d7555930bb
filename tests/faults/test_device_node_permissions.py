"""device-node-permissions"""

from pathlib import Path
from typing import Any

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import judge, recording, text
from tests.faults.remedies import asked, look, only, verbs

FAULT = "device-node-permissions"
CLOSED = {"nodes": {"/dev/nvidiactl": {"mode": "0644", "open_rw": "EACCES"}}}
VIDEO = {"mode": "0660", "group": 44, "open_rw": "EACCES"}


def test_fires_when_the_user_may_not_open_the_control_node() -> None:
    verdict = judge(FAULT, recording("h200-healthy", nodes=CLOSED))

    [finding] = verdict.findings
    assert finding.subject == "node:/dev/nvidiactl"
    assert ("nodes[/dev/nvidiactl].mode", "0644", "stat /dev/nvidiactl") in [
        (e.path, e.value, e.source) for e in finding.evidence
    ]
    assert finding.remedy and finding.remedy.steps[0].args == {"path": "/dev/nvidiactl", "mode": "0666"}


def test_fires_with_the_group_as_remedy_where_the_driver_wants_a_group() -> None:
    snapshot = recording(
        "h200-healthy",
        nodes={"nodes": {"/dev/nvidia0": VIDEO}},
        driver={"params": {"DeviceFileMode": "432", "DeviceFileGID": "44"}},
    )

    [finding] = judge(FAULT, snapshot).findings
    assert finding.remedy
    assert [(step.verb, step.args) for step in finding.remedy.steps] == [
        (Verb.GROUP_JOIN, {"group": "44", "user": "nobody"})
    ]


def test_fires_for_root_of_a_rootless_container() -> None:
    node = {"mode": "0660", "owner": 65534, "group": 65534, "open_rw": "EACCES"}
    snapshot = recording(
        "h200-healthy",
        nodes={"nodes": {"/dev/nvidiactl": node}},
        user={"uid": 0, "gid": 0, "groups": {"root": 0}, "name": "root"},
    )

    assert judge(FAULT, snapshot).outcome is Outcome.FIRED


def test_fires_when_the_own_group_may_only_read() -> None:
    node = {"mode": "0640", "group": 500, "open_rw": "EACCES"}
    snapshot = recording("h200-healthy", nodes={"nodes": {"/dev/nvidiactl": node}}, user={"gid": 500})

    assert judge(FAULT, snapshot).outcome is Outcome.FIRED


def test_fires_on_the_words_of_nvml() -> None:
    verdict = judge(FAULT, text("Failed to initialize NVML: Insufficient Permissions"))

    assert verdict.outcome is Outcome.FIRED


def test_clear_when_every_needed_node_opens() -> None:
    tools = {"nodes": {"/dev/nvidia-uvm-tools": {"mode": "0600", "open_rw": "EACCES"}}}

    verdict = judge(FAULT, recording("h200-healthy", nodes=tools))

    assert verdict.outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    ("node", "user"),
    [
        ({"mode": "0666"}, {}),
        ({"mode": "0660", "group": 500}, {"gid": 500}),
        ({"mode": "0660", "group": 44}, {"groups": {"video": 44}}),
        ({"mode": "0600", "owner": 500}, {"uid": 500}),
        ({"mode": "0600"}, {"uid": 0, "gid": 0, "name": "root"}),
    ],
    ids=["everybody", "own group", "further group", "owner", "root"],
)
def test_clear_when_the_mode_admits_the_user(node: dict[str, Any], user: dict[str, Any]) -> None:
    refused = {"nodes": {"/dev/nvidiactl": node | {"open_rw": "EACCES"}}}

    verdict = judge(FAULT, recording("h200-healthy", nodes=refused, user=user))

    assert verdict.outcome is Outcome.CLEAR


def test_clear_on_the_words_for_changing_a_setting() -> None:
    words = "Unable to set the compute mode for GPU 00000000:01:00.0: Insufficient Permissions"

    assert judge(FAULT, text(words)).findings == ()


def test_claims_nothing_when_the_nodes_could_not_be_read() -> None:
    verdict = judge(FAULT, recording("h200-healthy", nodes={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "nodes: timeout")


SAID = (
    ("# note: 普通用户跑 nvidia-smi 报 Insufficient Permissions，用 root 就正常",),
    (
        "Failed to initialize NVML: Insufficient Permissions",
        ("# note: /dev/nvidia0 belongs to root:video with mode 0660; --group-add keep-groups fixes it"),
        "container: rootless podman",
    ),
)
NEAR = (
    ("permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock"),
    "# note: works with sudo, GPU server",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


ROOTS = {"nodes": {"/dev/nvidia0": {"mode": "0600", "group": 0, "open_rw": "EACCES"}}}
PARAMS = {"ModifyDeviceFiles": "1", "DeviceFileMode": "432", "DeviceFileUID": "0", "DeviceFileGID": "0"}


def test_options_of_the_driver_that_shut_everybody_out_are_changed_for_good(tmp_path: Path) -> None:
    finding = only(FAULT, recording("h200-healthy", nodes=ROOTS, driver={"params": PARAMS}))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.EXACT)
    assert asked(finding) == [
        (Verb.NODE_MODE, {"path": "/dev/nvidia0", "mode": "0666"}),
        (
            Verb.FILE_WRITE,
            {
                "path": "/etc/modprobe.d/zz-nvidia-device-files.conf",
                "content": "options nvidia NVreg_DeviceFileMode=0666\n",
            },
        ),
    ]
    assert "+options nvidia NVreg_DeviceFileMode=0666" in look(finding.remedy.steps[1], tmp_path).shows


@pytest.mark.parametrize(
    ("params", "more"),
    [
        (PARAMS | {"DeviceFileMode": "438"}, {}),
        (PARAMS | {"ModifyDeviceFiles": "0"}, {}),
        (PARAMS, {"container": {"state": "read", "engine": "docker", "injected": []}}),
    ],
    ids=["the driver lets everybody in", "the driver leaves the nodes alone", "in a container"],
)
def test_options_of_the_driver_stay_where_they_are_not_to_blame(
    params: dict[str, str], more: dict[str, Any]
) -> None:
    found = only(FAULT, recording("h200-healthy", nodes=ROOTS, driver={"params": params}, **more))

    assert verbs(found) == [Verb.NODE_MODE]
