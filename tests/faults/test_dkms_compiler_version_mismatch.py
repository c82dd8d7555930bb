"""dkms-compiler-version-mismatch"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


@pytest.mark.parametrize(
    "line",
    [
        "Compiler version check failed:",
        "does not match the compiler used here:",
        "cc: error: unrecognized command-line option ‘-ftrivial-auto-var-init=zero’",
        "gcc-11: error: unrecognized command-line option '-fmin-function-alignment=16'",
    ],
)
def test_fires_on_the_words_of_the_build(line: str) -> None:
    assert judge("dkms-compiler-version-mismatch", text("make[1]: Entering", line)).outcome is Outcome.FIRED


@pytest.mark.parametrize(
    "line",
    [
        "warning: the compiler differs from the one used to build the kernel",
        "  CC [M]  nv.o -ftrivial-auto-var-init=zero",
        "cc: error: unrecognized command-line option '-fno-such-thing'",
    ],
)
def test_clear_on_warnings_and_other_errors(line: str) -> None:
    assert judge("dkms-compiler-version-mismatch", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("dkms-compiler-version-mismatch", snapshot).outcome is Outcome.SKIPPED


SAID = (
    (
        "Building module:",
        "cc: error: unrecognized command-line option '-ftrivial-auto-var-init=zero'",
        (
            "make[3]: *** [scripts/Makefile.build:251: "
            "/var/lib/dkms/nvidia/535.129.03/build/nvidia/nv.o] Error 1"
        ),
        "os: Ubuntu 22.04",
        "kernel: 6.5.0-14-generic",
    ),
    (
        (
            "# note: nvidia dkms refuses to build: the running kernel was compiled with gcc "
            "11 and the system now has gcc 12"
        ),
        "os: Debian 12",
    ),
    ("# note: 安装 .run 驱动时报 gcc 版本和编译内核用的版本不一致，内核模块编译失败",),
)
NEAR = (
    "nvcc fatal: unsupported GNU version! gcc versions later than 12 are not supported!",
    "# note: building a PyTorch extension",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge("dkms-compiler-version-mismatch", text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge("dkms-compiler-version-mismatch", text(*NEAR)).outcome is not Outcome.FIRED
