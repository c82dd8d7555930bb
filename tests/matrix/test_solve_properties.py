"""What must hold of every answer, on machines that nobody thought of."""

from typing import Any

from hypothesis import assume, given, settings
from hypothesis import strategies as st
from packaging.version import Version

from codeblue.knowledge.drivers import cuda_of
from codeblue.knowledge.tables import table
from codeblue.knowledge.versions import parts
from codeblue.matrix.builds import variants
from codeblue.matrix.cited import trusted
from codeblue.matrix.judge import judge
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Verdict
from codeblue.model.solution import Tier
from tests.matrix.machines import have, release_of, solved, value

DRIVERS = sorted({release["v"] for row in table("drivers")["rows"] for release in row["releases"]}, key=parts)
GPUS = [
    "P100",
    "V100",
    "T4",
    "A100",
    "RTX 3090",
    "RTX 4090",
    "L40S",
    "H100",
    "B200",
    "RTX 5090",
    "8.6",
    "12.0",
]
PYTHONS = ["3.8", "3.9", "3.10", "3.11", "3.12", "3.13", "3.14", "3.13t"]
ROWS = table("torch_releases")["rows"]
BUILDS = [
    (row["version"], name)
    for row in ROWS
    for name, found in row["variants"].items()
    if found["confidence"] != "low" and trusted(row, f"variants.{name}.sm")
]

gpus = st.lists(st.sampled_from(GPUS), max_size=2, unique=True)
drivers = st.sampled_from(DRIVERS)
pythons = st.none() | st.sampled_from(PYTHONS)
torches = st.none() | st.sampled_from([f"{version}+{name}" for version, name in BUILDS])
visions = st.none() | st.sampled_from(sorted({one for row in ROWS for one in row["torchvision"]}))
wanted = st.sampled_from(
    ["torch", "torch,torchvision", "torch>=2.4", "torch<2.9,torchaudio", "torch,tensorrt"]
)


def there(cards: list[str], driver: str, python: str | None, **more: str | None) -> Combination:
    """Return a combination; None leaves a part out."""
    known = {"driver": driver, "python": python, **more}
    return have(*cards, **{name: text for name, text in known.items() if text is not None})


@settings(max_examples=60, deadline=None)
@given(gpus, drivers, pythons, torches, visions, wanted)
def test_every_set_is_compatible_holds_what_is_wanted_and_tells_all_its_changes(
    cards: list[str], driver: str, python: str | None, torch: str | None, vision: str | None, want: str
) -> None:
    asked = there(cards, driver, python, torch=torch, torchvision=vision)
    found = solved(asked, want)
    assert bool(found.best) or bool(found.failed)
    for one in found.best:
        assert judge(one.combination).verdict is Verdict.COMPATIBLE
        assert one.combination.gpus == asked.gpus
        changed = {change.part for change in one.changes}
        for name in ("driver", "python", "torch", "torchvision", "torchaudio", "tensorrt", "compat"):
            if getattr(asked, name) != getattr(one.combination, name):
                assert name in changed
        assert ("driver" in changed) <= (one.tier is Tier.DRIVER)
        assert value(one, "torch") is not None
        if "<2.9" in want:
            assert release_of(one) < Version("2.9")


@settings(max_examples=40, deadline=None)
@given(gpus, drivers, pythons, torches, wanted, st.sets(st.sampled_from(["driver", "python", "torch"])))
def test_what_is_kept_stays(
    cards: list[str], driver: str, python: str | None, torch: str | None, want: str, keep: set[str]
) -> None:
    asked = there(cards, driver, python, torch=torch)
    for one in solved(asked, want, keep=",".join(sorted(keep))).best:
        for name in keep:
            if getattr(asked, name) is not None:
                assert getattr(one.combination, name) == getattr(asked, name)


