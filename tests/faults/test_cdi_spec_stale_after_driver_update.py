"""cdi-spec-stale-after-driver-update"""

import pytest

from codeblue.faults.container.cdi_spec_stale_after_driver_update import generate
from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.plan import Refused
from codeblue.model.remedy import Automation, Undo, Verb
from codeblue.remedy.registry import ACTIONS
from tests.conftest import joined, judge, recording, text
from tests.faults.engines import ALL_GPUS, SPEC, VERSION, docker_host
from tests.faults.remedies import asked, only, verbs

FAULT = "cdi-spec-stale-after-driver-update"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "Error: crun: cannot stat `/usr/lib64/libnvidia-ml.so.550.54.14`: No such file or"
                " directory: OCI runtime attempted to invoke a command that was not found"
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                "runc create failed: unable to start container process: error during container "
                'init: error mounting "/usr/lib/x86_64-linux-gnu/libcuda.so.535.161.07" to rootfs'
                ' at "/usr/lib/x86_64-linux-gnu/libcuda.so.535.161.07": no such file or directory'
            ),
            Certainty.CERTAIN,
        ),
        (
            ("crun: cannot stat `/usr/lib/libnvidia-egl-wayland.so.1.1.13`: No such file or directory"),
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_on_a_driver_file_of_another_release(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        "crun: cannot stat `/data/model.bin`: No such file or directory",
        ("python: libcuda.so.1: cannot open shared object file: No such file or directory"),
    ],
)
def test_clear_on_another_missing_file(line: str) -> None:
    assert judge(FAULT, joined(docker_host(), text(line))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


OLD = "570.86.15"
STALE = {
    "kind": "nvidia.com/gpu",
    "driver_versions": [OLD],
    "missing": [f"/usr/lib/x86_64-linux-gnu/libcuda.so.{OLD}"],
}
FRESH = {"kind": "nvidia.com/gpu", "driver_versions": [VERSION], "missing": []}
PODMAN = {"podman": {"path": "/usr/bin/podman", "version": "5.4.0"}}


def test_fires_when_the_named_files_are_gone() -> None:
    [finding] = judge(FAULT, docker_host({"cdi_specs": {SPEC: STALE}})).findings

    assert (finding.kind, finding.subject) == (Kind.RISK, f"file:{SPEC}")
    assert (finding.summary.values["old"], finding.summary.values["version"]) == (OLD, VERSION)


def test_fires_as_trouble_when_podman_has_no_other_way_or_a_container_asked() -> None:
    specs = {"cdi_specs": {SPEC: STALE}}
    for snapshot in (docker_host(specs | {"programs": PODMAN}), docker_host(specs, ALL_GPUS)):
        assert judge(FAULT, snapshot).findings[0].kind is Kind.TROUBLE


@pytest.mark.parametrize(
    "specs",
    [
        {},
        {SPEC: FRESH},
        {SPEC: STALE | {"missing": []}},
        {SPEC: STALE | {"kind": "example.com/fpga"}},
        {SPEC: STALE, "/var/run/cdi/nvidia.yaml": FRESH},
    ],
    ids=["none", "fresh", "files are there", "other devices", "a fresh one goes before it"],
)
def test_clear_when_containers_get_files_that_exist(specs: dict[str, object]) -> None:
    assert judge(FAULT, docker_host({"cdi_specs": specs})).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_drivers_version_was_not_read() -> None:
    snapshot = docker_host({"cdi_specs": {SPEC: STALE}}, driver={"module_version": ...})

    assert judge(FAULT, snapshot).reason == "driver.module_version: not-attempted"


SAID = (
    (
        (
            "Error: crun: cannot stat `/usr/lib64/libEGL_nvidia.so.550.54.14`: No such file "
            "or directory: OCI runtime attempted to invoke a command that was not found"
        ),
        "container: podman",
    ),
    (
        (
            "# note: 升级驱动之后 podman 起不来容器，报 libcuda.so.535.104 No such file，"
            "重新 nvidia-ctk cdi generate 就好了"
        ),
    ),
    (
        (
            "# note: since the driver update podman stops with an error about a libnvidia "
            "file of the old version, /etc/cdi/nvidia.yaml was not regenerated"
        ),
        "container: podman",
        "driver: 555.58",
    ),
)
NEAR = (
    "Error: setting up CDI devices: unresolvable CDI devices nvidia.com/gpu=all",
    "# note: the driver was updated long ago",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


@pytest.mark.parametrize("path", [SPEC, "/var/run/cdi/nvidia.yaml", "/run/cdi/gpus.yml"])
def test_the_remedy_generates_the_very_file(path: str) -> None:
    finding = only(FAULT, docker_host({"cdi_specs": {path: STALE}}))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.EXACT)
    assert asked(finding) == [(Verb.CDI_GENERATE, {"path": path})]


def test_the_verb_takes_the_path() -> None:
    [step] = generate("/etc/cdi/../shadow.yaml").steps
    with pytest.raises(Refused, match="container engines read"):
        ACTIONS[step.verb].look(step.args)
    [step] = generate(SPEC).steps
    with pytest.raises(Refused, match="nvidia-ctk"):  # this machine has no container toolkit
        ACTIONS[step.verb].look(step.args)


def test_the_remedy_is_a_persons_for_a_file_of_another_kind() -> None:
    finding = only(FAULT, docker_host({"cdi_specs": {"/etc/cdi/nvidia.json": STALE}}))

    assert verbs(finding) == [Verb.INSTRUCT]
