"""cache-on-network-filesystem"""

import pytest

from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "cache-on-network-filesystem"
TEXTS = (
    (
        Certainty.POSSIBLE,
        (
            (
                "Warning: The default cache directory for DeepSpeed Triton autotune, "
                "/home/alice/.triton/autotune, appears to be on an NFS system."
            ),
        ),
    ),
    (
        Certainty.LIKELY,
        (("OSError: [Errno 116] Stale file handle: '/home/alice/.triton/cache/3f/kernel.json'"),),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: home is on lustre, start-up hangs for minutes at a lock in the "
                "torch_extensions folder; a local directory helps"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 家目录在共享存储上，triton 编译缓存的锁导致启动很慢",)),
)
OTHERS = (
    ("# note: the NFS server is slow, reading the training images takes hours",),
    (
        "PermissionError: [Errno 13] Permission denied: '/home/alice/.triton/cache'",
        "# the home is on nfs",
    ),
    ("OSError: [Errno 116] Stale file handle: '/data/train/0001.tar'",),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_cache_on_a_network_file_system(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_caches(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
