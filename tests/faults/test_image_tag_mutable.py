"""image-tag-mutable"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "image-tag-mutable"
SHOWS = (
    (
        "image: reg.example.org/ml/train:latest",
        "# note: is it ok to pull this on every start? the review asked for a digest",
    ),
    (
        "FROM pytorch/pytorch:latest",
        "# note: last week the same Dockerfile gave torch 2.8, now it is another version; results changed",
    ),
    ("# note: someone pushed over the tag v2, now two nodes run different images under the same name",),
    ("# note: 同一个 tag 被重新推过，两台机器上的镜像 digest 不一样",),
    (
        "$ docker images --digests train",
        "train  stable  sha256:aa11",
        "# note: other node shows sha256:bb22 for train:stable",
    ),
)
OTHERS = (
    (
        "image: reg.example.org/ml/train@sha256:9a0c55",
        "imagePullPolicy: IfNotPresent",
    ),
    (
        'Failed to pull image "train:latest": manifest unknown',
        "# note: the image was never pushed",
    ),
    (
        "$ docker pull pytorch/pytorch:latest",
        "Status: Downloaded newer image",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_tags_that_move(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_pinned_images_and_pull_errors(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
