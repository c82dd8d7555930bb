"""ssh-session-loses-container-env"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "ssh-session-loses-container-env"
SHOWS = (
    ("# note: in docker exec nvcc is found, but when I ssh into the container PATH lacks cuda",),
    ("# note: 通过 ssh 登录容器后环境变量没有了，docker exec 进去正常",),
    (
        "$ ssh -p 2222 root@node env | grep CUDA",
        "# empty; the Dockerfile of the container sets ENV CUDA_HOME, missing in ssh",
    ),
    ("# note: VS Code remote-ssh to the pod: LD_LIBRARY_PATH is empty, kubectl exec has it",),
)
OTHERS = (
    (
        "root@node: Permission denied (publickey).",
        "# ssh into container fails, env not visible",
    ),
    ("bash: nvcc: command not found",),
    ("docker exec c env: CUDA_HOME missing",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_session_with_a_clean_environment(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_sessions_that_were_refused(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
