"""Sets of versions: least change, newest torch, what is pinned stays, and every answer is judged right."""

import pytest
from packaging.version import Version

from codeblue.matrix.solve.wishes import Unwishable, wishes
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Verdict
from codeblue.model.solution import Tier, Wish
from tests.matrix.machines import first, have, release_of, solved, value


@pytest.mark.parametrize(
    ("there", "want", "torch"),
    [
        (have("A100", "RTX 4090", driver="525", python="3.10"), "torch,torchvision", "2.14.1+cu126"),
        (have("H100", driver="535.129.03"), "torch==2.11.0,torchvision", "2.11.0+cu128"),
        (have("H100", driver="580.159.03", python="3.12"), "torch", "2.15.0+cu132"),
        (have("H100", driver="580.159.03", python="3.10"), "torch", "2.14.1+cu130"),
        (have("H100", driver="535.129.03"), "torch==2.7.1", "2.7.1+cu126"),
        (have("V100", driver="580.159.03", python="3.12"), "torch", "2.14.1+cu126"),
        (have("6.1", driver="470.256.02"), "torch", "2.7.1+cu118"),
        (have("RTX 5090", driver="570.211.01"), "torch", "2.11.0+cu128"),
        (have("RTX 5090", driver="570.211.01"), "torch<2.8", "2.7.1+cu128"),
        (have("A100", driver="450.248.02"), "torch", "2.7.1+cu118"),
        (have("A100", driver="580.159.03"), "torch>=2.8,<2.10", "2.9.1+cu128"),
        (have("A100", driver="580.159.03"), "torch<2.10,cu126", "2.9.1+cu126"),
        (have("A100", driver="580.159.03"), "torch==2.7.1+cu128", "2.7.1+cu128"),
        (have("A100", driver="580.159.03", glibc="2.17"), "torch", "2.6.0+cu124"),
        (have("GH200", driver="560.35.03", machine="aarch64"), "torch", "2.11.0+cu126"),
        (have("A100", driver="580.159.03", python="3.8"), "torch", "2.4.1+cu121"),
        (have(python="3.9"), "torch", "2.8.0+cu128"),
        (have(), "torch", "2.15.0+cu132"),
    ],
)
def test_what_is_missing_is_added_in_the_newest_version_that_works(
    there: Combination, want: str, torch: str
) -> None:
    found = first(there, want)
    assert found.tier is Tier.NOTHING
    assert value(found, "torch") == torch
    assert all(change.before is None for change in found.changes)


