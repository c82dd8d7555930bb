"""service-link-env-collides"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "service-link-env-collides"
SHOWS = (
    (
        (
            "ValueError: VLLM_PORT 'tcp://10.96.12.7:8000' appears to be a URI. This may be caused "
            "by a Kubernetes service discovery issue"
        ),
    ),
    ("ValueError: invalid literal for int() with base 10: 'tcp://10.43.0.9:6379'",),
    (
        "REDIS_PORT=tcp://10.96.0.9:6379",
        "# note: the pod crashes since we added a Service with the same name",
    ),
    ("# note: k8s 里 Service 名字叫 vllm，注入的环境变量和程序冲突",),
)
OTHERS = (
    ("ValueError: invalid literal for int() with base 10: '4.0'",),
    (
        "VLLM_PORT=8000",
        "# note: pod crashes with an error",
    ),
    ("init_method='tcp://10.0.0.1:23456'",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_an_address_where_a_number_is_due(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_other_bad_numbers(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
