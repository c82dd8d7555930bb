"""ptx-newer-than-driver"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


@pytest.mark.parametrize(
    "line",
    [
        "CUDA Runtime Error: the provided PTX was compiled with an unsupported toolchain. at kernel.cu:9",
        "numba: [222] Call to cuLinkAddData results in CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
        "ptxas application ptx input, line 9; fatal   : Unsupported .version 8.8; current version is '8.4'",
    ],
)
def test_fires_on_the_words_of_the_driver_and_of_ptxas(line: str) -> None:
    assert judge("ptx-newer-than-driver", text(line)).outcome is Outcome.FIRED


def test_clear_on_another_complaint_about_ptx() -> None:
    line = "RuntimeError: CUDA error: a PTX JIT compilation failed"

    assert judge("ptx-newer-than-driver", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("ptx-newer-than-driver", snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "RuntimeError: CUDA error: the provided PTX was compiled with an unsupported toolchain.",
        "driver: 525.85",
    ),
    (
        (
            "numba.cuda.cudadrv.driver.LinkerError: [222] Call to cuLinkAddData results in "
            "CUDA_ERROR_UNSUPPORTED_PTX_VERSION"
        ),
        ("ptxas application ptx input, line 9; fatal   : Unsupported .version 8.4; current version is '8.1'"),
        "driver: 530",
        "cuda: 12.4",
    ),
    (
        (
            "# note: custom kernel compiled with nvcc 12.6, driver supports 12.2: the "
            "provided PTX was compiled with an unsupported toolchain"
        ),
        "driver: 535",
        "cuda: 12.6",
    ),
)
NEAR = (
    "nvcc fatal   : Unsupported gpu architecture 'compute_120'",
    "# note: driver 570",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("ptx-newer-than-driver", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("ptx-newer-than-driver", text(*NEAR)).outcome is not Outcome.FIRED