@pytest.mark.parametrize(
    ("there", "want", "tier", "expected"),
    [
        # The build for another CUDA is enough.
        (
            have("H100", driver="535.129.03", torch="2.11.0+cu130"),
            "",
            Tier.INDEX,
            {"torch": "2.11.0+cu128", "driver": "535.129.03"},
        ),
        (
            have("RTX 5090", driver="570.211.01", torch="2.7.1", torchvision="0.22.1"),
            "",
            Tier.INDEX,
            {"torch": "2.7.1+cu128", "torchvision": "0.22.1"},
        ),
        (
            have("H100", driver="580.159.03", torch="2.9.1+cpu", python="3.11"),
            "",
            Tier.INDEX,
            {"torch": "2.9.1+cu128"},
        ),
        # Only what belongs to torch is wrong.
        (
            have("H100", driver="580.159.03", torch="2.7.1", torchvision="0.21.0"),
            "",
            Tier.COMPANIONS,
            {"torch": "2.7.1", "torchvision": "0.22.1"},
        ),
        (
            have("A100", driver="580.159.03", torch="2.0.0", torchvision="0.15.0"),
            "",
            Tier.COMPANIONS,
            {"torch": "2.0.0", "torchvision": "0.15.1"},
        ),
        (
            have("H100", driver="580.159.03", torch="2.7.1", triton="3.2.0"),
            "",
            Tier.COMPANIONS,
            {"torch": "2.7.1", "triton": None},
        ),
        (
            have("H100", driver="580.159.03", torch="2.7.1", cudnn="8.9.7"),
            "",
            Tier.COMPANIONS,
            {"torch": "2.7.1", "cudnn": None},
        ),
        # The release has to go, its minor version may stay.
        (
            have("RTX 5090", driver="570.211.01", torch="2.6.0+cu124", torchvision="0.21.0+cu124"),
            "",
            Tier.TORCH,
            {"torch": "2.11.0+cu128", "torchvision": "0.26.0"},
        ),
        (
            have("H100", driver="580.159.03", torch="2.7.9", python="3.11"),
            "",
            Tier.TORCH,
            {"torch": "2.7.1+cu126", "python": "3.11"},
        ),
        (
            have("H100", driver="580.159.03", torch="2.7.1+cu128"),
            "cu126",
            Tier.INDEX,
            {"torch": "2.7.1+cu126", "driver": "580.159.03"},
        ),
        (
            have("H100", driver="580.159.03", torch="2.7.1+cu126", nvcc="12.8", torchvision="0.22.1"),
            "torch+cu128",
            Tier.INDEX,
            {"torch": "2.7.1+cu128", "torchvision": "0.22.1"},
        ),
        # A compiler never changes: torch follows it.
        (
            have("H100", driver="580.159.03", torch="2.9.1+cu128", nvcc="13.0"),
            "",
            Tier.INDEX,
            {"torch": "2.9.1+cu130"},
        ),
        (
            have("H100", driver="580.159.03", torch="2.7.1", torchvision="0.22.1"),
            "torch==2.9.0",
            Tier.TORCH,
            {"torch": "2.9.0+cu130", "torchvision": "0.24.0"},
        ),
        (
            have("RTX 5090", driver="570.211.01", torch="2.6.0", triton="3.2.0"),
            "",
            Tier.TORCH,
            {"torch": "2.11.0+cu128", "triton": None},
        ),
        # An interpreter without wheels.
        (
            have("H100", driver="580.159.03", python="3.8"),
            "torch>=2.8",
            Tier.PYTHON,
            {"torch": "2.15.0+cu132", "python": "3.11"},
        ),
        (
            have("H100", driver="580.159.03", python="3.14", torch="2.7.1"),
            "torch==2.7.1",
            Tier.PYTHON,
            {"torch": "2.7.1", "python": "3.13"},
        ),
        # cuda-compat, on a listed branch with a data-centre GPU.
        (
            have("A100", driver="470.256.02", torch="2.8.0+cu126"),
            "torch==2.8.0",
            Tier.COMPAT,
            {"torch": "2.8.0+cu126", "compat": "12.6", "driver": "470.256.02"},
        ),
        # Nothing but another driver helps.
        (
            have("RTX 3090", driver="470.256.02", torch="2.8.0+cu126"),
            "torch==2.8.0",
            Tier.DRIVER,
            {"torch": "2.8.0+cu126", "driver": "580.159.03", "compat": None},
        ),
        (
            have("H100", driver="470.256.02", python="3.10"),
            "torch",
            Tier.DRIVER,
            {"torch": "2.14.1+cu130", "driver": "580.159.03", "python": "3.10"},
        ),
        (have("V100", driver="595.71.05"), "torch", Tier.DRIVER, {"driver": "580.159.03"}),
        (
            have("RTX 5090", driver="580.159.03", kernel_modules="proprietary"),
            "torch",
            Tier.DRIVER,
            {"driver": "580.159.03", "kernel_modules": "open"},
        ),
    ],
)
def test_the_cheapest_change_that_helps_is_made_and_no_other(
    there: Combination, want: str, tier: Tier, expected: dict[str, str | None]
) -> None:
    found = first(there, want)
    assert found.tier is tier
    assert {name: value(found, name) for name in expected} == expected


def test_what_works_is_left_alone() -> None:
    for there in (
        have("H100", driver="580.159.03", torch="2.7.1+cu126", torchvision="0.22.1", python="3.11"),
        have("H100", driver="535.129.03", torch="2.5.1"),
        have("A100", driver="470.256.02", torch="2.7.1+cu118"),
        have(torch="2.8.0"),
    ):
        found = solved(there, "torch")
        assert [(one.tier, one.changes, one.combination) for one in found.best] == [(Tier.NOTHING, (), there)]


def test_every_tier_that_was_tried_says_why_it_holds_nothing() -> None:
    found = solved(have("RTX 4090", driver="535.129.03", python="3.11", torch="2.15.0"), "torch==2.15.0")
    assert [one.tier for one in found.failed] == [Tier.NOTHING, Tier.PYTHON, Tier.COMPAT]
    reasons = {one.tier: [reason.rule for reason in one.reasons] for one in found.failed}
    assert reasons == {
        Tier.NOTHING: ["driver-runs-cuda"],
        Tier.PYTHON: ["driver-runs-cuda"],
        Tier.COMPAT: [],
    }
    assert found.failed[0].text.say("en") == (
        "with driver 535.129.03, RTX 4090, python 3.11, torch==2.15.0 as it is, nothing works"
    )
    assert "525" not in found.failed[0].text.say("zh")
    assert [change.part for change in found.best[0].changes] == ["driver"]
    assert found.best[0].changes[0].administrator


