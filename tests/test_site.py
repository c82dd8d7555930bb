"""codeblue.toml: found, read, or refused with the place of the mistake; matched to hosts and findings."""

import re
from datetime import date
from pathlib import Path

import pytest

from codeblue.diagnose.expectations import expectations, placed
from codeblue.knowledge.versions import satisfies
from codeblue.model.diagnosis import Diagnosis, Overall
from codeblue.model.site import Expect, Host, Site, Waiver, size_in_bytes
from codeblue.model.snapshot import Snapshot, View
from codeblue.pipeline import judge
from codeblue.sources.site import load, position
from codeblue.sources.target import Unusable
from tests.conftest import recording
from tests.faults.expecting import expecting

FAULTS = ("shm-too-small", "gpu-count-unexpected")
WAIVER = '[[waive]]\nfault = "shm-too-small"\nreason = "r"\nowner = "o"\nexpires = 2027-01-31\n'


def read(tmp_path: Path, content: str) -> Site:
    """Return what a file of this content says."""
    path = tmp_path / "codeblue.toml"
    path.write_text(content, encoding="utf-8")
    return load(str(path), lambda: FAULTS).site


def refusal(tmp_path: Path, content: str) -> str:
    """Return the line with which the content is refused, without the folder."""
    with pytest.raises(Unusable) as refused:
        read(tmp_path, content)
    return str(refused.value).removeprefix(f"{tmp_path}/")


def test_every_key_is_read(tmp_path: Path) -> None:
    site = read(
        tmp_path,
        '[expect]\ngpus = 8\ngpu = ["H200", "H100"]\ndriver = ">=580.65"\ncuda = ">=13.0"\ntorch = "2.11.*"\n'
        'ecc = true\npersistence = true\nmig = false\nshm = "16G"\nmemlock = "unlimited"\nfiles = 65536\n'
        '[[host]]\nmatch = "login*"\nexpect.gpus = 0\n'
        f'{WAIVER}subject = "filesystem:*"\n'
        '[check]\nfail-on = "risk"\nbudget = 20\nas-user = "alice"\n',
    )

    assert None not in [getattr(site.expect, key) for key in Expect.__struct_fields__]
    assert site.host == [Host(match="login*", expect=Expect(gpus=0))]
    assert (site.waive[0].subject, site.waive[0].expires) == ("filesystem:*", date(2027, 1, 31))
    assert (site.check.fail_on, site.check.budget, site.check.as_user) == ("risk", 20.0, "alice")


@pytest.mark.parametrize(
    ("content", "line"),
    [
        (
            "[expect]\ngpus = 8\ngpuz = 3\n",
            "codeblue.toml:3:1: unknown key expect.gpuz; did you mean gpu, gpus?",
        ),
        ("[wave]\n", "codeblue.toml:1:2: unknown key wave; did you mean waive?"),
        (
            "[check]\nfail_on = 'risk'\n",
            "codeblue.toml:2:1: unknown key check.fail_on; did you mean fail-on?",
        ),
        ("[xyz]\n", "codeblue.toml:1:2: unknown key xyz; known: expect, host, waive, check"),
        (
            "\n[[host]]\nmatch='a'\nexpect = {  mog = true}\n",
            "codeblue.toml:4:13: unknown key host[0].expect.mog; ",
        ),
        ("[expect]\ngpus = '8'\n", "codeblue.toml:2:1: expect.gpus: Expected `int | null`, got `str`"),
        ("[expect]\nfiles = -1\n", "codeblue.toml:2:1: expect.files: Expected `int` >= 0"),
        (
            "[expect]\ndriver = 580\n",
            "codeblue.toml:2:1: expect.driver = 580 is not understood; write for example",
        ),
        ("[expect]\nshm = '16 GB'\n", "codeblue.toml:2:1: expect.shm = '16 GB' is not understood; "),
        ("[expect]\ncuda = '>13'\n", "codeblue.toml:2:1: expect.cuda = '>13' is not understood; "),
        ("[[waive]]\nfault = 'x'\n", "codeblue.toml:1:3: waive[0]: missing key `reason`"),
        (WAIVER.replace("2027-01-31", "'soon'"), "codeblue.toml:5:1: waive[0].expires: Invalid RFC3339"),
        (
            WAIVER + WAIVER.replace("too-small", "to-small"),
            "codeblue.toml:7:1: no fault named 'shm-to-small'; did you mean shm-too-small?",
        ),
        ("a = [\n1,\n", "codeblue.toml:2:3: not valid TOML: "),
        ("[expect]\ngpus =\n", "codeblue.toml:2:7: not valid TOML: Invalid value; correct this line"),
        ('"\\u001b[2J" = 1\n', "codeblue.toml:1:1: unknown key \N{REPLACEMENT CHARACTER}[2J; known"),
        ("x = " + "[" * 5000, "codeblue.toml:1:"),
    ],
)
def test_a_mistake_is_one_line_with_its_place(tmp_path: Path, content: str, line: str) -> None:
    said = refusal(tmp_path, content)

    assert said.startswith(line)
    assert said.isprintable()


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    latin, large = tmp_path / "latin.toml", tmp_path / "large.toml"
    latin.write_bytes(b"[expect]\ngpu = '\xff'\n")
    large.write_bytes(b"#" * (1 << 19))

    for path, why in (
        (tmp_path / "none.toml", "No such file"),
        (tmp_path, "Is a directory"),
        (large, "too large"),
    ):
        with pytest.raises(Unusable, match=re.escape(str(path)) + ": .*" + why):
            load(str(path), lambda: FAULTS)
    with pytest.raises(Unusable, match=":2:8: not UTF-8"):
        load(str(latin), lambda: FAULTS)


