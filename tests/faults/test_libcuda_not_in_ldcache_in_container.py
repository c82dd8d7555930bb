"""libcuda-not-in-ldcache-in-container"""

from typing import Any

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from codeblue.model.snapshot import Snapshot
from tests.conftest import judge, recording, text

FAULT = "libcuda-not-in-ldcache-in-container"
COPY = "/opt/driver/lib/libcuda.so.1"


def container(*copies: str, path: str | None = None, **changes: Any) -> Snapshot:
    sections: dict[str, Any] = {
        "container": {"state": "read", "engine": "docker", "injected": []},
        "loader": {
            "libraries": {"libcuda.so.1": {"path": path}},
            "libcuda_copies": list(copies),
            "search_path": ["/opt/job/lib"],
        },
        "cuda": {"state": "absent"},
    }
    return recording("h200-healthy", **(sections | changes))


def test_fires_when_the_mounted_library_is_not_found() -> None:
    [finding] = judge(FAULT, container("/usr/local/cuda/lib64/stubs/libcuda.so", COPY)).findings

    assert finding.subject == "library:libcuda.so.1"
    assert COPY in finding.summary.say("en")
    assert finding.remedy and finding.remedy.steps[0].args == {
        "name": "LD_LIBRARY_PATH",
        "value": "/opt/driver/lib:/opt/job/lib",
    }


@pytest.mark.parametrize(
    "snapshot",
    [
        container(COPY, path=COPY),
        container(),
        container("/usr/local/cuda/lib64/stubs/libcuda.so", "/usr/local/cuda/compat/libcuda.so.1"),
        container(COPY, cuda={"init": 0}),
        container(COPY, container={"state": "absent"}),
    ],
    ids=["found", "none there", "stub and compat", "works", "host"],
)
def test_clear_when_the_loader_is_not_to_blame(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_copies_were_not_looked_for() -> None:
    unread = {"libraries": {"libcuda.so.1": {"path": None}}, "libcuda_copies": ...}

    assert judge(FAULT, container(loader=unread)).outcome is Outcome.SKIPPED


def test_fires_less_surely_when_cuda_was_not_called() -> None:
    [finding] = judge(FAULT, container(COPY, cuda={"state": "timeout"})).findings

    assert finding.certainty == "likely"


def test_clear_when_the_cache_has_it() -> None:
    words = text(
        "libcuda.so cannot found!",
        "$ ldconfig -p | grep libcuda",
        "libcuda.so.1 (libc6,x86-64) => /lib/x86_64-linux-gnu/libcuda.so.1",
        "container: docker",
    )

    assert judge("libcuda-not-in-ldcache-in-container", words).outcome is not Outcome.FIRED


def test_comes_first_before_the_plain_name() -> None:
    words = text(
        "dlopen: libcuda.so cannot found",
        "$ ldconfig -p | grep -c libcuda",
        "0",
        "container: podman",
    )

    assert pipeline.judge(words).causes[0].finding.fault == "libcuda-not-in-ldcache-in-container"
