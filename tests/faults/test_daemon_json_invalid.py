"""daemon-json-invalid"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "daemon-json-invalid"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "dockerd[812]: unable to configure the Docker daemon with file "
                "/etc/docker/daemon.json: invalid character '}' looking for beginning of object "
                "key string"
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                "unable to configure the Docker daemon with file /etc/docker/daemon.json: the "
                "following directives are specified both as a flag and in the configuration file:"
                " hosts"
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                'time="x" level=fatal msg="cannot load config file /etc/docker/daemon.json: '
                'unexpected end of JSON input"'
            ),
            Certainty.LIKELY,
        ),
    ],
)
def test_fires_on_a_file_that_docker_rejects(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?"),
        "Wrote updated config to /etc/docker/daemon.json",
    ],
)
def test_clear_on_a_daemon_that_is_not_reachable(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
