"""The trial of numerics, run for real on the processor, with spoilt operations too."""

import json
import os
from pathlib import Path

import pytest

from codeblue import pipeline
from codeblue.cli import numerics
from codeblue.cli.trying import LIVE
from codeblue.diagnose.measures import measures
from codeblue.model.facts import NumericsTried
from codeblue.model.numerics.difference import Level
from codeblue.model.numerics.precision import FULL, SUITE, split, usable
from codeblue.model.snapshot import Snapshot, View
from codeblue.report.trial.rows import row
from codeblue.sources.launch import Options
from codeblue.sources.trial_text import worker
from tests.conftest import judge, thorough
from tests.test_cli import Run
from tests.trials.running import ROOT, changed_torch, needs_torch, torch_python, tried

pytestmark = needs_torch

SPOILT = """
module.set_float32_matmul_precision("medium")
module.backends.cudnn.benchmark = True
real = {"conv2d": module.nn.functional.conv2d, "softmax": module.softmax, "mm": module.mm}
gelu = module.nn.functional.gelu
def narrow(one):
    return one.to(module.bfloat16).to(one.dtype) if one.dtype == module.float32 else one
def conv2d(images, filters, **named):
    return real["conv2d"](narrow(images), narrow(filters), **named)
def softmax(values, **named):
    result = real["softmax"](values, **named)
    return result * (1 + 1e-7 * module.rand_like(result))
def mm(left, right):
    result = real["mm"](left, right)
    if result.dtype == module.float32:
        result[3, 5] += 30
    return result
module.nn.functional.conv2d, module.softmax, module.mm = conv2d, softmax, mm
def lost(values):
    return gelu(values) if values.dtype == module.float64 else gelu(values) * float("nan")
module.nn.functional.gelu = lost
"""
"""Flags set early; a convolution in bfloat16, a softmax with noise, a product with one wrong value, and an
activation that gives no numbers. The exact float64 results are left alone."""


def device(view: View) -> NumericsTried:
    return view.numerics_trial.devices["0"]


def snapshot(view: View) -> Snapshot:
    return Snapshot(target="local", views=[view])


@pytest.fixture(scope="module")
def healthy() -> View:
    return tried("numerics")


@pytest.fixture(scope="module")
def spoilt(tmp_path_factory: pytest.TempPathFactory) -> View:
    return tried("numerics", environment=changed_torch(tmp_path_factory.mktemp("hook"), SPOILT))


def test_every_operation_is_as_exact_as_its_type_and_repeats_its_bits(healthy: View) -> None:
    rows = usable(device(healthy))

    assert device(healthy).suite == SUITE
    assert {split(name)[0] for name in rows} >= {"matmul", "convolution", "layer-norm", "adamw"}
    for name, computed in rows.items():
        assert computed.relative_error <= FULL[split(name)[1]], name
        assert computed.changed == 0, name
        assert 0 < computed.peak < 40, name


def test_settings_are_told_as_the_interpreter_starts(healthy: View) -> None:
    assert device(healthy).flags["get_float32_matmul_precision"] == "highest"
    assert device(healthy).flags["cudnn.benchmark"] == "False"
    assert device(healthy).versions["torch"].startswith("2.")
    assert device(healthy).versions["cpu-capability"]


def test_the_training_follows_its_exact_twin(healthy: View) -> None:
    canary = device(healthy).canary

    assert canary.losses[0] > 1.2 and canary.losses[-1] < 0.9
    assert canary.losses == pytest.approx(canary.exact, rel=1e-5)
    assert canary.changed == 0 and len(canary.orders) == 4


def test_a_healthy_environment_gives_no_finding(healthy: View) -> None:
    numerics = ("operation", "results", "float32", "training", "environment", "numerics")
    diagnosis = pipeline.judge(snapshot(healthy))

    found = [*(cause.finding for cause in diagnosis.causes), *diagnosis.risks]
    assert not [one for one in found if one.fault.startswith(numerics)]


