"""nvcc: the compiler that torch would take, and what its files say of its release."""

from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import State
from tests.probe.loading import section, tree
from tests.probe.standins import ENDS, PRESENT

LISTED = '{"cuda": {"name": "CUDA SDK", "version": "12.4.1"}, "cuda_nvcc": {"version": "12.4.131"}}'
DEFINED = "/* comment */\n#define CUDA_VERSION 12060\n"


@pytest.mark.parametrize("version", ENDS)
def test_the_variable_comes_before_the_path_and_the_usual_folder(version: str, tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            "/opt/cuda-12.4/bin/nvcc": "",
            "/opt/cuda-12.4/version.json": LISTED,
            "/usr/bin/nvcc": "",
            "/usr/local/cuda/bin/nvcc": "",
        },
    )
    environment = {"CUDA_HOME": "/opt/cuda-12.4/", "PATH": "/usr/bin"}
    nvcc = section(facts.Nvcc, root, python=PRESENT.get(version), environment=environment)

    assert (nvcc.path, nvcc.told_by, nvcc.version) == ("/opt/cuda-12.4/bin/nvcc", "CUDA_HOME", "12.4.131")


@pytest.mark.parametrize(
    ("files", "environment", "told_by", "release"),
    [
        ({"/usr/bin/nvcc": "", "/usr/include/cuda.h": DEFINED}, {"PATH": "/bin:/usr/bin"}, "PATH", "12.6"),
        (
            {"/env/bin/nvcc": "", "/env/targets/x86_64-linux/include/cuda.h": DEFINED},
            {"PATH": ".:/env/bin"},
            "PATH",
            "12.6",
        ),
        (
            {"/usr/local/cuda/bin/nvcc": "", "/usr/local/cuda/version.txt": "CUDA Version 11.0.228\n"},
            {},
            "default",
            "11.0.228",
        ),
        (
            {"/c/bin/nvcc": "", "/c/version.json": '{"cuda": {"version": "11.8.0"}}'},
            {"CUDA_PATH": "/c"},
            "CUDA_PATH",
            "11.8.0",
        ),
        ({"/usr/local/cuda/bin/nvcc": ""}, {}, "default", None),
    ],
    ids=["distribution", "conda", "old", "no-compiler-in-the-list", "nothing-told"],
)
def test_the_release_is_told_by_files(
    files: dict[str, str], environment: dict[str, str], told_by: str, release: str | None, tmp_path: Path
) -> None:
    nvcc = section(facts.Nvcc, tree(tmp_path, files), environment={"PATH": "", **environment})

    assert (nvcc.told_by, nvcc.version) == (told_by, release)


@pytest.mark.parametrize(
    "content", ["{", "[]", "{}", '{"cuda": 3}', "\udcff".encode("utf-8", "replace").decode()]
)
def test_a_damaged_list_leaves_the_release_unread(content: str, tmp_path: Path) -> None:
    root = tree(tmp_path, {"/c/bin/nvcc": "", "/c/version.json": content})

    nvcc = section(facts.Nvcc, root, environment={"CUDA_HOME": "/c"})

    assert nvcc.unread == {"version": State.ERROR}


def test_absent_where_the_variable_names_no_compiler(tmp_path: Path) -> None:
    root = tree(tmp_path, {"/usr/bin/nvcc": ""})

    nvcc = section(facts.Nvcc, root, environment={"CUDA_HOME": "/opt/none", "PATH": "/usr/bin"})

    assert (nvcc.state, nvcc.reason) == (State.ABSENT, "no /opt/none/bin/nvcc")
