"""gpu-memory-cache-unbounded"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "gpu-memory-cache-unbounded"
SAID = (
    (
        "$ du -sh ~/.cupy/kernel_cache",
        "38G\t/home/alice/.cupy/kernel_cache",
        "# note: quota of the home folder is 50G",
    ),
    (
        "# note: ~/.triton/cache keeps growing with every run and nothing ever cleans it",
        "torch: 2.6",
    ),
    (
        "# note: 主目录被 kernel 缓存占满，~/.nv/ComputeCache 和 ~/.triton 一直增长",
        "Disk quota exceeded",
    ),
    (
        (
            "# compiled kernels are cached without limit; the image layer with "
            "/root/.cache/vllm/torch_compile_cache has become 12 GB"
        ),
        "container: docker",
    ),
    ("torchinductor_alice has millions of files in /tmp, df -i shows 100%",),
    (
        "$ docker history train:9 | head -2",
        "COPY /root/.cache/vllm  31.4GB",
        "# note: each build adds its compiled kernels, nobody prunes them",
    ),
    ("# note: 镜像越来越大，里面的 ~/.triton 编译缓存从不清理",),
)
OTHERS = (
    ("OSError: [Errno 28] No space left on device: '/home/alice/.cache/huggingface/hub/tmp1'",),
    ("# note: KV cache grows until CUDA out of memory",),
    (
        "triton cache hit rate 98%",
        "step 1 loss 2.0",
    ),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_as_a_risk(lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.kind is Kind.RISK


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_it_is_the_cause_of_a_full_disk() -> None:
    lines = (
        "OSError: [Errno 28] No space left on device: '/home/alice/.triton/cache/k1/k.cubin'",
        "# note: ~/.triton grows without limit, 60 GB by now",
    )

    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
