"""kernel_log and services."""

import time
from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead
from tests.probe.loading import section, tree


def _ring(root: Path, *messages: str, sequence: int = 0, seconds: float = 100) -> facts.KernelLog:
    rows = (f"4,{sequence + n},{int(seconds * 1e6)},-;{text}\n" for n, text in enumerate(messages))
    return section(facts.KernelLog, tree(root, {"/dev/kmsg": "".join(rows)}))


def _programs(root: Path, **scripts: str) -> dict[str, str]:
    for name, script in scripts.items():
        path = root / "bin" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)
    return {"PATH": str(root / "bin")}


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python, GPU has fallen off the bus.",
            (79, "0000:3b:00", 1234, "python"),
        ),
        (
            "NVRM: Xid (PCI:0000:3B:00): 79, pid='<unknown>', name=<unknown>, GPU has fallen off the bus.",
            (79, "0000:3b:00", None, None),
        ),
        ("NVRM: Xid (0000:03:00): 13, 0003 00000000 0000a140", (13, "0000:03:00", None, None)),
        ("NVRM: Xid (PCI:0000:01:00 GPU-I:05): 94, pid=7, name=a b, Contained", (94, "0000:01:00", 7, "a b")),
        ("NVRM: Xid (PCI:0000:c1:00): 154, GPU recovery action changed", (154, "0000:c1:00", None, None)),
    ],
)
def test_an_xid_in_every_wording(text: str, expected: tuple[object, ...], tmp_path: Path) -> None:
    [xid] = _ring(tmp_path, text).xids

    assert (xid.code, xid.device, xid.pid, xid.process) == expected
    assert (xid.seconds, xid.text) == (100.0, text)


def test_an_sxid_of_a_switch(tmp_path: Path) -> None:
    log = _ring(
        tmp_path, "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Non-fatal, Link 46 MC TS crumbstore"
    )

    assert [(sxid.code, sxid.device) for sxid in log.sxids] == [(28006, "0000:c1:00.0")]
    assert not log.xids
    assert not log.lines


def test_other_lines_by_kind_and_ordinary_ones_not_at_all(tmp_path: Path) -> None:
    log = _ring(
        tmp_path,
        "Command line: root=/dev/sda modprobe.blacklist=nouveau",
        "pcieport 0000:00:1c.0: AER: enabled with IRQ 122",
        "usb 1-1: new device",
        "NVRM: API mismatch: the client has the version 570.1",
        "nouveau 0000:01:00.0: NVIDIA GP107",
        "Memory cgroup out of memory: Killed process 9 (python)",
        "python[9]: segfault at 0 ip 00 sp 00 error 4 in libcuda.so",
        "nvidia: module verification failed: signature and/or required key missing - tainting kernel",
        "Loading of unsigned module is rejected",
        "nvidia-uvm: uvm_pmm_gpu.c:30 devmem_alloc request_free_mem_region() err -34",
        "nvidia-uvm: Loaded the UVM driver, major device number 511.",
        "pcieport 0000:00:01.0: AER: Corrected error received",
    )

    assert [line.kind for line in log.lines] == [
        "nvrm",
        "nouveau",
        "oom",
        "segfault",
        "module",
        "module",
        "nvrm",
        "pcie",
    ]


def test_the_newest_two_hundred_are_kept(tmp_path: Path) -> None:
    log = _ring(tmp_path, *(f"NVRM: line {n}" for n in range(250)))

    assert (len(log.lines), log.lines[0].text, log.lines[-1].text) == (200, "NVRM: line 50", "NVRM: line 249")


@pytest.mark.parametrize(
    ("sequence", "seconds", "complete"), [(0, 100, True), (50, 1.5, True), (50, 100, False)]
)
def test_a_log_is_complete_if_it_holds_the_start(
    sequence: int, seconds: float, complete: bool, tmp_path: Path
) -> None:
    assert _ring(tmp_path, "first", "second", sequence=sequence, seconds=seconds).complete is complete


def test_records_overwritten_while_reading_are_passed_over(tmp_path: Path) -> None:
    before = (
        "import errno\n"
        "answers = [OSError(errno.EPIPE, ''), b'4,9,9000000,-;NVRM: one\\n', OSError(errno.EAGAIN, '')]\n"
        "def read(descriptor, size):\n"
        "    answer = answers.pop(0)\n"
        "    if isinstance(answer, Exception): raise answer\n"
        "    return answer\n"
        "reader.os.read = read\n"
    )
    log = section(facts.KernelLog, tree(tmp_path, {"/dev/kmsg": ""}), before=before)

    assert ([line.text for line in log.lines], log.complete) == (["NVRM: one"], False)


def test_dmesg_answers_where_the_ring_cannot_be_opened(tmp_path: Path) -> None:
    words = "[    0.000000][    T0] Linux version\n[   12.500000] NVRM: Xid (PCI:0000:3b:00): 31, pid=5, x"
    environment = _programs(tmp_path, dmesg=f"echo '{words}'")
    log = section(facts.KernelLog, tmp_path, environment=environment)

    assert (log.source, log.complete, [xid.seconds for xid in log.xids]) == ("dmesg", True, [12.5])


