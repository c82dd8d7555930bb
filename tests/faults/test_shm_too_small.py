"""shm-too-small"""

from typing import Any

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from tests.conftest import joined, judge, recording, text
from tests.faults.feeding import tried
from tests.faults.remedies import asked, only, verbs

FAULT = "shm-too-small"
MIB = 1 << 20
DOCKER = {"state": "read", "engine": "docker", "injected": []}
NO_ROOM = "unable to allocate shared memory(shm) for file </torch_7_1_0>: No space left on device (28)"


def shm(total: int, free: int | None = None) -> dict[str, Any]:
    row = {"total": total * MIB, "free": (total if free is None else free) * MIB}
    return {"filesystems": {"/dev/shm": row}}


@pytest.mark.parametrize("size", [4, 64])
def test_fires_with_certainty_when_a_worker_found_no_room(size: int) -> None:
    machine = recording("h200-healthy", filesystems=shm(size), container=DOCKER)

    [finding] = judge(FAULT, joined(machine, text(NO_ROOM))).findings

    assert (finding.subject, finding.kind) == ("filesystem:/dev/shm", Kind.TROUBLE)
    assert finding.certainty is Certainty.CERTAIN
    assert [e.value for e in finding.evidence] == [size * MIB, NO_ROOM]
    assert finding.remedy and finding.remedy.steps[0].verb is Verb.INSTRUCT


def test_fires_as_likely_when_not_even_one_batch_fits() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", filesystems=shm(4))).findings

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.LIKELY)
    assert finding.remedy and finding.remedy.steps[0].verb is Verb.SHM_RESIZE


def test_fires_as_a_risk_at_docker_s_default() -> None:
    [finding] = judge(FAULT, recording("h200-healthy", filesystems=shm(64))).findings

    assert finding.kind is Kind.RISK


@pytest.mark.parametrize(("words", "kind"), [((), Kind.RISK), ((NO_ROOM,), Kind.TROUBLE)])
def test_fires_as_full_when_the_place_is_taken(words: tuple[str, ...], kind: Kind) -> None:
    machine = recording("h200-healthy", filesystems=shm(8192, 100))

    [finding] = judge(FAULT, joined(machine, text(*words))).findings

    assert (finding.variant, finding.kind) == ("full", kind)


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (NO_ROOM, Certainty.CERTAIN),
        (
            "unable to resize file </torch_7_1> to the right size: No space left on device (28)",
            Certainty.CERTAIN,
        ),
        ("OSError: [Errno 28] No space left on device: '/dev/shm/joblib_1'", Certainty.CERTAIN),
        ("cp: error writing '/dev/shm/x': No space left on device", Certainty.CERTAIN),
        (
            "h:1:2 [0] include/shm.h:28 NCCL WARN Call to posix_fallocate failed : No space left on device",
            Certainty.CERTAIN,
        ),
        ("NCCL WARN Error: failed to extend /dev/shm/nccl-a1B2 to 9637892 bytes", Certainty.CERTAIN),
        ("NCCL WARN Error while creating shared memory segment nccl-shm-recv-1 (size 8)", Certainty.LIKELY),
        ("ERROR: Unexpected bus error encountered in worker.", Certainty.LIKELY),
        ("RuntimeError: DataLoader worker (pid 9) is killed by signal: Bus error.", Certainty.LIKELY),
    ],
)
def test_fires_on_what_programs_say(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "sections",
    [
        {},
        {"filesystems": shm(65)},
        {"filesystems": shm(8192, 4096)},
        {"filesystems": shm(0)},
        {"filesystems": shm(64), "torch": {"state": "absent"}},
    ],
    ids=["healthy", "more than the default", "half full", "without a bound", "no torch"],
)
def test_clear_when_there_is_room(sections: dict[str, Any]) -> None:
    assert judge(FAULT, recording("h200-healthy", **sections)).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "line",
    [
        "OSError: [Errno 28] No space left on device: '/scratch/checkpoint.pt'",
        "It is possible that dataloader's workers are out of shared memory.",
        "RuntimeError: DataLoader worker (pid 9) is killed by signal: Killed.",
    ],
)
def test_clear_on_other_words(line: str) -> None:
    assert judge(FAULT, text(line)).findings == ()


def test_claims_nothing_when_the_size_was_not_read() -> None:
    unread = {"filesystems": {"/dev/shm": {"total": ...}}}

    assert judge(FAULT, recording("h200-healthy", filesystems=unread)).outcome is Outcome.SKIPPED


def test_fires_as_a_risk_when_no_text_was_read() -> None:
    machine = recording("h200-healthy", filesystems=shm(64), sightings={"state": "not-attempted"})

    assert judge(FAULT, machine).findings[0].kind is Kind.RISK


SAID = (
    (
        "# note: Pod 里 /dev/shm 只有 64M，多卡 NCCL 报 No space left on device",
        "k8s: 1.27",
    ),
    (
        "Bus error (core dumped)",
        "# note: docker without --shm-size, num_workers=8",
    ),
    (
        "# note: DataLoader 的 worker 报 Bus error，docker 默认共享内存 64M",
        "container: docker",
    ),
)
NEAR = (
    "RuntimeError: DataLoader worker (pid 4711) is killed by signal: Killed.",
    "# note: container with 8 GB",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


def test_the_remedy_of_a_container_has_the_option() -> None:
    finding = only(FAULT, recording("h200-healthy", filesystems=shm(64), container=DOCKER))

    assert asked(finding)[1] == (Verb.CONTAINER_FLAGS, {"flags": "--shm-size=8g"})


def test_the_remedy_of_a_pod_has_none() -> None:
    pod = DOCKER | {"engine": "kubernetes"}

    assert verbs(only(FAULT, recording("h200-healthy", filesystems=shm(64), container=pod))) == [
        Verb.INSTRUCT
    ]


def test_clear_when_a_dataloader_died_where_there_was_plenty_of_room() -> None:
    words = "RuntimeError: DataLoader worker (pid 9) is killed by signal: Bus error."

    assert judge(FAULT, tried(feeds={"8": {"error": words}})).outcome is Outcome.CLEAR


@pytest.mark.parametrize(("size", "certainty"), [(64, Certainty.CERTAIN), (512, Certainty.LIKELY)])
def test_fires_when_a_dataloader_of_the_trial_found_no_room(size: int, certainty: Certainty) -> None:
    words = "RuntimeError: DataLoader worker (pid 9) is killed by signal: Bus error."
    machine = tried(feeds={"8": {"error": words}}, filesystems=shm(size))

    [finding] = judge(FAULT, machine).findings
    diagnosis = pipeline.judge(machine)

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, certainty)
    assert diagnosis.causes[0].finding.fault == FAULT
    assert "data-loader-fails" in diagnosis.causes[0].others
