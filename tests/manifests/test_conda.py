"""conda's environments, lists and locks."""

from pathlib import Path

import pytest

from tests.manifests.tools import asked, indexes, left, manifest, refusal, written

ENVIRONMENT = """\
name: course
channels: [pytorch, "https://conda.example/t/secret-1/nvidia"]
dependencies:
  - python=3.10
  - pytorch=2.5.1=py3.11_cuda12.4*
  - pytorch-cuda=12.4   # not text
  - numpy>=1.2,<2
  - conda-forge::cudatoolkit 11.8.*
  - foo[version='>=2', build='*cuda*']
  - bar >= 2.0
  - exact==1.10
  - openssl=1.1.1w
  - one-of=1|2
  - "&&&"
  - pip
  - pip:
    - torch==2.1
    - --extra-index-url https://wheels.example
    - -r more.txt
  - other: [x]
variables:
  LD_LIBRARY_PATH: /x
  MY_SECRET: y
"""


def test_an_environment(tmp_path: Path) -> None:
    written(tmp_path, "more.txt", "scipy\n")

    found = manifest(tmp_path, "environment.yml", ENVIRONMENT)

    assert asked(found) == [
        "torch==2.5.1 5",
        "pytorch-cuda==12.4.* 6",
        "numpy>=1.2,<2 7",
        "cudatoolkit==11.8.* 8",
        "foo>=2 9",
        "bar>=2.0 10",
        "exact==1.10 11",
        "openssl===1.1.1w 12",
        "one-of 13",
        "pip 15",
        "torch==2.1 17",
        "scipy 1",
    ]
    assert [one.build for one in found.requirements if one.build] == ["py3.11_cuda12.4*", "*cuda*"]
    assert [one.conda for one in found.requirements] == [True] * 10 + [False] * 2
    assert indexes(found) == [
        ("channel", "pytorch"),
        ("channel", "https://conda.example/nvidia"),
        ("extra-index", "https://wheels.example"),
    ]
    assert found.python is not None and (found.python.value, found.python.origin[-2:]) == ("3.10", ":4")
    assert list(found.environment) == ["LD_LIBRARY_PATH"]
    assert [line.partition(":")[0] for line in left(found)] == ["13", "14", "20"]


@pytest.mark.parametrize(
    ("spec", "wanted"),
    [
        ("a", "a"),
        ("a=1.8=py27_0", "a==1.8|py27_0"),
        ("a 1.8 py27_0", "a==1.8|py27_0"),
        ("a==1.8=py27_0", "a==1.8|py27_0"),
        ("a=*=cuda*", "a|cuda*"),
        ("a * cuda*", "a|cuda*"),
        ("a=1.8.*", "a==1.8.*"),
        ("a=1.8*", "a==1.8.*"),
        ("a>=1.8, <2 build", "a>=1.8,<2|build"),
        ("a!=1.8.*", "a!=1.8.*"),
        ("a~=1.8", "a~=1.8"),
        ("channel/linux-64::a=1", "a==1.*"),
        ("A_b=1", "a-b==1.*"),
    ],
)
def test_match_specifications(tmp_path: Path, spec: str, wanted: str) -> None:
    found = manifest(tmp_path, "environment.yml", f"dependencies:\n- '{spec}'\n")

    one = found.requirements[0]
    assert one.name + one.specifier + (f"|{one.build}" if one.build else "") == wanted
    assert found.left == ()


def test_an_explicit_list(tmp_path: Path) -> None:
    content = (
        "# platform: linux-aarch64\n@EXPLICIT\n"
        "https://me:pw@conda.example/t/tk-1/pytorch/linux-aarch64/pytorch-2.5.1-py3.11_cuda12.4_0.tar.bz2#abc\n"
        "https://repo.example/main/linux-aarch64/python-3.11.10-h0_0.conda\n"
        "https://repo.example/main/noarch/\n"
    )

    found = manifest(tmp_path, "spec-file.txt", content)

    assert asked(found) == ["torch==2.5.1 3"]
    one = found.requirements[0]
    assert (one.build, one.conda, one.locked) == ("py3.11_cuda12.4_0", True, True)
    assert one.url == "https://conda.example/pytorch/linux-aarch64/pytorch-2.5.1-py3.11_cuda12.4_0.tar.bz2"
    assert ("channel", "https://conda.example/pytorch") in indexes(found)
    assert found.machine is not None and found.machine.value == "aarch64"
    assert found.python is not None and found.python.value == "3.11.10"
    assert [line.partition(":")[0] for line in left(found)] == ["5"]


