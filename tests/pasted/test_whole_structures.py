"""Bug reports, archives and diagnostics with the structure that the tools really give them."""

import io
import json
import lzma
import tarfile
from pathlib import Path
from typing import Any

import pytest

from codeblue import pipeline
from codeblue.model.diagnosis import Diagnosis, Overall
from codeblue.model.snapshot import View

RULE = "_" * 44
BEGIN = f"""{RULE}

Start of NVIDIA bug report log file.  Please include this file, along

nvidia-bug-report.sh Version: 38278083

Date: Wed Aug 19 07:03:49 PM CDT 2026
uname: Linux node7 6.8.0-48-generic #48-Ubuntu SMP x86_64 x86_64 x86_64 GNU/Linux
command line flags: --safe-mode

"""
LOG = "==============NVSMI LOG=============="


def section(*lines: str) -> str:
    return "\n".join((RULE, "", *lines, ""))


def told(path: Path) -> tuple[View, Diagnosis]:
    snapshot = pipeline.told([str(path)], None, "salt")
    diagnosis = pipeline.judge(snapshot)
    assert not diagnosis.broken
    [view] = snapshot.views
    return view, diagnosis


def report(folder: Path, *sections: str) -> Path:
    path = folder / "nvidia-bug-report.log"
    path.write_text(BEGIN + "".join(sections))
    return path


def faults(diagnosis: Diagnosis) -> list[str]:
    return [cause.finding.fault for cause in diagnosis.causes]


def test_logs_of_old_builds_do_not_hide_the_rest(tmp_path: Path) -> None:
    build = section(
        "*** /var/lib/dkms/nvidia/580.173.02/6.8.0-136-generic/x86_64/log/make.log",
        "*** ls: -rw-r--r-- 1 root root 9 2026-08-19 18:51:28 /var/lib/dkms/nvidia/make.log",
        "make: *** [Makefile:88: modules] Error 2",
        *("  CC [M]  nvidia/nv-dma.o  " + "x" * 400 for _ in range(25_000)),
    )
    version = section(
        "*** /proc/driver/nvidia/version",
        "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.173.02  Release Build",
    )

    view, diagnosis = told(report(tmp_path, build, version))

    assert diagnosis.verdict is not Overall.TROUBLE
    assert (view.driver.module_version, view.driver.flavour) == ("580.173.02", "open")


def test_configuration_of_bridges_is_no_evidence(tmp_path: Path) -> None:
    lspci = section(
        "/usr/bin/lspci -nnDvvvxxxx",
        "0000:00:01.1 PCI bridge [0604]: Vendor Bridge [1022:1483] (prog-if 00 [Normal decode])",
        "\t\tACSCap:\tSrcValid+ TransBlk+ ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans+",
        "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+ EgressCtrl- DirectTrans-",
        "00: 22 10 83 14 07 04 10 00 00 00 04 06 10 00 81 00",
        "0000:41:00.0 VGA compatible controller [0300]: NVIDIA Corporation GA102GL [RTX A6000] [10de:2230]",
        "\tKernel driver in use: nvidia",
    )

    view, diagnosis = told(report(tmp_path, lspci))

    assert faults(diagnosis) == []
    assert view.pci.functions["0000:41:00.0"].driver == "nvidia"


def test_several_commands_of_one_section_are_told_apart(tmp_path: Path) -> None:
    smi = section(
        "/usr/bin/nvidia-smi --query",
        "",
        LOG,
        "",
        "Driver Version                            : 535.113.01",
        "CUDA Version                              : 12.2",
        "",
        "Attached GPUs                             : 1",
        "GPU 00000000:2E:00.0",
        "    Product Name                          : NVIDIA RTX A6000",
        "    Remapped Rows",
        "        Pending                           : Yes",
        "",
        "/usr/bin/nvidia-smi nvlink --status",
        "",
        "GPU 0: NVIDIA RTX A6000 (UUID: GPU-00000000-0000-0000-0000-000000000000)",
        "\t Link 0: 14.062 GB/s",
    )

    view, diagnosis = told(report(tmp_path, smi))

    assert (view.nvml.gpus["0"].pci, view.nvml.gpus["0"].remapped_pending) == ("00000000:2e:00.0", True)
    assert faults(diagnosis) == ["row-remap-pending"]


