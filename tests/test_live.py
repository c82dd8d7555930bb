"""From the probe's document to a view: shapes that are not agreed, words of the driver."""

import time
from typing import Any

import pytest

from codeblue.model.facts import Pci, Sightings
from codeblue.model.fault import Signature
from codeblue.model.section import State
from codeblue.sources.launch import Launched
from codeblue.sources.live import snapshots, view_of
from codeblue.sources.logs import Signatures
from codeblue.sources.target import Unusable, parse
from codeblue.transport import local

SIGNATURES = Signatures(
    [("lines-only", (Signature("NVRM", "NVRM: bad"),)), ("own-check", (Signature("NVRM", "NVRM: bad"),))],
    ["own-check"],
)


def document(**sections: Any) -> dict[str, Any]:
    """Return a final document of the probe with these sections."""
    return {
        "part": "final",
        "time": "2026-11-30T00:00:00Z",
        "until": "frameworks",
        "probe_python": "3.12.3",
        "sections": {"host": {"state": "read", "hostname": "host-x", "boot_id": "boot-x"}} | sections,
    }


def test_a_section_of_another_shape_is_an_error_of_its_own() -> None:
    view = view_of(document(pci={"state": "read", "nvidia_gpus": 7}), "here", SIGNATURES, 1.0)

    assert view.host_name == "host-x"
    assert view.pci.state is State.ERROR
    assert "nvidia_gpus" in view.pci.reason
    assert isinstance(view.pci, Pci)


def test_the_drivers_lines_are_read_but_do_not_overrule_a_check_of_the_kernel_log() -> None:
    kernel_log = {
        "state": "read",
        "xids": [],
        "sxids": [],
        "complete": True,
        "lines": [
            {"kind": "nvrm", "seconds": 1.0, "text": "NVRM: bad"},
            {"kind": "oom", "seconds": 2.0, "text": "NVRM: bad"},
        ],
    }

    view = view_of(document(kernel_log=kernel_log), "here", SIGNATURES, 1.0)

    assert [(s.fault, s.file) for s in view.section(Sightings).seen] == [("lines-only", "kernel log")]


def test_the_words_of_the_trial_are_read() -> None:
    trial = {"state": "read", "imported": False, "words": "x\nNVRM: bad", "error": None}

    view = view_of(document(torch_trial=trial), "here", SIGNATURES, 1.0)

    assert {s.file for s in view.section(Sightings).seen} == {"torch trial"}


def test_an_interpreter_that_reads_nothing_does_not_hold_us_up() -> None:
    began = time.monotonic()
    running = local.start("#" * (4 << 20), interpreter=("sh", "-c", "exec sleep 60", "sh"))
    try:
        assert list(local.answers(running, "m:", began - local.GRACE)) == []
    finally:
        local.end(running)

    assert time.monotonic() - began < 20


def test_a_long_answer_is_read_whole_though_the_time_is_over() -> None:
    running = local.start(f"print('m:' + 'x' * {1 << 20}, flush=True)")
    try:
        time.sleep(0.5)  # it has begun and fills its pipe
        [answer] = local.answers(running, "m:", time.monotonic() - 60)
    finally:
        local.end(running)

    assert len(answer) == 1 << 20


def told_by(shell: str, budget: float) -> str:
    """Return the one line on a host where ssh does this."""
    running = local.start("", interpreter=("sh", "-c", shell, "sh"))
    launched = Launched(parse("ssh:h1"), running, "m:", budget, time.monotonic())
    try:
        with pytest.raises(Unusable) as caught:
            list(snapshots((launched,), SIGNATURES))
    finally:
        local.end(running)
    return str(caught.value)


def test_what_ssh_says_counts_though_it_ends_after_its_output() -> None:
    said = told_by("exec >&-; sleep 0.5; echo 'connect to host h1: Connection refused' >&2; exit 255", 20)

    assert said == "ssh:h1: not reached (connect to host h1: Connection refused); see that ssh h1 works"


def test_what_does_not_end_is_not_waited_for_beyond_its_time() -> None:
    assert told_by("exec >&-; exec sleep 60", 1) == "ssh:h1: the probe gave no answer within 1 s"