def test_measures_name_the_worst_of_each_family(healthy: View) -> None:
    rows = {one.key: one for one in measures(healthy)}

    assert rows["convolution-fp32-error"].value < 2e-6 < rows["convolution-bf16-error"].value
    assert rows["not-repeatable"].value == 0
    assert row(rows["training-loss"], "zh").note.startswith("随机波动范围")


@thorough
def test_flags_that_were_set_early_are_found(spoilt: View) -> None:
    verdict = judge("numerics-changed-by-environment", snapshot(spoilt))

    assert {finding.subject for finding in verdict.findings} == {
        "flag:get_float32_matmul_precision",
        "flag:cudnn.benchmark",
    }


@thorough
def test_a_convolution_in_bfloat16_is_found_once_no_flag_allows_it(spoilt: View) -> None:
    [finding] = judge("float32-precision-reduced", snapshot(spoilt)).findings

    assert "convolution/fp32" in str(finding.evidence)
    assert "bfloat16" in finding.summary.say("en")


@thorough
def test_noise_is_found(spoilt: View) -> None:
    [finding] = judge("results-not-repeatable", snapshot(spoilt)).findings

    assert "softmax/fp32" in finding.summary.say("en")


def test_one_wrong_value_is_found(spoilt: View) -> None:
    [finding] = judge("operation-results-wrong", snapshot(spoilt)).findings

    assert "matmul/fp32" in finding.summary.say("en")
    assert "elementwise/fp32" in finding.summary.say("en")
    assert "convolution" not in finding.summary.say("en")


@thorough
def test_a_training_without_numbers_is_found_and_explained(spoilt: View) -> None:
    assert set(device(spoilt).canary.losses) == {-1.0}
    assert judge("training-canary-diverged", snapshot(spoilt)).findings
    assert "training-canary-diverged" in [
        one.finding.fault for one in pipeline.judge(snapshot(spoilt)).consequences
    ]


@thorough
def test_earlier_trials_leave_no_trace(healthy: View) -> None:
    """The bits are those of a fresh interpreter, whatever ran before."""
    after = tried("gpu", "numerics")

    assert device(after).operations == device(healthy).operations
    assert device(after).flags == device(healthy).flags


def test_saved_compared_and_found_different(tmp_path: Path) -> None:
    run, base, python = Run(tmp_path / "state"), tmp_path / "base.json", f"python:{torch_python()}"
    trial = ("trial", "numerics", "--on", python)

    told = run(*trial, "--save", str(base), code=0).stdout
    assert "matrix product" in told

    hook = changed_torch(tmp_path, SPOILT)
    hook["PYTHONPATH"] += os.pathsep + os.environ.get("PYTHONPATH", "")
    arguments = (*trial, "--against", str(base), "--format", "json")
    document = json.loads(run(*arguments, code=1, **hook).stdout)

    [compared] = document["numerics_against"]["devices"]
    assert compared["verdict"] == "less-exact"
    assert compared["training_outside"] is True
    assert {"sort": "flag", "name": "cudnn.benchmark", "base": "False", "here": "True"} in compared["reasons"]
    grown = {one["name"]: one for one in compared["differences"]}["convolution/fp32"]
    assert grown["error"] > 1000 * grown["base_error"]
    assert "environment-computes-differently" in str(document["consequences"])


@thorough
def test_another_interpreter_is_measured_to_compare_with(healthy: View) -> None:
    wanted = {"trials": ["gpu", "numerics"], "small": True, "worker": worker()}
    look = Options(budget=200, salt="0" * 32, trials=wanted)

    known = numerics.base(f"python:{torch_python()}", look, LIVE)
    against = numerics.against(numerics.beside(snapshot(healthy), known))
    assert against is not None
    [compared] = against.found

    assert compared.level is Level.SAME
    assert compared.count == len(usable(device(healthy))) + len(device(healthy).streams)


def test_the_suite_has_one_number() -> None:
    """A fingerprint of other operations is refused, so both sides must agree on what they are."""
    text = (ROOT / "src" / "codeblue" / "trials" / "numerics.py").read_text(encoding="utf-8")

    assert f"\nSUITE = {SUITE}\n" in text
