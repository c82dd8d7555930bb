"""A host's files that are broken, strange or large: an exact place or silence, never a traceback."""

import time
from pathlib import Path

import pytest

from codeblue.lint.run import Against, Judged, judge
from codeblue.model.config.place import Source
from codeblue.sources.config.files import load
from codeblue.sources.config.kinds import kind_of
from tests.lint.case import Case
from tests.lint.cases import access, boot, docker_daemon, services, toolkit

ALONE = Against()
CASES = (*access.CASES, *boot.CASES, *docker_daemon.CASES, *services.CASES, *toolkit.CASES)
FILES = {
    "daemon.json": '{"mtu": 1}',
    "etc/nvidia-container-runtime/config.toml": "disable-require = false\n",
    "etc/containerd/config.toml": "version = 2\n[plugins.x]\n",
    "etc/cdi/nvidia.yaml": 'cdiVersion: "0.5.0"\nkind: nvidia.com/gpu\ndevices: []\n',
    "etc/default/grub": "GRUB_TIMEOUT=1\n",
    "etc/kernel/cmdline": "root=/dev/sda ro\n",
    "etc/modprobe.d/x.conf": "blacklist nouveau\n",
    "slurm.conf": "ClusterName=x\n",
    "x.service": "[Service]\nType=simple\n",
    "sshd_config": "Port 22\n",
    "jupyter_server_config.py": "c.ServerApp.port = 1\n",
    "etc/security/limits.conf": "* - core 0\n",
    "x.rules": 'KERNEL=="x", MODE="0600"\n',
    "etc/apt/apt.conf.d/x": 'A::B "1";\n',
    ".env": "A=1\n",
    ".condarc": "channels: []\n",
    "pip.conf": "[global]\ntimeout = 1\n",
}
"""One right file of each kind."""
GARBAGE = (
    "",
    "\n",
    "\\",
    "=",
    '"',
    "'",
    "[",
    "{",
    "\t\t",
    "{{",
    "a\\\n",
    "\\\n\\\n",
    "“",
    "=\n=\n",
    "[]\n",
    "\x0c",
    "🙂=🙂",
)


def look(name: str, text: str) -> Judged | None:
    """Judge a text; None if it is of no kind."""
    source = Source(name, text)
    kind = kind_of(source)
    return judge(source, kind, ALONE) if kind else None


@pytest.mark.parametrize("name", FILES)
def test_a_right_file_has_nothing(name: str) -> None:
    result = look(name, FILES[name])

    assert result is not None
    assert [one for one in result.findings if not one.pedantic] == []


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("extra", GARBAGE)
def test_garbage_is_a_finding_or_nothing(name: str, extra: str) -> None:
    for text in (FILES[name] + extra, extra + FILES[name], extra):
        result = look(name, text)
        lines = text.count("\n") + 1
        for one in result.findings if result else ():
            assert 1 <= one.place.line <= lines
            assert one.place.column >= 1
            assert one.message.text.zh


@pytest.mark.parametrize("name", FILES)
def test_half_a_file_is_judged(name: str) -> None:
    for size in range(len(FILES[name])):
        look(name, FILES[name][:size])


OF_ONE_FILE = [case for case in CASES if case.places and not Path(case.name).is_absolute()]
"""The others name a file in a folder whose other files count too."""


@pytest.mark.parametrize("case", OF_ONE_FILE, ids=lambda case: case.name)
def test_line_ends_of_other_systems_change_nothing(case: Case, tmp_path: Path) -> None:
    path = tmp_path / case.name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(("\ufeff" + case.text.replace("\n", "\r\n")).encode())
    source = load(str(path))
    kind = kind_of(source)

    assert kind is not None
    findings = judge(source, kind, case.against).findings
    assert tuple((f.place.line, f.place.column) for f in findings if f.fault == case.fault) == case.places


@pytest.mark.parametrize("name", FILES)
def test_a_large_file_takes_no_longer_than_it_must(name: str) -> None:
    line = FILES[name].splitlines()[-1] if not name.endswith((".json", ".yaml")) else "# comment"
    text = FILES[name] + "\n" + "\n".join([line] * 20_000)
    start = time.process_time()
    look(name, text)

    assert time.process_time() - start < 60


