"""The refresh script: what it proposes, and how it asks pip."""

import json
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scripts import refresh_knowledge
from scripts.refresh_knowledge import Refresh, cuda_of, differences, main, refresh
from scripts.registry import NoAnswer, Platform, Registry, Wheel
from scripts.table_file import TableFile
from tests.test_tables import TABLES

GLIBC = "manylinux_2_28_x86_64"
TORCH = (
    "nvidia-cudnn-cu13==9.26.0.51; platform_system == 'Linux'",
    "nvidia-nccl-cu13==2.30.7",
    "triton==3.9.0",
)


class Shelf:
    """A registry in memory: a start of pip for each question would take minutes."""

    def __init__(self) -> None:
        self.wheels: dict[tuple[str, str, str, str], Wheel] = {}

    def add(self, package: str, version: str, python: str, *requires: str, machine: str = "x86_64") -> None:
        """Put a wheel on the shelf."""
        found = Wheel(f"manylinux_2_28_{machine}", ">=3.6", requires, False)
        self.wheels[package, version, python, machine] = found

    def versions(self, package: str, platform: Platform | None = None) -> list[str]:
        """Return the versions offered."""
        names = [key for key in self.wheels if key[0] == package]
        return list(dict.fromkeys(key[1] for key in names if platform is None or key[2:] == tuple(platform)))

    def wheel(self, package: str, version: str, platform: Platform) -> Wheel | None:
        """Return one wheel."""
        return self.wheels.get((package, version, *platform))


@pytest.fixture
def shelf() -> Shelf:
    """A registry that offers what the tables say."""
    found = Shelf()
    found.add("torch", "2.15.0", "3.12", *TORCH, "cuda-toolkit[cudart]==13.0.2")
    found.add("nvidia-cudnn-cu13", "9.26.0.51", "3.12")
    found.add("nvidia-nccl-cu13", "2.30.7", "3.12")
    found.add("tensorrt", "11.4.0", "3.12")
    found.add("torchvision", "0.20.0", "3.12", "torch==1.7.0")
    found.add("torchaudio", "2.5.0", "3.12", "torch==1.7.0")
    return found


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Tables with one row each."""
    folder = tmp_path / "data"
    folder.mkdir()
    about = {"src": ["pypi"], "confidence": "verified"}
    torch = {
        "version": "2.15.0",
        "requires_python": ">=3.6",
        "python": ["3.12"],
        "pypi_variant": "cu130",
        "pypi_aarch64_variant": None,
        "triton": "3.9.0",
        "cuda_toolkit_pin": "13.0.2",
        "wheel_tag": GLIBC,
        "glibc_min": "2.28",
        "glibc_symbols_max": "2.28",
        "glibcxx_symbols_max": "3.4.22",
        "cxx11_abi": True,
        "torchvision": [],
        "torchaudio": [],
        "variants": {"cu130": {"cuda": "13.0", "cudnn": "9.26.0.51", "nccl": "2.30.7", "sm": [90], **about}},
        "aarch64_variants": {},
    }
    tables: dict[str, dict[str, Any]] = {
        "torch_releases": torch | about,
        "cudnn": {"version": "9.26.0.51", "date": None, "pypi": ["cu13"], "torch": ["2.15.0+cu130"]} | about,
        "nccl": {"version": "2.30.7", "date": None, "pypi": ["cu13"], "torch": ["2.15.0+cu130"]} | about,
        "tensorrt": {
            "version": "11.4.0",
            "date": None,
            "packages": ["tensorrt"],
            "cuda": ["13.x"],
            "cudnn": None,
            "cc_min": "7.5",
            "glibc_min": "2.28",
        }
        | about,
    }
    for name, row in tables.items():
        text = f'{{\n"_meta": {{"file": "{name}"}},\n"rows": [\n{json.dumps(row)}\n]\n}}\n'
        (folder / f"{name}.json").write_text(text, encoding="utf-8")
    return folder


def changed(shelf: Shelf, data: Path, *only: str) -> Refresh:
    """Compare and write the tables."""
    work = refresh(shelf, data, "2026-12-01", list(only), None)
    for table in work.tables.values():
        table.path.write_text(table.text(), encoding="utf-8")
    return work


def rows(data: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of a table as they are on disk."""
    return TableFile(data / f"{name}.json").rows


