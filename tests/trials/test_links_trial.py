"""The trial of links where there are no links, and its picture for machines of many GPUs."""

from io import StringIO
from typing import Any

import pytest
from rich.console import Console

from codeblue.diagnose.measures import measures
from codeblue.model.snapshot import Snapshot, View
from codeblue.report.trial import links
from tests.conftest import recording
from tests.trials.running import needs_torch, tried

NVLINK = {"level": "node", "read": "ok", "nvlink": "ok"}
ACROSS = {"level": "system", "read": "ok", "nvlink": "not-supported"}


def machine(count: int, peer: dict[str, Any], pairs: dict[str, dict[str, Any]] | None = None) -> Snapshot:
    """Return a recording with so many H200, all joined alike, and what a trial measured between them."""
    slots = [f"0000:{16 + number:02x}:00.0" for number in range(count)]
    told = {"access": True, "wrong": {}, "gbs": 371.0, "both_gbs": 702.0, "latency_us": 2.1}
    keys = [(one, other) for one in range(count) for other in range(count) if one != other]
    found = {f"{one}-{other}": told | (pairs or {}).get(f"{one}-{other}", {}) for one, other in keys}
    switch = {"active": True, "remote": "0000:f0:00.0", "remote_kind": "switch"}
    names = {str(number): {"name": "NVIDIA H200", "pci": slot} for number, slot in enumerate(slots)}
    return recording(
        "h200-healthy",
        cuda={"devices": names},
        nvml={"gpus": {key: row | {"handle": 0} for key, row in names.items()}},
        pci={"functions": {slot: {"numa": number * 2 // count} for number, slot in enumerate(slots)}},
        network={
            "state": "read",
            "interfaces": {},
            "rdma": {
                "mlx5_0": {"ports": {"1": {"state": "active", "rate": "400 Gb/sec (4X NDR)"}}, "numa": 1}
            },
        },
        fabric={
            "state": "read",
            "gpus": {key: {"links": {str(n): switch for n in range(18)}} for key in names},
            "peers": {f"{one}-{other}": peer for one, other in keys if one < other},
        },
        links_trial={"state": "read", "passed_over": {}, "devices": {"0": {"pairs": found}}},
    )


def drawn(snapshot: Snapshot, lang: str = "en") -> list[str]:
    assert snapshot.machine is not None
    picture = links.picture(snapshot.machine, lang)
    assert picture is not None
    page = StringIO()
    Console(file=page, width=78, color_system=None).print(picture)
    return [line.rstrip() for line in page.getvalue().splitlines()]


def view(snapshot: Snapshot) -> View:
    assert snapshot.machine is not None
    return snapshot.machine


@needs_torch
def test_without_two_gpus_there_is_nothing_to_measure() -> None:
    seen = tried("links")
    row = seen.links_trial.devices["0"]

    assert (row.error, row.alone, row.pairs) == (None, True, {})
    assert links.picture(seen, "en") is None
    assert not [one for one in measures(seen) if one.trial == "links"]


def test_eight_gpus_fit_into_eighty_columns() -> None:
    page = drawn(machine(8, NVLINK, {"2-3": {"gbs": 150.0, "wrong": {"copy of 4096 bytes": 3}}}))

    assert page[0].split() == [f"gpu:{number}" for number in range(8)]
    assert page[1].split() == ["0", "-", *["NV18", "371"] * 7]
    assert "NV18 150!" in page[3]
    assert "NUMA 0: gpu 0, 1, 2, 3; NUMA 1: gpu 4, 5, 6, 7" in page
    assert page[-1] == "network mlx5_0: 400 Gb/sec (4X NDR) active, NUMA 1"
    assert max(map(len, page)) <= 78


def test_sixteen_gpus_are_drawn_in_two_parts() -> None:
    page = drawn(machine(16, NVLINK))

    assert page[0].split()[-1] == "gpu:7" and page[17].split()[-1] == "gpu:15"
    assert len(page[1].split()) == 16 and len(page[18].split()) == 17


def test_pairs_without_peer_access_are_marked() -> None:
    page = drawn(machine(2, ACROSS, {"0-1": {"access": False, "gbs": 9.8}}), "zh")

    assert page[1].split() == ["0", "-", "SYS", "9.8*"]
    assert any("绕行主内存" in line and "跨 CPU 插槽" in line for line in page)


def test_measures_are_compared_to_the_links_of_the_pair() -> None:
    found = {
        (one.subject, one.key): one for one in measures(view(machine(2, NVLINK))) if one.trial == "links"
    }

    assert found["gpu:0-gpu:1", "gbs"].ceiling == pytest.approx(450)
    assert found["gpu:0-gpu:1", "both-gbs"].ceiling == pytest.approx(900)
    assert ("gpu:1-gpu:0", "both-gbs") not in found
    assert found["gpu:1-gpu:0", "latency"].value == 2.1


def test_over_pcie_the_slot_is_the_ceiling() -> None:
    [one, *_] = [m for m in measures(view(machine(2, ACROSS))) if m.key == "gbs"]

    assert one.ceiling == pytest.approx(63, rel=0.01)
