"""stale-extension-build-cache"""

import pytest

from codeblue import pipeline
from codeblue.model.fault import Certainty
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "stale-extension-build-cache"
TEXTS = (
    (
        Certainty.LIKELY,
        (
            (
                "ImportError: /root/.cache/torch_extensions/py310_cu121/cpu_adam/cpu_adam.so: "
                "undefined symbol: _ZN3c106detail14torchCheckFailE"
            ),
        ),
    ),
    (
        Certainty.POSSIBLE,
        (
            (
                "# note: after upgrading torch the cached extension was still loaded and "
                "crashed; deleting torch_extensions fixed it"
            ),
        ),
    ),
    (Certainty.POSSIBLE, ("# note: 升级 pytorch 之后报错，清空 torch_extensions 编译缓存就好了",)),
)
OTHERS = (
    (
        (
            "ImportError: /opt/venv/lib/python3.10/site-packages/flash_attn_2_cuda.so: "
            "undefined symbol: _ZN3c104cuda9SetDeviceEi"
        ),
    ),
    ("# note: after upgrading torch, flash-attn fails with an undefined symbol",),
)
WITH_SYMPTOMS = (
    (
        (
            "ImportError: "
            "/root/.cache/torch_extensions/py310_cu121/fused_adam/fused_adam.so: undefined "
            "symbol: _ZN3c104cuda20CUDACachingAllocator9allocatorE"
        ),
    ),
)


@pytest.mark.parametrize(("certainty", "lines"), TEXTS)
def test_fires_on_a_cached_build_of_another_torch(certainty: Certainty, lines: tuple[str, ...]) -> None:
    [finding] = judge(FAULT, text(*lines)).findings

    assert finding.certainty is certainty


@pytest.mark.parametrize("lines", WITH_SYMPTOMS)
def test_fires_as_the_cause_of_its_symptoms(lines: tuple[str, ...]) -> None:
    diagnosis = pipeline.judge(text(*lines))

    assert diagnosis.causes[0].finding.fault == FAULT
    assert diagnosis.consequences


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_installed_extensions(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
