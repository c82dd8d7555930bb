"""``--facts``: what the user knows besides fills the same sections."""

from typing import Any

import msgspec
import pytest

from codeblue.model.section import united
from codeblue.sources import given

FILLED: tuple[tuple[dict[str, str], str, dict[str, Any]], ...] = (
    ({"gpu": "RTX 5090"}, "nvml", {"gpus": {"0": {"name": "NVIDIA GeForce RTX 5090"}}}),
    ({"gpu": "2x RTX 4090"}, "nvml", {"gpus": {str(n): {"name": "NVIDIA GeForce RTX 4090"} for n in (0, 1)}}),
    ({"os": "ubuntu 20.04 arm64"}, "host", {"distribution": "ubuntu", "machine": "aarch64"}),
    ({"os": "WSL2"}, "host", {"wsl": True}),
    ({"os": "nixos 25.05, kernel 6.13.4"}, "host", {"kernel": "6.13.4"}),
    ({"kernel": "6.5.2"}, "host", {"kernel": "6.5.2"}),
    ({"docker": "25.0.4"}, "engine", {"server_version": "25.0.4"}),
    ({"toolkit": "1.18.0"}, "engine", {"toolkit": {"nvidia-ctk": {"version": "1.18.0"}}}),
    ({"container": "rootless podman"}, "container", {"engine": "podman"}),
    ({"container": "none"}, "container", {"state": "absent"}),
    ({"cuda": "12.4 (driver)"}, "cuda", {"driver_version": 12040}),
)


@pytest.mark.parametrize(("facts", "section", "values"), FILLED)
def test_a_fact_fills_its_section(facts: dict[str, str], section: str, values: dict[str, Any]) -> None:
    found = msgspec.to_builtins(united(given.sections(facts, "facts.json")))[section]

    assert {name: found.get(name) for name in values} == values


@pytest.mark.parametrize(
    "facts",
    [
        {"cuda": "12.1"},
        {"cuda": "12.3 toolkit, 11.8 torch"},
        {"gpu": "some card"},
        {"container": "CUDA image"},
    ],
)
def test_a_value_that_may_mean_several_things_fills_nothing(facts: dict[str, str]) -> None:
    assert united(given.sections(facts, "facts.json")) == {}
