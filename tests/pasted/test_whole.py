"""Whole files that tools write are read as they are: bug reports, archives, diagnostics, dumps."""

import gzip
import io
import json
import pickle
import tarfile
from pathlib import Path
from typing import Any

import pytest

from codeblue import pipeline
from codeblue.diagnose.engine import assemble
from codeblue.model.diagnosis import Diagnosis, Overall
from codeblue.model.snapshot import Snapshot
from codeblue.sources.target import Unusable

RULE = "_" * 44
REPORT = f"""
{RULE}

Start of NVIDIA bug report log file.  Please include this file

uname: Linux node7 6.8.0-48-generic #48-Ubuntu SMP x86_64 x86_64 x86_64 GNU/Linux
{RULE}

*** /proc/driver/nvidia/./version
*** ls: -r--r--r-- 1 root root 0 2024-11-03 10:00 /proc/driver/nvidia/./version
NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31 09:00:00 UTC 2024
{RULE}

/usr/bin/nvidia-smi --query

Failed to initialize NVML: Driver/library version mismatch
NVML library version: 550.107
{RULE}

journalctl -b -1:

Nov  2 10:00:00 node7 kernel: NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.
{RULE}

*** /var/log/kern.log
Nov  2 10:00:00 node7 kernel: NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen off the bus.
"""
NOUVEAU = {
    "sos-1/sos_commands/kernel/lsmod": "Module Size Used by\nnouveau 2400256 4\n",
    "sos-1/sos_commands/nvidia/nvidia-smi": "NVIDIA-SMI has failed because it couldn't communicate with "
    "the NVIDIA driver. Make sure that it is installed.\n",
    "sos-1/etc/os-release": 'ID=rhel\nVERSION_ID="9.4"\n',
    "sos-1/var/log/messages": "Nov  2 10:00:00 n kernel: NVRM: Xid (PCI:0000:01:00): 79, GPU has fallen\n",
}


def told(*paths: Path) -> tuple[Snapshot, Diagnosis]:
    snapshot = pipeline.told([str(path) for path in paths], None, "salt")
    diagnosis = pipeline.judge(snapshot)
    assert not diagnosis.broken
    return snapshot, diagnosis


def causes(*paths: Path) -> list[str]:
    return [cause.finding.fault for cause in told(*paths)[1].causes]


@pytest.mark.parametrize("packed", [False, True])
def test_a_bug_report_tells_of_this_boot_only(packed: bool, tmp_path: Path) -> None:
    path = tmp_path / f"nvidia-bug-report.log{'.gz' if packed else ''}"
    content = REPORT.encode()
    path.write_bytes(gzip.compress(content) if packed else content)

    snapshot, diagnosis = told(path)

    assert [cause.finding.fault for cause in diagnosis.causes] == ["driver-upgraded-without-reboot"]
    [view] = snapshot.views
    assert view.host.kernel == "6.8.0-48-generic"
    assert {one.line for one in view.sightings.seen} == {REPORT.splitlines().index(MISMATCH) + 1}


MISMATCH = "Failed to initialize NVML: Driver/library version mismatch"


def test_a_bug_report_that_is_cut_short_gives_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "nvidia-bug-report.log.gz"
    padded = REPORT + "\n".join(f"{n} {n * 7919 % 10007}" for n in range(5000))
    path.write_bytes(gzip.compress(padded.encode())[:-4000])

    assert causes(path) == ["driver-upgraded-without-reboot"]


def test_a_packed_log_is_read_like_a_plain_one(tmp_path: Path) -> None:
    path = tmp_path / "train.log.gz"
    path.write_bytes(
        gzip.compress(b"RuntimeError: CUDA error: no kernel image is available for execution on the device")
    )

    assert causes(path) == ["build-lacks-gpu-arch"]


@pytest.mark.parametrize("mode", ["w", "w:gz", "w:xz", "w:bz2"])
def test_an_archive_of_sos_is_read_without_unpacking_it(mode: Any, tmp_path: Path) -> None:
    path = tmp_path / "sosreport.tar"
    _pack(path, mode, {**NOUVEAU, "../../outside": "x", "sos-1/../../etc/passwd": "x"})

    snapshot, diagnosis = told(path)

    assert [cause.finding.fault for cause in diagnosis.causes] == ["nouveau-owns-gpu"]
    assert snapshot.views[0].host.distribution == "rhel"
    assert list(tmp_path.iterdir()) == [path]


def test_a_link_in_an_archive_is_not_followed(tmp_path: Path) -> None:
    path = tmp_path / "sosreport.tar"
    with tarfile.open(path, "w") as archive:
        link = tarfile.TarInfo("sos-1/etc/os-release")
        link.type, link.linkname = tarfile.SYMTYPE, "/etc/os-release"
        archive.addfile(link)

    _, diagnosis = told(path)

    assert diagnosis.verdict is Overall.HEALTHY


