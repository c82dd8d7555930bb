"""env-name-misspelt"""

from pathlib import Path

import pytest

from codeblue.model.fault import Kind
from codeblue.model.finding import Outcome
from codeblue.model.remedy import Automation, Undo, Verb
from codeblue.model.snapshot import Snapshot
from codeblue.remedy.registry import ACTIONS
from tests.conftest import joined, judge, recording, text
from tests.faults.remedies import asked, only, verbs

FAULT = "env-name-misspelt"
SHOWS = (
    ("export CUDA_VISIBLE_DEVICE=2,3",),
    ("      - name: CUDA_VISIBLE_DEVICE", "        value: '0'"),
    ("NVIDIA_VISIBLE_DEVICE: all",),
    ("NCCL_SOCKET_IFNAM=eth0 torchrun train.py",),
    ('os.environ["CUDA_VISABLE_DEVICES"] = "1"',),
    ("$ cuda_visible_devices=1 python train.py",),
    ("# note: the environment variable had a typo, so the setting was ignored",),
    ("# note: 环境变量 NCCL_DEBUG 写成了小写，所以没生效",),
)
OTHERS = (
    ("export CUDA_VISIBLE_DEVICES=2,3",),
    ("export NCCL_SOCKET_IFNAME=eth0 PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True",),
    ("train(cuda_visible_devices=None)",),
    ("    cuda_visible_devices=0,",),
    ("export http_proxy=http://10.0.0.1:3128",),
)


def machine(**variables: str) -> Snapshot:
    """Return a healthy machine with these variables beside its own."""
    return recording("h200-healthy", environment={"variables": variables})


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_a_name_that_nobody_reads(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


def test_fires_as_a_risk_when_the_environment_holds_such_a_name() -> None:
    [finding] = judge(FAULT, machine(NCCL_SOCKET_IFNAM="eth0")).findings

    assert (finding.subject, finding.kind) == ("env:NCCL_SOCKET_IFNAM", Kind.RISK)
    assert "NCCL_SOCKET_IFNAME" in finding.summary.say("en")


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_names_that_are_right(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, joined(machine(), text(*lines))).outcome is Outcome.CLEAR


def test_clear_when_the_right_name_stands_beside_it() -> None:
    both = machine(CUDA_VISIBLE_DEVICE="0", CUDA_VISIBLE_DEVICES="0")

    assert judge(FAULT, both).outcome is Outcome.CLEAR


def test_claims_nothing_when_the_environment_was_not_read() -> None:
    snapshot = recording("h200-healthy", environment={"state": "denied"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


def test_the_remedy_sets_the_right_name_and_takes_the_wrong_one_out(tmp_path: Path) -> None:
    finding = only(FAULT, machine(NCCL_SOCKET_IFNAM="eth0,eth1"))

    assert finding.remedy is not None
    assert (finding.remedy.automation, finding.remedy.undo) == (Automation.APPROVAL, Undo.EXACT)
    args = {"name": "NCCL_SOCKET_IFNAME", "value": "eth0,eth1", "beside": "NCCL_SOCKET_IFNAM"}
    wrong = {"name": "NCCL_SOCKET_IFNAM", "absent": "ok"}
    assert asked(finding) == [(Verb.ENV_SET, args), (Verb.ENV_UNSET, wrong)]
    start = tmp_path / ".profile"
    seen = ACTIONS[Verb.ENV_SET].look(args | {"file": str(start)})
    assert "+export NCCL_SOCKET_IFNAME=eth0,eth1" in seen.shows


@pytest.mark.parametrize(
    "variables", [{"LD_LIBARY_PATH": "/opt/lib"}, {"HF_ENDPIONT": "https://mirror"}, {"NCCL_IFNAME": ""}]
)
def test_the_remedy_is_an_instruction_for_values_that_a_person_writes(variables: dict[str, str]) -> None:
    assert verbs(only(FAULT, machine(**variables))) == [Verb.INSTRUCT]