def test_a_place_is_found_inside_of_statements_of_several_lines() -> None:
    text = 'a = """\nkey = 1\n"""\n[t]\nlist = [\n  {other = 1},\n  {key = 1},\n]\n'

    assert position(text, ("t", "list", 1, "key")) == "7:4"
    assert position(text.replace("\n", "\r\n"), ("t",)) == "4:2"


def test_the_nearest_file_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    here, home = tmp_path / "here", tmp_path / "home"
    for place in (here / "codeblue.toml", home / "codeblue" / "codeblue.toml", tmp_path / "asked.toml"):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(f'[expect]\ngpu = "{place.parent.name}"\n', encoding="utf-8")
    monkeypatch.chdir(here)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home))

    asked = load("../asked.toml", lambda: FAULTS)
    nearest = load(None, lambda: FAULTS)
    (here / "codeblue.toml").unlink()
    users = load(None, lambda: FAULTS)

    assert (asked.site.expect.gpu, asked.asked) == (tmp_path.name, True)
    assert (nearest.path, nearest.asked) == ("codeblue.toml", False)
    assert users.path == str(home / "codeblue" / "codeblue.toml")


@pytest.mark.parametrize(
    ("host", "gpus"),
    [("gpu7", 8), ("GPU7.example.org", 8), ("gpu-small", 4), ("login1", None), (None, None)],
)
def test_the_last_host_table_that_matches_wins_key_by_key(host: str | None, gpus: int | None) -> None:
    site = Site(
        expect=Expect(driver="580"),
        host=[
            Host(match="gpu*", expect=Expect(gpus=8, ecc=True)),
            Host(match="gpu-small", expect=Expect(gpus=4)),
        ],
    )

    expected = expectations(site, host, "codeblue.toml")

    assert expected is not None
    assert (expected.driver, expected.gpus, expected.ecc) == ("580", gpus, True if gpus else None)
    assert expected.host_unknown is (host is None)


def test_beside_a_container_the_number_of_gpus_is_expected_of_the_host() -> None:
    expected = expectations(Site(expect=Expect(gpus=8, shm="16G")), "gpu7", "codeblue.toml")
    assert expected is not None
    inside = View(kind="probe", name="docker:job", side="container")
    around = View(kind="probe", name="docker:job", side="host")

    both = placed(expected, Snapshot(views=[inside, around])).views
    [alone] = placed(expected, Snapshot(views=[around])).views

    told = [(view.expectations.gpus, view.expectations.shm) for view in (*both, alone)]
    assert told == [(None, "16G"), (8, None), (8, "16G")]


def test_a_site_without_expectations_leaves_the_section_out() -> None:
    assert expectations(Site(), "gpu7", "") is None


def test_version_rules_and_sizes() -> None:
    assert satisfies("2.12.0a0+git1", ">=2.12") and satisfies("13.0", "13") and satisfies("580", "580.0")
    assert not satisfies("2.11.0", "2.11.0+cu130") and not satisfies("5800.1", "580")
    assert [size_in_bytes(size) for size in ("7", "2K", "1G")] == [7, 2048, 1 << 30]


SMALL = {"filesystems": {"/dev/shm": {"total": 64 << 20, "free": 64 << 20}}}


def accepted(**changes: object) -> Diagnosis:
    """Judge a machine with eight GPUs expected and a small /dev/shm, under one waiver."""
    told: dict[str, object] = {"fault": "gpu-count-unexpected", "expires": date(2026, 11, 30)}
    waiver = Waiver(reason="r", owner="o", **(told | changes))  # type: ignore[arg-type]
    machine = recording("h200-healthy", filesystems=SMALL, expectations=expecting(gpus=8))
    return judge(machine, [waiver])


def test_a_waived_trouble_is_no_cause_and_listed() -> None:
    found = accepted()

    assert (found.verdict, found.causes, found.layer) == (Overall.RISK, (), None)
    assert [(w.fault, w.subject, w.expires) for w in found.waived] == [
        ("gpu-count-unexpected", "host", "2026-11-30")
    ]
    assert [risk.fault for risk in found.risks] == ["shm-too-small"]
    assert found.notes == ()


def test_a_waived_risk_is_no_risk() -> None:
    found = accepted(fault="shm-too-small", subject="filesystem:*")

    assert (found.verdict, found.risks) == (Overall.TROUBLE, ())
    assert found.waived[0].subject == "filesystem:/dev/shm"


def test_a_waiver_of_another_subject_waives_nothing() -> None:
    assert accepted(subject="gpu:*").waived == ()


def test_an_expired_waiver_waives_nothing_and_is_told() -> None:
    found = accepted(expires=date(2026, 11, 29))

    assert (found.verdict, found.waived) == (Overall.TROUBLE, ())
    assert "the waiver of gpu-count-unexpected (o) expired on 2026-11-29" in found.notes[0].say("en")


def test_nothing_is_said_of_expectations_where_nobody_has_any() -> None:
    skipped = judge(recording("h200-healthy")).skipped

    assert not [one for one in skipped if "expectation" in one.reason]
