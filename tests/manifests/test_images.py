"""What Dockerfiles install, and what docker inspect tells."""

import json
from pathlib import Path

import pytest

from codeblue.sources.manifests.reading import read
from tests.manifests.tools import asked, indexes, left, manifest, refusal, written

MULTI = """\
ARG CUDA=12.4.1
ARG BASE=nvidia/cuda:${CUDA}-runtime-ubuntu22.04
FROM python:3.11-slim AS builder
RUN python -m venv /opt/venv && /opt/venv/bin/pip install "torch==2.5.1" \\
      torchvision>=0.20 --index-url https://me:pw@download.example/whl/cu124
FROM python:3.9 AS unused
RUN pip install never
FROM ${BASE} AS base
ENV PIP_EXTRA_INDEX_URL="https://a.example https://b.example" NVIDIA_VISIBLE_DEVICES=all
ENV NVIDIA_API_KEY=secret
ENV LD_LIBRARY_PATH /usr/local/cuda/lib64:/x y
FROM base
COPY --from=builder /opt/venv /opt/venv
"""


def test_stages(tmp_path: Path) -> None:
    found = manifest(tmp_path, "Dockerfile", MULTI)

    assert asked(found) == ["torch==2.5.1 4", "torchvision 5"]
    assert {one.index for one in found.requirements} == {"https://download.example/whl/cu124"}
    assert found.image is not None
    assert found.image.value == "nvidia/cuda:12.4.1-runtime-ubuntu22.04"
    assert found.image.origin == f"{tmp_path}/Dockerfile:8"
    assert indexes(found) == [("extra-index", "https://a.example"), ("extra-index", "https://b.example")]
    assert {name: said.value for name, said in found.environment.items()} == {
        "PIP_EXTRA_INDEX_URL": "https://a.example https://b.example",
        "NVIDIA_VISIBLE_DEVICES": "all",
        "LD_LIBRARY_PATH": "/usr/local/cuda/lib64:/x y",
    }
    assert found.python is None
    assert "the shell takes >=0.20 for a redirection" in left(found)[0]
    assert "pw" not in str(found) and "secret" not in str(found)


@pytest.mark.parametrize(
    ("command", "wanted"),
    [
        ("pip install a==1 'b>=2' -U --no-cache-dir", "a==1 b>=2"),
        ("pip3 install --upgrade pip a", "pip a"),
        ("python3.11 -m pip --no-cache-dir install a", "a"),
        ("/opt/conda/bin/pip install -t /x a", "a"),
        ("uv pip install --system a", "a"),
        ("uv add a", "a"),
        ("sudo -E pip install a", "a"),
        ("set -ex; apt-get update || true; pip install a | tee log", "a"),
        ("conda run -n x --no-capture-output pip install a", "a"),
        ('bash -lc "pip install a && pip install b"', "a b"),
        ("conda install -y -n x 'a=1.2' b>=2", "a==1.2.* b>=2"),
        ("micromamba create -n x -c pytorch a", "a"),
        ("X=3 && pip install a==${X}", "a==3"),
        ("pip install a==$V", "a==9"),
        ('["pip", "install", "a==1"]', "a==1"),
        ('["bash", "-c", "pip install a==1"]', "a==1"),
        ("if [ -f x ]; then pip install a; fi", "a"),
        ("pip install 'a @ git+https://me:pw@host.example/a'", "a"),
        ("pip install -e git+https://host.example/a#egg=a", "a"),
        ("mim install mmcv==2.1", "mmcv==2.1"),
        ("pip uninstall a", ""),
        ("pip wheel install", ""),
        ("pip download a", ""),
        ("echo pip install a", ""),
        ("pip install $EMPTY a", "a"),
    ],
)
def test_commands_that_install(tmp_path: Path, command: str, wanted: str) -> None:
    found = manifest(tmp_path, "Dockerfile", f"FROM x\nARG V=9\nARG EMPTY=\nRUN {command}\n")

    assert " ".join(f"{one.name}{one.specifier}" for one in found.requirements) == wanted
    assert all(one.origin.endswith(":4") for one in found.requirements)
    assert "pw" not in str(found)


@pytest.mark.parametrize(
    "command", ["pip install a==$(cat version)", "pip install a==${UNKNOWN}", "pip install ."]
)
def test_what_only_the_build_knows_is_left(tmp_path: Path, command: str) -> None:
    found = manifest(tmp_path, "Dockerfile", f"FROM x\nRUN {command}\n")

    assert found.requirements == ()
    assert [line.partition(":")[0] for line in left(found)] == ["2"]


