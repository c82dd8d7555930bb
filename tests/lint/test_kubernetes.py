"""Manifests that are no manifests yet, or hardly ones."""

import pytest

from codeblue.lint.run import Against, Judged, judge
from codeblue.model.config.place import Source
from codeblue.sources.config.kinds import kind_of
from tests.lint.cases.manifest import env, pod


def _judged(name: str, text: str) -> Judged:
    source = Source(name, text)
    kind = kind_of(source)
    assert kind is not None
    return judge(source, kind, Against())


@pytest.mark.parametrize(
    "head", ["{{- if .Values.enabled }}\n", "{%- if enabled %}\n", "{{/* a chart */}}\n{{- if .x }}\n"]
)
def test_a_chart_is_no_broken_json(head: str) -> None:
    result = _judged("templates/pod.yaml", f"{head}{pod()}{{{{- end }}}}\n")

    assert result.findings == ()
    assert result.left


def test_flow_style_is_yaml() -> None:
    result = _judged(
        "pod.yaml",
        "{apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {containers: [{name: x, image: a/z}]}}\n",
    )

    assert {one.fault for one in result.findings} <= {"image-tag-mutable"}


@pytest.mark.parametrize(
    "text",
    [
        "apiVersion: v1\nkind: Pod\n",
        "apiVersion: v1\nkind: Pod\nspec: []\n",
        "apiVersion: v1\nkind: Pod\nspec: {containers: {name: x}, initContainers: [1, null], volumes: x}\n",
        "apiVersion: v1\nkind: Pod\nspec: {containers: [{name: , image: , command: {}, env: [3]}]}\n",
        "apiVersion: batch/v1\nkind: Job\nspec: {backoffLimit: x, template: {spec: {containers: [{}]}}}\n",
        "apiVersion: v1\nkind: Service\nmetadata: {name: [vllm]}\nspec: 3\n",
        "apiVersion: kubeflow.org/v1\nkind: PyTorchJob\nspec: {nprocPerNode: 4, pytorchReplicaSpecs: [1]}\n",
    ],
)
def test_odd_shapes_break_nothing(text: str) -> None:
    """What the API refuses is told as that; no other rule stumbles."""
    result = _judged("pod.yaml", text)

    assert result.broken == ()
    assert {one.fault for one in result.findings if not one.pedantic} <= {
        "manifest-value-refused",
        "manifest-field-missing",
    }


def test_a_secret_is_not_repeated() -> None:
    token = "Tr0ub4dor&3-" * 2
    [found] = [
        one
        for one in _judged("pod.yaml", pod(env=env("DB_PASSWORD", token))).findings
        if one.fault == "secret-in-configuration"
    ]

    assert token not in found.message.say("en") + found.message.say("zh")


@pytest.mark.parametrize(
    "probe", ["{}", "{httpGet: }", "{httpGet: {}, periodSeconds: x}", "{exec: {command: [ls]}}"]
)
def test_probes_without_numbers(probe: str) -> None:
    result = _judged("pod.yaml", pod(container=f"livenessProbe: {probe}"))

    assert all(one.place.line > 0 for one in result.findings)
