"""internal-port-variable-reused"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "internal-port-variable-reused"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            ("python -m vllm.entrypoints.openai.api_server --host 0.0.0.0 --port $VLLM_PORT --model m"),
            (
                "ERROR:    [Errno 98] error while attempting to bind on address ('0.0.0.0', "
                "9100): address already in use"
            ),
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: compose sets VLLM_PORT=8000 for the API, the server cannot bind, "
                "address already in use"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 环境变量 VLLM_PORT 被当作内部通信端口，启动报端口被占用",)),
)
OTHERS = (
    (
        (
            "RuntimeError: The server socket has failed to listen on any local network "
            "address. port: 29500, code: -98: address already in use"
        ),
        "MASTER_PORT=29500",
    ),
    (
        (
            "ValueError: VLLM_PORT 'tcp://10.96.0.12:8000' appears to be a URI. This may be "
            "caused by a Kubernetes service discovery issue"
        ),
    ),
    (
        "ERROR: [Errno 98] address already in use",
        "# an old server still listens on port 8000",
    ),
)
WITH_SYMPTOMS = (
    (
        "vllm serve m --port ${VLLM_PORT}",
        (
            "RuntimeError: The server socket has failed to listen on any local network "
            "address. port: 9100, useIpv6: false, code: -98, name: EADDRINUSE, message: "
            "address already in use"
        ),
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_port_that_blocks_itself(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_port_of_somebody_else(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
