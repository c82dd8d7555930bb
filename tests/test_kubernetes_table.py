"""The table of the Kubernetes API: how it is built, and that it is whole."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

from codeblue.knowledge import kubernetes
from codeblue.knowledge.tables import table
from scripts.refresh_kubernetes import Api, main, rows


def _definitions(container: dict[str, Any], required: list[str]) -> dict[str, Any]:
    reference = {"$ref": "/api/_definitions.json#/$defs/io.k8s.api.core.v1.Container"}
    kind = {"group": "", "kind": "Pod", "version": "v1"}
    return {
        "io.k8s.api.core.v1.Pod": {
            "properties": {
                "only": {"items": reference, "type": ["array", "null"]},
                "labels": {"additionalProperties": {"type": ["string", "null"]}, "type": ["object", "null"]},
                "status": reference,
            },
            "x-kubernetes-group-version-kind": [kind],
        },
        "io.k8s.api.core.v1.Container": {"properties": container, "required": required},
    }


def test_fields_have_types_and_versions() -> None:
    string, number = {"type": ["string", "null"]}, {"type": "integer"}
    old = Api("1.30", _definitions({"name": string, "gone": string}, ["name"]))
    new = Api("1.31", _definitions({"name": string, "fresh": number}, ["name", "fresh"]))

    found = {row["name"]: row for row in rows([old, new])}

    assert found["Container"]["fields"] == {
        "name": "string",
        "gone": "string -1.30",
        "fresh": "integer 1.31-",
    }
    assert found["Container"]["required"] == ["name"]
    assert found["Pod"]["fields"] == {"only": "[Container]", "labels": "{string}", "status": "any"}


def test_a_wheel_without_schemas_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    wheel = tmp_path / "some-1.0-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("some/__init__.py", "")

    assert main([str(wheel), "--out", str(tmp_path / "out.json")]) == 2
    assert "no schemas in it" in capsys.readouterr().err
    assert not (tmp_path / "out.json").exists()


def test_every_type_that_is_named_is_there() -> None:
    content = table("kubernetes")
    known = {row["name"] for row in content["rows"]}

    for name in known:
        for field in kubernetes.named(name).fields.values():
            assert field.type in known | kubernetes.SCALARS | {"any"}
        assert set(kubernetes.named(name).required) <= set(kubernetes.named(name).fields)
    assert {row["type"] for row in content["kinds"]} <= known
    for row in content["values"]:
        assert row["field"] in kubernetes.named(row["type"]).fields


def test_what_the_api_says_of_pods() -> None:
    pod = kubernetes.kind("v1", "Pod")

    assert pod is not None
    assert pod.fields["spec"].type == "PodSpec"
    assert kubernetes.named("PodSpec").fields["containers"] == kubernetes.Field("list", "Container")
    assert kubernetes.named("PodSpec").fields["resources"].since == "1.32"
    assert kubernetes.routes("PodSpec", "sizeLimit") == (("volumes[]", "emptyDir", "sizeLimit"),)
    assert kubernetes.kind("v1", "Deployment") is None
    assert kubernetes.removed("batch/v1beta1", "CronJob") == kubernetes.Served("1.25", "batch/v1")
