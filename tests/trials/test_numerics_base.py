"""Saved fingerprints: what is read, what is refused, what the comparison shows."""

import json
from io import StringIO
from pathlib import Path
from typing import Any

import msgspec
import pytest
from rich.console import Console

from codeblue.cli import numerics as verb
from codeblue.model.facts import NumericsBase
from codeblue.model.numerics.band import band
from codeblue.model.numerics.saved import SCHEMA
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import signatures
from codeblue.sources import numerics
from codeblue.sources.target import Unusable
from tests.conftest import recording
from tests.faults.fingerprints import CURVE, base, canary, device, machine
from tests.test_cli import Run


@pytest.fixture
def run(tmp_path: Path) -> Run:
    """codeblue with a private state directory."""
    return Run(tmp_path / "state")


def file(folder: Path, **changes: Any) -> str:
    """Return the path of a saved fingerprint with changed parts."""
    path = folder / "base.json"
    document = {"schema": SCHEMA, "time": "2026-12-01T10:00:00Z", "devices": {"0": device()}}
    path.write_text(json.dumps({**document, **changes}), encoding="utf-8")
    return str(path)


def read(path: str) -> NumericsBase:
    return numerics.read(path, signatures())


def refused(path: str) -> str:
    with pytest.raises(Unusable) as error:
        read(path)
    for lang in ("en", "zh"):
        told = error.value.line.say(lang)
        assert "\n" not in told and path in told
    return str(error.value)


def shown(snapshot: Snapshot, lang: str = "en", verbose: bool = False) -> str:
    against = verb.against(snapshot)
    assert against is not None
    page = StringIO()
    Console(file=page, width=300).print(against.table(lang, verbose, str))
    return page.getvalue()


def test_what_was_saved_is_read_again(tmp_path: Path) -> None:
    path = str(tmp_path / "base.json")

    verb.keep(machine(device()), path)
    known = read(path)

    assert known.devices["0"].operations["matmul/fp32"].digest == "d0"
    assert json.loads(Path(path).read_text(encoding="utf-8"))["schema"] == SCHEMA


def test_a_snapshot_is_a_base_too(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    path.write_bytes(msgspec.json.encode(machine(device())))

    assert set(read(str(path)).devices) == {"0"}


def test_a_device_that_came_to_nothing_does_not_spoil_the_others(tmp_path: Path) -> None:
    lost = {"error": "the worker was ended by signal 9"}

    assert set(read(file(tmp_path, devices={"0": device(), "1": lost})).devices) == {"0", "1"}


def broken(part: str, value: Any) -> dict[str, Any]:
    row = device()
    row[part] = value
    return {"0": row}


@pytest.mark.parametrize(
    ("changes", "says"),
    [
        ({"schema": "codeblue/numerics/2"}, "upgrade codeblue"),
        ({"schema": "codeblue/diagnosis/1"}, "neither a saved fingerprint nor a snapshot"),
        ({"devices": {}}, "no device with results"),
        ({"devices": {"0": {"error": "no"}}}, "no device with results"),
        ({"devices": []}, "Expected `object`"),
        ({"devices": broken("suite", 99)}, "save it again"),
        ({"devices": broken("operations", {"matmul/int3": {"digest": "x"}})}, "unknown type"),
        ({"devices": broken("operations", {"matmul/fp32": {"digest": "x", "changed": 0}})}, "relative_error"),
        ({"devices": broken("canary", {"losses": [1.0]})}, "canary"),
        ({"devices": broken("canary", {**canary(), "losses": [1.0]})}, "incomplete"),
        ({"devices": broken("flags", "no")}, "Expected `object`"),
    ],
)
def test_unusable_files_get_one_line(tmp_path: Path, changes: dict[str, Any], says: str) -> None:
    assert says in refused(file(tmp_path, **changes))


@pytest.mark.parametrize(
    "content", [b"", b"no", b"\xff\xfe", b'{"schema": 3}', b"[]", b'{"schema": "codeblue/num']
)
def test_other_files_get_one_line(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x"
    path.write_bytes(content)

    refused(str(path))


def test_a_snapshot_without_the_trial_gets_one_line(tmp_path: Path) -> None:
    path = tmp_path / "snapshot.json"
    path.write_bytes(msgspec.json.encode(recording("h200-healthy")))

    assert "numerics was not measured" in refused(str(path))


def test_the_command_refuses_before_it_measures(run: Run, tmp_path: Path) -> None:
    missing = str(tmp_path / "missing.json")

    run.refused("trial", "numerics", "--against", missing, says="No such file")
    run.refused("trial", "numerics", "--save", str(tmp_path), says="no file can be written there")
    run.refused("trial", "numerics", "--save", "/nowhere/base.json", says="no file can be written there")
    run.refused("trial", "numerics", "--against", "pid:x", says="pid:x")
    for option in ("--save", "--against"):
        assert "needs the trial numerics" in run("trial", "gpu", option, missing, code=2).stderr


def test_nothing_is_saved_of_a_trial_that_was_not_run(tmp_path: Path) -> None:
    path = tmp_path / "base.json"

    with pytest.raises(Unusable, match="numerics was not measured"):
        verb.keep(recording("h200-healthy"), str(path))

    assert not path.exists()


def test_equal_environments_are_equal_bit_for_bit() -> None:
    assert "gpu:0  the same, bit for bit (of 9 operations)" in shown(
        machine(device(), against=base(device()))
    )


def test_the_comparison_names_operations_and_reasons() -> None:
    here = device(
        flags={"cuda.matmul.allow_tf32": "True"},
        versions={"torch": "2.12.0"},
        matmul_fp32={"relative_error": 3e-4, "digest": "x"},
        sum_fp32={"digest": "x"},
    )
    snapshot = machine(here, against=base(device()))

    told = shown(snapshot)
    assert "computes differently: less exactly (1 less exact, 1 with other bits, of 9 operations)" in told
    assert "matmul/fp32 2.5e-07 → 3.0e-04" in told
    assert "because cuda.matmul.allow_tf32: False → True; torch: 2.11.0+cu130 → 2.12.0" in told
    assert "sum/fp32" not in told and "sum/fp32" in shown(snapshot, verbose=True)
    assert "原因：cuda.matmul.allow_tf32: False → True" in shown(snapshot, "zh")


def test_bits_that_vary_from_run_to_run_need_no_reason() -> None:
    here = device(convolution_backward_fp32={"digest": "x"})

    told = shown(machine(here, against=base(device())))

    assert "the same within rounding (1 with other bits, of 9 operations)" in told
    assert "because these operations vary from run to run" in told


def test_hostile_names_stay_text() -> None:
    there = device(variables={"CUBLAS_\x1b[31m[bold]X": "1"}, matmul_fp32={"digest": "y"})

    told = shown(machine(device(), against=base(there)))

    assert "\x1b" not in told and "[bold]X" in told


def test_the_band_holds_chance_and_excludes_no_numbers() -> None:
    row = machine(device()).machine
    assert row is not None
    usual = row.numerics_trial.devices["0"].canary

    assert not band(CURVE, usual).left
    assert band([-1.0, *CURVE[1:]], usual).left
    assert band([loss * 2 for loss in CURVE], usual).left


def test_a_gpu_is_compared_with_one_of_its_kind() -> None:
    there = base(device(versions={"gpu": "NVIDIA L40S"}, matmul_fp32={"digest": "l40s"}), device())

    against = verb.against(machine(device(), against=there))

    assert against is not None
    assert [(one.index, one.base_index, one.level.value) for one in against.found] == [("0", "1", "same")]