FILES = """\
FROM nvidia/cuda:12.4.1-devel-ubuntu22.04
WORKDIR /app
COPY requirements.txt /tmp/
COPY conf/ conf/
COPY environment.yml uv.lock pyproject.toml ./
RUN --mount=type=bind,source=more.txt,target=/mnt/more.txt pip install -r /mnt/more.txt
RUN pip install -r /tmp/requirements.txt -c conf/limits.txt -i https://mirror.example
RUN conda env update -f environment.yml && uv sync
RUN pip install -r ../../../etc/hostname -r /never/copied.txt -r https://host.example/r.txt
RUN pip install -e .
"""


def test_files_beside_the_dockerfile(tmp_path: Path) -> None:
    written(tmp_path, "requirements.txt", "torch\n")
    written(tmp_path, "conf/limits.txt", "torch<2.6\n")
    written(tmp_path, "more.txt", "scipy\n")
    written(tmp_path, "environment.yml", "dependencies: [numpy=1.26]\n")
    written(tmp_path, "uv.lock", 'version = 1\n[[package]]\nname = "jax"\nversion = "0.5"\n')
    written(tmp_path, "pyproject.toml", '[project]\nname = "x"\ndependencies = ["einops"]\n')

    found = manifest(tmp_path, "Dockerfile", FILES)

    assert asked(found) == ["scipy 1", "torch<2.6 1", "numpy==1.26.* 1", "jax==0.5 2", "einops 3"]
    assert ("index", "https://mirror.example") in indexes(found)
    assert [line.partition(":")[0] for line in left(found)] == ["9", "9", "9"]
    assert [one.origin for one in found.requirements][1] == f"{tmp_path}/requirements.txt:1"


def test_the_build_may_start_one_folder_above(tmp_path: Path) -> None:
    written(tmp_path, "requirements/gpu.txt", "torch\n")

    found = manifest(
        tmp_path, "docker/Dockerfile.gpu", "FROM x\nCOPY . .\nRUN pip install -r requirements/gpu.txt\n"
    )

    assert asked(found) == ["torch 1"]


def test_conditions_and_cut_versions(tmp_path: Path) -> None:
    content = """\
FROM --platform=linux/arm64 nvidia/cuda:12.8.1-devel
ARG TARGETPLATFORM
ARG CUDA_VERSION=12.8.1
RUN if [ "$TARGETPLATFORM" = "linux/arm64" ]; then pip install arm; else pip install intel; fi
RUN pip install torch --extra-index-url https://w.example/cu$(echo $CUDA_VERSION | cut -d. -f1,2 | tr -d '.')
RUN UV_TORCH_BACKEND=cu128 PIP_INDEX_URL=https://mirror.example uv pip install b
"""
    on_intel = manifest(tmp_path, "Dockerfile", content.replace(" --platform=linux/arm64", ""))
    on_arm = read([str(tmp_path / "Dockerfile")], "aarch64")

    assert asked(on_intel)[0] == "intel 4"
    assert asked(on_arm)[0] == "arm 4"
    assert indexes(on_arm) == [("extra-index", "https://w.example/cu128")]
    assert on_arm.requirements[-1].index == "https://mirror.example"
    assert on_arm.environment["UV_TORCH_BACKEND"].value == "cu128"


def test_settings_that_name_an_index(tmp_path: Path) -> None:
    content = """\
FROM x
ARG PIP_EXTRA_INDEX_URL=https://a.example
ARG UV_INDEX_URL
ENV UV_DEFAULT_INDEX=mirror=https://b.example
RUN pip config set global.index-url https://me:pw@c.example/simple && pip config list
RUN conda config --add channels nvidia --set channel_priority strict
"""

    assert indexes(manifest(tmp_path, "Dockerfile", content)) == [
        ("extra-index", "https://a.example"),
        ("index", "https://b.example"),
        ("index", "https://c.example/simple"),
        ("channel", "nvidia"),
    ]


def test_the_platform_of_the_last_image_is_the_machine(tmp_path: Path) -> None:
    content = (
        "FROM --platform=linux/arm64 python:3.12.4-slim\nRUN pip install 'a; platform_machine==\"aarch64\"'\n"
    )

    found = manifest(tmp_path, "Containerfile", content)

    assert found.machine is not None and (found.machine.value, found.machine.origin[-2:]) == ("aarch64", ":1")
    assert found.python is not None and found.python.value == "3.12.4"
    assert asked(found) == ["a 2"]