@settings(max_examples=40, deadline=None)
@given(gpus, drivers, drivers, pythons)
def test_a_newer_driver_never_makes_the_best_set_older(
    cards: list[str], one: str, other: str, python: str | None
) -> None:
    older, newer = sorted((one, other), key=parts)
    found = solved(there(cards, older, python), "torch", best=1).best
    assume(found)
    then = solved(there(cards, newer, python), "torch", best=1).best
    assert then
    # An older driver that must go is replaced by one that may be newer than both.
    if found[0].tier < Tier.DRIVER:
        assert release_of(then[0]) >= release_of(found[0])


@settings(max_examples=40, deadline=None)
@given(gpus, drivers, pythons, torches)
def test_where_what_is_there_works_there_is_nothing_to_change(
    cards: list[str], driver: str, python: str | None, torch: str | None
) -> None:
    asked = there(cards, driver, python, torch=torch)
    assume(torch is not None)
    works = judge(asked).verdict is Verdict.COMPATIBLE
    found = solved(asked, "torch")
    unchanged = bool(found.best) and found.best[0].tier is Tier.NOTHING and not found.best[0].changes
    assert unchanged is works


@settings(max_examples=25, deadline=None)
@given(gpus, drivers, pythons)
def test_no_checked_build_that_works_is_newer(cards: list[str], driver: str, python: str | None) -> None:
    asked = there(cards, driver, python)
    working = [
        Version(version)
        for version, name in BUILDS
        if judge(asked.having({"torch": Part(f"{version}+{name}", "test")})).verdict is Verdict.COMPATIBLE
    ]
    best = solved(asked, "torch", best=1).best
    if working:
        assert best[0].tier is Tier.NOTHING
        assert release_of(best[0]) == max(working)
    else:
        assert not best or best[0].tier > Tier.NOTHING


@settings(max_examples=25, deadline=None)
@given(gpus, drivers, st.sampled_from(BUILDS))
def test_the_index_alone_is_changed_only_where_another_build_of_the_release_works(
    cards: list[str], driver: str, build: tuple[str, str]
) -> None:
    version, name = build
    asked = there(cards, driver, None, torch=f"{version}+{name}")
    assume(judge(asked).verdict is not Verdict.COMPATIBLE)
    row = next(row for row in ROWS if row["version"] == version)
    others = [
        other
        for other in variants(row, "x86_64")
        if (version, other) in BUILDS
        and judge(asked.having({"torch": Part(f"{version}+{other}", "test")})).verdict is Verdict.COMPATIBLE
    ]
    best = solved(asked, "torch").best
    assert (bool(best) and best[0].tier is Tier.INDEX) is bool(others)


@settings(max_examples=40, deadline=None)
@given(gpus, drivers, pythons, st.sampled_from(BUILDS), st.sampled_from(ROWS), st.booleans())
def test_where_the_wanted_build_of_the_release_works_only_the_index_changes(
    cards: list[str],
    driver: str,
    python: str | None,
    build: tuple[str, str],
    other: dict[str, Any],
    by_release: bool,
) -> None:
    version, name = build
    wanted = next((one for one in other["variants"] if (version, one) in BUILDS and one != name), None)
    assume(wanted is not None)
    asked = there(cards, driver, python, torch=f"{version}+{name}")
    works = judge(asked.having({"torch": Part(f"{version}+{wanted}", "test")})).verdict is Verdict.COMPATIBLE
    found = solved(asked, f"torch=={version}+{wanted}" if by_release else str(wanted), best=1).best
    assert (bool(found) and found[0].tier is Tier.INDEX) is works
    if works:
        assert [change.part for change in found[0].changes] == ["torch"]


def test_the_driver_that_is_proposed_is_maintained_where_one_is() -> None:
    for gpu in GPUS:
        found = solved(there([gpu], "418.39", None), "torch>=2.8", best=1).best
        if found and found[0].tier is Tier.DRIVER:
            driver = value(found[0], "driver")
            assert driver is not None
            assert cuda_of(driver) in {"13.0", "13.2", "13.4", "13.5"}
