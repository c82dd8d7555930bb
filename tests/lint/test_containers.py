"""Compose, docker run and package lists: what readers make of hostile and unusual input."""

import time

import pytest

from codeblue.lint.run import Against, judge
from codeblue.model.config.container import ContainerRun
from codeblue.model.config.installs import Installs
from codeblue.model.config.place import Source
from codeblue.model.lint import Finding
from codeblue.sources.config import compose, docker_run, installs, shell
from codeblue.sources.config.kinds import kind_of


def _findings(name: str, text: str) -> tuple[Finding, ...]:
    source = Source(name, text)
    kind = kind_of(source)
    assert kind is not None
    judged = judge(source, kind, Against())
    assert not judged.broken
    return judged.findings


def _run(line: str) -> ContainerRun:
    [run] = docker_run.runs(shell.script(Source("run.sh", line), "script"))
    return run


def _services(text: str) -> dict[str, ContainerRun]:
    parts = compose.read(Source("compose.yaml", text))
    return {part.owner: part for part in parts if isinstance(part, ContainerRun)}


@pytest.mark.parametrize(
    ("line", "image", "command"),
    [
        ("docker run img a b", "img", ["a", "b"]),
        ("docker run -itd --rm img a", "img", ["a"]),
        ("docker run -it -v /a:/b -e X=1 --name n img a", "img", ["a"]),
        ("docker run -itv /a:/b img a", "img", ["a"]),
        ("docker run -v/a:/b --network=host img a", "img", ["a"]),
        ("sudo docker container run --gpus all img a -v", "img", ["a", "-v"]),
        ("podman run --device nvidia.com/gpu=all --entrypoint sh img -c x", "img", ["sh", "-c", "x"]),
        ("docker create --init --shm-size 8g img", "img", []),
    ],
)
def test_the_image_is_told_from_options_and_command(line: str, image: str, command: list[str]) -> None:
    run = _run(line)

    assert run.image is not None
    assert run.image.text == image
    assert [word.text for word in run.command] == command
    assert not run.open


@pytest.mark.parametrize(
    "line", ["docker run $OPTS img a", 'docker run "${ARGS[@]}" img', "docker run --rm $IMAGE", "docker run"]
)
def test_what_variables_hide_is_not_guessed(line: str) -> None:
    """No image is made up, and nothing is said to be missing."""
    script = shell.script(Source("run.sh", line), "script")

    assert all(run.image is None for run in docker_run.runs(script))


@pytest.mark.parametrize(
    ("value", "count", "ids"),
    [
        ("all", None, ()),
        ("2", 2, ()),
        ("device=1", None, ("1",)),
        ("'\"device=0,GPU-1a\"'", None, ("0", "GPU-1a")),
        ("device=$N", None, ()),
    ],
)
def test_gpus_are_counted(value: str, count: int | None, ids: tuple[str, ...]) -> None:
    [gpus] = _run(f"docker run --gpus {value} img").gpus

    assert (gpus.count, gpus.ids) == (count, ids)


def test_services_take_over_what_they_extend() -> None:
    """Tables are joined, what the service says itself counts; a command is not joined."""
    found = _services(
        """
services:
  base: &base
    image: registry.example/a:1
    environment: {A: "1", B: "1"}
    command: [python, a.py]
  job:
    extends: base
    environment: {B: "2"}
    command: [python, b.py]
  copy:
    <<: *base
    shm_size: 8gb
"""
    )

    job = found["service job"]
    assert job.image is not None
    assert {one.name: one.value for one in job.settings.settings} == {"A": "1", "B": "2"}
    assert [word.text for word in job.command] == ["python", "b.py"]
    assert found["service copy"].shm is not None
    assert found["service copy"].image is not None


def test_services_that_extend_each_other_end() -> None:
    found = _services(
        "services:\n  a: {extends: b, image: x}\n  b: {extends: a}\n"
        "  c: {extends: {file: x.yml, service: y}}\n"
    )

    assert found["service c"].open
    assert set(found) == {"service a", "service b", "service c"}


