"""container-started-without-nvidia-runtime"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text
from tests.faults.engines import ALL_GPUS, NO_GPU, docker_host
from tests.faults.remedies import asked, only, verbs

FAULT = "container-started-without-nvidia-runtime"
GONE = {"exists": False, "mode_after": None}
PATHS = ("/dev/nvidia0", "/dev/nvidiactl", "/dev/nvidia-uvm", "/dev/nvidia-uvm-tools")
WISH = {"NVIDIA_VISIBLE_DEVICES": "all"}


def container(libcuda: str | None = None, wish: dict[str, str] = WISH, **changes: Any) -> Snapshot:
    sections: dict[str, Any] = {
        "container": {"state": "read", "engine": "docker", "injected": []},
        "nodes": {"nodes": dict.fromkeys(PATHS, GONE)},
        "loader": {"libraries": {"libcuda.so.1": {"path": libcuda}}},
        "environment": {"variables": wish},
        "cuda": {"state": "absent"},
        "container_run": {"state": "absent"},
    }
    return recording("h200-healthy", **(sections | changes))


def test_fires_when_nothing_of_the_driver_came_in() -> None:
    [finding] = judge(FAULT, container()).findings

    assert (finding.subject, finding.certainty) == ("container:docker", Certainty.LIKELY)
    assert ("environment.variables[NVIDIA_VISIBLE_DEVICES]", "all") in [
        (e.path, e.value) for e in finding.evidence
    ]


def test_fires_in_spite_of_a_compat_library_of_the_image() -> None:
    assert judge(FAULT, container("/usr/local/cuda/compat/libcuda.so.1")).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    ("changes", "certainty"),
    [
        ({"wish": {}}, Certainty.LIKELY),
        ({"wish": {}, "torch": {"state": "absent"}}, Certainty.POSSIBLE),
        ({"pci": NO_GPU}, Certainty.POSSIBLE),
    ],
    ids=["CUDA build of torch", "nothing asks for a GPU", "machine without a GPU"],
)
def test_fires_no_louder_than_the_evidence(changes: dict[str, Any], certainty: Certainty) -> None:
    [finding] = judge(FAULT, container(**changes)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "snapshot",
    [
        container(container={"state": "absent"}),
        container(nodes={}),
        container("/usr/lib/x86_64-linux-gnu/libcuda.so.1"),
        container(container={"state": "read", "engine": "docker", "injected": ["/usr/bin/nvidia-smi"]}),
        container(wish={"NVIDIA_VISIBLE_DEVICES": "void"}),
        container(wish={}, pci=NO_GPU),
    ],
    ids=["host", "nodes", "libcuda", "injected", "left out on purpose", "plain container on a laptop"],
)
def test_clear_when_the_container_has_what_it_should(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_environment_was_not_read() -> None:
    verdict = judge(FAULT, container(environment={"state": "denied"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "environment: denied")


def test_fires_no_louder_without_the_loader_the_bus_or_torch() -> None:
    error = {"state": "error"}
    for snapshot in (container(loader=error), container(pci=error)):
        assert judge(FAULT, snapshot).findings[0].certainty is Certainty.POSSIBLE
    assert judge(FAULT, container(torch=error)).findings[0].certainty is Certainty.LIKELY


@pytest.mark.parametrize(("wish", "certainty"), [(WISH, Certainty.LIKELY), ({}, Certainty.POSSIBLE)])
def test_fires_on_the_host_when_the_container_was_created_without_gpus(
    wish: dict[str, str], certainty: Certainty
) -> None:
    [finding] = judge(FAULT, docker_host(run={"variables": wish})).findings

    assert (finding.variant, finding.certainty) == ("created-without-gpus", certainty)
    assert finding.summary.values == {"runtime": "runc"}


@pytest.mark.parametrize(
    "snapshot",
    [
        docker_host(),
        docker_host(run=ALL_GPUS),
        docker_host(run={"runtime": "nvidia"}),
        docker_host(run={"devices": ["/dev/nvidia0", "/dev/nvidiactl"]}),
        docker_host(run={"variables": {"NVIDIA_VISIBLE_DEVICES": "void"}}),
        docker_host(run={"variables": WISH}, pci=NO_GPU),
    ],
    ids=["no container named", "--gpus", "runtime nvidia", "devices", "left out on purpose", "no GPU"],
)
def test_clear_on_the_host_when_it_was_given_gpus(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


SAID = (
    (
        ('$ docker run --rm -it pytorch/pytorch python -c "import torch; print(torch.cuda.is_available())"'),
        "False",
    ),
    ("# note: 启动容器时忘了加 --gpus all，容器里找不到 nvidia-smi",),
    (
        "libcuda.so.1: cannot open shared object file: No such file or directory",
        "# note: works on the host; I started it with plain docker run and no gpu option",
    ),
)
NEAR = (
    "$ docker run --gpus all -it pytorch/pytorch",
    "RuntimeError: Found no NVIDIA driver on your system.",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


@pytest.mark.parametrize(
    ("engine", "flags"), [("docker", "--gpus all"), ("podman", "--device nvidia.com/gpu=all")]
)
def test_the_remedy_has_the_options_of_the_engine(engine: str, flags: str) -> None:
    finding = only(FAULT, container(container={"state": "read", "engine": engine, "injected": []}))

    assert asked(finding)[1:] == [(Verb.CONTAINER_FLAGS, {"flags": flags})]


def test_the_remedy_has_no_options_for_a_pod() -> None:
    pod = {"state": "read", "engine": "kubernetes", "injected": []}

    assert verbs(only(FAULT, container(container=pod))) == [Verb.INSTRUCT]