def test_equal_tables_are_left_alone(shelf: Shelf, data: Path) -> None:
    before = {path: path.read_bytes() for path in data.iterdir()}

    work = changed(shelf, data)
    assert (list(differences(work.tables)), work.notes) == ([], [])
    assert {path: path.read_bytes() for path in data.iterdir()} == before


def test_a_new_release_is_proposed_as_not_examined(shelf: Shelf, data: Path) -> None:
    for python in ("3.12", "3.13t"):
        shelf.add("torch", "2.16.0", python, *TORCH, "cuda-toolkit[cudart]==13.4.1")

    changed(shelf, data, "torch")
    old, new = rows(data, "torch_releases")
    assert "checked" not in old
    assert (new["python"], new["pypi_variant"], new["confidence"]) == (["3.12", "3.13t"], "cu134", "medium")
    assert new["variants"]["cu134"] == {
        "cuda": "13.4",
        "sm": [],
        "confidence": "low",
        "src": ["pypi"],
        "cudnn": "9.26.0.51",
        "nccl": "2.30.7",
    }
    assert "glibc_min" in new["low"] and new["checked"] == "2026-12-01"
    assert rows(data, "cudnn")[0]["torch"] == ["2.15.0+cu130", "2.16.0+cu134"]


def test_other_metadata_replace_what_the_table_says(shelf: Shelf, data: Path) -> None:
    pins = ("nvidia-cudnn-cu13==9.27.0.1", "triton==3.9.1", "cuda-toolkit[cudart]==13.0.2")
    shelf.add("torch", "2.15.0", "3.12", *pins)

    work = changed(shelf, data, "torch")
    [row] = rows(data, "torch_releases")
    assert (row["triton"], row["variants"]["cu130"]["cudnn"]) == ("3.9.1", "9.27.0.1")
    assert work.notes == ["torch 2.15.0+cu130 pins cudnn 9.27.0.1, which the table does not know"]


def test_wheels_of_another_processor_are_compared_too(shelf: Shelf, data: Path) -> None:
    shelf.add("torch", "2.15.0", "3.12", *TORCH, "cuda-toolkit==13.0.2", machine="aarch64")

    changed(shelf, data, "torch")
    [row] = rows(data, "torch_releases")
    assert row["pypi_aarch64_variant"] == "cu130"
    assert row["aarch64_variants"]["cu130"]["nccl"] == "2.30.7"
    assert "python_aarch64" not in row


def test_libraries_get_rows_packages_and_notes(shelf: Shelf, data: Path) -> None:
    shelf.add("nvidia-nccl-cu13", "2.31.2", "3.12")
    shelf.add("nvidia-nccl-cu12", "2.31.2", "3.8")
    del shelf.wheels["nvidia-nccl-cu13", "2.30.7", "3.12", "x86_64"]

    work = changed(shelf, data, "nccl")
    _, new = rows(data, "nccl")
    assert (new["version"], new["pypi"], new["confidence"]) == ("2.31.2", ["cu12", "cu13"], "medium")
    assert work.notes == ["nccl 2.30.7: in the table, but the registry offers no such Linux wheel (yanked?)"]


def test_a_companion_is_placed_by_its_pin(shelf: Shelf, data: Path) -> None:
    shelf.add("torchvision", "0.30.0", "3.12", "torch (==2.15.0)")
    shelf.add("torchaudio", "2.15.0", "3.12", "torch>=2.14")

    work = changed(shelf, data, "companions")
    [row] = rows(data, "torch_releases")
    assert (row["torchvision"], row["torchaudio"]) == (["0.30.0"], [])
    assert work.notes == ["torchaudio 2.15.0 requires torch>=2.14: place it by hand"]