def test_a_service_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    service = section("/usr/bin/systemctl status nvidia-fabricmanager.service", "")

    assert told(report(tmp_path, service))[1].verdict is Overall.HEALTHY


def test_headings_without_content_and_a_rule_at_the_end(tmp_path: Path) -> None:
    odd = section("*** /proc/driver/nvidia/registry does not exist") + section("dmesg:") + RULE

    assert told(report(tmp_path, odd))[1].verdict is Overall.HEALTHY


def archive(folder: Path, members: dict[str, str]) -> Path:
    path = folder / "sosreport-node7-2026-08-19.tar.xz"
    with lzma.open(path, "w") as stream, tarfile.open(fileobj=stream, mode="w|") as tar:
        for name, text in members.items():
            member = tarfile.TarInfo(f"sosreport-node7-2026-08-19/{name}")
            member.size = len(text.encode())
            tar.addfile(member, io.BytesIO(text.encode()))
    return path


MEMBERS = {
    "sos_commands/kernel/uname_-a": "Linux node7 5.14.0-503.el9.x86_64 #1 SMP x86_64 GNU/Linux\n",
    "sos_commands/nvidia/nvidia-smi_--list-gpus": "GPU 0: NVIDIA A30 (UUID: GPU-0)\n",
    "sos_commands/nvidia/nvidia-smi_-q": f"{LOG}\n\nAttached GPUs                             : 1\n"
    "GPU 00000000:65:00.0\n    Product Name                          : NVIDIA A30\n"
    "    Remapped Rows\n        Pending                           : Yes\n",
    "sos_commands/nvidia/systemctl_status_nvidia-persistenced": "● nvidia-persistenced.service - NVIDIA\n"
    "     Loaded: loaded (/usr/lib/systemd/system/nvidia-persistenced.service; enabled)\n"
    "     Active: active (running)\n",
    "usr/lib/os-release": 'ID="rhel"\nVERSION_ID="9.5"\n',
    "proc/driver/nvidia/version": "NVRM version: NVIDIA UNIX x86_64 Kernel Module  550.90.07  Fri May 31\n",
    "sos_commands/pci/lspci_-nnvv": "\t\tACSCtl:\tSrcValid+ TransBlk- ReqRedir+ CmpltRedir+ UpstreamFwd+\n",
    "sos_commands/kernel/modinfo_ALL_MODULES": "modinfo: ERROR: Module thermal not found.\n"
    "filename:       /lib/modules/5.14.0-503.el9.x86_64/extra/nvidia.ko.xz\nversion:        550.90.07\n"
    "filename:       /lib/modules/5.14.0-503.el9.x86_64/kernel/drivers/xhci.ko.xz\n",
    "sos_commands/logs/journalctl_--no-pager_--catalog_--boot_-1": "kernel: NVRM: Xid (PCI:0000:65:00): 79, "
    "GPU has fallen off the bus.\n",
}


def test_members_of_an_archive_complete_each_other(tmp_path: Path) -> None:
    view, diagnosis = told(archive(tmp_path, MEMBERS))

    assert faults(diagnosis) == ["row-remap-pending"]
    assert (view.host.distribution, view.host.kernel) == ("rhel", "5.14.0-503.el9.x86_64")
    assert view.nvml.gpus["0"].name == "NVIDIA A30"
    assert view.modules.on_disk == ["/lib/modules/5.14.0-503.el9.x86_64/extra/nvidia.ko.xz"]
    assert view.services.services["nvidia-persistenced"].running


def test_the_journal_of_this_boot_is_read_with_its_catalogue(tmp_path: Path) -> None:
    name = "sos_commands/logs/journalctl_--no-pager_--catalog_--boot"
    line = "Aug 19 07:03:49 node7 kernel: NVRM: Xid (PCI:0000:65:00): 79, GPU has fallen off the bus.\n"

    assert faults(told(archive(tmp_path, {name: line}))[1]) == ["gpu-fallen-off-bus"]


