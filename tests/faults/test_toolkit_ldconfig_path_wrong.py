"""toolkit-ldconfig-path-wrong"""

from pathlib import Path

import pytest

from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from codeblue.model.snapshot import Snapshot
from tests.conftest import joined, judge, recording, text
from tests.faults.engines import NO_GPU, docker_host
from tests.faults.remedies import look, only, verbs

FAULT = "toolkit-ldconfig-path-wrong"


@pytest.mark.parametrize(
    ("line", "certainty"),
    [
        (
            (
                "nvidia-container-cli: ldcache error: process /sbin/ldconfig failed with error "
                "code: 1: unknown."
            ),
            Certainty.CERTAIN,
        ),
        (
            (
                "stderr: nvidia-container-cli: ldcache error: open failed: /sbin/ldconfig.real: "
                "no such file or directory: unknown."
            ),
            Certainty.CERTAIN,
        ),
    ],
)
def test_fires_when_ldconfig_cannot_run(line: str, certainty: Certainty) -> None:
    [finding] = judge(FAULT, text("start", line)).findings

    assert finding.evidence[0].source == "train.log:2"
    assert finding.certainty is certainty


@pytest.mark.parametrize(
    "line",
    [
        ("nvidia-container-cli: initialization error: nvml error: driver not loaded"),
        ("/sbin/ldconfig.real: /usr/lib/wsl/lib/libcuda.so.1 is not a symbolic link"),
    ],
)
def test_clear_on_other_toolkit_errors(line: str) -> None:
    assert judge(FAULT, joined(docker_host(), text(line))).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_fires_when_the_configured_program_does_not_exist() -> None:
    [finding] = judge(FAULT, docker_host({"ldconfig_there": False})).findings

    assert (finding.kind, finding.certainty) == (Kind.TROUBLE, Certainty.LIKELY)
    assert finding.summary.values == {"path": "@/sbin/ldconfig.real"}


@pytest.mark.parametrize(
    "snapshot",
    [
        docker_host(),
        docker_host({"ldconfig_there": None}),
        docker_host({"ldconfig_there": False, "toolkit": {}}),
        docker_host({"ldconfig_there": False}, pci=NO_GPU),
    ],
    ids=["there", "looked up in the image", "file of a removed toolkit", "no GPU"],
)
def test_clear_when_it_does_not_matter(snapshot: Snapshot) -> None:
    assert judge(FAULT, snapshot).outcome is Outcome.CLEAR


SAID = (
    (
        "nvidia-container-cli: ldcache error: process /sbin/ldconfig failed with error code: 1",
        "os: Ubuntu 22.04",
    ),
    (
        ("nvidia-container-cli: ldcache error: open failed: /sbin/ldconfig.real: no such file or directory"),
        "os: Arch",
    ),
    (
        (
            '# note: ldconfig in config.toml is "@/sbin/ldconfig" instead of ldconfig.real, '
            "container start fails"
        ),
        "os: Ubuntu 20.04",
    ),
)
NEAR = (
    "ImportError: libcudart.so.12: cannot open shared object file",
    "# note: ldconfig -p does not list it",
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_on_what_people_say(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_clear_on_the_words_of_a_neighbour() -> None:
    assert judge(FAULT, text(*NEAR)).outcome is not Outcome.FIRED


WRONG = {"ldconfig_there": False}


@pytest.mark.parametrize("distribution", ["fedora", "rhel", "debian"])
def test_the_remedy_names_the_program_of_the_distribution(distribution: str, tmp_path: Path) -> None:
    remedy = only(FAULT, docker_host(WRONG, host={"distribution": distribution})).remedy

    assert remedy is not None
    assert (remedy.automation, remedy.undo) == (Automation.APPROVAL, Undo.EXACT)
    [step] = remedy.steps
    assert step.verb is Verb.FILE_EDIT
    assert (step.args["at"], step.args["value"]) == ("nvidia-container-cli.ldconfig", '"@/sbin/ldconfig"')
    seen = look(step, tmp_path, '[nvidia-container-cli]\nldconfig = "@/sbin/ldconfig.real"\n')
    assert '+ldconfig = "@/sbin/ldconfig"' in seen.shows


@pytest.mark.parametrize(
    ("engine", "distribution"),
    [
        (WRONG, "ubuntu"),
        (WRONG, "nixos"),
        (WRONG, None),
        (WRONG | {"toolkit_config": {"nvidia-container-cli.ldconfig": "@/opt/ldconfig"}}, "fedora"),
    ],
)
def test_the_remedy_is_a_persons_where_the_path_is_not_certain(
    engine: dict[str, object], distribution: str | None
) -> None:
    finding = only(FAULT, docker_host(engine, host={"distribution": distribution}))

    assert verbs(finding) == [Verb.INSTRUCT]
