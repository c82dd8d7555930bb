"""allocator-config-invalid"""

import pytest

from codeblue.model.finding import Outcome
from codeblue.model.remedy import Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

REFUSED = "RuntimeError: Unrecognized CachingAllocator option: speed"


def with_variable(name: str, **trial: object) -> Snapshot:
    return recording("h200-healthy", environment={"variables": {name: "speed:9"}}, torch_trial=trial)


def test_fires_when_the_trial_ends_with_the_refusal() -> None:
    snapshot = with_variable("PYTORCH_CUDA_ALLOC_CONF", error=REFUSED)

    [finding] = judge("allocator-config-invalid", snapshot).findings

    assert finding.subject == "env:PYTORCH_CUDA_ALLOC_CONF"
    assert [(e.path, e.value) for e in finding.evidence] == [
        ("environment[PYTORCH_CUDA_ALLOC_CONF]", "speed:9"),
        ("torch_trial.error", REFUSED),
    ]
    assert finding.remedy is not None
    assert finding.remedy.steps[0].verb is Verb.ENV_UNSET
    assert finding.remedy.steps[0].args == {"name": "PYTORCH_CUDA_ALLOC_CONF"}


def test_fires_when_the_first_tensor_is_refused() -> None:
    snapshot = with_variable("PYTORCH_ALLOC_CONF", devices={"0": {"ok": False, "error": REFUSED}})

    [finding] = judge("allocator-config-invalid", snapshot).findings

    assert finding.evidence[1].path == "torch_trial[0].error"


@pytest.mark.parametrize(
    "line",
    [
        REFUSED,
        "RuntimeError: Error parsing CachingAllocator settings, expected :",
        "ValueError: Unrecognized key 'speed' in Accelerator allocator config.",
        "ValueError: Expected 'True' or 'False' at index 2 in ConfigTokenizer but got 'yes'",
        "RuntimeError: CachingAllocator option max_split_size_mb too small, must be > 20",
        "RuntimeError: garbage_collect_threshold is invalid, set it in (0.0, 1.0)",
        "RuntimeError: Expected a single True/False argument for expandable_segments",
    ],
)
def test_fires_on_the_words_of_the_parser(line: str) -> None:
    assert judge("allocator-config-invalid", text(line)).outcome is Outcome.FIRED


def test_clear_when_the_setting_works_or_another_thing_failed() -> None:
    other = with_variable("PYTORCH_ALLOC_CONF", error="RuntimeError: CUDA error: unknown error")
    advice = "If reserved memory is large try setting PYTORCH_ALLOC_CONF=expandable_segments:True"

    assert judge("allocator-config-invalid", with_variable("PYTORCH_ALLOC_CONF")).outcome is Outcome.CLEAR
    assert judge("allocator-config-invalid", other).outcome is Outcome.CLEAR
    assert judge("allocator-config-invalid", recording("h200-healthy")).outcome is Outcome.CLEAR
    assert judge("allocator-config-invalid", text(advice)).outcome is not Outcome.FIRED


def test_claims_nothing_without_a_trial() -> None:
    snapshot = recording("h200-healthy", torch_trial={"state": "not-attempted"})

    assert judge("allocator-config-invalid", snapshot).outcome is Outcome.SKIPPED


CRASH = {"signal": "SIGSEGV", "unread": {"devices": "error"}, "devices": ..., "words": "Segmentation fault"}


def test_fires_when_torch_crashes_on_a_key_that_nobody_knows() -> None:
    [finding] = judge("allocator-config-invalid", with_variable("PYTORCH_CUDA_ALLOC_CONF", **CRASH)).findings

    assert finding.variant == "crash"
    assert finding.evidence[1].value == "SIGSEGV"


@pytest.mark.parametrize("value", ["max_split_size_mb:many", "expandable_segments:9", "a", "backend:fast"])
def test_fires_when_torch_crashes_on_a_value_that_cannot_be_parsed(value: str) -> None:
    variables = {"PYTORCH_ALLOC_CONF": f"expandable_segments:True,{value}"}

    snapshot = recording("h200-healthy", environment={"variables": variables}, torch_trial=CRASH)

    assert value in judge("allocator-config-invalid", snapshot).findings[0].summary.say("en")


@pytest.mark.parametrize(
    "value",
    [
        "expandable_segments:True,max_split_size_mb:64",
        "roundup_power2_divisions:[256:1,512:2,>:8]",
        "backend:native",
    ],
)
def test_clear_when_torch_crashes_under_settings_that_it_knows(value: str) -> None:
    snapshot = recording(
        "h200-healthy", environment={"variables": {"PYTORCH_ALLOC_CONF": value}}, torch_trial=CRASH
    )

    assert judge("allocator-config-invalid", snapshot).outcome is Outcome.CLEAR