def test_a_damaged_archive_is_one_clear_line(tmp_path: Path) -> None:
    path = tmp_path / "sosreport.tar.xz"
    path.write_bytes(b"\xfd7zXZ\x00" + b"\x00" * 100)

    with pytest.raises(Unusable, match="cannot read the log"):
        told(path)


def test_a_failed_test_of_dcgm_names_the_gpu(tmp_path: Path) -> None:
    path = tmp_path / "diag.json"
    path.write_text(json.dumps(_diagnosis("Fail")))

    [cause] = told(path)[1].causes

    assert (cause.finding.fault, cause.finding.subject) == ("gpu-diagnostic-failed", "gpu:3")


def test_a_diagnosis_of_dcgm_that_passed_is_silent(tmp_path: Path) -> None:
    path = tmp_path / "diag.json"
    path.write_text(json.dumps(_diagnosis("Pass")))

    assert told(path)[1].verdict is Overall.HEALTHY


@pytest.mark.parametrize("form", ["pickle", "json"])
def test_flight_recorders_name_the_rank_that_is_behind(form: str, tmp_path: Path) -> None:
    enqueued = {0: 5, 1: 5, 2: 4, 3: 5}
    paths = [_dump(tmp_path, form, rank, number, completed=4) for rank, number in enqueued.items()]

    [cause] = told(*paths)[1].causes

    assert cause.finding.fault == "rank-hung"
    assert cause.finding.summary.values == {"rank": "2", "behind": "4", "ahead": "5"}
    assert cause.finding.evidence[0].value == "collective 4: nccl:all_reduce completed"


def test_flight_recorders_of_a_job_that_goes_on_are_silent(tmp_path: Path) -> None:
    paths = [_dump(tmp_path, "pickle", rank, 5, completed=5) for rank in range(4)]

    assert told(*paths)[1].verdict is Overall.HEALTHY


def test_when_many_ranks_are_behind_nobody_is_named(tmp_path: Path) -> None:
    paths = [_dump(tmp_path, "pickle", rank, 5 if rank < 2 else 4, completed=4) for rank in range(4)]

    assert causes(*paths) == []


def test_facts_of_a_text_hold_no_private_data(tmp_path: Path) -> None:
    path = tmp_path / "pasted.txt"
    path.write_text(
        "MASTER_ADDR=10.20.30.40\nLD_LIBRARY_PATH=/home/johndoe/lib\nnvidia-cudnn-cu12==9.1.0.70\n"
    )

    [view] = told(path)[0].views

    assert view.environment.variables["MASTER_ADDR"].startswith("host-")
    assert "johndoe" not in view.environment.variables["LD_LIBRARY_PATH"]
    assert view.python.distributions["nvidia-cudnn-cu12"].version == "9.1.0.70"


def _pack(path: Path, mode: Any, members: dict[str, str]) -> None:
    with tarfile.open(path, mode) as archive:
        for name, text in members.items():
            member = tarfile.TarInfo(name)
            member.size = len(text.encode())
            archive.addfile(member, io.BytesIO(text.encode()))


def _diagnosis(status: str) -> dict[str, Any]:
    result = {"gpu_ids": "3", "status": status, "warnings": ["cannot allocate"]}
    tests = [{"name": "Memory", "results": [result]}]
    return {"DCGM GPU Diagnostic": {"test_categories": [{"category": "Hardware", "tests": tests}]}}


def _dump(folder: Path, form: str, rank: int, enqueued: int, completed: int) -> Path:
    path = folder / f"nccl_trace_rank_{rank}"
    state = "completed" if enqueued == completed else "started"
    entry = {
        "collective_seq_id": enqueued,
        "profiling_name": "nccl:all_reduce",
        "state": state,
        "process_group": ("0", "default_pg"),
    }
    status: dict[str, Any] = {"last_enqueued_collective": enqueued, "last_completed_collective": completed}
    if form == "json":
        status = {name: str(value) for name, value in status.items()}
    dump = {
        "version": "2.5",
        "pg_config": {"0": {"name": "0", "desc": "default_pg", "ranks": "[0, 1, 2, 3]"}},
        "pg_status": {"0": status},
        "entries": [entry],
    }
    path.write_bytes(json.dumps(dump).encode() if form == "json" else pickle.dumps(dump))
    return path


def test_two_texts_complete_each_other(tmp_path: Path) -> None:
    listed, banner = tmp_path / "pip.txt", tmp_path / "smi.txt"
    listed.write_text("$ uname -r\n6.8.0-45-generic\ntorch==2.5.1+cpu\n")
    banner.write_text('ID=ubuntu\nVERSION_ID="24.04"\nGPU 0: NVIDIA L40S (UUID: GPU-0)\n')

    snapshot, diagnosis = told(listed, banner)

    assert [cause.finding.fault for cause in diagnosis.causes] == ["cpu-only-torch-build"]
    host = assemble(snapshot).host
    assert (host.kernel, host.distribution) == ("6.8.0-45-generic", "ubuntu")
