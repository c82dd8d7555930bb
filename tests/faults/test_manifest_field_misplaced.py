"""manifest-field-misplaced"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "manifest-field-misplaced"
SHOWS = (
    ('Warning: unknown field "spec.template.spec.resources"',),
    (
        (
            'error: error validating "job.yaml": error validating data: ValidationError(Pod.spec): '
            'unknown field "limits" in io.k8s.api.core.v1.PodSpec'
        ),
    ),
    ("services.train additional properties 'gpus' not allowed",),
    ("# note: tolerations were indented one level too deep in the yaml, so they had no effect",),
    ("# note: yaml 缩进错了，resources 没生效",),
)
OTHERS = (
    ("Warning: resource pods/a is missing the annotation",),
    ("json: cannot unmarshal string into Go value",),
    (
        "IndentationError: unexpected indent",
        "# note: train.py fails",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_field_that_the_api_does_not_know(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_valid_manifests(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