def test_a_wish_that_what_is_there_does_not_meet_is_the_reason() -> None:
    found = solved(have("H100", driver="580.159.03", torch="2.7.1"), "torch==2.9.0")
    assert [one.rule for one in found.failed[0].reasons] == ["torch-is-wanted"]
    assert found.failed[0].reasons[0].text.say("en") == "2.7.1 is there, but torch==2.9.0 is wanted"


@pytest.mark.parametrize(
    ("there", "want", "keep"),
    [
        (have("RTX 3090", driver="470.256.02"), "torch>=2.8", "driver"),
        (have("H100", driver="580.159.03", python="3.8"), "torch>=2.8", "python"),
        (have("RTX 5090", driver="570.211.01", torch="2.6.0"), "", "torch"),
        (have("H100", driver="580.159.03", torch="2.7.1", torchvision="0.21.0"), "", "torch,torchvision"),
        (have("H100", driver="470.256.02"), "torch", "driver"),
        (have("RTX 4090", glibc="musl"), "torch", ""),
    ],
)
def test_where_everything_else_is_pinned_there_is_no_set(there: Combination, want: str, keep: str) -> None:
    found = solved(there, want, keep=keep)
    assert not found.best
    assert found.failed
    assert all(reason.text.say("zh") for one in found.failed for reason in one.reasons)


def test_a_kept_part_moves_the_change_elsewhere() -> None:
    moved = first(have("A100", driver="580.159.03", torch="2.7.1", torchvision="0.21.0"), keep="torchvision")
    assert (moved.tier, value(moved, "torch")) == (Tier.TORCH, "2.6.0+cu126")
    moved = first(have("H100", driver="535.129.03", torch="2.11.0+cu130"), keep="torch")
    assert (moved.tier, value(moved, "compat"), value(moved, "torch")) == (
        Tier.COMPAT,
        "13.0",
        "2.11.0+cu130",
    )


@pytest.mark.parametrize(
    ("want", "words", "nearest"),
    [
        ("torch==2.7.1+cu121", "no build with cu121", ["2.7.1+cu126", "2.5.1+cu121"]),
        ("torch==2.7.9", "no torch 2.7.9", ["2.7.1+cu126", "2.15.0+cu132"]),
        ("torch==2.15.0+cu134", "no table knows builds", ["2.15.0+cu132"]),
        ("cu999", "no checked build for torch+cu999", ["2.15.0+cu132"]),
        ("torch>=3", "no torch>=3", ["2.15.0+cu132"]),
        ("torch,torchvision==0.15.0", "withdrawn", ["2.0.1+cu118", "2.15.0+cu132"]),
        ("torch,torchvision==0.99", "no torchvision==0.99", ["2.15.0+cu132"]),
    ],
)
def test_a_wish_for_what_does_not_exist_is_named_with_the_nearest_sets(
    want: str, words: str, nearest: list[str]
) -> None:
    found = solved(have("H100", driver="580.159.03"), want)
    assert len(found.missing) == 1
    assert words in found.missing[0].text.say("en")
    assert [value(one, "torch") for one in found.best] == nearest


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("torch", [Wish("torch")]),
        ("torch, torchvision", [Wish("torch"), Wish("torchvision")]),
        ("torch>=2.8,<2.10,torchaudio", [Wish("torch", "<2.10,>=2.8"), Wish("torchaudio")]),
        ("Torch==2.7.1+cu126", [Wish("torch", "==2.7.1", "cu126")]),
        ("cu128,", [Wish("torch", variant="cu128")]),
        ("", []),
    ],
)
def test_wishes_are_read_as_pip_writes_them(text: str, expected: list[Wish]) -> None:
    assert list(wishes([text])) == expected


@pytest.mark.parametrize(
    "text", ["torhc", "jax", "torch==", "torch @ https://example.org/x.whl", "torch[opt]"]
)
def test_what_is_no_wish_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(Unwishable) as raised:
        wishes([text])
    for lang in ("en", "zh"):
        line = raised.value.line.say(lang)
        assert text.split("==", maxsplit=1)[0].split("[", maxsplit=1)[0] in line
        assert "\n" not in line


