"""preload-library-path-wrong"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "preload-library-path-wrong"
SAID = (
    (
        (
            "ERROR: ld.so: object '/usr/local/vgpu/libvgpu.so' from LD_PRELOAD cannot be preloaded "
            "(cannot open shared object file): ignored."
        ),
    ),
    (
        (
            "ERROR: ld.so: object '/usr/local/vgpu/libvgpu.so' from /etc/ld.so.preload cannot be "
            "preloaded (cannot read file data): ignored."
        ),
        "# note: pod asks for nvidia.com/gpumem",
    ),
    ("# note: 镜像里 libvgpu.so 在 /libvgpu/build，LD_PRELOAD 写的路径不存在，启动时预加载出错",),
    (
        "export LD_PRELOAD=/opt/vgpu/libvgpu.so",
        "ls: cannot access '/opt/vgpu/libvgpu.so': No such file or directory",
        "# limits are not enforced",
    ),
)
OTHERS = (
    (
        (
            "ERROR: ld.so: object '/usr/lib/libtcmalloc.so.4' from LD_PRELOAD cannot be preloaded (cannot "
            "open shared object file): ignored."
        ),
    ),
    (
        (
            "nvidia-smi: symbol lookup error: /usr/local/vgpu/libvgpu.so: undefined symbol: _dl_sym, "
            "version GLIBC_PRIVATE"
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
