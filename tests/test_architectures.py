"""Which GPUs a build runs on."""

import pytest

from codeblue.knowledge import table
from codeblue.knowledge.architectures import needs_jit, runs, too_old

CU130 = ["sm_75", "sm_80", "sm_86", "sm_90", "sm_100", "sm_120"]


@pytest.mark.parametrize("capability", ["7.5", "8.0", "8.6", "8.9", "9.0", "10.0", "10.3", "12.0", "12.1"])
def test_machine_code_runs_on_the_same_major_and_a_minor_that_is_not_lower(capability: str) -> None:
    assert runs(capability, CU130)
    assert not needs_jit(capability, CU130)


@pytest.mark.parametrize(
    ("capability", "targets"),
    [
        ("8.0", ["sm_86"]),
        ("9.0", ["sm_80", "sm_86"]),
        ("12.0", ["sm_80", "sm_90", "sm_100"]),
        ("7.0", CU130),
        ("6.1", CU130),
    ],
)
def test_machine_code_runs_neither_on_a_lower_minor_nor_on_another_major(
    capability: str, targets: list[str]
) -> None:
    assert not runs(capability, targets)


@pytest.mark.parametrize("targets", [["sm_80"], ["sm_80", "sm_86", "sm_90"]])
def test_an_embedded_part_runs_only_its_own_machine_code(targets: list[str]) -> None:
    assert not runs("8.7", targets)
    assert runs("8.7", [*targets, "sm_87"])
    assert not runs("8.9", ["sm_87"])


def test_a_renamed_capability_is_the_same_gpu() -> None:
    assert runs("11.0", ["sm_101"])
    assert runs("10.1", ["sm_110"])
    assert not runs("11.0", ["sm_100"])


def test_ptx_runs_after_compilation_on_every_gpu_that_is_not_older() -> None:
    assert runs("12.0", ["sm_90", "compute_90"])
    assert needs_jit("12.0", ["sm_90", "compute_90"])
    assert not runs("8.6", ["compute_90"])


def test_nothing_is_compiled_where_machine_code_exists() -> None:
    assert not needs_jit("8.9", ["sm_86", "compute_80"])


def test_a_target_for_one_gpu_alone_promises_nothing_to_others() -> None:
    assert runs("9.0", ["sm_90a"])
    assert not runs("10.3", ["sm_100a"])
    assert runs("10.3", ["sm_100f"])
    assert not runs("10.0", ["compute_90a"])
    assert not runs("12.0", ["compute_100f"])
    assert runs("10.3", ["compute_100f"])


def test_a_gpu_older_than_every_target_is_too_old() -> None:
    assert too_old("6.1", CU130)
    assert not too_old("12.1", ["sm_80", "sm_90"])
    assert not too_old("7.0", ["sm_60", "sm_80"])


def test_targets_of_other_makers_say_nothing() -> None:
    assert not runs("9.0", ["gfx90a"])
    assert not too_old("9.0", ["gfx90a"])


def test_every_gpu_of_the_table_has_a_build_that_runs_on_it() -> None:
    newest = next(row for row in table("torch_releases")["rows"] if row["version"] == "2.14.1")
    targets = {f"sm_{sm}" for variant in newest["variants"].values() for sm in variant["sm"]}
    targets |= {f"sm_{sm}" for variant in newest["aarch64_variants"].values() for sm in variant["sm"]}

    without = {gpu["cc"] for gpu in table("gpus")["rows"] if not runs(gpu["cc"], targets)}

    # Kepler, which no build since 2.8 is made for, and Orin, whose builds are others.
    assert without <= {"3.0", "3.5", "3.7", "5.3", "6.2", "7.2", "8.7"}