def test_an_unknown_name_is_answered_with_the_nearest() -> None:
    with pytest.raises(Unwishable, match="near are torchvision"):
        wishes(["torchvison"])


def test_further_sets_are_of_other_releases_older_ones_later() -> None:
    found = solved(have("H100", driver="580.159.03"), "torch", best=5)
    releases = [release_of(one) for one in found.best]
    assert len(releases) == 5
    assert releases == sorted(releases, reverse=True)
    assert len({one.release[:2] for one in releases}) == 5


def test_of_builds_of_one_release_those_with_a_known_defect_come_last() -> None:
    assert value(first(have("A100", driver="580.159.03"), "torch==2.10.0"), "torch") == "2.10.0+cu130"
    only = first(have("A100", driver="550.163.01"), "torch==2.10.0")
    assert value(only, "torch") == "2.10.0+cu128"
    assert any(one.rule == "known-bad-version" for one in only.judged.judgements)


def test_tensorrt_brings_the_cuda_major_of_torch() -> None:
    old = first(have("H100", driver="535.129.03"), "torch,tensorrt")
    new = first(have("H100", driver="580.159.03"), "torch,tensorrt")
    assert [str(value(one, "tensorrt")).partition("+")[2] for one in (old, new)] == ["cu12", "cu13"]
    alone = first(have("V100", driver="535.129.03"), "tensorrt")
    assert value(alone, "tensorrt") == "10.4.0+cu12"
    assert alone.combination.torch is None


def test_withdrawn_and_unchecked_builds_are_never_proposed() -> None:
    vision = {value(one, "torchvision") for one in solved(have(), "torch<2.1,torchvision", best=20).best}
    assert vision
    assert not vision & {"0.11.0", "0.15.0"}
    assert [value(one, "torch") for one in solved(have(), "torch==2.15.0", best=20).best] == ["2.15.0+cu132"]


def test_what_an_installed_build_says_of_itself_counts() -> None:
    there = have("H100", driver="535.129.03", torch="2.8.0a0+34c6371d24.nv25.8", torch_cuda="13.0")
    found = first(there, "torch")
    assert found.tier is Tier.TORCH
    assert value(found, "torch") == "2.8.0+cu128"
    assert found.combination.torch_cuda is None
    own = have("H100", driver="580.159.03", torch="2.8.0a0+34c6371d24.nv25.8", torch_cuda="13.0")
    kept = Combination(targets=("sm_90",)).over(own)
    assert first(kept, "torch").changes == ()


def test_extensions_are_made_again_for_another_torch() -> None:
    wheel = "flash_attn-2.7.4+cu12torch2.5cxx11abiFALSE-cp311-cp311-linux_x86_64.whl"
    there = have("H100", driver="580.159.03", torch="2.7.1")
    found = first(Combination(extensions=(Part(wheel, "requirements.txt"),)).over(there))
    assert found.tier is Tier.COMPANIONS
    assert value(found, "torch") == "2.7.1"
    assert found.combination.extensions == ()
    assert [change.part for change in found.changes] == ["extensions"]


def test_an_unknown_gpu_has_no_set_and_is_named() -> None:
    found = solved(have("RTX 9999", driver="580.159.03"), "torch")
    assert not found.best
    assert any("RTX 9999" in reason.text.say("en") for one in found.failed for reason in one.reasons)


def test_the_set_is_judged_as_it_is_told() -> None:
    found = first(have("A100", driver="525"), "torch,torchvision,torchaudio")
    assert found.judged.verdict is Verdict.COMPATIBLE
    assert found.judged.combination == found.combination
    assert Version("2.14.1") == release_of(found)


def test_wishes_that_exclude_each_other_are_named_together() -> None:
    found = solved(have(), "torch==2.7.1", "torch==2.6.0")
    assert [one.text.say("en") for one in found.missing] == [
        "nothing is all of torch==2.7.1, torch==2.6.0 at once; keep one of them"
    ]


@pytest.mark.parametrize(
    ("torch", "vision", "exact"), [("2.9.1", "0.24.1", False), ("2.11.0", "0.26.0", True)]
)
def test_on_arm_a_companion_is_asked_for_by_cuda_only_where_it_has_such_builds(
    torch: str, vision: str, exact: bool
) -> None:
    there = have("GH200", driver="580.95.05", machine="aarch64", torch=f"{torch}+cpu", torchvision=vision)
    packages = {one.name: one.exact for one in first(there).install.packages}
    assert packages == {"torch": True, "torchvision": exact}
