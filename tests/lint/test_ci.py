"""Definitions of continuous integration as they come: odd, broken, hostile."""

import time

import pytest

from codeblue.lint.run import Against, judge
from codeblue.model.config.ci import Job
from codeblue.model.config.image import Image
from codeblue.model.config.place import Source
from codeblue.model.config.shell import Script
from codeblue.sources.config.kinds import kind_of

GITHUB = ".github/workflows/a.yml"
GITLAB = ".gitlab-ci.yml"


def _parts(name: str, text: str) -> list[object]:
    source = Source(name, text)
    kind = kind_of(source)
    assert kind is not None
    return list(kind.read(source))


def _scripts(name: str, text: str) -> list[Script]:
    return [part for part in _parts(name, text) if isinstance(part, Script)]


def _jobs(name: str, text: str) -> list[Job]:
    return [part for part in _parts(name, text) if isinstance(part, Job)]


@pytest.mark.parametrize(
    ("labels", "gpu"),
    [
        ("[self-hosted, gpu]", True),
        ("linux.g5.4xlarge.nvidia.gpu", True),
        ("aws-g4dn-2xlarge", True),
        ("[self-hosted, A100]", True),
        ("ubuntu-latest", False),
        ("[self-hosted, no-gpu]", False),
        ("macos-14", False),
        ("ubuntu-24.04-arm", False),
        ("windows-2022", False),
    ],
)
def test_labels_tell_of_a_gpu(labels: str, gpu: bool) -> None:
    [job] = _jobs(GITHUB, f"on: push\njobs:\n  a:\n    runs-on: {labels}\n    steps: []\n")

    assert job.gpu is gpu


@pytest.mark.parametrize(
    ("step", "errexit", "pipefail"),
    [
        ("{run: 'a | b'}", True, False),
        ("{run: 'a | b', shell: bash}", True, True),
        ("{run: 'a | b', shell: sh}", True, False),
    ],
)
def test_steps_run_as_github_runs_them(step: str, errexit: bool, pipefail: bool) -> None:
    [script] = _scripts(GITHUB, f"on: push\njobs:\n  a:\n    runs-on: x\n    steps: [{step}]\n")

    assert (script.errexit, script.pipefail) == (errexit, pipefail)


@pytest.mark.parametrize("step", ["{run: 'a', shell: pwsh}", "{run: 'a', shell: python}", "{uses: a/b@v1}"])
def test_steps_for_no_shell_are_no_scripts(step: str) -> None:
    assert not _scripts(GITHUB, f"on: push\njobs:\n  a:\n    runs-on: x\n    steps: [{step}]\n")


def test_expressions_keep_the_places() -> None:
    text = (
        "on: push\njobs:\n  a:\n    runs-on: x\n    steps:\n      - run: |\n"
        "          echo ${{ a.b }} | tee x\n          ls y\n"
    )

    [script] = _scripts(GITHUB, text)

    assert [command.name for command in script.commands] == ["echo", "tee", "ls"]
    assert (script.commands[2].place.line, script.commands[2].place.column) == (8, 11)


def test_images_of_jobs_and_services_are_read() -> None:
    github = (
        "on: push\njobs:\n  a:\n    runs-on: x\n    container: a/b:1\n    services: {db: {image: 'c:2'}}\n"
    )
    gitlab = "image: a:1\njob:\n  image: {name: 'b:2'}\n  services: [c:3, $D]\n  script: x\n"

    assert [part.text for part in _parts(GITHUB, github) if isinstance(part, Image)] == ["a/b:1", "c:2"]
    assert [part.text for part in _parts(GITLAB, gitlab) if isinstance(part, Image)] == ["a:1", "b:2", "c:3"]


def test_jobs_that_extend_each_other_in_a_circle_end() -> None:
    text = "a:\n  extends: b\n  script: x\nb:\n  extends: [a, b]\n  tags: [gpu]\n  script: y\n"

    assert [job.gpu for job in _jobs(GITLAB, text)] == [True, True]


