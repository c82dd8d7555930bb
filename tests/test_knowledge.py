"""The knowledge tables and the questions rules ask of them."""

import pytest

from codeblue.knowledge.gpus import gpu_named, gpu_of_device
from codeblue.knowledge.versions import branch, cuda_text, older, parts


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("580.65.06", "580.159.04"),
        ("580.159.03", "580.159.04"),
        ("450.80.02", "525.60.13"),
        ("9.8", "10.1"),
        ("515.57", "515.57.1"),
        ("570.124.06-0ubuntu1", "570.133.20"),
    ],
)
def test_older_compares_numbers_part_by_part(one: str, other: str) -> None:
    assert older(one, other)
    assert not older(other, one)


@pytest.mark.parametrize(
    ("one", "other"), [("580.159.04", "580.159.04"), ("12.4", "12.4.0"), ("570.7", "570.07")]
)
def test_older_is_false_for_equal_versions(one: str, other: str) -> None:
    assert not older(one, other)
    assert not older(other, one)


def test_parts_stop_at_the_first_suffix() -> None:
    assert parts("2.11.0+cu130") == (2, 11, 0)
    assert parts("2.12.0rc1") == (2, 12, 0)


@pytest.mark.parametrize("text", ["", "N/A", "v12", "unknown"])
def test_a_text_without_a_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="not a version"):
        older(text, "580.1")


def test_branch_is_the_first_number() -> None:
    assert branch("580.159.04") == 580


@pytest.mark.parametrize(("number", "text"), [(13000, "13.0"), (12080, "12.8"), (11040, "11.4")])
def test_cuda_text_writes_the_number_that_the_driver_reports(number: int, text: str) -> None:
    assert cuda_text(number) == text


def test_a_gpu_is_found_by_name_by_alias_and_by_device() -> None:
    by_name, by_alias = gpu_named("NVIDIA GB200"), gpu_named("HGX GB200")

    assert by_name is not None and by_name["class"] == "superchip"
    assert by_alias is by_name
    assert gpu_of_device("2941") is by_name
    assert gpu_of_device("2e12") == gpu_named("NVIDIA GB10")


def test_an_unknown_gpu_is_none() -> None:
    assert gpu_named("NVIDIA H9000") is None
    assert gpu_of_device("ffff") is None
