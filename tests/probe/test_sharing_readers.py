"""vgpu and conda: layers that share a GPU, and where packages come from."""

from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead, State
from tests.probe.loading import section, tree
from tests.probe.standins import ENDS, PRESENT

CONDARC = """# written by hand
channels:
  - nvidia
  - https://packages.example.org/t/abc123/conda   # ours
  - defaults
default_channels: [https://repo.anaconda.com/pkgs/main, "https://alice:pw@packages.example.org/main"]
channel_alias: https://mirrors.tuna.tsinghua.edu.cn/anaconda/cloud
custom_channels:
  pytorch: https://other.example.org:8080/cloud
  conda-forge: https://packages.example.org/conda
custom_multichannels:
  local:
    - https://packages.example.org/a
channel_priority: strict
proxy_servers:
  https: http://alice:secret@proxy.example.org:3128
ssl_verify: false
"""


@pytest.mark.parametrize("version", ENDS)
def test_a_condarc_without_its_private_servers(version: str, tmp_path: Path) -> None:
    root = tree(tmp_path, {"/home/alice/.condarc": CONDARC})
    conda = section(facts.Conda, root, python=PRESENT.get(version), environment={"HOME": "/home/alice"})

    settings = conda.files["/home/alice/.condarc"].settings
    assert settings["channels"] == ["nvidia", "https://other-1/t/hidden/conda", "defaults"]
    assert settings["default_channels"] == ["https://repo.anaconda.com/pkgs/main", "https://other-1/main"]
    assert settings["channel_alias"] == ["https://mirrors.tuna.tsinghua.edu.cn/anaconda/cloud"]
    assert settings["custom_channels"] == [
        "pytorch: https://other-2/cloud",
        "conda-forge: https://other-1/conda",
    ]
    assert settings["custom_multichannels"] == ["local: https://other-1/a"]
    assert (settings["channel_priority"], settings["ssl_verify"]) == (["strict"], ["false"])
    assert "proxy_servers" not in settings


def test_files_come_in_the_order_in_which_conda_reads_them(tmp_path: Path) -> None:
    text = "channels:\n- conda-forge\n"
    root = tree(
        tmp_path,
        {
            "/etc/conda/condarc.d/b.yml": text,
            "/etc/conda/condarc.d/a.yaml": text,
            "/etc/conda/condarc.d/readme": text,
            "/opt/conda/.condarc": text,
            "/home/alice/.condarc": text,
            "/opt/conda/envs/job/.condarc": text,
            "/job/condarc": text,
        },
    )
    environment = {
        "HOME": "/home/alice",
        "CONDA_EXE": "/opt/conda/bin/conda",
        "CONDA_PREFIX": "/opt/conda/envs/job",
        "CONDARC": "/job/condarc",
        "CONDA_CHANNEL_PRIORITY": "flexible",
    }
    conda = section(facts.Conda, root, environment=environment)

    assert list(conda.files) == [
        "/etc/conda/condarc.d/a.yaml",
        "/etc/conda/condarc.d/b.yml",
        "/opt/conda/.condarc",
        "/home/alice/.condarc",
        "/opt/conda/envs/job/.condarc",
        "/job/condarc",
    ]
    assert conda.variables == {"CONDA_CHANNEL_PRIORITY": "flexible"}


@pytest.mark.parametrize(
    "text",
    ["channels: &all\n  - a\n", "- a\n", "channels: {a: b}\n", "a: b\n  c: d\n", "a: b\n- c\n", "words\n"],
)
def test_yaml_that_is_not_understood_is_unread(text: str, tmp_path: Path) -> None:
    root = tree(tmp_path, {"/home/alice/.condarc": text})
    conda = section(facts.Conda, root, environment={"HOME": "/home/alice"})

    with pytest.raises(NotRead, match="settings: unsupported"):
        _ = conda.files["/home/alice/.condarc"].settings


def test_a_link_without_end_is_an_error_and_a_missing_file_is_none(tmp_path: Path) -> None:
    root = tree(tmp_path, {"/home/alice/.condarc": "->.condarc"})
    conda = section(facts.Conda, root, environment={"HOME": "/home/alice"})

    assert conda.files["/home/alice/.condarc"].unread == {"settings": "error"}


def test_no_conda_is_absent(tmp_path: Path) -> None:
    assert section(facts.Conda, tmp_path, environment={"HOME": "/home/alice"}).state is State.ABSENT


def test_a_container_with_a_slice_of_a_gpu(tmp_path: Path) -> None:
    files = {"/etc/ld.so.preload": "/usr/local/vgpu/libvgpu.so\n# more\n", "/tmp/cudevshr.cache": ""}
    environment = {
        "CUDA_DEVICE_MEMORY_LIMIT_0": "8000m",
        "CUDA_DEVICE_SM_LIMIT": "50",
        "CUDA_DEVICE_MEMORY_SHARED_CACHE": "/tmp/cudevshr.cache",
        "CUDA_DISABLE_CONTROL": "false",
    }
    vgpu = section(facts.VirtualGpu, tree(tmp_path, files), environment=environment)

    assert (vgpu.preloaded, vgpu.library) == (True, "/usr/local/vgpu/libvgpu.so")
    assert vgpu.limits == {"CUDA_DEVICE_MEMORY_LIMIT_0": "8000m", "CUDA_DEVICE_SM_LIMIT": "50"}
    assert (vgpu.switches, vgpu.shared_cache) == ({"CUDA_DISABLE_CONTROL": "false"}, True)
    assert (vgpu.gridd, vgpu.tokens) == (False, 0)


def test_a_layer_in_the_variable_only(tmp_path: Path) -> None:
    vgpu = section(facts.VirtualGpu, tmp_path, environment={"LD_PRELOAD": "libx.so:/opt/libvgpu.so"})

    assert (vgpu.library, vgpu.preload_file, vgpu.shared_cache) == ("/opt/libvgpu.so", None, None)


def test_a_guest_with_a_licence_daemon(tmp_path: Path) -> None:
    licence = "/etc/nvidia/ClientConfigToken/client_configuration_token_1.tok"
    files = {"/usr/bin/nvidia-gridd": "", "/etc/nvidia/gridd.conf": "FeatureType=1\n", licence: "t"}
    vgpu = section(facts.VirtualGpu, tree(tmp_path, files))

    assert (vgpu.gridd, vgpu.gridd_configured, vgpu.tokens) == (True, True, 1)
    assert (vgpu.library, vgpu.preloaded) == (None, False)


def test_a_machine_without_layers_is_absent(tmp_path: Path) -> None:
    root = tree(tmp_path, {"/etc/ld.so.preload": "/usr/lib/libjemalloc.so.2\n"})

    assert section(facts.VirtualGpu, root).state is State.ABSENT
