"""Which official PyTorch build a machine can use."""

import pytest

from codeblue.knowledge.wheels import driver_runs, newest_variant, pypi_is_cpu_only, release


@pytest.mark.parametrize(
    ("driver", "cuda", "expected"),
    [
        ("580.159.04", "13.0", True),
        ("580.159.04", "12.6", True),
        ("580.159.04", "13.2", True),
        ("550.54.15", "12.8", True),
        ("550.54.15", "13.0", False),
        ("470.57.02", "12.1", False),
        ("999.1", "13.5", True),
    ],
)
def test_a_driver_runs_older_toolkits_and_newer_ones_of_its_major(
    driver: str, cuda: str, expected: bool
) -> None:
    assert driver_runs(driver, cuda) is expected


def test_the_newest_variant_that_driver_and_gpu_allow_is_chosen() -> None:
    assert newest_variant("2.11.0+cpu", "x86_64", "580.159.04", ["9.0"]) == "cu130"
    assert newest_variant("2.11.0", "x86_64", "550.54.15", ["9.0"]) == "cu128"
    assert newest_variant("2.11.0", "x86_64", "580.159.04", ["6.1"]) == "cu126"
    assert newest_variant("2.5.1", "x86_64", "580.159.04", ["12.0"]) is None
    assert newest_variant("2.11.0", "aarch64", "580.159.04", ["12.1"]) == "cu130"


def test_rebuilds_and_unchecked_variants_are_not_proposed() -> None:
    assert release("2.6.0a0+ecf3bae40a.nv25.1") is None
    assert newest_variant("2.6.0a0+ecf3bae40a.nv25.1", "x86_64", "580.159.04", []) is None
    assert newest_variant("2.15.0", "x86_64", "550.54.15", []) is None


def test_pypi_has_no_cuda_for_arm_before_2_11() -> None:
    assert pypi_is_cpu_only("2.9.1", "aarch64")
    assert not pypi_is_cpu_only("2.11.0", "aarch64")
    assert not pypi_is_cpu_only("2.9.1", "x86_64")