def test_of_a_very_long_answer_the_end_is_kept(tmp_path: Path) -> None:
    flood = (
        "echo '[ 1.0] NVRM: first'; head -c 5000000 /dev/zero | tr '\\0' x; echo; echo '[ 9.0] NVRM: last'"
    )
    environment = _programs(tmp_path, dmesg=f"PATH=/usr/bin:/bin; {flood}")
    log = section(facts.KernelLog, tmp_path, environment=environment)

    assert [line.text for line in log.lines] == ["NVRM: last"]


def test_the_journal_answers_where_dmesg_is_restricted(tmp_path: Path) -> None:
    environment = _programs(
        tmp_path,
        dmesg="echo 'dmesg: read kernel buffer failed: Operation not permitted' >&2; exit 1",
        journalctl="echo '[   42.000000] node1 kernel: nouveau 0000:01:00.0: fifo'",
    )
    log = section(facts.KernelLog, tmp_path, environment=environment)

    assert (log.source, log.complete) == ("journalctl -k -b", False)
    assert [(line.seconds, line.text) for line in log.lines] == [(42.0, "nouveau 0000:01:00.0: fifo")]


def test_denied_is_not_an_empty_log(tmp_path: Path) -> None:
    environment = _programs(tmp_path, dmesg="echo 'Operation not permitted' >&2; exit 1", journalctl="exit 1")
    log = section(facts.KernelLog, tmp_path, environment=environment)

    assert log.state == "denied"
    assert "dmesg: Operation not permitted" in log.reason


def test_a_program_that_does_not_end_is_stopped(tmp_path: Path) -> None:
    environment = _programs(tmp_path, dmesg="exec /bin/sleep 60")
    before = "real = reader.output\nreader.output = lambda arguments, seconds: real(arguments, 0.2)"

    assert section(facts.KernelLog, tmp_path, environment=environment, before=before).state == "timeout"


def test_no_source_at_all_is_unsupported(tmp_path: Path) -> None:
    assert section(facts.KernelLog, tmp_path, environment=_programs(tmp_path)).state == "unsupported"


UNITS = """Id=nvidia-persistenced.service
LoadState=loaded
ActiveState=active
UnitFileState=enabled
NRestarts=2
Result=success
ExecMainStartTimestampMonotonic=1500000

Id=nvidia-fabricmanager.service
LoadState=masked
ActiveState=inactive
UnitFileState=masked

Id=docker.service
LoadState=not-found
ActiveState=inactive
UnitFileState="""


def test_services_are_those_installed_or_running(tmp_path: Path) -> None:
    processes = {
        "/proc/1/comm": "systemd\n",
        "/proc/9/comm": "nvidia-cuda-mps\n",
        "/run/systemd/system/x": "",
    }
    environment = _programs(tmp_path, systemctl=f"echo '{UNITS}'")
    services = section(facts.Services, tree(tmp_path, processes), environment=environment).services

    assert set(services) == {"nvidia-persistenced", "nvidia-fabricmanager", "nvidia-mps"}
    daemon = services["nvidia-persistenced"]
    assert (daemon.state, daemon.enabled, daemon.restarts, daemon.running) == ("active", "enabled", 2, False)
    assert (services["nvidia-fabricmanager"].enabled, services["nvidia-fabricmanager"].restarts) == (
        "masked",
        None,
    )
    assert (services["nvidia-mps"].state, services["nvidia-mps"].running) == (None, True)
    assert (daemon.result, services["nvidia-mps"].last_start) == ("success", None)
    assert daemon.last_start == pytest.approx(time.monotonic() - 1.5, abs=30)


def test_a_program_that_another_service_starts_is_installed_by_its_file(tmp_path: Path) -> None:
    nvlsm = tree(tmp_path / "a", {"/opt/nvidia/nvlsm/sbin/nvlsm": "", "/proc/1/comm": "init\n"})
    runs = tree(tmp_path / "b", {"/proc/1/comm": "init\n", "/proc/8/comm": "nvlsm\n"})

    seen = section(facts.Services, nvlsm)
    assert (seen.services["nvlsm"].running, seen.processes_visible) == (False, True)
    assert section(facts.Services, runs).services["nvlsm"].running


def test_hidden_processes_leave_running_unread(tmp_path: Path) -> None:
    environment = _programs(tmp_path, systemctl=f"echo '{UNITS}'")
    services = section(facts.Services, tree(tmp_path, {"/run/systemd/system/x": ""}), environment=environment)

    assert services.processes_visible is False
    with pytest.raises(NotRead):
        _ = services.services["nvidia-persistenced"].running


def test_systemd_that_does_not_answer_leaves_the_services_unread(tmp_path: Path) -> None:
    environment = _programs(tmp_path, systemctl="echo 'Failed to connect to bus' >&2; exit 1")
    services = section(facts.Services, tree(tmp_path, {"/run/systemd/system/x": ""}), environment=environment)

    assert services.unread == {"services": "error"}
