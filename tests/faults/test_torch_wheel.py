"""Wheels of torch in remedies: the same set that ``matrix solve`` finds for the same facts."""

from typing import Any

import pytest
from msgspec import structs

from codeblue.knowledge.tables import by_key
from codeblue.knowledge.wheels import INDEX, local
from codeblue.matrix.from_snapshot import installed_in, machine_of
from codeblue.matrix.judge import judge as judged
from codeblue.matrix.solve.search import solve
from codeblue.model.finding import Finding
from codeblue.model.judgement import Verdict
from codeblue.model.remedy import Automation, Remedy, Undo, Verb
from codeblue.model.snapshot import Snapshot
from codeblue.model.solution import Solution
from tests.conftest import recording
from tests.faults.expecting import expecting
from tests.faults.remedies import asked, only, verbs

FRAMEWORKS = dict.fromkeys(("jax", "jaxlib", "cupy-cuda13x", "onnxruntime"), ...)
RELEASES = [version for version in by_key("torch_releases", "version") if version >= "2.5"]
DRIVERS = ("580.159.04", "570.133.20", "550.54.15", "525.60.13", "470.57.02")
GPUS = ("NVIDIA H200", "NVIDIA A100-SXM4-80GB", "NVIDIA GeForce RTX 5090", "Tesla V100-SXM2-32GB")
KEPT = frozenset(("driver", "compat", "python"))


def machine(version: str, module: str, gpu: str, built: str | None = None, **more: Any) -> Snapshot:
    """Return a machine with torch of this CUDA, driver and GPU; with companions only if ``more`` has them."""
    changes: dict[str, Any] = {
        "torch": {"version": version, "cuda": built},
        "driver": {"module_version": module},
        "nvml": {"gpus": {"0": {"name": gpu}}},
        "torch_trial": {"arch_list": []},
        "python": {"distributions": FRAMEWORKS | {"torchvision": ..., "torchaudio": ...}},
    }
    return recording("h200-healthy", **(changes | more))


def by_matrix(snapshot: Snapshot) -> Solution | None:
    """Return what ``matrix solve`` says of the same snapshot if only wheels may change."""
    have = installed_in(snapshot).over(structs.replace(machine_of(snapshot), kernel_modules=None))
    return next(iter(solve(have, (), KEPT, 1).best), None)


def requirements(remedy: Remedy) -> list[str]:
    """Return what the remedy installs."""
    return [step.args["requirement"] for step in remedy.steps if step.verb is Verb.PIP_INSTALL]


@pytest.mark.parametrize("gpu", GPUS)
@pytest.mark.parametrize("driver", DRIVERS)
def test_the_remedy_of_a_cpu_build_is_the_set_of_the_matrix(gpu: str, driver: str) -> None:
    for version in RELEASES:
        snapshot = machine(f"{version}+cpu", driver, gpu)
        found = by_matrix(snapshot)

        remedy = only("cpu-only-torch-build", snapshot).remedy

        assert remedy is not None
        assert requirements(remedy) == ([f"torch=={found.combination.torch.value}"] if found else [])  # type: ignore[union-attr] # a set that was asked for torch has one
        if found is None:
            assert remedy.automation is Automation.HUMAN
            continue
        assert remedy.automation is Automation.APPROVAL
        assert judged(found.combination).verdict is Verdict.COMPATIBLE


def test_the_index_is_that_of_the_build() -> None:
    finding = only("cpu-only-torch-build", machine("2.11.0+cpu", "550.54.15", GPUS[0]))

    args = asked(finding)[0][1]
    assert args["index"] == INDEX + local(args["requirement"]) == "https://download.pytorch.org/whl/cu128"


def test_companions_are_named_with_their_versions() -> None:
    beside = {"torchvision": {"version": "0.26.0+cpu"}, "torchaudio": {"version": "2.11.0+cpu"}}
    python = {"distributions": FRAMEWORKS | beside}

    remedy = only("cpu-only-torch-build", machine("2.11.0+cpu", "580.159.04", GPUS[0], python=python)).remedy

    assert remedy is not None
    assert requirements(remedy) == [
        "torch==2.11.0+cu130",
        "torchvision==0.26.0+cu130",
        "torchaudio==2.11.0+cu130",
    ]
    assert (remedy.automation, remedy.undo) == (Automation.APPROVAL, Undo.COMPENSATING)


