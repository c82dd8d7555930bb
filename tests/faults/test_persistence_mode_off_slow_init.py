"""persistence-mode-off-slow-init"""

from typing import Any

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

OFF = {"gpus": {"0": {"persistence": False}}}


def judged(**changes: Any) -> Verdict:
    return judge("persistence-mode-off-slow-init", recording("h200-healthy", **({"nvml": OFF} | changes)))


def test_fires_as_a_risk_on_a_server_gpu() -> None:
    [finding] = judged().findings

    assert finding.kind is Kind.RISK
    assert finding.evidence[0].path == "nvml.gpus[0].persistence"


def test_clear_when_it_is_on_or_the_daemon_is_there() -> None:
    assert judged(nvml={}).outcome is Outcome.CLEAR
    for running in (True, False):  # installed and stopped is persistence-daemon-not-running
        daemon = {"services": {"nvidia-persistenced": {"running": running}}}
        assert judged(services=daemon).outcome is Outcome.CLEAR


def test_clear_on_a_desktop_an_unknown_gpu_and_in_a_container() -> None:
    for name in ("NVIDIA GeForce RTX 4090", "NVIDIA H9000"):
        assert judged(nvml={"gpus": {"0": {"persistence": False, "name": name}}}).outcome is Outcome.CLEAR
    container = {"state": "read", "engine": "docker", "injected": []}
    assert judged(container=container).outcome is Outcome.CLEAR


def test_claims_nothing_when_nvml_does_not_tell() -> None:
    verdict = judged(nvml={"gpus": {"0": {"persistence": ...}}})

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "gpu.persistence: not-attempted")


def test_fires_beside_a_lost_gpu() -> None:
    rows = {"0": {"persistence": False}, "1": {"handle": 15}}

    assert judged(nvml={"gpus": rows}).outcome is Outcome.FIRED


SAID = (
    (
        "nvidia-container-cli: initialization error: driver rpc error: timed out: unknown",
        "gpu: 8x A100",
    ),
    ("# note: 每次执行 nvidia-smi 都要等十几秒，Persistence-M 是 Off",),
    (
        (
            "# note: container start fails with a hook timeout, nvidia-smi needs 40 s on "
            "this server, fine with persistence mode on"
        ),
        "gpu: 10x RTX A6000",
    ),
)
NEAR = (
    "| GPU  Name        Persistence-M |",
    "|   0  NVIDIA A100        Off |",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("persistence-mode-off-slow-init", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("persistence-mode-off-slow-init", text(*NEAR)).outcome is not Outcome.FIRED


TOLD = (
    (
        "Persistence Mode                      : Disabled",
        "$ time nvidia-smi",
        "real    0m24.3s",
    ),
    ("# note: without persistence mode every docker run takes 30 seconds before cuda starts",),
    (
        "# note: nvidia-smi needs 15 s on this box; after nvidia-smi -pm 1 it is instant",
        "persistence mode was off",
    ),
    (
        "# note: 没开持久模式，每次启动任务初始化都要二十多秒",
        "Persistence mode: Disabled",
    ),
)
QUIET = (
    (
        "Persistence Mode                      : Enabled",
        "# note: step time is slow with 8 data loader workers",
    ),
    (
        "    Persistence Mode                      : Disabled",
        "RuntimeError: CUDA out of memory",
    ),
)


@pytest.mark.parametrize("lines", TOLD)
def test_fires_on_a_text_that_tells_of_slow_starts_without_persistence(lines: tuple[str, ...]) -> None:
    assert judge("persistence-mode-off-slow-init", text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", QUIET)
def test_clear_on_a_text_about_other_slowness_and_a_mode_that_is_on(lines: tuple[str, ...]) -> None:
    assert not judge("persistence-mode-off-slow-init", text(*lines)).findings


def test_a_text_that_complains_is_trouble_and_a_quiet_machine_a_risk() -> None:
    [told] = judge("persistence-mode-off-slow-init", text(*TOLD[0])).findings

    assert told.kind is Kind.TROUBLE


def test_fires_on_a_measured_start() -> None:
    words = text(
        "$ time docker run --rm --gpus all cuda nvidia-smi -L",
        "real\t0m52.010s",
        "    Persistence Mode : Disabled",
    )

    assert judge("persistence-mode-off-slow-init", words).outcome is Outcome.FIRED


def test_fires_on_a_table_and_a_measured_start() -> None:
    words = text(
        "$ time nvidia-smi",
        "real 0m19.9s",
        "|   0  Tesla V100-SXM2    Off  | 00000000:15:00.0 Off |",
        "Persistence-M",
    )

    assert judge("persistence-mode-off-slow-init", words).outcome is Outcome.FIRED


def test_clear_when_the_start_is_quick() -> None:
    words = text(
        "$ time nvidia-smi",
        "real\t0m0.412s",
        "    Persistence Mode : Disabled",
    )

    assert judge("persistence-mode-off-slow-init", words).outcome is not Outcome.FIRED