@pytest.mark.parametrize(
    ("content", "python"),
    [
        ("FROM ghcr.io/astral-sh/uv:python3.12-bookworm\n", "3.12"),
        ("FROM x\nRUN apt-get install -y python3.10 python3.10-dev\n", "3.10"),
        ("FROM x\nARG P=3.12\nRUN uv python install $P\n", "3.12"),
        ("FROM x\nRUN uv venv --python 3.11 /v\n", "3.11"),
        ("FROM x\nRUN conda create -n y python=3.11\n", "3.11"),
        ("FROM nvcr.io/nvidia/pytorch:24.10-py3\n", None),
    ],
)
def test_the_python_of_an_image(tmp_path: Path, content: str, python: str | None) -> None:
    found = manifest(tmp_path, "Dockerfile", content)

    assert (found.python and found.python.value) == python


def test_dockerfiles_that_say_little(tmp_path: Path) -> None:
    assert refusal(tmp_path, "Dockerfile", "RUN pip install x\n").startswith("Dockerfile: no FROM in it")
    found = manifest(tmp_path, "Dockerfile", "ARG IMAGE\nFROM $IMAGE\n")
    assert found.image is None
    assert "the image '$IMAGE' needs an argument of the build" in left(found)[0]


INSPECTED = [
    {
        "RepoTags": ["nvcr.io/nvidia/pytorch:24.10-py3"],
        "Architecture": "arm64",
        "Config": {
            "Env": [
                "CUDA_VERSION=12.6.2.004",
                "NVIDIA_REQUIRE_CUDA=cuda>=9.0",
                "NV_CUDNN_VERSION=9.5",
                "PYTORCH_VERSION=2.5.0a0+e000",
                "NVIDIA_API_KEY=secret",
                "PASSWORD=secret",
                "LD_LIBRARY_PATH=/a",
                "PYTHON_VERSION=3.10.12",
                "PIP_INDEX_URL=https://me:secret@mirror.example/simple",
                "odd",
                7,
            ],
            "Labels": {"com.nvidia.pytorch.version": "2.5", "maintainer": "x"},
        },
    }
]


@pytest.mark.parametrize("shape", ["image", "container", "skopeo"])
def test_docker_inspect(tmp_path: Path, shape: str) -> None:
    told: object = INSPECTED
    if shape == "container":
        config = {**INSPECTED[0]["Config"], "Image": "nvcr.io/nvidia/pytorch:24.10-py3"}  # type: ignore[dict-item]  # it is one
        told = [{"Name": "/job", "Config": config, "Architecture": "arm64"}]
    elif shape == "skopeo":
        config = INSPECTED[0]["Config"]  # type: ignore[assignment]  # it is one
        told = {"Name": "nvcr.io/nvidia/pytorch:24.10-py3", "Architecture": "arm64", **config}

    found = manifest(tmp_path, "image.json", json.dumps(told, indent=1))

    assert found.image is not None and found.image.value == "nvcr.io/nvidia/pytorch:24.10-py3"
    assert found.machine is not None and found.machine.value == "aarch64"
    assert found.python is not None and found.python.value == "3.10.12"
    assert list(found.environment) == [
        "CUDA_VERSION",
        "NVIDIA_REQUIRE_CUDA",
        "NV_CUDNN_VERSION",
        "PYTORCH_VERSION",
        "LD_LIBRARY_PATH",
        "PIP_INDEX_URL",
        "com.nvidia.pytorch.version",
    ]
    line = int(found.environment["LD_LIBRARY_PATH"].origin.rpartition(":")[2])
    assert "LD_LIBRARY_PATH" in (tmp_path / "image.json").read_text().split("\n")[line - 1]
    assert indexes(found) == [("index", "https://mirror.example/simple")]
    assert "secret" not in str(found)


def test_json_that_cannot_be_used(tmp_path: Path) -> None:
    assert refusal(tmp_path, "x.json", '[{"a": 1,\n}]').startswith("x.json:2:1: not valid JSON")
    assert refusal(tmp_path, "x.json", "[]").startswith("x.json: JSON of an unknown kind; give")
    assert refusal(tmp_path, "x.json", "[" * 100_000).startswith("x.json: not valid JSON: nested too deeply")
    assert refusal(tmp_path, "x.json", "[" + "1" * 10_000 + "]").startswith("x.json: not valid JSON")
    assert refusal(tmp_path, "x.json", "").startswith("x.json:1:1: not valid JSON")