def test_templates_are_left_alone() -> None:
    for name, text in {
        "slurm.conf": "ClusterName={{ cluster }}\n",
        "x.service": "[Service]\nExecStart={{ path }}/run\n",
        "etc/containerd/config.toml": "version = 2\n{{- if .X }}\n[plugins.x]\n{{- end }}\n",
        "sshd_config": "{% if a %}\nPort 22\n{% endif %}\n",
    }.items():
        result = look(name, text)
        assert result is not None
        assert result.left
        assert not result.findings


def test_formats_of_docker_are_no_templates() -> None:
    result = look("x.service", "[Service]\nExecStart=/usr/bin/docker ps --format {{.ID}}\n")

    assert result is not None
    assert not result.left


@pytest.mark.parametrize("driver", ["systemd", "cgroupfs"])
def test_docker_and_kubelet_have_one_cgroup_driver(tmp_path: Path, driver: str) -> None:
    daemon, kubelet = tmp_path / "etc/docker/daemon.json", tmp_path / "var/lib/kubelet/config.yaml"
    for path in (daemon, kubelet):
        path.parent.mkdir(parents=True)
    daemon.write_text('{"exec-opts": ["native.cgroupdriver=cgroupfs"], "log-driver": "local"}')
    kubelet.write_text(
        f"kind: KubeletConfiguration\ncgroupDriver: {driver}\n"
        "containerRuntimeEndpoint: unix:///var/run/cri-dockerd.sock\n"
    )

    result = look(str(daemon), daemon.read_text())
    kubelet.write_text("\tbroken: [")
    alone = look(str(daemon), daemon.read_text())

    assert result is not None
    assert alone is not None
    assert [one.fault for one in result.findings] == ["cgroup-driver-mismatch"] * (driver == "systemd")
    assert alone.findings == ()


def slurm(
    folder: Path, main: str, gres: str, cgroup: str = "ConstrainDevices=yes\n"
) -> dict[str, set[str | None]]:
    """Write the three files beside each other; return the variants of what is found, by file and fault."""
    found: dict[str, set[str | None]] = {}
    for name, text in (("slurm.conf", main), ("gres.conf", gres), ("cgroup.conf", cgroup)):
        (folder / name).write_text(text, encoding="utf-8")
    for name in ("slurm.conf", "gres.conf", "cgroup.conf"):
        result = look(str(folder / name), (folder / name).read_text(encoding="utf-8"))
        assert result is not None
        for one in result.findings:
            found.setdefault(f"{name} {one.fault}", set()).add(one.variant)
    return found


HEAD = "GresTypes=gpu\nTaskPlugin=task/cgroup\nProctrackType=proctrack/cgroup\n"


def test_slurm_files_that_agree(tmp_path: Path) -> None:
    assert (
        slurm(tmp_path, HEAD + "NodeName=a Gres=gpu:h100:8\n", "Name=gpu Type=h100 File=/dev/nvidia[0-7]\n")
        == {}
    )
    assert slurm(tmp_path, HEAD + "NodeName=a Gres=gpu:8\n", "AutoDetect=nvml\n") == {}
    assert slurm(tmp_path, "NodeName=a CPUs=2\n", "#\nAutoDetect=off\n", "ConstrainCores=yes\n") == {}


def test_slurm_counts_that_differ(tmp_path: Path) -> None:
    found = slurm(tmp_path, HEAD + "NodeName=a Gres=gpu:8\n", "Name=gpu File=/dev/nvidia[0-3]\n")

    assert found == {"gres.conf slurm-gres-conf-wrong": {"count"}}


def test_slurm_gpus_without_gres_conf(tmp_path: Path) -> None:
    found = slurm(tmp_path, HEAD + "NodeName=a Gres=gpu:8\n", "Name=nic File=/dev/x\n")

    assert found == {"slurm.conf slurm-gres-conf-wrong": {"not-in-gres-conf"}}


def test_slurm_devices_of_gpus_are_not_constrained(tmp_path: Path) -> None:
    found = slurm(
        tmp_path, HEAD + "NodeName=a Gres=gpu:1\n", "Name=gpu File=/dev/nvidia0\n", "ConstrainCores=yes\n"
    )

    assert found == {"cgroup.conf slurm-cgroup-devices-not-constrained": {None}}
