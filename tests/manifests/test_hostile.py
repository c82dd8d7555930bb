"""Whatever is given: one clear line or a manifest, within bounds of time and depth."""

import gzip
import os
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codeblue.model.text import Message
from codeblue.sources.manifests.files import LARGEST
from codeblue.sources.manifests.reading import read
from codeblue.sources.target import Unusable
from tests.manifests.test_conda import ENVIRONMENT, LOCK
from tests.manifests.test_images import FILES, INSPECTED, MULTI
from tests.manifests.test_locks import POETRY, UV
from tests.manifests.test_projects import PIXI, PROJECT
from tests.manifests.test_requirements import GOOD
from tests.manifests.tools import asked, left, manifest, refusal, written

SEEDS = {
    "requirements.txt": GOOD,
    "pyproject.toml": PROJECT,
    "pixi.toml": PIXI,
    "uv.lock": UV,
    "poetry.lock": POETRY,
    "environment.yml": ENVIRONMENT,
    "conda-lock.yml": LOCK,
    "Dockerfile": MULTI + FILES,
    "image.json": str(INSPECTED).replace("'", '"'),
    "list.txt": "# packages in environment at /x:\ntorch 2.5 py_0 pytorch\n",
    "spec.txt": "@EXPLICIT\nhttps://x.example/linux-64/torch-2.5-py_0.conda\n",
    "unknown": GOOD,
}
PIECES = sorted({word for text in SEEDS.values() for word in text.split(" ")})

texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=6)), max_size=40).map(" ".join)


