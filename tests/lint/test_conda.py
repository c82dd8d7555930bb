"""Indexes and records that are not what they should be."""

import json
import os
from pathlib import Path

import pytest

from codeblue.lint.run import Against, judge
from codeblue.model.config.place import Source
from codeblue.sources.config.kinds import kind_of


def faults(path: Path, text: str) -> list[tuple[str, str | None]]:
    source = Source(str(path), text)
    kind = kind_of(source)
    assert kind is not None
    return [(one.fault, one.variant) for one in judge(source, kind, Against()).findings]


@pytest.mark.parametrize(
    "text",
    [
        '{"packages": {}}',
        '{"packages": null, "packages.conda": 3}',
        '{"packages": {"a-1-0.conda": 5, "../../etc/passwd": {"size": 1}, "b-1-0.conda": {"size": "x"}}}',
    ],
)
def test_odd_indexes_say_nothing(tmp_path: Path, text: str) -> None:
    assert faults(tmp_path / "linux-64" / "repodata.json", text) == []


def test_a_cut_index_is_a_broken_file(tmp_path: Path) -> None:
    assert faults(tmp_path / "noarch" / "repodata.json", '{"packages": {"a-1-0.conda": {') == [
        ("config-syntax-error", None)
    ]


def test_names_never_lead_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret").write_bytes(b"12345")
    folder = tmp_path / "pkgs" / "a-1-0" / "info"
    folder.mkdir(parents=True)

    record = json.dumps({"fn": "../secret", "size": 1})

    assert faults(folder / "repodata_record.json", record) == []


def test_a_pipe_in_place_of_a_package_is_not_waited_for(tmp_path: Path) -> None:
    folder = tmp_path / "linux-64"
    folder.mkdir()
    os.mkfifo(folder / "a-1-0.conda")
    (folder / "b-1-0.conda").write_bytes(b"1")
    index = {"packages.conda": {"a-1-0.conda": {"size": 0, "md5": "0"}, "b-1-0.conda": {"size": 1}}}

    assert faults(folder / "repodata.json", json.dumps(index)) == [
        ("pip-mirror-out-of-sync", "conda-file-missing")
    ]