def too_old(version: str, cuda: str, driver: str, has: int, gpu: str = GPUS[0], **more: Any) -> Finding:
    """Return what is found where torch does not run with the driver."""
    changes = {"cuda": {"driver_version": has}, "torch_trial": {"available": False, "arch_list": []}} | more
    return only("driver-too-old-for-cuda", machine(version, driver, gpu, cuda, **changes))


def test_another_index_comes_before_another_driver() -> None:
    finding = too_old("2.11.0+cu130", "13.0", "550.54.15", 12040)

    assert finding.remedy is not None
    assert requirements(finding.remedy) == ["torch==2.11.0+cu128"]
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.COMPENSATING)


@pytest.mark.parametrize(
    ("version", "driver", "gpu"),
    [
        ("2.11.0+cu130", "470.57.02", GPUS[0]),
        ("2.11.0a0+ecf3bae40a.nv25.1", "550.54.15", GPUS[0]),
    ],
    ids=["no build for the driver", "no official build"],
)
def test_where_no_wheel_helps_a_person_decides(version: str, driver: str, gpu: str) -> None:
    finding = too_old(version, "13.0", driver, 11040, gpu)

    assert verbs(finding) == [Verb.INSTRUCT]


def test_facts_that_were_not_read_leave_the_finding_as_it_is() -> None:
    for unread in ({"host": {"machine": ...}}, {"python": {"state": "error"}}):
        assert verbs(too_old("2.11.0+cu130", "13.0", "550.54.15", 12040, **unread)) == [Verb.INSTRUCT]


@pytest.mark.parametrize(
    ("rule", "requirement"),
    [
        ("2.10.*", "torch==2.10.0+cu130"),
        ("2.10", "torch==2.10.0+cu130"),
        ("2.10.0+cu128", "torch==2.10.0+cu128"),
        (">=2.12", "torch==2.15.0+cu132"),
    ],
)
def test_the_version_that_a_site_expects_is_named_after_the_choice(rule: str, requirement: str) -> None:
    wanted = expecting(torch=rule)
    snapshot = machine("2.11.0+cu130", "580.159.04", GPUS[0], "13.0", expectations=wanted)

    finding = only("torch-version-unexpected", snapshot)

    assert finding.remedy is not None
    assert verbs(finding) == [Verb.INSTRUCT, Verb.PIP_INSTALL]
    assert requirements(finding.remedy) == [requirement]
    assert finding.remedy.automation is Automation.HUMAN


def test_without_the_names_of_gpus_the_newest_build_for_the_driver_is_taken() -> None:
    finding = only("cpu-only-torch-build", machine("2.11.0+cpu", "550.54.15", "", nvml={"state": "error"}))

    assert finding.remedy is not None
    assert requirements(finding.remedy) == ["torch==2.11.0+cu128"]


def test_without_the_driver_the_build_of_the_standard_index_is_taken_and_the_doubt_said() -> None:
    unknown: dict[str, Any] = {"driver": {"state": "absent"}, "nvml": {"state": "error"}}

    finding = only("cpu-only-torch-build", machine("2.11.0+cpu", "", "", **unknown))

    assert finding.remedy is not None
    assert requirements(finding.remedy) == ["torch==2.11.0+cu130"]
    assert "check that the driver" in finding.remedy.steps[0].why.say("en")


def test_a_release_without_cuda_for_the_processor_gives_way_to_one_that_has_it() -> None:
    arm: dict[str, Any] = {"host": {"machine": "aarch64"}, "nvml": {"state": "error"}}

    finding = only("aarch64-pypi-wheel-is-cpu-only", machine("2.3.1", "580.159.04", "", **arm))

    assert finding.remedy is not None
    [requirement] = requirements(finding.remedy)
    assert requirement == "torch==2.15.0+cu132"
