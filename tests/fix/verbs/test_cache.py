"""cache-clean"""

import os
from pathlib import Path

import pytest

from codeblue.model.remedy import Verb
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import NAME, Here

CACHE = ".nv/ComputeCache"


def filled(here: Here) -> Path:
    """Return a cache with two files."""
    cache = Path(here.environment["HOME"]) / CACHE
    (cache / "deep").mkdir(parents=True, exist_ok=True)
    (cache / "a").write_bytes(b"x" * 100)
    (cache / "deep/b").write_bytes(b"x" * 50)
    return cache


def trial(here: Here, path: str = f"~/{CACHE}") -> Trial:
    """Return the trial of a cache with two files."""
    cache = filled(here)
    parts = lambda: sorted(str(one.relative_to(cache.parent)) for one in cache.parent.rglob("*"))  # noqa: E731
    return Trial(here, Verb.CACHE_CLEAN, {"path": path}, parts, lambda: filled(here), takes_back=False)


def test_it_survives(here: Here) -> None:
    survives(trial(here))


def test_the_preview_counts(here: Here) -> None:
    [line] = trial(here).ask("look")["value"]["shows"]

    assert line == f"- {here.environment['HOME']}/{CACHE} (2 files, 150 bytes)"


def test_it_is_gone_for_good(here: Here) -> None:
    cleaned = trial(here)
    *_, verified, back = cleaned.calls("look", "apply", "verify", "back")

    assert verified["value"] is True and cleaned.state() == []
    assert "deleted already" in back["refused"]


def test_what_was_moved_aside_only_can_be_moved_back(here: Here) -> None:
    cleaned = trial(here)
    old = cleaned.state()
    cache = Path(here.environment["HOME"]) / CACHE
    cache.rename(cache.with_name(f"ComputeCache.{NAME}"))
    assert "value" in cleaned.ask("back", before={})
    assert cleaned.state() == old

    cache.rename(cache.with_name(f"ComputeCache.{NAME}"))
    filled(here)
    assert "filled anew" in cleaned.ask("back", before={})["refused"]


def test_another_folder_than_in_the_preview(here: Here) -> None:
    cleaned = trial(here)
    before = cleaned.before()
    cache = Path(here.environment["HOME"]) / CACHE
    cache.rename(cache.with_name("was"))
    filled(here)

    assert "another folder" in cleaned.ask("apply", before=before)["refused"]


@pytest.mark.parametrize(
    "path", ["~", "/", "/etc", "~/.nv", "~/.nv/ComputeCache/..", "~/.cache", "~nobody/.nv"]
)
def test_only_known_caches(here: Here, path: str) -> None:
    assert "known caches" in trial(here, path).ask("look")["refused"]


@pytest.mark.parametrize("linked", [CACHE, ".nv"])
def test_links_lead_nowhere(here: Here, tmp_path: Path, linked: str) -> None:
    cleaned = trial(here)
    path = Path(here.environment["HOME"]) / linked
    path.rename(tmp_path / "real")
    path.symlink_to(tmp_path / "real")

    assert "known caches" in cleaned.ask("look")["refused"]


def test_links_inside_are_not_followed(here: Here, tmp_path: Path) -> None:
    cleaned = trial(here)
    precious = tmp_path / "precious"
    precious.mkdir()
    (precious / "work").write_text("x", encoding="ascii")
    (Path(here.environment["HOME"]) / CACHE / "link").symlink_to(precious)
    cleaned.calls("look", "apply", "sweep")

    assert (precious / "work").exists()


@pytest.mark.root
def test_the_folder_of_another_user(here: Here) -> None:
    cleaned = trial(here)
    os.chown(Path(here.environment["HOME"]) / CACHE, 65534, 65534)

    assert "not a folder of this user" in cleaned.ask("look")["refused"]
