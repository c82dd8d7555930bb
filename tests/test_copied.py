"""The copy of a container's files: what an engine sends is not trusted."""

import io
import os
import shutil
import tarfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from codeblue.transport import copied

Put = Callable[..., None]
MULTIARCH = copied.MULTIARCH
M = MULTIARCH.rpartition("/")[2]
"""As engines name what they send: from the last part of the path on."""


@pytest.fixture
def put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Put:
    """An engine that sends the archives given to it, by the path it is asked for."""
    archives = tmp_path / "archives"
    archives.mkdir()
    engine = tmp_path / "bin" / "engine"
    engine.parent.mkdir()
    engine.write_text(
        "#!/bin/sh\n"
        'name=$(echo "${2#box:}" | tr / _)\n'
        f'[ -e "{archives}/$name" ] || {{ echo "Could not find the file" >&2; exit 1; }}\n'
        f'exec cat "{archives}/$name"\n',
        encoding="utf-8",
    )
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{engine.parent}:{os.environ['PATH']}")

    def write(path: str, *members: tuple[str, str | bytes | None], keep: int | None = None) -> None:
        buffer = io.BytesIO()
        with tarfile.open(fileobj=buffer, mode="w") as archive:
            for name, content in members:
                row = tarfile.TarInfo(name)
                row.type = tarfile.DIRTYPE if content is None else tarfile.REGTYPE
                if isinstance(content, str):
                    row.type, row.linkname = tarfile.SYMTYPE, content
                data = content if isinstance(content, bytes) else b""
                row.size = len(data)
                archive.addfile(row, io.BytesIO(data))
        (archives / path.replace("/", "_")).write_bytes(buffer.getvalue()[:keep])

    return write


@pytest.fixture
def copy() -> Iterator[Callable[..., copied.Copied]]:
    """Make copies; they are removed afterwards."""
    made: list[copied.Copied] = []

    def start(environment: dict[str, str] | None = None, seconds: float = 30) -> copied.Copied:
        made.append(copied.copy("engine", "box", environment or {}, seconds))
        return made[-1]

    yield start
    for one in made:
        shutil.rmtree(one.folder)


def test_links_and_what_they_lead_to(put: Put, copy: Callable[..., copied.Copied]) -> None:
    put("/etc/os-release", ("os-release", "../usr/lib/os-release"))
    put("/usr/lib/os-release", ("os-release", b"ID=here\n"))
    put(
        MULTIARCH,
        (M, None),
        (f"{M}/libc.so.6", b"x"),
        (f"{M}/notes.txt", b"n"),
        (f"{M}/libcuda.so.1", "/etc/alt/c"),
    )
    put("/etc/alt/c", ("c", "/opt/driver/libcuda.so.550.1"))
    put("/opt/driver/libcuda.so.550.1", ("libcuda.so.550.1", b"d" * 100_000))

    done = copy()

    root = Path(done.folder)
    assert done.incomplete is None
    assert (root / "usr/lib/os-release").read_text(encoding="utf-8") == "ID=here\n"
    assert (root / "etc/alt/c").is_symlink()
    assert (root / "opt/driver/libcuda.so.550.1").stat().st_size == 100_000
    assert (root / "lib").readlink() == Path("usr/lib"), "the C library lies below /usr"
    assert not list(root.rglob("notes.txt"))


def test_only_the_beginning_of_a_library_is_kept(put: Put, copy: Callable[..., copied.Copied]) -> None:
    put(MULTIARCH, (M, None), (f"{M}/libcuda.so.1", b"h" * (copied.HEAD * 3)))

    [library] = Path(copy().folder).rglob("libcuda.so.1")

    content = library.read_bytes()
    assert content == b"h" * copied.HEAD + bytes(copied.HEAD * 2)


def test_nothing_is_written_outside_the_copy(
    put: Put, copy: Callable[..., copied.Copied], tmp_path: Path
) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    put(
        "/usr/local/nvidia",
        ("nvidia", None),
        ("nvidia/lib", str(outside)),
        ("nvidia/lib/libcuda.so.1", b"through a link"),
        ("../../../../../../../../libcuda.so.2", b"above"),
        ("/libcuda.so.3", b"absolute"),
    )

    done = copy()

    assert not list(outside.iterdir())
    assert done.incomplete is None
    assert not Path("/libcuda.so.2").exists() and not Path("/libcuda.so.3").exists()
    assert (Path(done.folder) / "usr/local/nvidia/lib").is_symlink()


def test_links_in_a_circle_come_to_an_end(put: Put, copy: Callable[..., copied.Copied]) -> None:
    put("/etc/os-release", ("os-release", "/etc/b"))
    put("/etc/b", ("b", "/etc/os-release"))
    put(MULTIARCH, (M, None), (f"{M}/libcuda.so.1", "libcuda.so"), (f"{M}/libcuda.so", "libcuda.so.1"))

    assert copy().incomplete is None


def test_a_link_to_a_folder_is_not_followed(put: Put, copy: Callable[..., copied.Copied]) -> None:
    put(MULTIARCH, (M, None), (f"{M}/libcuda.so.1", "/data"))
    put("/data", ("data", None), ("data/libhuge.so", b"x"))

    assert not list(Path(copy().folder).rglob("libhuge.so"))


def test_too_much_is_left(
    put: Put, copy: Callable[..., copied.Copied], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(copied, "LARGEST_STREAM", 1 << 30)
    put(MULTIARCH, (M, None), *((f"{M}/lib{n}.so", b"x" * 100) for n in range(9)))
    assert copy().incomplete is None
    monkeypatch.setattr(copied, "LARGEST_STREAM", 500)

    assert copy().incomplete == "more than 0 GiB"


def test_an_archive_that_ends_in_the_middle_is_no_whole_one(
    put: Put, copy: Callable[..., copied.Copied]
) -> None:
    put(MULTIARCH, (M, None), (f"{M}/libc.so.6", b"x" * 5000), keep=2000)

    assert copy().incomplete is not None


def test_an_engine_that_hangs_is_left(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, copy: Callable[..., copied.Copied]
) -> None:
    engine = tmp_path / "engine"
    engine.write_text("#!/bin/sh\nsleep 60 &\nwait\n", encoding="utf-8")
    engine.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")

    assert copy(seconds=0.3).incomplete == copied.LATE
