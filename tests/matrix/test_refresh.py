"""The refresh script against a small index of its own, asked with the real pip."""

import json
import os
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from scripts import refresh_knowledge
from scripts.refresh_knowledge import cuda_of, main
from scripts.registry import NoAnswer, Platform, Registry, Wheel
from scripts.table_file import TableFile
from tests.test_tables import TABLES

GLIBC = "manylinux_2_28_x86_64"
TORCH = (
    "nvidia-cudnn-cu13==9.26.0.51; platform_system == 'Linux'",
    "nvidia-nccl-cu13==2.30.7",
    "triton==3.9.0",
)


class Index:
    """A package index in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def url(self) -> str:
        """What pip is given."""
        return self.folder.as_uri()

    def add(self, name: str, version: str, tags: str, *requires: str) -> None:
        """Put a wheel into the index."""
        place = self.folder / name.replace("_", "-")
        place.mkdir(parents=True, exist_ok=True)
        wheel = place / f"{name}-{version}-{tags}.whl"
        lines = ["Metadata-Version: 2.1", f"Name: {name}", f"Version: {version}", "Requires-Python: >=3.6"]
        lines += [f"Requires-Dist: {one}" for one in requires]
        with zipfile.ZipFile(wheel, "w") as packed:
            inside = f"{name}-{version}.dist-info"
            packed.writestr(f"{inside}/METADATA", "\n".join(lines) + "\n")
            packed.writestr(f"{inside}/WHEEL", f"Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: {tags}\n")
            packed.writestr(f"{inside}/RECORD", "")
        link = f'<a href="{wheel.name}">{wheel.name}</a>\n'
        with (place / "index.html").open("a", encoding="utf-8") as page:
            page.write(link)


@pytest.fixture
def index(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Index:
    """An index, and a pip that knows no other place."""
    monkeypatch.setenv("PIP_CONFIG_FILE", os.devnull)
    for name in ("PIP_FIND_LINKS", "PIP_EXTRA_INDEX_URL", "PIP_INDEX_URL", "PIP_CONSTRAINT"):
        monkeypatch.delenv(name, raising=False)
    # Each question is a start of pip, so that few are asked.
    monkeypatch.setattr(refresh_knowledge, "PYTHONS", ("3.12", "3.13t"))
    monkeypatch.setattr(refresh_knowledge, "LOOKS", (Platform("3.12", "x86_64"),))
    nccl = {flavour: f"nvidia-nccl-{flavour}" for flavour in ("cu12", "cu13")}
    monkeypatch.setattr(refresh_knowledge, "FLAVOURS", refresh_knowledge.FLAVOURS | {"nccl": nccl})
    return Index(tmp_path / "simple")


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


def fill(index: Index) -> None:
    """Put into the index what the tables say."""
    index.add("torch", "2.15.0", f"cp312-cp312-{GLIBC}", *TORCH, "cuda-toolkit[cudart]==13.0.2")
    index.add("nvidia_cudnn_cu13", "9.26.0.51", f"py3-none-{GLIBC}")
    index.add("nvidia_nccl_cu13", "2.30.7", f"py3-none-{GLIBC}")


def ask(index: Index, data: Path, *arguments: str) -> int:
    """Run the script."""
    return main(["--index", index.url, "--data", str(data), *arguments])


def rows(data: Path, name: str) -> list[dict[str, Any]]:
    """Return the rows of a table as they are on disk."""
    return TableFile(data / f"{name}.json").rows


def test_equal_tables_are_left_alone(index: Index, data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    fill(index)
    before = {path: path.read_bytes() for path in data.iterdir()}

    assert ask(index, data, "torch", "nccl") == 0
    assert capsys.readouterr().out == "nothing differs\n"
    assert {path: path.read_bytes() for path in data.iterdir()} == before


def test_a_new_release_is_proposed_as_not_examined(
    index: Index, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    fill(index)
    index.add("torch", "2.16.0", f"cp312-cp312-{GLIBC}", *TORCH, "cuda-toolkit[cudart]==13.4.1")
    index.add("torch", "2.16.0", f"cp313-cp313t-{GLIBC}", *TORCH)

    assert ask(index, data, "torch") == 0
    assert '+{"version": "2.16.0"' in capsys.readouterr().out

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
    assert "glibc_min" in new["low"] and new["checked"]
    assert rows(data, "cudnn")[0]["torch"] == ["2.15.0+cu130", "2.16.0+cu134"]


def test_other_metadata_replace_what_the_table_says(index: Index, data: Path) -> None:
    pins = ("nvidia-cudnn-cu13==9.27.0.1", "triton==3.9.1", "cuda-toolkit[cudart]==13.0.2")
    index.add("torch", "2.15.0", f"cp312-cp312-{GLIBC}", *pins)

    assert ask(index, data, "torch") == 0
    [row] = rows(data, "torch_releases")
    assert (row["triton"], row["variants"]["cu130"]["cudnn"]) == ("3.9.1", "9.27.0.1")


def test_libraries_get_rows_packages_and_notes(
    index: Index, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index.add("nvidia_nccl_cu13", "2.31.2", f"py3-none-{GLIBC}")
    index.add("nvidia_nccl_cu12", "2.31.2", f"py3-none-{GLIBC}")

    assert ask(index, data, "--check", "nccl") == 1
    assert len(rows(data, "nccl")) == 1
    assert ask(index, data, "nccl") == 0
    _, new = rows(data, "nccl")
    assert (new["version"], new["pypi"], new["confidence"]) == ("2.31.2", ["cu12", "cu13"], "medium")
    assert "note: nccl 2.30.7: in the table" in capsys.readouterr().out


def test_a_companion_is_placed_by_its_pin(
    index: Index, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    index.add("torchvision", "0.30.0", f"cp312-cp312-{GLIBC}", "torch (==2.15.0)")
    index.add("torchaudio", "2.15.0", f"cp312-cp312-{GLIBC}", "torch>=2.14")

    assert ask(index, data, "companions") == 0
    [row] = rows(data, "torch_releases")
    assert (row["torchvision"], row["torchaudio"]) == (["0.30.0"], [])
    assert "torchaudio 2.15.0 requires torch>=2.14: place it by hand" in capsys.readouterr().out


def test_an_index_that_does_not_answer_changes_nothing(
    index: Index, data: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    before = {path: path.read_bytes() for path in data.iterdir()}

    assert ask(index, data, "nccl") == 2
    error = capsys.readouterr().err
    assert error.startswith("refresh_knowledge: ") and error.count("\n") == 1
    assert {path: path.read_bytes() for path in data.iterdir()} == before
    with pytest.raises(NoAnswer):
        Registry("/nonexistent/python", index.url).versions("torch")


def test_a_missing_wheel_is_none(index: Index) -> None:
    fill(index)
    registry = Registry(sys.executable, index.url)

    assert registry.wheel("torch", "2.15.0", Platform("3.12", "aarch64")) is None
    found = registry.wheel("torch", "2.15.0", Platform("3.12", "x86_64"))
    assert found is not None and (found.tag, found.requires_python) == (GLIBC, ">=3.6")


def test_pins_leave_extras_out() -> None:
    requires = ("Triton (==3.3.0) ; platform_system == 'Linux'", "a_b[x]>=1,<2", "opt; extra == 'opt'")

    assert Wheel("any", None, requires, False).pins() == {"triton": "==3.3.0", "a-b": ">=1,<2"}


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
