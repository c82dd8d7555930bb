"""mirror-excludes-package"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "mirror-excludes-package"
SHOWS = (
    (
        "Looking in indexes: https://pypi.tuna.tsinghua.edu.cn/simple",
        ("ERROR: Could not find a version that satisfies the requirement tb-nightly (from versions: none)"),
    ),
    (
        "Looking in indexes: https://mirrors.aliyun.com/pypi/simple",
        "ERROR: No matching distribution found for tf-nightly",
    ),
    ("# note: 清华源不收录这个包，pip 找不到，换成官方源就好",),
    ("# note: the mirror excludes nightly packages, pip says no version",),
)
OTHERS = (
    (
        "Looking in links: https://download.pytorch.org/whl/torch_stable.html",
        "ERROR: No matching distribution found for torch==1.8.1+cu102",
    ),
    (
        "Looking in indexes: https://pypi.org/simple",
        "ERROR: No matching distribution found for tb-nightlyy",
    ),
    ("HTTP error 404 while getting https://mirrors.example.edu.cn/a.whl.metadata",),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_package_that_mirrors_leave_out(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_packages_that_do_not_fit(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
