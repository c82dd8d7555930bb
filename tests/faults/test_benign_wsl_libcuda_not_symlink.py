"""benign-wsl-libcuda-not-symlink"""

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "benign-wsl-libcuda-not-symlink"
TEXTS = (
    (Certainty.CERTAIN, ("/sbin/ldconfig.real: /usr/lib/wsl/lib/libcuda.so.1 is not a symbolic link",)),
    (
        Certainty.POSSIBLE,
        (("# note: WSL2, every apt install ends with: libcuda.so.1 is not a symbolic link"),),
    ),
    (Certainty.POSSIBLE, ("# note: 在 WSL 里跑 ldconfig 提示 libcuda.so.1 不是符号链接",)),
)
OTHERS = (
    ("ldconfig: /opt/lib/libfoo.so.1 is not a symbolic link",),
    (
        "# note: WSL2",
        ("OSError: libcuda.so: cannot open shared object file: No such file or directory"),
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_the_complaint_of_ldconfig(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty
    assert finding.kind is Kind.HARMLESS


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_libraries(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
