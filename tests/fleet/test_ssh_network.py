"""Networks that fail under OpenSSH: pulled cables, swallowed packets, no route, jump hosts that are gone."""

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import thorough
from tests.fleet.network import Network, lacking
from tests.fleet.private import interpreter, script, states, until, whys, words

pytestmark = [pytest.mark.root, pytest.mark.skipif(bool(lacking()), reason=lacking() or "")]
AT_MOST = 45.0
"""Seconds for those that cannot be reached: ssh gives up after ten, the rest is for a slow machine."""


@pytest.fixture(scope="module")
def network(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Network]:
    """Hosts on one street, and some behind them."""
    found = Network(tmp_path_factory.mktemp("network"))
    try:
        for name in ("good", "pulled", "swallows", "gate", "lost"):
            found.machine(name)
        found.machine("stranger", known=False)
        for name, jump in (("inner", "gate"), ("inlost", "lost"), ("instranger", "stranger")):
            found.behind(name, jump)
        found.nowhere("nowhere", "198.51.100.7")
        for name in ("pulled", "lost"):
            found.pull(name)
        found.swallow("swallows")
        yield found
    finally:
        found.end()


def checked(network: Network, names: str, *more: str) -> tuple[dict[str, Any], float]:
    """Return the report of ``fleet check``, and how long it took."""
    began = time.monotonic()
    ran = network.codeblue("fleet", "check", "--ssh", names, "--fast", "--format", "json", *more)
    assert ran.stdout, ran.stderr
    return json.loads(ran.stdout), time.monotonic() - began


def test_who_cannot_be_reached_is_told_and_why_in_bounded_time(network: Network) -> None:
    document, took = checked(network, "good,pulled,swallows,nowhere,inner,inlost,instranger")

    assert states(document) == {
        "good": "answered",
        "pulled": "silent",
        "swallows": "silent",
        "nowhere": "silent",
        "inner": "answered",
        "inlost": "silent",
        "instranger": "refused",
    }
    said = whys(document)
    there = network.addresses
    assert said["pulled"].startswith(f"ssh: connect to host {there['pulled']} port 22: ")
    assert said["swallows"] == f"ssh: connect to host {there['swallows']} port 22: Connection timed out"
    assert said["nowhere"] == "ssh: connect to host 198.51.100.7 port 22: Network is unreachable"
    assert said["inlost"] == "Connection timed out during banner exchange (by way of lost)"
    assert said["instranger"] == "Host key verification failed."
    assert took < AT_MOST


def test_a_host_behind_a_jump_host_is_a_target_like_any_other(network: Network) -> None:
    address = network.addresses["inner"]
    direct = network.run(*network.prefix, "ip", "route", "get", address)
    ran = network.codeblue("check", "ssh:inner", "--fast", "--format", "json")

    assert "unreachable" in direct.stderr
    assert json.loads(ran.stdout)["target"] == "ssh:inner", ran.stderr
    assert f"Accepted publickey for root from {address[:-1]}1" in network.said("inner")


@pytest.mark.parametrize(
    ("host", "told"),
    [
        ("inlost", "not reached by way of lost (Connection timed out during banner exchange)"),
        ("instranger", "its host key is not known here"),
    ],
)
def test_one_line_tells_on_which_part_of_the_way_it_failed(network: Network, host: str, told: str) -> None:
    ran = network.codeblue("check", f"ssh:{host}", "--fast")

    assert (ran.returncode, len(words(ran))) == (2, 1), ran.stderr
    assert told in ran.stderr


def test_nobody_is_asked_in_a_window_about_the_key_of_a_jump_host(network: Network, tmp_path: Path) -> None:
    asked = tmp_path / "asked"
    window = script(tmp_path / "window", f"echo asked >{asked}; echo yes")
    before = dict(network.environment)
    network.environment |= {"DISPLAY": ":0", "SSH_ASKPASS": str(window)}
    try:
        document, _ = checked(network, "instranger")
    finally:
        network.environment = before

    assert whys(document) == {"instranger": "Host key verification failed."}
    assert not asked.exists()


@thorough
def test_a_cable_that_is_pulled_in_the_middle_costs_its_node_only(network: Network, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    # Hosts share all files: which of them it is, is told by its address.
    inner = f"ip -o address | grep -q {network.addresses['inner']}/"
    slow = interpreter(tmp_path / "python", f"{inner} && touch {begun}")
    began = time.monotonic()
    check = network.begun(
        *("fleet", "check", "--ssh", "good,inner", "--fast", "--format", "json"),
        *("--budget", "1", "--python", str(slow)),
    )
    until(begun.exists)
    network.pull("gate")
    try:
        document = json.loads(check.communicate(timeout=AT_MOST)[0])
        took = time.monotonic() - began
    finally:
        network.plug("gate")

    assert states(document) == {"good": "answered", "inner": "silent"}
    assert whys(document)["inner"] == "no answer within 21 s"
    assert took < AT_MOST

    later, _ = checked(network, "good,inner", "--resume", "last")
    assert states(later) == {"good": "answered", "inner": "answered"}
