"""What is made in a cluster: as little as possible, valid for the API, and clean for our own lint."""

from typing import Any

import pytest
import yaml

from codeblue.fleet.engines.kubernetes.manifest import Plan, Wanted, job_of, rendered, text_of
from codeblue.lint.run import Against, Judged, judge
from codeblue.model.config.place import Source
from codeblue.sources.config.kinds import kind_of

PLAN = Plan(run="0f3a", image="registry.example/python:3.12", seconds=110, tolerate=("dedicated",))
TEXT = "print(1)\nprint(2)\n"


def _pod(gpus: dict[str, int]) -> dict[str, Any]:
    job = job_of(PLAN, Wanted(3, "gpu003", 0, gpus))
    pod: dict[str, Any] = job["spec"]["template"]["spec"]
    return pod


def test_the_pod_has_no_rights() -> None:
    pod = _pod({"nvidia.com/gpu": 8})
    [container] = pod["containers"]
    assert pod["automountServiceAccountToken"] is False
    assert pod["securityContext"]["runAsNonRoot"] is True and pod["securityContext"]["runAsUser"] > 0
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert not any("hostPath" in volume for volume in pod["volumes"])
    assert not {"hostNetwork", "hostPID", "hostIPC", "serviceAccountName"} & set(pod)


def test_it_ends_and_is_removed_by_itself() -> None:
    spec = job_of(PLAN, Wanted(3, "gpu003", 0, {}))["spec"]
    assert spec["activeDeadlineSeconds"] > PLAN.seconds  # we read the logs before they are removed
    assert spec["backoffLimit"] == 0
    assert spec["ttlSecondsAfterFinished"] > 0


def test_it_goes_to_its_node_by_the_scheduler() -> None:
    pod = _pod({})
    assert "nodeName" not in pod
    [term] = pod["affinity"]["nodeAffinity"]["requiredDuringSchedulingIgnoredDuringExecution"][
        "nodeSelectorTerms"
    ]
    assert term["matchFields"] == [{"key": "metadata.name", "operator": "In", "values": ["gpu003"]}]
    assert {row["key"] for row in pod["tolerations"]} == {"nvidia.com/gpu", "dedicated"}


def test_gpus_are_asked_for_or_not_taken_at_all() -> None:
    [with_gpus] = _pod({"nvidia.com/gpu": 8})["containers"]
    [without] = _pod({})["containers"]
    assert with_gpus["resources"]["limits"]["nvidia.com/gpu"] == "8"
    assert "without-gpu" not in with_gpus["command"]
    assert {row["name"] for row in with_gpus["env"]}.isdisjoint({"NVIDIA_VISIBLE_DEVICES"})
    # An image that says "all" would be given GPUs that belong to others.
    assert {"name": "NVIDIA_VISIBLE_DEVICES", "value": "void"} in without["env"]
    assert without["command"][-1] == "without-gpu"


def test_the_text_is_no_open_secret() -> None:
    assert text_of(PLAN, TEXT)["kind"] == "Secret"


def test_what_is_shown_is_what_is_made() -> None:
    wanted = [Wanted(0, "gpu001", 0, {"nvidia.com/gpu": 8}), Wanted(1, "gpu002", 0, {})]
    text = rendered(PLAN, TEXT, wanted)
    expected = [text_of(PLAN, TEXT), *(job_of(PLAN, one) for one in wanted)]
    assert list(yaml.safe_load_all(text)) == expected
    assert "&id" not in text and "    print(1)\n    print(2)\n" in text


def _judged(text: str) -> Judged:
    source = Source("probe.yaml", text)
    kind = kind_of(source)
    assert kind is not None and kind.name == "kubernetes"
    return judge(source, kind, Against())


@pytest.mark.parametrize("gpus", [{"nvidia.com/gpu": 8}, {"nvidia.com/mig-1g.10gb": 2}, {}])
def test_our_own_lint_finds_nothing(gpus: dict[str, int]) -> None:
    """It also knows the fields of the API, and their types."""
    text = rendered(PLAN, TEXT, [Wanted(0, "gpu001", 0, gpus)])
    judged = _judged(text)
    assert not judged.broken
    assert [one.fault for one in judged.findings if not one.pedantic] == []


def test_our_own_lint_would_find_a_wrong_field() -> None:
    text = rendered(PLAN, TEXT, [Wanted(0, "gpu001", 0, {})]).replace("readOnlyRootFilesystem", "readOnly")
    judged = _judged(text)
    assert any(one.fault.startswith("manifest-field") or "unknown" in one.fault for one in judged.findings)
