"""vgpu-shared-cache-stale"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "vgpu-shared-cache-stale"
SAID = (
    (
        (
            "[HAMI-core ERROR (pid:77 thread=140 multiprocess_memory_limit.c:715)]: Fail to open shrreg "
            "/tmp/cudevshr.cache: errno=13"
        ),
        "Segmentation fault (core dumped)",
    ),
    (
        "# note: 容器里第二次运行报错，删除 /tmp/cudevshr.cache 之后恢复正常",
        "container: HAMi",
    ),
    ("unifield_lock locked, wait 1 second ...",),
    (
        (
            "# note: libvgpu.so fails in nvidia-smi until I remove the old cache file in /tmp that an "
            "earlier run had left"
        ),
        "container: vgpu",
    ),
    (
        "# the second process that uses the same CUDA_DEVICE_MEMORY_SHARED_CACHE sees stale numbers",
        "out of memory",
    ),
)
OTHERS = (
    (
        "[HAMI-core Msg(30:140:libvgpu.c:836)]: Initializing.....",
        "[HAMI-core Msg(30:140:libvgpu.c:855)]: Initialized",
    ),
    (
        "rm -rf ~/.triton/cache",
        "step 1",
    ),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
