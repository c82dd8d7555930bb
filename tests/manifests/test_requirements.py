"""requirements.txt and its kin, beside pip's own parser."""

import json
import os
import platform
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from codeblue.sources.manifests.reading import read
from codeblue.sources.target import Unusable
from tests.manifests import pip_oracle
from tests.manifests.tools import asked, indexes, left, manifest, refusal, written

GOOD = """\
# from a course
--index-url https://user:secret@mirror.example/simple
--extra-index-url https://${USER}:${TOKEN}@other.example/${TOKEN}/simple
-f https://wheels.example/links.html
--pre
torch==2.7.1+cu128 ; sys_platform == 'linux'
Torch_Vision >= 0.20, < 0.23   # with a comment
only-windows; sys_platform == 'win32'
tomli; python_version < '3.11'
numpy==1.26.4 \\
    --hash=sha256:aaaa \\
    --hash=sha256:bbbb
demo[extra,other]~=1.2
triton @ https://me:pw@host.example/triton-3.0.0-cp311-cp311-linux_x86_64.whl#sha256=1
https://host.example/whl/cu124/torch-2.5.1%2Bcu124-cp311-cp311-linux_x86_64.whl
-e git+https://github.com/someone/thing.git@main#egg=thing
"""


def test_every_form_is_read(tmp_path: Path) -> None:
    found = manifest(tmp_path, "requirements.txt", GOOD)

    assert asked(found) == [
        "torch==2.7.1+cu128 6",
        "torch-vision>=0.20,<0.23 7",
        "tomli 9",
        "numpy==1.26.4 10",
        "demo~=1.2 13",
        "triton==3.0.0 14",
        "torch==2.5.1+cu124 15",
        "thing 16",
    ]
    assert indexes(found) == [
        ("index", "https://mirror.example/simple"),
        ("extra-index", "https://other.example/${TOKEN}/simple"),
        ("find-links", "https://wheels.example/links.html"),
    ]
    assert (
        found.requirements[5].url == "https://host.example/triton-3.0.0-cp311-cp311-linux_x86_64.whl#sha256=1"
    )
    assert found.left == ()


def test_markers_are_judged_for_the_machine_and_python_that_were_given(tmp_path: Path) -> None:
    content = (
        "a; platform_machine == 'aarch64'\nb; python_version >= '3.11'\nc; python_full_version < '3.11.4'\n"
        "d; platform_machine == 'x86_64' and sys_platform == 'linux'\ne; extra == 'x'\n"
    )

    assert asked(manifest(tmp_path, "r.txt", content)) == ["b 2", "c 3", "d 4"]
    assert asked(manifest(tmp_path, "r.txt", content, "aarch64", "3.10")) == ["a 1", "c 3"]
    assert asked(manifest(tmp_path, "r.txt", content, python="3.11.9")) == ["b 2", "d 4"]


def test_files_that_are_named_are_read_from_where_they_are_named(tmp_path: Path) -> None:
    written(tmp_path, "sub/base.txt", "-r deeper.txt\n-c ../limits.txt\ntorch\nnumpy>=1.26\n")
    written(tmp_path, "sub/deeper.txt", "scipy\n-r base.txt\n")
    written(tmp_path, "limits.txt", "torch==2.6.0\nnumpy<2\nnobody-asks==1\n")

    found = manifest(tmp_path, "all.txt", "--requirement=sub/base.txt\n-rsub/deeper.txt\n-r all.txt\n")

    assert asked(found) == ["scipy 1", "torch==2.6.0 3", "numpy>=1.26,<2 4"]
    assert found.requirements[1].origin == f"{tmp_path}/sub/base.txt:3"
    assert found.left == ()


def test_what_is_not_understood_is_left_with_its_line(tmp_path: Path) -> None:
    content = (
        "torch==2.7.1\nnot a requirement\n-r none.txt\n-r https://me:pw@host.example/r.txt\n--frobnicate\n"
        f".\n-e ./here\n{'x' * 5000}\na; nonsense == 'x'\n"
    )

    found = manifest(tmp_path, "requirements.txt", content)

    assert asked(found) == ["torch==2.7.1 1"]
    assert [line.partition(":")[0] for line in left(found)] == ["2", "3", "4", "5", "6", "7", "8", "9"]
    assert "none.txt: No such file" in left(found)[1]
    assert "pw" not in left(found)[2]
    assert "option --frobnicate is not known" in left(found)[3]


def test_files_are_merged_in_order(tmp_path: Path) -> None:
    paths = [
        written(tmp_path, "a.txt", "torch\n"),
        written(tmp_path, "constraints.txt", "torch<3\n"),
        written(tmp_path, "b.txt", "-c constraints.txt\nnumpy\n"),
    ]

    assert asked(read([paths[2], paths[0]])) == ["numpy 2", "torch<3 1"]