@pytest.mark.parametrize(
    ("text", "commands"),
    [
        ("node { sh 'ls a' }", [["ls", "a"]]),
        ('node { sh "ls ${params.X} b" }', [["ls", "$" + "_" * 10, "b"]]),
        ("sh(script: 'ls', returnStdout: true)", [["ls"]]),
        ("sh(returnStdout: true, script: 'ls')", [["ls"]]),
        ("// sh 'ls'\n/* sh 'ls' */ echo 'ls'", []),
        ("dish 'ls'\nx.sh 'ls'\nsh 'it''s", [["it"]]),
        ("sh '''\nls a\nls b\n'''", [["ls", "a"], ["ls", "b"]]),
        ("sh 'ls", [["ls"]]),
    ],
)
def test_shell_steps_of_a_jenkinsfile_are_found(text: str, commands: list[list[str]]) -> None:
    found = [command for script in _scripts("Jenkinsfile", text) for command in script.commands]

    assert [[word.text for word in command.words] for command in found] == commands


def test_entities_of_xml_are_not_followed() -> None:
    levels = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 30))
    text = f'<!DOCTYPE project [<!ENTITY l0 "x">{levels}]>\n<project><hudson.tasks.Shell/>&l29;</project>\n'
    source = Source("config.xml", text)
    kind = kind_of(source)
    assert kind is not None

    [finding] = judge(source, kind, Against()).findings

    assert finding.fault == "config-syntax-error"


def test_a_pipeline_inside_of_xml_is_read_at_its_place() -> None:
    text = (
        "<?xml version='1.1' encoding='UTF-8'?>\n<flow-definition>\n<script>node {\n"
        "  sh &apos;test 1 &lt; 2 &amp;&amp; ls&apos;\n}</script>\n</flow-definition>\n"
    )

    [script] = _scripts("jobs/a/config.xml", text)

    last = script.commands[-1]
    assert last.name == "ls"
    assert (last.place.line, last.place.column) == (4, text.split("\n")[3].index("ls&apos;") + 1)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        (GITHUB, "on: push\n"),
        (GITHUB, "on: push\njobs: x\n"),
        (GITHUB, "on: push\njobs:\n  a: [1]\n  b:\n    steps: {x: y}\n  c:\n    steps: [1, {run: []}]\n"),
        (GITHUB, "- a\n"),
        (GITLAB, "- a\n"),
        (GITLAB, "a: {script: [[x]], image: [], tags: {}, extends: {a: b}}\n"),
        ("Jenkinsfile", ""),
        ("a.xml", "<project><hudson.tasks.Shell/></project>"),
    ],
)
def test_odd_files_are_quiet(name: str, text: str) -> None:
    source = Source(name, text)
    kind = kind_of(source)
    assert kind is not None

    assert not [one for one in judge(source, kind, Against()).findings if not one.pedantic]


@pytest.mark.parametrize(
    "text",
    [
        "'" * 200_000,
        "sh '\\" * 6_000,
        '"""' * 70_000,
        "/* " * 100_000,
        "'\\'" + "\\'" * 100_000,
        "sh(a: b, " * 30_000,
    ],
)
def test_hostile_groovy_takes_no_long_time(text: str) -> None:
    before = time.monotonic()

    list(_parts("Jenkinsfile", text))

    assert time.monotonic() - before < 60


def test_maven_is_no_jenkins() -> None:
    assert kind_of(Source("pom.xml", "<project>\n<modelVersion>4.0.0</modelVersion>\n</project>\n")) is None


def test_powershell_is_no_shell_of_ours() -> None:
    text = """\
on: push
jobs:
  a:
    runs-on: ${{ inputs.os }}
    steps:
    - run: |
        $x = 1
        Get-Item -Filter @{LogName = "a"}
"""
    source = Source(".github/workflows/a.yml", text)
    kind = kind_of(source)
    assert kind is not None
    assert not judge(source, kind, Against()).findings