def index_with(folder: Path, name: str, version: str, tags: str, *requires: str) -> str:
    """Return the URL of a package index with one wheel."""
    place = folder / name
    place.mkdir(parents=True)
    wheel = place / f"{name}-{version}-{tags}.whl"
    lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", "Requires-Python: >=3.12.2"]
    lines += [f"Requires-Dist: {one}" for one in requires]
    with zipfile.ZipFile(wheel, "w") as packed:
        inside = f"{name}-{version}.dist-info"
        packed.writestr(f"{inside}/METADATA", "\n".join(lines) + "\n")
        packed.writestr(f"{inside}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tags}\n")
        packed.writestr(f"{inside}/RECORD", "")
    (place / "index.html").write_text(f'<a href="{wheel.name}">{wheel.name}</a>', encoding="utf-8")
    return folder.as_uri()


def test_a_real_pip_answers_from_the_index_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Neither the constraints nor the folders of wheels of a machine are part of the registry.
    (tmp_path / "constraints.txt").write_text("torch<2\n", encoding="utf-8")
    monkeypatch.setenv("PIP_CONSTRAINT", str(tmp_path / "constraints.txt"))
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path / "elsewhere"))
    url = index_with(tmp_path / "simple", "torch", "2.15.0", f"cp312-cp312-{GLIBC}", *TORCH)
    registry = Registry(sys.executable, url)
    here = Platform("3.12", "x86_64")

    assert registry.versions("torch", here) == ["2.15.0"]
    assert registry.versions("torch", Platform("3.13t", "x86_64")) == []
    found = registry.wheel("torch", "2.15.0", here)
    assert found is not None and (found.tag, found.requires_python) == (GLIBC, ">=3.12.2")
    assert found.pins()["nvidia-nccl-cu13"] == "==2.30.7"
    assert registry.wheel("torch", "2.15.0", Platform("3.12", "aarch64")) is None


def test_without_an_answer_nothing_changes(data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    before = {path: path.read_bytes() for path in data.iterdir()}

    assert main(["--pip", "/nonexistent/python", "--data", str(data), "nccl"]) == 2
    error = capsys.readouterr().err
    assert error.startswith("refresh_knowledge: ") and error.count("\n") == 1
    assert {path: path.read_bytes() for path in data.iterdir()} == before
    with pytest.raises(NoAnswer):
        refresh(Shelf(), data, "2026-12-01", ["nccl"], None)


def test_pins_leave_extras_out() -> None:
    requires = ("Triton (==3.3.0) ; platform_system == 'Linux'", "a_b[x]>=1,<2", "opt; extra == 'opt'")

    assert Wheel("any", None, requires, False).pins() == {"triton": "==3.3.0", "a-b": ">=1,<2"}


def test_pins_of_another_processor_are_left_out() -> None:
    requires = ('nvidia-nccl-cu12==2.26.2; platform_system == "Linux" and platform_machine == "x86_64"',)

    assert Wheel("manylinux_2_28_aarch64", None, requires, False).pins() == {}
    assert Wheel(GLIBC, None, requires, False).pins() == {"nvidia-nccl-cu12": "==2.26.2"}


@pytest.mark.parametrize(
    ("pins", "cuda"),
    [
        ({"cuda-toolkit": "==13.2.2"}, "13.2"),
        ({"nvidia-cuda-runtime-cu12": "==12.8.90"}, "12.8"),
        ({"nvidia-cuda-runtime-cu12": ">=12"}, None),
        ({}, None),
    ],
)
def test_the_cuda_of_a_wheel(pins: dict[str, str], cuda: str | None) -> None:
    assert cuda_of(pins) == cuda


@pytest.mark.parametrize("name", TABLES)
def test_tables_are_written_back_byte_for_byte(name: str) -> None:
    table = TableFile(refresh_knowledge.DATA / f"{name}.json")

    assert table.text() == table.old
