"""glibc-too-old-for-cuda-libs"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text


def test_fires_on_each_way_to_say_it() -> None:
    for line, subject in (
        (
            "/lib64/libm.so.6: version `GLIBC_2.29' not found (required by /env/torch/lib/libcufft.so.11)",
            "log",
        ),
        (
            "/lib64/libc.so.6: version `GLIBC_2.28' not found (required by /env/nccl/libnccl.so.2)",
            "log",
        ),
    ):
        [finding] = judge("glibc-too-old-for-cuda-libs", text(line)).findings

        assert finding.subject == subject


def test_clear_on_lines_that_mean_something_else() -> None:
    for line in (
        "node: /lib64/libc.so.6: version `GLIBC_2.28' not found (required by node)",
        "/lib64/libc.so.6: version `GLIBC_2.28' not found (required by /env/torch/lib/libtorch_cpu.so)",
        "/lib64/libstdc++.so.6: version `GLIBCXX_3.4.21' not found (required by /env/lib/libcufft.so.11)",
    ):
        assert judge("glibc-too-old-for-cuda-libs", text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge("glibc-too-old-for-cuda-libs", snapshot).outcome is Outcome.SKIPPED
