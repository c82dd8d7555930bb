"""What holds for every combination, whatever the tables say."""

from collections.abc import Callable

from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import branch, parts
from codeblue.matrix.devices import device
from codeblue.matrix.judge import judge
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Answer, Judged, Verdict

FEW = settings(max_examples=100, deadline=None)
"""A judgement takes milliseconds: enough examples to find a slip, little enough to run each time."""

TORCH = tuple(
    f"{row['version']}{local}"
    for row in table("torch_releases")["rows"]
    for local in ("", "+cpu", *(f"+{variant}" for variant in row["variants"]))
)
DRIVERS = tuple(
    sorted(
        {release["v"] for row in table("drivers")["rows"] for release in row["releases"]}
        | {str(row["branch"]) for row in table("drivers")["rows"]},
        key=parts,
    )
)
GPUS = tuple(row["name"] for row in table("gpus")["rows"]) + tuple(
    row["cc"] for row in table("gpus")["capabilities"]
)
CUDAS = tuple(row["version"] for row in table("cuda_toolkits")["rows"])
GLIBCS = ("2.12", "2.17", "2.26", "2.27", "2.28", "2.31", "2.34", "2.35", "2.39", "2.41")


def one_of(values: tuple[str, ...]) -> st.SearchStrategy[Part]:
    """Return a strategy of parts with one of these values."""
    return st.sampled_from(values).map(lambda value: Part(value, "test"))


def maybe(values: tuple[str, ...]) -> st.SearchStrategy[Part | None]:
    """Return the same, or nothing."""
    return st.none() | one_of(values)


def companion(name: str) -> tuple[str, ...]:
    """Return all versions of a companion of torch."""
    return tuple(version for row in table("torch_releases")["rows"] for version in row[name])


KNOWN = st.builds(
    Combination,
    machine=maybe(("x86_64", "aarch64")),
    driver=maybe(DRIVERS),
    kernel_modules=maybe(("open", "proprietary")),
    gpus=st.lists(one_of(GPUS), max_size=3).map(tuple),
    python=maybe(("3.8", "3.9", "3.10.4", "3.11", "3.12", "3.13", "3.13t", "3.14")),
    glibc=maybe((*GLIBCS, "musl")),
    torch=maybe(TORCH),
    torchvision=maybe(companion("torchvision")),
    torchaudio=maybe(companion("torchaudio")),
    triton=maybe(("2.0.0", "2.1.0", "3.0.0", "3.3.1", "3.6.0")),
    cuda=maybe(CUDAS),
    cudnn=maybe(tuple(row["version"] for row in table("cudnn")["rows"])),
    nccl=maybe(tuple(row["version"] for row in table("nccl")["rows"])),
    tensorrt=maybe(tuple(row["version"] for row in table("tensorrt")["rows"])),
    compat=maybe(CUDAS),
    toolkit=maybe(("1.13.5", "1.17.7", "1.18.0")),
    require_cuda=maybe(("cuda>=11.8", "cuda>=12.6 brand=tesla,driver>=535,driver<536", "cuda>=13.0")),
)


PLAIN = st.builds(
    Combination,
    gpus=st.lists(one_of(GPUS), max_size=1).map(tuple),
    torch=maybe(TORCH),
    cuda=maybe(CUDAS),
    tensorrt=maybe(tuple(row["version"] for row in table("tensorrt")["rows"])),
)
"""Fewer parts, so that more combinations work."""


def refused(judged: Judged) -> set[tuple[str, str]]:
    """Return the rules that say no, each with the text that it says."""
    return {(one.rule, one.text.say("en")) for one in judged.said(Answer.NO)}


def lines_of(drivers: tuple[str, ...]) -> dict[int, list[str]]:
    """Return the releases of each branch, oldest first."""
    found: dict[int, list[str]] = {}
    for driver in drivers:
        if len(parts(driver)) > 1:
            found.setdefault(branch(driver), []).append(driver)
    return {number: releases for number, releases in found.items() if len(releases) > 1}


LINES = lines_of(DRIVERS)
"""Branches with more than one release."""

TWO_OF_A_LINE = st.sampled_from(sorted(LINES)).flatmap(
    lambda number: st.lists(st.sampled_from(LINES[number]), min_size=2, max_size=2, unique=True)
)


@FEW
@given(PLAIN, TWO_OF_A_LINE)
def test_a_newer_release_of_a_branch_turns_no_yes_into_a_no(asked: Combination, pair: list[str]) -> None:
    old, new = sorted(pair, key=parts)

    before = judge(replace(asked, driver=Part(old, "test")))
    after = judge(replace(asked, driver=Part(new, "test")))

    assume(before.verdict is not Verdict.INCOMPATIBLE)
    assert after.verdict is not Verdict.INCOMPATIBLE, refused(after)


@FEW
@given(PLAIN, st.lists(st.sampled_from(DRIVERS), min_size=2, max_size=2, unique_by=branch))
def test_a_newer_branch_says_no_only_for_gpus_that_it_dropped(asked: Combination, pair: list[str]) -> None:
    old, new = sorted(pair, key=parts)
    before = judge(replace(asked, driver=Part(old, "test")))
    after = judge(replace(asked, driver=Part(new, "test")))

    assume(before.verdict is not Verdict.INCOMPATIBLE)
    gpus = [device(part) for part in asked.gpus]
    dropped = any(gpu and gpu.last_branch and gpu.last_branch < branch(new) for gpu in gpus)
    assert after.verdict is not Verdict.INCOMPATIBLE or dropped, refused(after)


