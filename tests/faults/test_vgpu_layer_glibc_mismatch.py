"""vgpu-layer-glibc-mismatch"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "vgpu-layer-glibc-mismatch"
SAID = (
    (
        (
            "nvidia-smi: symbol lookup error: /usr/local/vgpu/libvgpu.so: undefined symbol: _dl_sym, "
            "version GLIBC_PRIVATE"
        ),
    ),
    (
        (
            "python: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by "
            "/usr/local/vgpu/libvgpu.so)"
        ),
    ),
    ("[HAMI-core ERROR (pid:7 thread=140 libvgpu.c:85)]: real dlsym not found",),
    (
        "# note: hami 的库和 Ubuntu 22.04 镜像的 glibc 不兼容，容器起不来",
        "symbol lookup error",
    ),
    (
        (
            "# note: vgpu pods work with ubuntu 20.04 images, with 22.04 every program dies; the library "
            "wants a private glibc symbol"
        ),
        "container: HAMi 2.4",
    ),
)
OTHERS = (
    ("bash: symbol lookup error: /usr/local/vgpu/libvgpu.so: undefined symbol: cuMemAllocAsync",),
    (
        (
            "ImportError: /lib64/libc.so.6: version `GLIBC_2.28' not found (required by "
            "/opt/env/lib/libtorch.so)"
        ),
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
