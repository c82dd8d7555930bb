"""Who differs from the rest."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from benchmarks.synthetic import Sections, replies, run_of
from codeblue.cli.fleet.kept import opened
from codeblue.fleet import counting
from codeblue.fleet.oddities import oddities
from codeblue.fleet.store import Store
from codeblue.fleet.weights import compared, weight
from codeblue.model.oddities import OddFact, Oddities, OddKind
from codeblue.report.fleet import oddities as page
from codeblue.sources.site import Loaded
from codeblue.sources.target import Unusable
from tests.fleet.kept import edit, edit_row, keep, odd


def facts(found: Oddities) -> dict[str, tuple[OddFact, tuple[str, ...]]]:
    """Return the odd facts by path, with their nodes."""
    return {fact.path: (fact, row.nodes) for row in found.found for fact in row.facts}


def test_nodes_that_differ_only_by_their_names_and_moods_are_not_odd(tmp_path: Path) -> None:
    found = odd(tmp_path, 60)

    assert [(group.name, len(group.nodes)) for group in found.groups] == [("gpu: NVIDIA H200 × 1", 60)]
    assert found.found == ()


def test_another_driver_on_three_nodes_is_one_row(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        if number in (3, 4, 17):
            edit(sections, "driver", module_version="570.124.06")

    [row] = odd(tmp_path, 40, change).found

    assert row.nodes == ("gpu00004", "gpu00005", "gpu00018")
    [fact] = row.facts
    assert (fact.path, fact.kind, fact.value, fact.common) == (
        "driver.module_version",
        OddKind.DIFFERS,
        "570.124.06",
        "580.159.04",
    )
    assert fact.share == pytest.approx(37 / 40, abs=1e-3)


def test_what_matters_stands_above_what_is_rarer(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        if number < 6:
            edit_row(sections, "python", "distributions", "nvidia-nccl-cu13", version="2.20.5")
        if number == 20:
            edit(sections, "container", colour="blue")
        if number == 30:
            edit_row(sections, "limits", "limits", "core", soft=1)

    found = odd(tmp_path, 40, change)

    assert [row.facts[0].path for row in found.found] == [
        "python[nvidia-nccl-cu13].version",
        "limits[core].soft",
        "container.colour",
    ]


def test_a_missing_wheel_and_an_extra_variable(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        if number == 1:
            rows = {k: v for k, v in sections["python"]["distributions"].items() if k != "triton"}
            edit(sections, "python", distributions=rows)
        if number == 2:
            edit(sections, "environment", variables={"NCCL_DEBUG": "INFO"})

    found = facts(odd(tmp_path, 30, change))

    missing, nodes = found["python[triton].version"]
    assert (missing.kind, nodes, missing.value) == (OddKind.MISSING, ("gpu00002",), None)
    extra, nodes = found["environment[NCCL_DEBUG]"]
    assert (extra.kind, nodes, extra.value) == (OddKind.EXTRA, ("gpu00003",), "INFO")


def trial(speed: float) -> dict[str, Any]:
    """Return a section of the trial of compute speed."""
    product = {"size": 8192, "tflops": speed, "relative_error": 0.001}
    return {"state": "read", "passed_over": {}, "devices": {"0": {"products": {"bf16": product}}}}


def test_a_slow_gpu_is_odd_and_noise_is_not(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        speed = 700 + number % 7  # half a per cent of noise
        sections["gpu_trial"] = trial(580.0 if number == 12 else float(speed))

    found = odd(tmp_path, 50, change)

    [row] = found.found
    assert row.nodes == ("gpu00013",)
    [fact] = row.facts
    assert (fact.path, fact.kind) == ("gpu_trial[*].products[bf16].tflops", OddKind.OFF)
    assert (fact.value, fact.common) == ("580", "703")


def test_equal_numbers_do_not_make_the_last_digit_odd(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        sections["gpu_trial"] = trial(700.001 if number == 5 else 700.0)
        edit(sections, "host", memory_bytes=135_148_564_480 + (4096 if number == 6 else 0))

    assert odd(tmp_path, 50, change).found == ()


def test_half_the_memory_is_odd(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        edit(sections, "host", memory_bytes=(135_148_564_480 + number * 4096) // (2 if number == 6 else 1))
        if number == 9:
            del sections["host"]["memory_bytes"]

    [row] = odd(tmp_path, 50, change).found

    assert (row.nodes, [(fact.path, fact.kind) for fact in row.facts]) == (
        ("gpu00007",),
        [("host.memory_bytes", OddKind.OFF)],
    )


def test_a_node_that_has_lost_its_gpu_is_odd_among_its_peers(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        if number == 9:
            edit(sections, "nvml", count=0, gpus={})
            edit(sections, "driver", gpus={})
            edit(sections, "cuda", count=0, devices={})

    found = odd(tmp_path, 30, change)

    assert [len(group.nodes) for group in found.groups] == [30]
    assert {row.nodes for row in found.found} == {("gpu00010",)}


def test_two_halves_have_no_majority(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        if number % 2:
            edit(sections, "driver", module_version="570.124.06")

    fact, nodes = facts(odd(tmp_path, 30, change))["driver.module_version"]

    assert (fact.kind, len(nodes)) == (OddKind.SPLIT, 15)


def test_a_fact_with_a_value_of_its_own_on_every_node_is_a_name(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        edit(sections, "driver", serial=f"S{number}")

    assert odd(tmp_path, 30, change).found == ()


def test_too_few_nodes_are_not_compared(tmp_path: Path) -> None:
    found = odd(tmp_path, 3)

    assert (found.groups, found.found) == ((), ())
    assert found.alone == ("gpu00001", "gpu00002", "gpu00003")


def test_an_unread_section_is_one_fact_not_all_of_its_facts(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        if number == 4:
            sections["limits"] = {"state": "denied", "reason": "not today"}

    [row] = odd(tmp_path, 20, change).found

    assert [(fact.path, fact.value, fact.common) for fact in row.facts] == [
        ("limits.state", "denied", "read")
    ]


@pytest.mark.parametrize(
    "place",
    ["nvml.gpus.temperature", "nvml.gpus.uuid", "host.boot_id", "filesystems.filesystems.free", "x.reason"],
)
def test_what_differs_anyway_is_left_out(place: str) -> None:
    assert not compared(place)


def test_rules_weigh() -> None:
    driver, _ = weight("driver.module_version", "driver.module_version", ())
    shell, _ = weight("login.shell", "login.shell", ())
    found, faults = weight("nodes[/dev/nvidiactl].mode", "nodes.nodes.mode", ("device-node-permissions",))
    plain, none = weight("nodes[/dev/nvidiactl].mode", "nodes.nodes.mode", ("shm-too-small",))

    assert driver > shell
    assert (found > plain, faults, none) == (True, ("device-node-permissions",), ())


def test_the_page_says_it_in_both_languages_and_escapes(tmp_path: Path) -> None:
    def change(number: int, sections: Sections) -> None:
        if number == 1:
            edit(sections, "driver", module_version="\x1b[31m570")

    found = odd(tmp_path, 20, change)
    english = "\n".join(text for text, _ in page.lines(found, "en"))
    chinese = "\n".join(text for text, _ in page.lines(found, "zh"))
    document = json.loads(page.render(found, "en"))

    assert "gpu00002" in english and "most have 580.159.04" in english and "\x1b" not in english
    assert "多数为 580.159.04" in chinese
    [row] = document["oddities"]
    assert (row["nodes"], row["count"], row["facts"][0]["path"]) == ("gpu00002", 1, "driver.module_version")


def nothing_in_common(number: int, sections: Sections) -> None:
    """Give a node wheels and libraries that no other has, and one of them another driver."""
    wheels = sections["python"]["distributions"]
    edit(
        sections,
        "python",
        distributions={name: {**row, "version": f"1.{number}"} for name, row in wheels.items()},
    )
    found = sections["loader"]["libraries"]
    edit(
        sections,
        "loader",
        libraries={name: {**row, "path": f"/{number}/{name}"} for name, row in found.items()},
    )
    if number == 7:
        edit(sections, "driver", module_version="570.124.06")


def test_a_fleet_without_anything_in_common_is_compared_in_little_memory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(counting, "PART", 30_000)
    store = Store(tmp_path)
    run = keep(store, 200, nothing_in_common, different=True)
    database, [(_, nodes)] = opened(store, [run], Loaded())
    database.execute("set memory_limit = '56MB'")

    with closing(database):
        found = oddities(database, run, nodes).found

    assert [(row.nodes, [fact.path for fact in row.facts]) for row in found] == [
        (("gpu00008",), ["driver.module_version"])
    ]
    assert not list(tmp_path.rglob(".aside*"))


def test_a_comparison_that_does_not_fit_is_one_line(tmp_path: Path) -> None:
    run = run_of(60)
    store = Store(tmp_path)
    store.begin(run)
    list(store.add(run, replies(run, different=True)))
    database, [(_, nodes)] = opened(store, [run], Loaded())
    database.execute("set memory_limit = '3MB'")

    with pytest.raises(Unusable) as told:
        oddities(database, run, nodes)

    assert "too little in common" in str(told.value)
