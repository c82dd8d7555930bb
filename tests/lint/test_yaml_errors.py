"""A line that was moved by one column is the line that is named."""

import re
from collections.abc import Iterator
from pathlib import Path
from textwrap import dedent, indent

import pytest

from codeblue.lint import fixing
from codeblue.lint.run import Against, judge
from codeblue.model.config.place import Source
from codeblue.sources.config import yaml_tree
from codeblue.sources.config.broken import Broken
from codeblue.sources.config.kinds import KINDS

DEPLOYMENT = """
    apiVersion: apps/v1
    kind: Deployment
    metadata:
      name: trainer
      labels:
        app: trainer
    spec:
      replicas: 2
      selector:
        matchLabels:
          app: trainer
      template:
        metadata:
          labels:
            app: trainer
        spec:
          containers:
          - name: main
            image: registry.example/train:1
            command: [torchrun]
            env:
            - name: NCCL_DEBUG
              value: INFO
            - name: NODE
              valueFrom:
                fieldRef:
                  fieldPath: spec.nodeName
            resources:
              limits:
                nvidia.com/gpu: 8
              requests:
                memory: 64Gi
            volumeMounts:
              - name: shm
                mountPath: /dev/shm
              - name: data
                mountPath: /data
          volumes:
          - name: shm
            emptyDir:
              medium: Memory
          - name: data
            persistentVolumeClaim:
              claimName: data
          tolerations:
          - key: nvidia.com/gpu
            operator: Exists
"""
SERVICE = """
    kind: Service
    apiVersion: v1
    metadata:
      name: head
      annotations:
        note: |
          key: value
            more: text
    spec:
      selector:
        app: head
      ports:
      - name: client
        port: 10001
        targetPort: 10001
      - name: dashboard
        port: 8265
      type: ClusterIP
"""
KEY = re.compile(r" *(?:- +)?[\w./-]+:(?: |$)")
TEXTS = [dedent(one).lstrip("\n") for one in (DEPLOYMENT, SERVICE)]
TEXTS += [re.sub(r"^ +", lambda found: found[0] * 2, TEXTS[0].replace("- ", "-   "), flags=re.MULTILINE)]


def _block(lines: list[str], first: int) -> range:
    """Return the lines of a key, or of an element, with what is inside of it."""
    column = len(lines[first]) - len(lines[first].lstrip())
    is_item = lines[first].lstrip().startswith("- ")
    last = first
    for at, line in enumerate(lines[first + 1 :], start=first + 1):
        inner = len(line) - len(line.lstrip())
        if inner > column or (inner == column and line.lstrip().startswith("- ") and not is_item):
            last = at
        else:
            break
    return range(first, last + 1)


def _moved(text: str, columns: int = 1) -> Iterator[tuple[int, str]]:
    """Yield the text with one block moved by some columns, to both sides, and the line that it begins in."""
    space = " " * columns
    lines = text.splitlines()
    for first, line in enumerate(lines):
        if not KEY.match(line):
            continue
        inside = _block(lines, first)
        yield first + 1, "\n".join(space + one if at in inside else one for at, one in enumerate(lines))
        if line.startswith(space):
            yield first + 1, "\n".join(one[columns:] if at in inside else one for at, one in enumerate(lines))


def _broken(text: str) -> Broken | None:
    """Return what is said to be wrong; None if the text is valid."""
    try:
        list(yaml_tree.documents(Source("x.yaml", text)))
    except Broken as broken:
        return broken
    return None


def test_the_moved_line_is_named() -> None:
    cases = [(line, _broken(text)) for whole in TEXTS for line, text in _moved(whole)]
    wrong = [(line, broken) for line, broken in cases if broken is not None]

    assert len(wrong) > 100
    assert [line for line, broken in wrong if broken.place.line != line] == []
    assert all("space(s)" in broken.line.say("en") for _, broken in wrong)


def test_moving_it_back_is_mostly_the_fix(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Between two neighbours a block may belong to either."""
    monkeypatch.chdir(tmp_path)
    path, restored = Path("pod.yaml"), []
    for _, text in _moved(TEXTS[0]):
        if _broken(text) is not None:
            path.write_text(text)
            source = Source("pod.yaml", text)
            found = judge(source, next(one for one in KINDS if one.name == "kubernetes"), Against()).findings
            [change] = fixing.fixed(found, Against(), unsafe=True)
            restored.append(change.after.decode() == TEXTS[0].removesuffix("\n"))

    assert len(restored) > 60
    assert sum(restored) / len(restored) > 0.9


def test_a_line_that_moved_by_two_is_mostly_named() -> None:
    """By two columns a line may as well be right, and its neighbours wrong."""
    cases = [(line, _broken(text)) for whole in TEXTS for line, text in _moved(whole, 2)]
    wrong = [line == broken.place.line for line, broken in cases if broken is not None]

    assert len(wrong) > 50
    assert sum(wrong) / len(wrong) > 0.9


@pytest.mark.parametrize("number", [1, 3, 5])
def test_the_distance_is_told(number: int) -> None:
    block = indent("env:\n- name: A\n  value: b\n", " " * number)
    text = f"spec:\n  containers:\n    name: a\n{block}    image: c\n"

    with pytest.raises(Broken) as caught:
        list(yaml_tree.documents(Source("x.yaml", text)))

    assert caught.value.place.line == 4
    assert caught.value.line.say("en").startswith(f"line 4: `env` begins in column {number + 1}")


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("a: 1\ncommand: echo: hi\nb: 2\n", (2, 14), "second colon"),
        ("a:\n  image:train\n  b: 1\n", (2, 8), "space is missing"),
        ("env:\n- name A\n  value: b\n", (2, 3), "colon is missing behind `name`"),
        ("a: 'x\nb: 1\nc: d\n", (1, 4), "never closed"),
        ("a: [1, 2\nb: 3\n", (1, 4), "before line 2"),
        ("a: {x: 1 y: 2}\n", (1, 4), "comma"),
        ("a: %x\n", (1, 4), "begins with %"),
        ("a: *.log\n", (1, 4), "begins with *"),
        ("a: 'it's'\n", (1, 8), "behind the closing quote"),
        ("<<<<<<< HEAD\na: 1\n=======\na: 2\n>>>>>>> x\n", (1, 1), "conflict"),
        ("a: 1\n\tb: 1\n", (2, 1), "a tab"),
        ("a: |x\n  b\n", (1, 5), "not YAML"),
    ],
)
def test_other_slips_are_told(text: str, place: tuple[int, int], words: str) -> None:
    broken = _broken(text)

    assert broken is not None
    assert (broken.place.line, broken.place.column) == place
    assert words in broken.line.say("en")
    assert broken.line.say("zh").isprintable()