def test_a_log_is_refused(tmp_path: Path) -> None:
    content = "Traceback (most recent call last):\n  File x, line 1\nRuntimeError: CUDA error\ntorch\n"

    assert refusal(tmp_path, "job.log", content).startswith(
        "job.log: hardly anything in it is understood; give"
    )


@pytest.mark.parametrize(
    "content",
    [
        "torch==2.7.1\r\nnumpy\r\n".encode("utf-16"),
        "torch==2.7.1\r\nnumpy\r\n".encode("utf-16-be"),
        b"\xef\xbb\xbftorch==2.7.1\r\nnumpy\r\n",
        "torch==2.7.1 # caf\xe9\nnumpy".encode("latin-1"),
        b"torch==2.7.1\rnumpy\r",
    ],
    ids=["utf-16", "utf-16-be without mark", "utf-8 mark", "latin-1", "old line ends"],
)
def test_encodings(tmp_path: Path, content: bytes) -> None:
    if content.startswith(b"\0"):
        content = b"\xfe\xff" + content

    assert asked(manifest(tmp_path, "requirements.txt", content)) == ["torch==2.7.1 1", "numpy 2"]


ORACLE = [
    GOOD.replace("-e git+https", "# -e git+https").replace("https://host.example/whl", "# "),
    "a==1  # x\n# y\\\nb>=2 \\\n  ,<3\n\n c \n",
    "a==1 \\\n# between\nb\n",
    "a ; python_version>'3' and (sys_platform=='linux' or os_name=='nt')\nb;sys_platform!='linux'\n",
    "a==1\\\n\n--pre\nb==1 --config-settings=x=y\n",
    "a[b]==1.*\nc===weird\nd!=1,>0\n",
    "a==1#no comment\n",
    "a\\",
]


@pytest.fixture(scope="module")
def of_pip(tmp_path_factory: pytest.TempPathFactory) -> list[tuple[str, Any]]:
    """Return the files, and what pip's own parser makes of each."""
    pytest.importorskip("pip")
    folder = tmp_path_factory.mktemp("oracle")
    paths = [written(folder, f"requirements{n}.txt", content) for n, content in enumerate(ORACLE)]
    done = subprocess.run([sys.executable, pip_oracle.__file__, *paths], capture_output=True, check=True)
    return list(json.loads(done.stdout).items())


@pytest.mark.parametrize("number", range(len(ORACLE)))
def test_the_same_as_pip(of_pip: list[tuple[str, Any]], number: int) -> None:
    """Names, versions, lines and decisions on markers are those of pip's own parser."""
    path, expected = of_pip[number]

    found = read([path], platform.machine(), platform.python_version())

    if isinstance(expected, str):
        assert len(found.left) == 1
        return
    # Where an address is given, only ours tells the version in it.
    assert [
        [one.name, [] if one.url else sorted(filter(None, one.specifier.split(","))), line]
        for one in found.requirements
        for line in [int(one.origin.rpartition(":")[2])]
    ] == expected
    assert found.left == ()


@pytest.mark.parametrize(
    ("name", "name_and_version", "python", "machine"),
    [
        ("torch-2.5.1+cu124-cp311-cp311-linux_x86_64.whl", "torch==2.5.1+cu124", "3.11", "x86_64"),
        ("Some_Thing-1.0-1-py3-none-any.whl", "some-thing==1.0", None, None),
        ("a-1-cp39-abi3-manylinux_2_28_aarch64.whl", "a==1", ">=3.9", "aarch64"),
        (
            "a-1-cp310-cp310-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
            "a==1",
            "3.10",
            "x86_64",
        ),
    ],
)
def test_the_name_of_a_wheel(
    name: str, name_and_version: str, python: str | None, machine: str | None
) -> None:
    found = read([f"/nowhere/{name}"])

    assert [f"{one.name}{one.specifier}" for one in found.requirements] == [name_and_version]
    assert found.requirements[0].url == f"/nowhere/{name}"
    assert (found.python and found.python.value) == python
    assert (found.machine and found.machine.value) == machine


def test_wheels_that_say_little(tmp_path: Path) -> None:
    assert "built for win_amd64" in left(read(["a-1-cp311-cp311-win_amd64.whl"]))[0]
    with pytest.raises(Unusable, match=r"torch\.whl: not the name of a wheel"):
        read(["torch.whl"])


def test_the_standard_input_is_known_by_its_content(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for content, line in ((b"torch==2.7.1\n", "1"), (b"FROM x\nRUN pip install torch==2.7.1\n", "2")):
        reading, writing = os.pipe()
        os.write(writing, content)
        os.close(writing)
        with open(reading, encoding="utf-8") as stream:
            monkeypatch.setattr(sys, "stdin", stream)
            found = read(["-"])
        assert found.requirements[0].origin == f"stdin:{line}"
