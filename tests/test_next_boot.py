"""``check --next-boot``: the question, its answer, and that nobody hears of it unasked."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeblue.model.diagnosis import Overall, Return
from codeblue.model.fault import Certainty
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge
from codeblue.report import json_v1, markdown
from tests.conftest import recording
from tests.faults.next_boot import RUNNING, machine
from tests.test_cli import HEALTHY, Run, run  # noqa: F401 - a fixture

MISSING: dict[str, Any] = {"modules": [], "module_version": None, "module_signed": None}


def answer(snapshot: Snapshot) -> Return:
    then = judge(snapshot, next_boot=True).after_boot
    assert then is not None
    return then.answer


def test_a_machine_that_comes_back() -> None:
    diagnosis = judge(machine(), next_boot=True)

    assert diagnosis.after_boot is not None
    assert (diagnosis.verdict, diagnosis.after_boot.answer) == (Overall.HEALTHY, Return.YES)
    assert diagnosis.after_boot.findings == ()


def test_what_stops_it_is_told_there_and_not_among_the_risks() -> None:
    diagnosis = judge(machine(MISSING), next_boot=True)

    assert diagnosis.after_boot is not None
    assert [f.fault for f in diagnosis.after_boot.findings] == ["driver-module-missing-for-next-kernel"]
    assert (diagnosis.after_boot.answer, diagnosis.risks) == (Return.NO, ())


def test_unasked_nothing_is_said_of_the_next_boot() -> None:
    diagnosis = judge(machine(MISSING))

    assert (diagnosis.verdict, diagnosis.after_boot, diagnosis.risks) == (Overall.HEALTHY, None, ())
    assert not [one for one in diagnosis.skipped if "next_boot" in one.reason]


@pytest.mark.parametrize(
    ("snapshot", "expected"),
    [
        (machine(MISSING | {"enabled": ["dkms"]}), Return.UNKNOWN),
        (machine({"kernel": ...}), Return.UNKNOWN),
        (recording("h200-healthy"), Return.UNKNOWN),
        (
            recording("h200-healthy", next_boot={"state": "absent", "reason": "in a container"}),
            Return.UNKNOWN,
        ),
        (recording("no-gpu"), Return.YES),
    ],
    ids=["only possible", "kernel unread", "not recorded", "container", "no GPU"],
)
def test_the_answer_is_honest(snapshot: Snapshot, expected: Return) -> None:
    assert answer(snapshot) is expected


def test_what_could_not_be_looked_for_is_named() -> None:
    then = judge(machine({"module_signed": ...}, host={"secure_boot": True}), next_boot=True).after_boot

    assert then is not None
    assert [one.fault for one in then.skipped] == ["secure-boot-rejects-next-module"]


def test_an_old_image_explains_that_nouveau_holds_the_gpu() -> None:
    booted = {"kernel": RUNNING, "initramfs_time": 1.0, "initramfs_booted": True}
    held = {"functions": {"0000:00:06.0": {"driver": "nouveau"}}}

    diagnosis = judge(machine(booted, pci=held, driver={"state": "absent"}), next_boot=True)

    assert "initramfs-not-rebuilt" in [cause.finding.fault for cause in diagnosis.causes]
    assert "nouveau-owns-gpu" in [effect.finding.fault for effect in diagnosis.consequences]
    assert diagnosis.causes[0].finding.certainty is not Certainty.POSSIBLE


def test_for_a_container_its_host_is_asked() -> None:
    [inside] = recording("h200-healthy", next_boot={"state": "absent"}).views
    [around] = machine(MISSING).views
    sides = [
        msgspec.structs.replace(inside, side="container"),
        msgspec.structs.replace(around, side="host"),
    ]

    assert answer(Snapshot(views=sides)) is Return.NO


def test_every_report_tells_it() -> None:
    diagnosis = judge(machine(MISSING), next_boot=True)

    document = json_v1.document(diagnosis, "en")["after_boot"]
    page = markdown.render(diagnosis, "zh")

    assert (document["answer"], len(document["findings"]), document["skipped"]) == ("no", 1, ())
    assert document["findings"][0]["fix"]["steps"]
    assert "## 下次启动之后" in page and "driver-module-missing-for-next-kernel" in page


@pytest.mark.parametrize(
    ("next_boot", "code", "says"),
    [
        ({}, 0, "it will come back"),
        (MISSING, 1, "it will not come back"),
        ({"kernel": ...}, 3, "not decided"),
    ],
)
def test_the_exit_code_is_the_answer(
    next_boot: dict[str, Any],
    code: int,
    says: str,
    run: Run,  # noqa: F811
    tmp_path: Path,
) -> None:
    path = tmp_path / "node.json"
    path.write_bytes(msgspec.json.encode(machine(next_boot)))

    done = run("check", f"file:{path}", "--next-boot", code=code)

    assert "after the next boot" in done.stdout
    assert says in done.stdout
    assert "after the next boot" not in run("check", f"file:{path}", code=0).stdout


def test_a_recording_without_it_says_what_to_do(run: Run) -> None:  # noqa: F811
    assert "codeblue snapshot" in run("check", HEALTHY, "--next-boot", code=3).stdout


def test_only_the_question_makes_the_probe_look(run: Run) -> None:  # noqa: F811
    whole = json.loads(run("snapshot", code=0).stdout)
    asked = json.loads(run("check", "--fast", "--next-boot", "--format", "json").stdout)
    plain = json.loads(run("check", "--fast", "--format", "json").stdout)

    assert whole["views"][0]["next_boot"]["state"] in ("read", "absent")
    assert asked["after_boot"]["answer"] in ("yes", "unknown", "no")
    assert "after_boot" not in plain