def test_listings(tmp_path: Path) -> None:
    listed = (
        "# packages in environment at /opt/conda:\n#\n# Name  Version  Build  Channel\n"
        "pytorch   2.5.1   py3.11_cuda12.4_cudnn9.1.0_0   pytorch\n"
        "numpy     1.26.4  pypi_0    pypi\npython  3.11.9  h955ad1f_0\nsome words that are no row at all\n"
    )
    exported = (
        "# This file may be used to create an environment using:\n# platform: linux-64\n"
        "pytorch=2.5.1=py3.11_0\nnumpy=1.26.4=pypi_0\n"
    )
    of_pip = "Package Version Location\n------- ------- ----\ntorch 2.5.1+cu124\ndemo 0.1 /home/x\n"
    as_json = (
        '[{"name": "torch", "version": "2.5.1"},\n'
        ' {"name": "pytorch", "version": "2.4", "build_string": "py_0", "channel": "pytorch"}]'
    )

    conda = manifest(tmp_path, "list.txt", listed)
    assert asked(conda) == ["torch==2.5.1 4", "numpy==1.26.4 5"]
    assert [(one.build, one.conda) for one in conda.requirements] == [
        ("py3.11_cuda12.4_cudnn9.1.0_0", True),
        (None, False),
    ]
    assert [line.partition(":")[0] for line in left(conda)] == ["7"]
    assert asked(manifest(tmp_path, "export.txt", exported)) == ["torch==2.5.1 3", "numpy==1.26.4 4"]
    assert asked(manifest(tmp_path, "pip.txt", of_pip)) == ["torch==2.5.1+cu124 3", "demo==0.1 4"]
    assert asked(manifest(tmp_path, "list.json", as_json)) == ["torch==2.5.1 1", "torch==2.4 2"]


LOCK = """\
version: 1
metadata:
  channels:
    - url: conda-forge
      used_env_vars: []
package:
- name: pytorch
  version: 2.5.1
  manager: conda
  platform: linux-64
  url: https://conda.example/conda-forge/linux-64/pytorch-2.5.1-cuda126_py312h_0.conda
- name: pytorch
  version: 2.5.0
  manager: conda
  platform: osx-arm64
- name: vllm
  version: 0.6.0
  manager: pip
  platform: linux-64
  url: https://files.example/vllm-0.6.0.whl
- name: python
  version: '3.10'
  manager: conda
  platform: linux-64
"""


def test_conda_lock(tmp_path: Path) -> None:
    found = manifest(tmp_path, "conda-lock.yml", LOCK)

    assert asked(found) == ["torch==2.5.1 7", "vllm==0.6.0 16"]
    assert found.requirements[0].build == "cuda126_py312h_0"
    assert found.python is not None and found.python.value == "3.10"
    assert (
        "nothing in it is for linux-aarch64" in left(manifest(tmp_path, "conda-lock.yml", LOCK, "aarch64"))[0]
    )


PIXI_LOCK = """\
version: 6
environments:
  default:
    channels:
    - url: https://conda.anaconda.org/conda-forge/
    packages:
      linux-64:
      - conda: https://conda.anaconda.org/conda-forge/linux-64/pytorch-2.5.1-cuda126_py312_0.conda
      - conda: https://conda.anaconda.org/conda-forge/linux-64/python-3.12.0-h0_0_cpython.conda
      - pypi: https://files.example/vllm-0.6.0-cp312-cp312-manylinux_2_28_x86_64.whl
      - pypi: ./
      osx-arm64:
      - conda: https://conda.anaconda.org/conda-forge/osx-arm64/pytorch-2.5.0-cpu_0.conda
packages:
- conda: https://conda.anaconda.org/conda-forge/linux-64/pytorch-2.5.1-cuda126_py312_0.conda
"""


def test_pixi_lock(tmp_path: Path) -> None:
    found = manifest(tmp_path, "pixi.lock", PIXI_LOCK)

    assert asked(found) == ["torch==2.5.1 8", "vllm==0.6.0 10"]
    assert [(one.build, one.conda, one.locked) for one in found.requirements] == [
        ("cuda126_py312_0", True, True),
        (None, False, True),
    ]
    assert indexes(found) == [("channel", "https://conda.anaconda.org/conda-forge/")]
    assert found.python is not None and found.python.value == "3.12.0"
    assert [line.partition(":")[0] for line in left(found)] == ["11"]
    assert (
        "nothing in it is for linux-aarch64" in left(manifest(tmp_path, "pixi.lock", PIXI_LOCK, "aarch64"))[0]
    )


@pytest.mark.parametrize(
    ("content", "line"),
    [
        ("dependencies:\n  - a\n - b\n", "environment.yml:3:2: not valid YAML"),
        ("dependencies: [a\n", "environment.yml:2:1: not valid YAML"),
        ("dependencies:\n  - \x01\n", "environment.yml:2: not valid YAML"),
        ("services:\n  web: {}\n", "environment.yml: YAML of an unknown kind; give environment.yml"),
        ("- a\n", "environment.yml: YAML of an unknown kind"),
        ("", "environment.yml: YAML of an unknown kind"),
        ("a: 1\n---\nb: 2\n", "environment.yml:2:1: not valid YAML"),
        ("dependencies: " + "[" * 3000, "environment.yml:"),
    ],
)
def test_yaml_that_cannot_be_used(tmp_path: Path, content: str, line: str) -> None:
    assert refusal(tmp_path, "environment.yml", content).startswith(line)


def test_a_tag_builds_nothing(tmp_path: Path) -> None:
    content = "dependencies:\n- !!python/object/apply:os.mkdir [made]\n- torch\n"

    assert asked(manifest(tmp_path, "environment.yml", content)) == ["torch 3"]
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    "content",
    [
        "a0: &a0 [x, x]\n" + "".join(f"a{n}: &a{n} [*a{n - 1}, *a{n - 1}]\n" for n in range(1, 40)),
        "dependencies: &a [*a]\n",
        "a: &a {b: *a}\n",
    ],
    ids=["bomb", "cycle", "cycle of mappings"],
)
def test_aliases_are_bounded(tmp_path: Path, content: str) -> None:
    assert "aliases that grow beyond reason" in refusal(tmp_path, "environment.yml", content)
