"""ldconfig, with libraries of our own"""

import subprocess
from pathlib import Path

import pytest

from codeblue.model.remedy import Verb
from tests.fix.verbs.conftest import survives
from tests.fix.verbs.crashes import Trial
from tests.fix.verbs.machine import Machine

pytestmark = pytest.mark.root

FOLDER = "/usr/local/lib"
LINK = f"{FOLDER}/libtiny.so.1"


@pytest.fixture
def trial(machine: Machine, tmp_path: Path) -> Trial:
    """A link to the older of two libraries, and a cache that knows neither."""
    library = tmp_path / "libtiny.so"
    compiler = ["gcc", "-shared", "-Wl,-soname,libtiny.so.1", "-x", "c", "-", "-o", str(library)]
    subprocess.run(compiler, input=b"int tiny;", check=True)
    machine.done("ldconfig")
    for version in ("1.1", "1.2"):
        machine.done("cp", str(library), f"{FOLDER}/libtiny.so.{version}")
    cache = f"{tmp_path}/cache"
    machine.done("cp", "/etc/ld.so.cache", cache)

    def reset() -> None:
        machine.done("ln", "-sfn", "libtiny.so.1.1", LINK)
        machine.done("cp", cache, "/etc/ld.so.cache")

    reset()
    return Trial(
        machine,
        Verb.LDCONFIG,
        {},
        state=lambda: machine.done("sh", "-c", f"readlink {LINK}; sha256sum /etc/ld.so.cache"),
        reset=reset,
        programs=[("ldconfig", "")],
        looks=["-X"],
    )


def test_it_survives(trial: Trial) -> None:
    survives(trial)


def test_the_preview_names_the_link(trial: Trial) -> None:
    shows = trial.ask("look")["value"]["shows"]

    assert f"{LINK}: libtiny.so.1.1 -> libtiny.so.1.2" in shows
    assert any(line.startswith("/etc/ld.so.cache: ") for line in shows)


def test_a_link_that_somebody_turned_stays(trial: Trial) -> None:
    before = trial.before()
    after = trial.ask("apply", before=before)["value"]
    trial.place.done("ln", "-sfn", "elsewhere", LINK)

    assert "changed since" in trial.ask("back", before=after)["refused"]
    assert trial.place.done("readlink", LINK) == "elsewhere\n"
