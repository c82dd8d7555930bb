"""cuda-runtime-library-missing"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def test_fires_on_each_way_to_say_it() -> None:
    for line, subject in (
        (
            "ImportError: libcudart.so.12: cannot open shared object file: No such file or directory",
            "library:libcudart.so.12",
        ),
        (
            "./a: error while loading shared libraries: libcublasLt.so.11: cannot open shared object file",
            "library:libcublasLt.so.11",
        ),
        (
            "Failed to load library libp.so with error: libcufft.so.10: cannot open shared object file",
            "library:libcufft.so.10",
        ),
        ("[rank1]: OSError: libnccl.so.2: cannot open shared object file", "library:libnccl.so.2"),
    ):
        [finding] = judge("cuda-runtime-library-missing", text(line)).findings

        assert finding.subject == subject


def test_clear_on_lines_that_mean_something_else() -> None:
    for line in (
        "NCCL INFO dlerror=libnccl-net.so: cannot open shared object file",
        "W dlerror: libcudart.so.11.0: cannot open shared object file",
        "ImportError: libcudnn.so.9: cannot open shared object file",
        "ImportError: libcuda.so.1: cannot open shared object file",
    ):
        assert judge("cuda-runtime-library-missing", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("cuda-runtime-library-missing", snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "NCCL INFO NET/Plugin : dlerror=libnccl-net.so: cannot open shared object file",
            "# note: is it not installed?",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge("cuda-runtime-library-missing", text(*lines)).findings
