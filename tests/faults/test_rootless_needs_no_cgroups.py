"""rootless-needs-no-cgroups"""

from pathlib import Path

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from tests.conftest import joined, judge, recording, text
from tests.faults.engines import ALL_GPUS, SPEC, docker_host
from tests.faults.remedies import look, only, verbs

FAULT = "rootless-needs-no-cgroups"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "nvidia-container-cli: mount error: failed to add device rules: unable to find "
                "any existing device filters attached to the cgroup: "
                "bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted: unknown."
            ),
            Certainty.LIKELY,
        ),
        (
            (
                "nvidia-container-cli: mount error: open failed: "
                "/sys/fs/cgroup/devices/user.slice/devices.allow: permission denied"
            ),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_when_the_filter_may_not_be_changed(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("nvidia-container-cli: initialization error: nvml error: driver not loaded"),
        ("nvidia-container-cli: container error: cgroup subsystem devices not found: unknown."),
    ],
)
def test_clear_on_other_toolkit_errors(line: str) -> None:
    assert judge(FAULT, joined(docker_host(), text(line))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


ROOTLESS = {"rootless": True}
SPECS = {"cdi_specs": {SPEC: {"kind": "nvidia.com/gpu"}}}


def test_fires_as_a_risk_until_a_container_asks() -> None:
    [host], [asked] = (
        judge(FAULT, docker_host(ROOTLESS)).findings,
        judge(FAULT, docker_host(ROOTLESS, ALL_GPUS)).findings,
    )

    assert (host.kind, asked.kind) == (Kind.RISK, Kind.TROUBLE)


@pytest.mark.parametrize(
    "change",
    [
        {},
        ROOTLESS | {"toolkit_config": {"nvidia-container-cli.no-cgroups": "true"}},
        ROOTLESS | {"toolkit_config": None},
        ROOTLESS | SPECS,
    ],
    ids=["rootful", "set", "no toolkit", "CDI"],
)
def test_clear_where_nothing_has_to_be_set(change: dict[str, object]) -> None:
    assert judge(FAULT, docker_host(change)).outcome is Outcome.CLEAR


SAID = (
    (
        (
            "nvidia-container-cli: mount error: failed to add device rules: unable to find "
            "any existing device filters attached to the cgroup: "
            "bpf_prog_query(BPF_CGROUP_DEVICE) failed: operation not permitted"
        ),
        "container: rootless docker",
    ),
    (
        (
            "# note: podman as user: nvidia-container-cli: mount error: open failed: "
            "/sys/fs/cgroup/devices/user.slice/devices.allow: permission denied"
        ),
    ),
)
NEAR = (
    "Error: rootless netns: slirp4netns failed",
    "# note: rootless podman",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


KEY = "nvidia-container-cli.no-cgroups"
ALONE = {"state": "read", "services": {}, "processes_visible": True}
ROOTFUL = ALONE | {"services": {"docker": {"state": "active", "enabled": "enabled", "running": True}}}
MASKED = ALONE | {"services": {"docker": {"state": "inactive", "enabled": "disabled", "running": True}}}


@pytest.mark.parametrize("services", [ALONE, MASKED], ids=["no service", "stopped for the user's own"])
def test_the_remedy_writes_the_setting_where_no_other_engine_runs(
    services: dict[str, object], tmp_path: Path
) -> None:
    remedy = only(FAULT, docker_host(ROOTLESS, services=services)).remedy

    assert remedy is not None
    assert (remedy.automation, remedy.undo) == (Automation.APPROVAL, Undo.EXACT)
    [step] = remedy.steps
    assert step.verb is Verb.FILE_EDIT
    assert (step.args["at"], step.args["value"]) == (KEY, "true")
    seen = look(step, tmp_path, "[nvidia-container-cli]\n#no-cgroups = false\n")
    assert "+no-cgroups = true" in seen.shows


@pytest.mark.parametrize(
    ("change", "services"),
    [
        (ROOTLESS, ROOTFUL),
        (ROOTLESS, {"state": "error"}),
        (ROOTLESS | {"programs": {"podman": {"path": "/usr/bin/podman", "version": "5.4.0"}}}, ALONE),
    ],
    ids=["rootful docker", "services unread", "podman"],
)
def test_the_remedy_is_a_persons_where_another_engine_may_suffer(
    change: dict[str, object], services: dict[str, object]
) -> None:
    finding = only(FAULT, docker_host(change, services=services))

    assert set(verbs(finding)) == {Verb.INSTRUCT}
