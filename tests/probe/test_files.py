"""Paths below another root: their links never lead to files of the machine."""

from pathlib import Path

import pytest

from codeblue.model.facts import DriverFiles, Loader
from tests.probe.loading import section, tree

MULTIARCH = "/usr/lib/x86_64-linux-gnu"
ELF = b"\x7fELF" + bytes(100)


def test_absolute_links_lead_to_files_below_the_root(tmp_path: Path) -> None:
    files: dict[str, str | bytes] = {
        f"{MULTIARCH}/libcuda.so.1": "->/etc/alternatives/libcuda",
        "/etc/alternatives/libcuda": f"->{MULTIARCH}/nvidia/current/libcuda.so.550.1",
        f"{MULTIARCH}/nvidia/current/libcuda.so.550.1": ELF,
        "/lib": "->usr/lib",
    }

    found = section(DriverFiles, tree(tmp_path, files))

    assert {library.version for library in found.libraries.values()} == {"550.1"}
    assert found.stale_links == {}


def test_a_link_out_of_the_root_finds_nothing_of_the_machine(tmp_path: Path) -> None:
    outside = tmp_path / "outside.so"
    outside.write_bytes(ELF)
    root = tree(
        tmp_path / "root",
        {
            f"{MULTIARCH}/libcuda.so.1": f"->{outside}",
            f"{MULTIARCH}/libnvidia-ml.so.1": f"->{'../' * 20}{str(outside)[1:]}",
        },
    )

    found = section(DriverFiles, root)

    assert found.libraries == {}
    assert set(found.stale_links) == {f"{MULTIARCH}/libcuda.so.1", f"{MULTIARCH}/libnvidia-ml.so.1"}


@pytest.mark.parametrize("target", [f"{MULTIARCH}/libcuda.so", "libcuda.so"])
def test_links_in_a_circle_are_no_file(tmp_path: Path, target: str) -> None:
    root = tree(
        tmp_path,
        {f"{MULTIARCH}/libcuda.so.1": f"->{target}", f"{MULTIARCH}/libcuda.so": "->libcuda.so.1"},
    )

    assert section(Loader, root).libcuda_copies == []