@st.composite
def damaged(draw: st.DrawFn) -> tuple[str, bytes]:
    """Return a name, and a good file of this name with some lines changed, swapped or cut."""
    name = draw(st.sampled_from(sorted(SEEDS)))
    lines = SEEDS[name].split("\n")
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(lines) - 1))
        lines[place] = draw(
            st.one_of(texts, st.sampled_from(lines), st.just(lines[place][: len(lines[place]) // 2]))
        )
    return name, "\n".join(lines).encode("utf-8", "replace")


def survives(folder: Path, name: str, content: bytes) -> None:
    """Read a file; only Unusable may be raised, and its line is printable in both languages."""
    path = written(folder, name, content)
    told: list[Message] = []
    try:
        told = [one.why for one in read([path]).left]
    except Unusable as error:
        told = [error.line]
    assert all(one.say(lang).isprintable() for one in told for lang in ("en", "zh"))


SETTINGS = settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)


@SETTINGS
@given(name=st.sampled_from(sorted(SEEDS)), content=st.binary(max_size=300))
def test_no_bytes_raise_anything_else(tmp_path: Path, name: str, content: bytes) -> None:
    survives(tmp_path, name, content)


@SETTINGS
@given(name=st.sampled_from(sorted(SEEDS)), content=texts)
def test_no_words_raise_anything_else(tmp_path: Path, name: str, content: str) -> None:
    survives(tmp_path, name, content.encode("utf-8", "replace"))


@SETTINGS
@given(file=damaged())
def test_no_damage_raises_anything_else(tmp_path: Path, file: tuple[str, bytes]) -> None:
    survives(tmp_path, *file)


@settings(SETTINGS, max_examples=50)
@given(name=st.text(max_size=60))
def test_no_name_raises_anything_else(name: str) -> None:
    with pytest.raises(Unusable):
        read([f"/nowhere/{name}"])
    with suppress(Unusable):
        read([f"{name}.whl"])


def test_paths_that_cannot_be_used(tmp_path: Path) -> None:
    loop, pipe = tmp_path / "loop.txt", tmp_path / "pipe"
    loop.symlink_to(loop)
    os.mkfifo(pipe)

    for path, why in (
        (tmp_path / "none.txt", "No such file or directory; check the path"),
        (tmp_path, "Is a directory"),
        (loop, "Too many levels of symbolic links"),
        ("/dev/zero", "not a regular file"),
        ("with\0zero", "zero byte"),
        ("with\udcffsurrogate", "No such file"),
        ("with\ud800surrogate", "no path is written like this"),
    ):
        with pytest.raises(Unusable, match=why):
            read([str(path)])
    found = manifest(
        tmp_path, "requirements.txt", f"torch\n-r {loop.name}\n-r {pipe.name}\n-r .\n-r /dev/zero\n"
    )
    assert asked(found) == ["torch 1"]
    assert [line.partition(":")[0] for line in left(found)] == ["2", "3", "4", "5"]


@pytest.mark.skipif(os.getuid() == 0, reason="root may read everything")
def test_a_file_that_may_not_be_read(tmp_path: Path) -> None:
    path = tmp_path / "requirements.txt"
    path.touch(mode=0)

    with pytest.raises(Unusable, match=r"requirements\.txt: Permission denied; check the path"):
        read([str(path)])


def test_contents_that_cannot_be_used(tmp_path: Path) -> None:
    assert refusal(tmp_path, "requirements.txt", bytes(range(256)) * 64).endswith("give the file of text")
    assert refusal(tmp_path, "requirements.txt", b"\x7fELF" + b"\0" * 100).startswith(
        "requirements.txt: not a text"
    )
    assert "larger than 10 MB" in refusal(tmp_path, "requirements.txt", b"a\n" * LARGEST)
    assert "unpacks to too much" in refusal(tmp_path, "a.txt", gzip.compress(b"a\n" * LARGEST * 2))
    assert "\x1b" not in refusal(tmp_path, "pyproject.toml", "a = \x1b[2J")


def test_many_files_that_name_each_other_are_bounded(tmp_path: Path) -> None:
    for number in range(200):
        written(tmp_path, f"{number}.txt", f"a{number}\n-r {number + 1}.txt\n")

    found = read([str(tmp_path / "0.txt")])

    assert len(found.requirements) == 100
    assert "only the first 100 files" in left(found)[0]


def test_what_is_left_is_bounded(tmp_path: Path) -> None:
    found = manifest(tmp_path, "requirements.txt", "not a requirement\n" * 1000)

    assert len(found.left) == 101
    assert left(found)[-1].endswith("900 more parts")


GARBAGE: dict[str, tuple[str, Callable[[int], str]]] = {
    "requirements": ("requirements.txt", lambda size: "a==1\n" * (size // 5)),
    "one long line": ("requirements.txt", lambda size: "a " + " " * size + "b"),
    "continued lines": ("requirements.txt", lambda size: "a \\\n" * (size // 4)),
    "constraints": ("constraints.txt", lambda size: "-c x\n" * (size // 5)),
    "brackets": ("requirements.txt", lambda size: "a;" + "(" * size),
    "instructions": ("Dockerfile", lambda size: "FROM x\n" * (size // 7)),
    "installs": ("Dockerfile", lambda size: "FROM x\nRUN pip install " + "a " * (size // 2)),
    "heredocs": ("Dockerfile", lambda size: "FROM x\n" + "RUN <<A\n" * (size // 8)),
    "ended heredocs": ("Dockerfile", lambda size: "FROM x\n" + "RUN <<A\nA\n" * (size // 10)),
    "quotes": ("Dockerfile", lambda size: "FROM x\nRUN " + "'\"`$(" * (size // 5)),
    "escapes": ("Dockerfile", lambda size: "FROM x\nRUN " + "\\" * size),
    "copies": ("Dockerfile", lambda size: "FROM x\n" + "COPY a b\nRUN pip install -r c\n" * (size // 30)),
    "packages": ("uv.lock", lambda size: "version = 1\n" + '[[package]]\nname = "a"\n' * (size // 23)),
    "keys": (
        "pixi.toml",
        lambda size: "[dependencies]\n" + "".join(f'a{n} = "1"\n' for n in range(size // 12)),
    ),
    "projects": (
        "pyproject.toml",
        lambda size: "[project]\ndependencies = [" + "".join(f'"a{n}>1",\n' for n in range(size // 9)) + "]",
    ),
    "yaml": ("environment.yml", lambda size: "dependencies:\n" + "- a=1\n" * (size // 6)),
    "rows": ("list.txt", lambda size: "Package Version\n" + "a 1\n" * (size // 4)),
    "explicit": ("spec.txt", lambda size: "@EXPLICIT\n" + "-" * size),
    "json": ("x.json", lambda size: '[{"Config": {"Env": [' + '"NV_A=1",' * (size // 9) + '"b"]}}]'),
}


ENOUGH = 60.0
"""Seconds that a busy machine may need at most for a file that takes about one; quadratic work on it
takes minutes."""


@pytest.mark.parametrize("kind", GARBAGE)
def test_garbage_takes_no_quadratic_time(tmp_path: Path, kind: str) -> None:
    name, made = GARBAGE[kind]
    started = time.process_time()
    survives(tmp_path, name, made(300_000).encode())
    assert time.process_time() - started < ENOUGH
