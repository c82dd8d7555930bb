"""Pods that wait, out of what kubectl prints."""

import pytest

from codeblue import pipeline
from codeblue.diagnose.waiting_pods import waiting_pods
from codeblue.model.facts import Pods
from codeblue.model.snapshot import Snapshot, View
from codeblue.sources.clues import Line
from codeblue.sources.pasted import sections
from codeblue.sources.pasted.kubernetes import seconds

EVENTS = """\
LAST SEEN              TYPE      REASON             OBJECT         MESSAGE
2m (x31 over 3h10m)    Warning   FailedScheduling   pod/train-0    0/4 nodes are available: 4 Insufficient \
nvidia.com/gpu. preemption: 0/4 nodes are available: 4 No preemption victims found.
5s                     Normal    Pulled             pod/web-1      image is there
40s                    Warning   FailedMount        pod/train-1    MountVolume.SetUp failed
"""
LIST = """\
NAMESPACE   NAME      READY   STATUS              RESTARTS   AGE
ml          train-0   0/1     Pending             0          2d3h
ml          web-1     1/1     Running             0          9d
"""
DESCRIBED = """\
Name:         train-7
Status:       Pending
Events:
  Type     Reason            Age                   From               Message
  Warning  FailedScheduling  90s (x9 over 25m)     default-scheduler  0/2 nodes are available: 2 node(s) had \
untolerated taint {gpu: only}.
"""


def pods(text: str) -> Pods | None:
    """Return the section that a paste gives."""
    lines = [Line(line, "paste", n, False) for n, line in enumerate(text.splitlines(), start=1)]
    section = sections(lines).get("pods")
    assert section is None or isinstance(section, Pods)
    return section


def told(text: str) -> list[str]:
    """Return the headline for a paste."""
    section = pods(text)
    assert section is not None
    return [line.say("en") for line in waiting_pods(View(kind="text", name="paste", pods=section))]


def test_events_say_how_long_and_why() -> None:
    assert told(EVENTS) == [
        "pod train-0: Pending for 3h10m: 0/4 nodes are available: 4 Insufficient nvidia.com/gpu",
        "pod train-1: Pending for 40s: MountVolume.SetUp failed",
    ]


def test_a_list_says_how_long() -> None:
    assert told(LIST) == ["pod ml/train-0: Pending for 2d3h: ?"]


def test_a_description_says_how_long_and_why() -> None:
    [line] = told(DESCRIBED)

    assert line.startswith("pod train-7: Pending for 25m: 0/2 nodes are available")


def test_a_list_and_its_events_are_one_pod() -> None:
    assert told(LIST + "3m Warning FailedScheduling pod/train-0 no node\n") == [
        "pod ml/train-0: Pending for 2d3h: no node"
    ]


def test_many_pods_are_counted() -> None:
    many = "".join(f"train-{n}   0/1   Pending   0   {n + 1}m\n" for n in range(9))

    assert told(many)[0].startswith("pod train-8: Pending for 9m")
    assert told(many)[-1] == "6 more pods wait"


@pytest.mark.parametrize(
    "text", ["web-1   1/1   Running   0   9d", "Pending", "Name: x\nStatus: Running", ""]
)
def test_nothing_waits(text: str) -> None:
    assert pods(text) is None


@pytest.mark.parametrize(("age", "long"), [("2h10m", 7800), ("9d", 777600), ("15s", 15)])
def test_ages(age: str, long: int) -> None:
    assert seconds(age) == long


def test_the_headline_is_in_the_diagnosis() -> None:
    section = pods(EVENTS)
    assert section is not None
    view = View(kind="text", name="paste", pods=section)

    assert "3h10m" in pipeline.judge(Snapshot(views=[view])).headline[0].say("zh")
