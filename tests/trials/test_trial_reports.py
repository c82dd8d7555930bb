"""Reports of trials: what machines read is valid whatever was measured, what people read fits the screen."""

import json
import re
import shutil
import subprocess
from io import StringIO
from xml.etree import ElementTree

import pytest
from rich.cells import cell_len
from rich.console import Console

from codeblue import pipeline
from codeblue.diagnose.measures import measures
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.measure import Better, Measure
from codeblue.model.text import message
from codeblue.report.trial import json_v1, junit, prometheus, terminal
from codeblue.report.trial.rows import number
from tests.faults.feeding import HEALTHY, LOCAL, tried

HOSTILE = 'RuntimeError: <b>&"q"</b> \x1b[31m ]]> \ufffe\n{0} Bus error'
SLOW = {"read": {"p50_ms": 20.0, "p99_ms": 31.0, "count": 9}}
LEFT = {"nccl": "busy: GPU 0: 3 <processes>", "loader 0": HOSTILE}
TOOK = {"loader": 7.5}


@pytest.fixture(scope="module")
def sick() -> tuple[Diagnosis, tuple[Measure, ...]]:
    """Diagnosis and measures of a machine with three causes and hostile words."""
    snapshot = tried(
        processors={"allowed": 1, "mask": "3"},
        feeds=HEALTHY | {"8": {"error": HOSTILE}},
        storage={"data": LOCAL | {"path": '/da"ta\\x\n', "given_files": SLOW, "read_mbs": 30.0}},
    )
    assert snapshot.machine is not None
    return pipeline.judge(snapshot), measures(snapshot.machine)


def odd() -> Measure:
    """A measure whose every text needs escaping, and a value without bounds."""
    return Measure(
        trial="links",
        subject='gpu:0\\"\n',
        key="copy-gbs",
        name=message("a {x}", "一 {x}", x="<&\x1b"),
        value=float("inf"),
        unit="GB/s",
        ceiling=450.0,
        better=Better.HIGHER,
        note=message("{braces}", "{braces}", braces="{0}"),
    )


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_junit_has_what_continuous_integration_reads(
    sick: tuple[Diagnosis, tuple[Measure, ...]], lang: str
) -> None:
    diagnosis, found = sick

    text = junit.render(diagnosis, (*found, odd()), LEFT, TOOK, lang)
    root = ElementTree.fromstring(text)  # noqa: S314 - our own text

    assert root.tag == "testsuites"
    for suite in (root, *root):
        cases = suite.findall(".//testcase")
        assert int(suite.attrib["tests"]) == len(cases)
        assert int(suite.attrib["failures"]) == sum(case.find("failure") is not None for case in cases)
        assert int(suite.attrib["skipped"]) == sum(case.find("skipped") is not None for case in cases)
        assert suite.attrib["errors"] == "0"
        spent = sum(float(case.attrib["time"]) for case in cases)
        assert spent == pytest.approx(float(suite.attrib["time"]), abs=0.01)
    names = [(case.attrib["classname"], case.attrib["name"]) for case in root.iter("testcase")]
    assert len(set(names)) == len(names)
    assert [suite.attrib["name"].split()[-1] for suite in root] == ["faults", "nccl", "loader", "links"]


def test_junit_fails_a_case_for_each_cause(sick: tuple[Diagnosis, tuple[Measure, ...]]) -> None:
    diagnosis, found = sick

    root = ElementTree.fromstring(junit.render(diagnosis, found, {}, TOOK, "en"))  # noqa: S314 - our own text

    failed = {case.attrib["name"] for case in root.iter("testcase") if case.find("failure") is not None}
    assert failed == {
        "cpus-too-few-for-job affinity cpus",
        "data-loader-fails data-loader",
        "data-storage-slow latency storage:data",
    }


SERIES = re.compile(r'([a-z_]+)\{((?:[a-z_]+="(?:[^"\\\n]|\\["\\n])*",?)*)\} (\S+)')


def test_prometheus_text_is_of_the_exposition_format(
    sick: tuple[Diagnosis, tuple[Measure, ...]],
) -> None:
    diagnosis, found = sick

    text = prometheus.render(diagnosis, (*found, odd()))

    series = [SERIES.fullmatch(line) for line in text.splitlines() if not line.startswith("#")]
    assert all(series)
    names = [one[0].rpartition(" ")[0] for one in series if one]
    assert len(set(names)) == len(names)
    values = [float(one[3]) for one in series if one]
    assert float("inf") in values
    typed = re.findall(r"^# TYPE (\S+) gauge$", text, re.MULTILINE)
    assert {one[1] for one in series if one} == set(typed)
    assert r'subject="gpu:0\\\"\n"' in text


@pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool of Debian's package prometheus")
def test_prometheus_itself_takes_the_text(sick: tuple[Diagnosis, tuple[Measure, ...]]) -> None:
    done = subprocess.run(
        ["promtool", "check", "metrics"],
        input=prometheus.render(*sick),
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_json_is_the_diagnosis_with_measures(sick: tuple[Diagnosis, tuple[Measure, ...]]) -> None:
    diagnosis, found = sick

    document = json.loads(json_v1.render(diagnosis, found, {"nccl": "busy"}, "zh"))

    assert document["schema"] == "codeblue/diagnosis/1"
    assert document["not_tried"] == {"nccl": "busy"}
    assert len(document["measures"]) == len(found)
    [read] = [one for one in document["measures"] if one["key"] == "data-read-ms"]
    assert (read["trial"], read["subject"], read["value"], read["unit"], read["better"]) == (
        "loader",
        "storage:data",
        20.0,
        "ms",
        "lower",
    )
    assert read["name"] == "读小文件"


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("width", [30, 50, 80, 120])
def test_the_table_fits_and_loses_no_word(
    sick: tuple[Diagnosis, tuple[Measure, ...]], width: int, lang: str
) -> None:
    page = StringIO()
    console = Console(file=page, width=width, highlight=False, emoji=False)

    console.print(terminal.table(sick[1], lang))
    console.print(terminal.left(LEFT, "left"))

    told = page.getvalue()
    assert all(cell_len(line) <= width for line in told.splitlines())
    assert "…" not in told
    assert "\x1b" not in told
    for one in sick[1]:
        for word in f"{one.subject} {number(one.value)} {one.unit}".split():
            assert word in told


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0, "0"),
        (0.0026, "0.0026"),
        (2.5e-7, "2.5e-07"),
        (58.23, "58.2"),
        (1750.4, "1750"),
        (3e6, "3.0e+06"),
        (float("inf"), "inf"),
    ],
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    assert number(value) == text