def test_an_archive_that_is_cut_short_gives_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "sosreport.tar"
    with lzma.open(archive(tmp_path, MEMBERS)) as packed:
        whole = packed.read()
    path.write_bytes(whole[: len(whole) // 2])

    assert told(path)[0].host.kernel == "5.14.0-503.el9.x86_64"


def four(test: str, entity: int, status: str, *warnings: str, group: str = "GPU") -> dict[str, Any]:
    """Return a document in the shape of DCGM 4."""
    rows = [{"error_category": 8, "error_id": 29, "error_severity": 5, "warning": text} for text in warnings]
    result = {"entity_group": group, "entity_group_id": 1, "entity_id": entity, "status": status}
    result |= {"warnings": rows} if rows else {}
    row = {"name": test, "results": [result], "test_summary": {"status": status}}
    return {
        "DCGM Diagnostic": {"test_categories": [{"category": "Hardware", "tests": [row]}]},
        "entity_groups": [{"entities": [{"device_id": "2335", "entity_id": entity}], "entity_group": group}],
        "metadata": {"version": "4.2.3", "Driver Version Detected": "570.148.08"},
    }


def diagnosed(folder: Path, document: object, before: str = "") -> Diagnosis:
    path = folder / "diag.json"
    path.write_text(before + json.dumps(document, indent=1))
    return told(path)[1]


def test_dcgm_4_names_the_entity_of_a_failed_test(tmp_path: Path) -> None:
    [cause] = diagnosed(tmp_path, four("memory", 5, "Fail", "row 7 differs")).causes

    assert (cause.finding.fault, cause.finding.subject) == ("gpu-diagnostic-failed", "gpu:5")
    assert "row 7 differs" in str(cause.finding.evidence[0].value)


def test_a_failed_processor_is_no_failed_gpu(tmp_path: Path) -> None:
    assert faults(diagnosed(tmp_path, four("cpu_eud", 0, "Fail", "no answer", group="CPU"))) == []


@pytest.mark.parametrize("test", ["software", "Persistence Mode"])
def test_persistence_mode_is_a_setting(test: str, tmp_path: Path) -> None:
    words = "Persistence Mode: Persistence mode for GPU 0 is disabled."

    assert diagnosed(tmp_path, four(test, 0, "Fail", words)).verdict is Overall.HEALTHY


@pytest.mark.parametrize("status", ["Pass", "Skip", "Not Run", "Warn"])
def test_what_did_not_fail_is_silent(status: str, tmp_path: Path) -> None:
    assert diagnosed(tmp_path, four("pcie", 0, status, "slow")).verdict is Overall.HEALTHY


def test_dcgm_3_names_every_gpu_of_a_result(tmp_path: Path) -> None:
    result = {"gpu_ids": "0,3", "status": "Fail", "warnings": ["too slow"]}
    row = {"name": "PCIe", "results": [result]}
    category = {"category": "Integration", "tests": [{"name": "Inforom", "results": []}, None, row]}
    document = {"DCGM GPU Diagnostic": {"test_categories": [category], "version": "3.3.5"}}

    diagnosis = diagnosed(tmp_path, document, before="Successfully ran diagnostic for group.\n")

    assert {cause.finding.subject for cause in diagnosis.causes} == {"gpu:0", "gpu:3"}


def test_a_diagnosis_that_did_not_run_says_why(tmp_path: Path) -> None:
    document = {"DCGM Diagnostic": {"runtime_error": "the service is too old for this tool"}}

    assert diagnosed(tmp_path, document).verdict is Overall.UNKNOWN


def test_words_around_the_document_are_read_too(tmp_path: Path) -> None:
    before = "RuntimeError: CUDA error: no kernel image is available for execution on the device\n"

    assert faults(diagnosed(tmp_path, four("pcie", 0, "Pass"), before)) == ["build-lacks-gpu-arch"]


def test_a_damaged_document_blames_nobody(tmp_path: Path) -> None:
    path = tmp_path / "diag.json"
    path.write_text(json.dumps(four("memory", 5, "Fail", "row 7 differs"))[:150])

    assert faults(told(path)[1]) == []