@pytest.mark.parametrize(
    "text",
    [
        "services:\n",
        "services: []\n",
        "services: {a: , b: [], c: x}\n",
        "services:\n  a: {environment: 3, deploy: [], gpus: 1, devices: {a: b}, ulimits: []}\n",
        "services:\n  a: {command: {}, volumes: 7, entrypoint: 3, tmpfs: {}, privileged: []}\n",
        "services:\n  a: {image: [x], environment: [[a], {b: c}, 3], extends: [a], gpus: [a]}\n",
        "services:\n  a: {deploy: {resources: {reservations: {devices: [x, [], {capabilities: {}}]}}}}\n",
    ],
)
def test_odd_compose_files_are_no_trouble_for_the_reader(text: str) -> None:
    """Whatever stands at a place, no rule fails."""
    _findings("compose.yaml", text)


def test_a_tab_in_a_compose_file_is_told() -> None:
    [finding] = _findings("compose.yaml", "services:\n  a:\n\timage: x\n")

    assert (finding.fault, finding.place.line, finding.place.column) == ("config-syntax-error", 3, 1)


@pytest.mark.parametrize("name", ["k8s/service.yaml", "services.yml", "composer.json", "decompose.yaml"])
def test_other_files_are_not_taken_for_compose(name: str) -> None:
    kind = kind_of(Source(name, "services:\n  a: {image: x}\n"))

    assert kind is None or kind.name != "compose"


def test_no_report_shows_a_secret() -> None:
    secret = "0b1c2d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c"  # noqa: S105 - made up
    findings = _findings("Dockerfile", f"FROM python:3.11\nENV WANDB_API_KEY={secret}\n")

    assert [one.fault for one in findings if not one.pedantic] == ["secret-in-configuration"]
    assert not any(secret in one.line or secret in one.message.say("en") for one in findings)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "torch==\n==1\n-r\n-c\n--index-url\n-e .\n\\\n",
        "torch==2.7.0 ; python_version < '3' and\nhttps://x/y.whl\n",
        "torch===2.7.0\ntorch~=2.7\ntorch==2.*\n",
        "torch>=99\n",
    ],
)
def test_odd_requirements_are_no_trouble(text: str) -> None:
    _findings("requirements.txt", text)


def test_places_in_a_script_inside_of_yaml_are_those_of_the_file() -> None:
    text = "services:\n  a:\n    image: x\n    command:\n    - sh\n    - -c\n    - pip install torch==2.9.7\n"
    found = [one for one in _findings("compose.yaml", text) if one.fault == "torch-version-nonexistent"]

    assert [(one.place.line, one.place.column) for one in found] == [(7, 19)]


def test_an_unknown_version_of_conda_is_no_trouble() -> None:
    text = "channels: [conda-forge]\ndependencies: [pytorch, python]\n"

    assert not _findings("environment.yml", text)


def test_a_broken_project_is_told_at_its_place() -> None:
    [finding] = _findings("pyproject.toml", '[project]\nname = "x\n')

    assert (finding.fault, finding.place.line) == ("config-syntax-error", 2)


def test_long_lists_are_read_in_time() -> None:
    """Ten thousand requirements and two thousand services; the bound leaves a busy machine room."""
    packages = "".join(f"package{number}==1.{number}\n" for number in range(10_000))
    services = "".join(
        f"  s{number}: {{image: 'registry.example/a:{number}', environment: [A={number}]}}\n"
        for number in range(2_000)
    )
    begin = time.process_time()

    _findings("requirements.txt", packages)
    _findings("compose.yaml", f"services:\n{services}")

    assert time.process_time() - begin < 60


def test_commands_of_a_script_are_judged_one_by_one() -> None:
    script = shell.script(Source("a.sh", "pip install a==1 b\nuv pip install c\nls\n"), "script")

    found = list(installs.of_script(script))

    assert [[one.name for one in part.manifest.requirements] for part in found] == [["a", "b"], ["c"]]
    assert all(isinstance(part, Installs) for part in found)
