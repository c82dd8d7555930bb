"""wsl-driver-library-shadowed"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording

LINUX = "/usr/lib/x86_64-linux-gnu/libcuda.so.1"
LOADER = {
    "libraries": {"libcuda.so.1": {"path": LINUX, "real": LINUX}},
    "libcuda_copies": [LINUX, "/usr/lib/wsl/lib/libcuda.so.1"],
}
WSL = {"wsl": True}


def test_fires_when_a_linux_libcuda_comes_first_and_fails() -> None:
    snapshot = recording("h200-healthy", host=WSL, loader=LOADER, cuda={"init": 100})
    [finding] = judge("wsl-driver-library-shadowed", snapshot).findings

    assert finding.summary.values == {"path": LINUX, "mine": "/usr/lib/wsl/lib/libcuda.so.1"}


def test_clear_when_cuda_works_or_the_link_leads_to_the_right_file() -> None:
    link = {"libraries": {"libcuda.so.1": {"path": LINUX, "real": "/usr/lib/wsl/drivers/nv/libcuda.so.1.1"}}}
    for cuda, loader in ((0, LOADER), (100, LOADER | link)):
        snapshot = recording("h200-healthy", host=WSL, loader=loader, cuda={"init": cuda})

        assert judge("wsl-driver-library-shadowed", snapshot).outcome is Outcome.CLEAR


def test_clear_in_a_container_and_on_plain_linux() -> None:
    docker = {"state": "read", "engine": "docker", "injected": []}
    for change in ({"host": WSL, "container": docker}, {"host": {"wsl": False}}):
        snapshot = recording("h200-healthy", loader=LOADER, cuda={"init": 100}, **change)

        assert judge("wsl-driver-library-shadowed", snapshot).outcome is Outcome.CLEAR


def test_fires_less_surely_when_cuda_was_not_called() -> None:
    snapshot = recording("h200-healthy", host=WSL, loader=LOADER, cuda={"state": "timeout"})

    assert judge("wsl-driver-library-shadowed", snapshot).findings[0].certainty == "likely"


def test_claims_nothing_when_cuda_was_not_tried() -> None:
    snapshot = recording("h200-healthy", host=WSL, cuda={"state": "timeout"})

    assert judge("wsl-driver-library-shadowed", snapshot).reason == "cuda: timeout"