@FEW
@example(
    Combination(machine=Part("aarch64", ""), python=Part("3.8", ""), torch=Part("1.9.1", "")), "2.17", "2.17"
)
@given(KNOWN, st.sampled_from(GLIBCS), st.sampled_from(GLIBCS))
def test_a_newer_c_library_never_makes_it_worse(asked: Combination, one: str, other: str) -> None:
    old, new = sorted((one, other), key=parts)
    order = [Verdict.INCOMPATIBLE, Verdict.UNKNOWN, Verdict.COMPATIBLE]

    before = judge(replace(asked, glibc=Part(old, "test"))).verdict
    after = judge(replace(asked, glibc=Part(new, "test"))).verdict

    assert order.index(after) >= order.index(before)


@FEW
@given(KNOWN, one_of(GPUS))
def test_one_more_gpu_never_turns_a_no_into_anything_else(asked: Combination, gpu: Part) -> None:
    before = judge(asked)
    after = judge(replace(asked, gpus=(*asked.gpus, gpu)))

    assume(before.verdict is Verdict.INCOMPATIBLE)
    assert after.verdict is Verdict.INCOMPATIBLE, refused(before)


OPTIONAL = (
    "driver",
    "kernel_modules",
    "python",
    "glibc",
    "torchvision",
    "torchaudio",
    "triton",
    "cuda",
    "cudnn",
    "nccl",
    "tensorrt",
    "toolkit",
    "require_cuda",
)
"""Parts that only add questions. A processor, torch and cuda-compat answer some: they are left out."""


@FEW
@given(KNOWN, st.sampled_from(OPTIONAL))
def test_one_more_part_never_turns_a_no_into_anything_else(full: Combination, name: str) -> None:
    assume(getattr(full, name) is not None)
    before = judge(replace(full, **{name: None}))

    assume(before.verdict is Verdict.INCOMPATIBLE)
    assert judge(full).verdict is Verdict.INCOMPATIBLE, refused(before)


@FEW
@given(KNOWN, st.sampled_from(["Voodoo 2", "RTX 9999", "GeForce 910M", "9.9"]))
def test_a_gpu_that_no_table_knows_is_never_a_yes(asked: Combination, name: str) -> None:
    judged = judge(replace(asked, gpus=(*asked.gpus, Part(name, "test"))))

    assert judged.verdict is not Verdict.COMPATIBLE


@FEW
@given(KNOWN, st.sampled_from(["9.9.9", "2.5.0.dev20240705+cu121", "1.7.1", "2.6.0a0+df5bbc09d1.nv24.12"]))
def test_a_torch_that_no_table_knows_is_never_a_yes(asked: Combination, version: str) -> None:
    assert judge(replace(asked, torch=Part(version, "test"))).verdict is not Verdict.COMPATIBLE


def test_nothing_is_never_a_yes() -> None:
    assert judge(Combination()).verdict is Verdict.UNKNOWN


VERSIONS = st.from_regex(r"\d{1,4}(\.\d{1,5}){0,3}(\+[a-z]{1,6}\d{0,4})?", fullmatch=True)
ANY_VERSION = VERSIONS.map(lambda text: Part(text, "test"))
ANY_TEXT = st.text(max_size=40).map(lambda text: Part(text, "test"))
SPREADS: dict[str, Callable[[], st.SearchStrategy[Part | None]]] = {
    name: lambda: st.none() | ANY_VERSION
    for name in ("driver", "python", "cuda", "cudnn", "nccl", "tensorrt", "compat", "toolkit", "torch_cuda")
}
HOSTILE = st.builds(
    Combination,
    machine=st.none() | ANY_TEXT,
    kernel_modules=maybe(("open", "proprietary")),
    gpus=st.lists(ANY_TEXT | one_of(GPUS), max_size=3).map(tuple),
    glibc=st.none() | ANY_VERSION | one_of(("musl",)),
    torch=st.none() | ANY_VERSION | one_of(TORCH),
    targets=st.lists(st.text(max_size=12) | st.sampled_from(["sm_90", "compute_70"]), max_size=3).map(tuple),
    torchvision=st.none() | ANY_VERSION,
    torchaudio=st.none() | ANY_VERSION,
    triton=st.none() | ANY_VERSION,
    require_cuda=st.none() | ANY_TEXT | one_of(("cuda>=x", "driver>=,cuda", "arch>=7.x brand=")),
    extensions=st.lists(
        ANY_TEXT | one_of(("a-1+cu9torch9", "x-cu118torch2.", "-cu12torch27")), max_size=2
    ).map(tuple),
    **{name: make() for name, make in SPREADS.items()},
)
"""Any text where a name is asked for, any number where a version is."""


@settings(max_examples=150, deadline=None)
@given(HOSTILE)
def test_no_text_makes_the_judge_fail(asked: Combination) -> None:
    judged = judge(asked)

    assert all(one.text.say("en") and one.text.say("zh") for one in judged.judgements)
