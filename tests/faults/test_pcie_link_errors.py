"""pcie-link-errors"""

from typing import Any

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome, Verdict
from tests.conftest import judge, recording, text

FAULT = "pcie-link-errors"
GPU, PORT, ROOT = "0000:00:06.0", "0000:00:05.1", "0000:00:01.0"
BARE = {"hypervisor": None, "uptime_seconds": 6000.0}
"""A hundred minutes: at most 3100 replays on 16 lanes of generation 5."""


def link(gpu: Any = None, port: Any = None, root: Any = None, **function: Any) -> dict[str, Any]:
    row = {"upstream": [PORT, ROOT], "errors": gpu} | function
    return {
        "functions": {GPU: row},
        "ports": {PORT: {"errors": port, "access_control": None}, ROOT: {"errors": root}},
    }


def judged(pci: dict[str, Any], host: dict[str, Any] = BARE) -> Verdict:
    return judge(FAULT, recording("h200-healthy", host=host, pci=pci))


@pytest.mark.parametrize(
    ("pci", "variant", "path"),
    [
        (link({"fatal DLP": 1}), "fatal", f"pci[{GPU}].errors"),
        (link({}, {"fatal SDES": 2, "correctable BadTLP": 9}), "fatal", f"pci.ports[{PORT}].errors"),
        (link({"correctable RxErr": 2000, "correctable BadTLP": 1200}), "corrected", f"pci[{GPU}].errors"),
        (link({}, {"correctable BadDLLP": 3200}), "corrected", f"pci.ports[{PORT}].errors"),
        (link({"correctable Timeout": 1700}, link_width=8), "corrected", f"pci[{GPU}].errors"),
    ],
)
def test_fires_on_fatal_errors_and_above_the_limit(pci: dict[str, Any], variant: str, path: str) -> None:
    [finding] = judged(pci).findings

    assert (finding.kind, finding.subject, finding.variant) == (Kind.RISK, "gpu:0000:00:06", variant)
    assert [evidence.path for evidence in finding.evidence] == [path]


def test_fires_on_a_line_of_text() -> None:
    line = "nvidia 0000:41:00.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Data Link Layer"
    [finding] = judge(FAULT, text(line)).findings

    assert (finding.subject, finding.certainty) == ("gpu:0000:41:00.0", Certainty.LIKELY)
    others = ("severity=Corrected, type=Physical", "severity=Uncorrected (Non-Fatal), type=Transaction")
    assert (
        judge(FAULT, text(*(f"nvidia 0000:41:00.0: PCIe Bus Error: {end}" for end in others))).findings == ()
    )


@pytest.mark.parametrize(
    "pci",
    [
        link({}, {}),
        link(None, None),
        link({"correctable RxErr": 3000, "correctable NonFatalErr": 90_000}),
        link({"nonfatal UnsupReq": 4, "fatal UnsupReq": 1, "fatal ACSViol": 1}),
        link({}, {}, {"fatal DLP": 3}),
        link({"correctable RxErr": 90_000}, link_speed_max=None),
    ],
    ids=["none", "not counted", "under the limit", "requests of programs", "another link", "unknown speed"],
)
def test_clear_on_what_is_ordinary(pci: dict[str, Any]) -> None:
    assert judged(pci).outcome is Outcome.CLEAR


@pytest.mark.parametrize(
    "host",
    [BARE | {"uptime_seconds": 300.0}, BARE | {"hypervisor": "kvm"}],
    ids=["just booted", "virtual"],
)
def test_clear_where_an_average_means_nothing(host: dict[str, Any]) -> None:
    assert judged(link({"correctable RxErr": 90_000}), host).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_counters_are_unread() -> None:
    assert judged({}).outcome is Outcome.SKIPPED


def test_both_languages_say_what_was_counted() -> None:
    [finding] = judged(link({"fatal DLP": 3})).findings

    assert "3 fatal errors" in finding.summary.say("en")
    assert "3 个致命错误" in finding.summary.say("zh")
