"""Manifests that nobody would write: broken, huge, knotted, templates, other programs' files."""

import json
import time
from pathlib import Path

import pytest

from codeblue.lint import fixing
from codeblue.lint.run import Against, Judged, judge
from codeblue.model.config.place import Source
from codeblue.sources.config.files import text_of
from codeblue.sources.config.kinds import kind_of

ALONE = Against()
POD = "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  containers:\n  - name: a\n    image: b\n"
WRONG = POD + "    Args: [c]\n"
SECONDS = 60
"""Of a processor: far more than any of these files takes, and far less than a runaway would."""


def _judged(text: str, name: str = "pod.yaml") -> Judged:
    source = Source(name, text)
    kind = kind_of(source)
    assert kind is not None
    assert kind.name == "kubernetes"
    begun = time.process_time()
    result = judge(source, kind, ALONE)
    assert time.process_time() - begun < SECONDS
    return result


def _found(text: str, name: str = "pod.yaml") -> list[tuple[str, int, int]]:
    found = _judged(text, name).findings
    return [(one.fault, one.place.line, one.place.column) for one in found if not one.pedantic]


def test_documents_before_a_broken_one_are_judged() -> None:
    assert _found(f"{WRONG}---\n{POD}   labels: x\n---\n{WRONG}") == [
        ("manifest-field-misplaced", 8, 5),
        ("config-syntax-error", 17, 4),
    ]


def test_every_document_is_judged_with_its_own_lines() -> None:
    assert _found(f"---\n---\n{WRONG}---\n# nothing\n---\n{WRONG}...\n") == [
        ("manifest-field-misplaced", 10, 5),
        ("manifest-field-misplaced", 21, 5),
    ]


@pytest.mark.parametrize(
    "text", ["---\n# apiVersion: v1\n", "apiVersion:\n", "apiVersion: v1\nkind: [Pod]\n"]
)
def test_hardly_a_manifest(text: str) -> None:
    assert _found(text) == []


@pytest.mark.parametrize(
    "spec",
    [
        "",
        "spec:\n",
        "spec: []\n",
        "spec: 1\n",
        "spec: {containers: }\n",
        "spec: {containers: [1, [], null]}\n",
    ],
)
def test_a_pod_of_odd_forms(spec: str) -> None:
    assert {fault for fault, *_ in _found(f"apiVersion: v1\nkind: Pod\n{spec}")} <= {"manifest-value-refused"}


def test_places_are_those_of_a_file_with_its_own_line_ends_and_mark(tmp_path: Path) -> None:
    path = tmp_path / "pod.yaml"
    text = (
        POD
        + "    volumeMounts:\n    - name: a\n      mountPath: /a\n      env:\n      - {name: A, value: 1}\n"
    )
    content = b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode()
    path.write_bytes(content)
    source = Source(str(path), text_of(content))
    kind = kind_of(source)
    assert kind is not None

    found = judge(source, kind, ALONE).findings
    [change] = fixing.fixed(found, ALONE, unsafe=True)

    assert [(one.place.line, one.place.column) for one in found if not one.pedantic] == [(11, 7)]
    assert change.after == content.replace(
        b"      env:\r\n      - {name: A, value: 1}", b'    env:\r\n    - {name: A, value: "1"}'
    )


def test_json_has_places_and_no_moves() -> None:
    text = json.dumps({"apiVersion": "v1", "kind": "Pod", "spec": {"containers": [], "env": []}}, indent=2)
    [one] = _judged(text, "pod.json").findings

    assert (one.fault, one.place.line, one.place.column, one.fix) == ("manifest-field-misplaced", 6, 5, None)


def test_a_bomb_of_anchors() -> None:
    layers = [f"x{n}: &x{n} [{', '.join([f'*x{n - 1}'] * 10)}]\n" for n in range(1, 30)]
    merges = [f"y{n}: &y{n}\n  <<: [{', '.join([f'*y{n - 1}'] * 10)}]\n  k{n}: 1\n" for n in range(1, 30)]

    assert _found(POD + "x0: &x0 [a]\n" + "".join(layers) + "y0: &y0 {a: b}\n" + "".join(merges))


def test_a_container_that_aliases_repeat_is_judged_once() -> None:
    text = WRONG.replace("- name", "- &c\n    name") + "  - *c\n" * 5_000

    assert _found(text) == [("manifest-field-misplaced", 9, 5)]


def test_merges_beyond_measure_are_refused() -> None:
    keys = "".join(f"    k{n}: v\n" for n in range(1000))
    text = f"apiVersion: v1\nkind: ConfigMap\ndata: &d\n{keys}" + "".join(
        f"m{n}: {{<<: *d}}\n" for n in range(400)
    )

    assert _found(text)[-1][0] == "config-syntax-error"


def test_a_hundred_thousand_elements() -> None:
    words = "    - x\n" * 100_000

    assert _found(f"{POD}    args:\n{words}    Ports: []\n") == [("manifest-field-misplaced", 100_009, 5)]


def test_thousands_of_fields_out_of_place() -> None:
    fields = "".join(f"    volumeMounts{n}: []\n" for n in range(3000))

    assert len(_found(POD + fields)) == 3000


def test_depth() -> None:
    deep = "".join("  " * n + f"a{n}:\n" for n in range(1, 190))

    assert _found(f"apiVersion: v1\nkind: ConfigMap\nx:\n{deep}") == [("manifest-field-misplaced", 3, 1)]
    assert _found("apiVersion: v1\nkind: Pod\nspec: " + "[" * 500)[0][0] == "config-syntax-error"


@pytest.mark.parametrize(
    "text",
    [
        "{{- if .Values.on }}\napiVersion: v1\nkind: Pod\n{{- end }}\n",
        "apiVersion: v1\nkind: Pod\nmetadata:\n  name: {{ .Release.Name }}-x\n",
        "apiVersion: v1\nkind: Pod\n{% if x %}\nmetadata: {}\n{% endif %}\n",
    ],
)
def test_templates_are_left_to_those_who_render_them(text: str) -> None:
    result = _judged(text)

    assert result.findings == ()
    assert len(result.left) == 1


def test_a_chart_that_happens_to_be_yaml_is_not_taken_at_its_word() -> None:
    text = POD.replace("{name: x}", "{{ .Values.meta }}").replace("image: b", "image: {{ .Values.image }}")

    assert _found(text + "    ports: {{ .Values.ports }}\n  hostIPC: {{ .Values.ipc }}\n") == []


def test_a_kustomization_is_no_workload() -> None:
    text = "apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [a.yaml]\n"

    assert _found(text, "kustomization.yaml") == []
