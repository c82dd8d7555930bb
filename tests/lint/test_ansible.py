"""Playbooks and task files as they come: broken, templated, nested, long."""

import time

import pytest

from codeblue.lint.run import Against, judge
from codeblue.model.config.ansible import Play, Task
from codeblue.model.config.place import Source
from codeblue.model.config.setting import Settings
from codeblue.model.config.shell import Script
from codeblue.sources.config.kinds import kind_of

PLAY = "- hosts: gpu\n  tasks:\n"


def _parts(name: str, text: str) -> list[object]:
    source = Source(name, text)
    kind = kind_of(source)
    assert kind is not None
    return list(kind.read(source))


def _kind(name: str, text: str) -> str | None:
    kind = kind_of(Source(name, text))
    return kind.name if kind else None


@pytest.mark.parametrize(
    ("name", "text", "kind"),
    [
        ("site.yml", PLAY, "ansible playbook"),
        ("site.yml", "---\n# all\n- name: x\n  hosts: all\n", "ansible playbook"),
        ("site.yml", "- import_playbook: other.yml\n", "ansible playbook"),
        ("stdin", PLAY, "ansible playbook"),
        ("roles/x/tasks/main.yml", "---\n- name: x\n  ansible.builtin.copy: {dest: /a}\n", "ansible tasks"),
        ("roles/x/handlers/main.yml", "- name: x\n  service: {name: a}\n", "ansible tasks"),
        ("gateway.yaml", "apiVersion: v1\nkind: Gateway\nspec:\n  hosts: ['*']\n", "kubernetes"),
        ("targets.yml", "- targets: [a]\n  labels: {hosts: b}\n", None),
        ("tasks/eval.yaml", "task: mmlu\nhosts: 3\n", None),
        ("config.yml", "hosts: a\ntasks: []\n", None),
    ],
)
def test_only_playbooks_are_taken_for_playbooks(name: str, text: str, kind: str | None) -> None:
    assert _kind(name, text) == kind


def test_tasks_in_blocks_are_found_with_their_conditions() -> None:
    text = (
        PLAY + "    - block:\n        - command: nvidia-smi\n"
        "      rescue:\n        - fail: {msg: x}\n      when: gpu\n"
    )

    tasks = [part for part in _parts("site.yml", text) if isinstance(part, Task)]

    assert [(task.module, task.conditional) for task in tasks] == [("command", True), ("fail", True)]


@pytest.mark.parametrize(
    "task",
    [
        "ansible.builtin.file: {path: /dev/nvidia0, mode: '0600'}",
        "file: path=/dev/nvidia0 mode=0600",
        "file: path=/dev/nvidia0\n      args: {mode: '0600'}",
        "action: file path=/dev/nvidia0 mode='0600'",
        "local_action: {module: file, path: /dev/nvidia0, mode: '0600'}",
    ],
)
def test_arguments_are_read_in_every_form(task: str) -> None:
    [found] = [part for part in _parts("site.yml", f"{PLAY}    - {task}\n") if isinstance(part, Task)]

    assert (found.module, found.say("path"), found.say("mode")) == ("file", "/dev/nvidia0", "0600")


def test_a_shell_sees_what_jinja_leaves() -> None:
    text = (
        PLAY
        + "    - shell: |\n        {% if a %}\n        echo {{ b }} > /etc/{{ c }}\n        {% endif %}\n"
    )

    [script] = [part for part in _parts("site.yml", text) if isinstance(part, Script)]

    [command] = script.commands
    assert script.cut is None
    assert command.name == "echo"
    assert not command.arguments[0].literal
    assert (command.arguments[0].place.line, command.arguments[0].place.column) == (5, 14)


def test_variables_of_plays_and_tasks_are_read() -> None:
    text = (
        "- hosts: a\n  environment: {NCCL_DEBUG: INFO}\n  tasks:\n"
        "    - command: x\n      environment:\n        A: '{{ b }}'\n"
    )

    found = [part for part in _parts("site.yml", text) if isinstance(part, Settings)]

    assert [(one.settings[0].name, one.settings[0].value) for one in found] == [
        ("NCCL_DEBUG", "INFO"),
        ("A", None),
    ]


@pytest.mark.parametrize(
    ("text", "line", "column"),
    [
        (PLAY + "    - copy:\n\tdest: /a\n", 4, 1),
        (PLAY + "    - debug: {msg: x}\n      tags: {{ a }}\n", 4, 13),
        (PLAY + "    - copy:\n        src: {{ a }}/b\n", 4, 14),
    ],
)
def test_a_broken_playbook_is_placed(text: str, line: int, column: int) -> None:
    source = Source("site.yml", text)
    kind = kind_of(source)
    assert kind is not None

    [finding] = judge(source, kind, Against()).findings

    assert finding.fault == "config-syntax-error"
    assert (finding.place.line, finding.place.column) == (line, column)


def test_a_template_is_left() -> None:
    source = Source("site.yml", "- hosts: all\n  tasks:\n{% for a in b %}\n   - x: [\n{% endfor %}\n")
    kind = kind_of(source)
    assert kind is not None

    judged = judge(source, kind, Against())

    assert not judged.findings
    assert len(judged.left) == 1


def test_empty_and_odd_playbooks_are_quiet() -> None:
    for text in ("- hosts: all\n", "- hosts: all\n  tasks:\n", "- hosts: all\n  tasks: [1, x, []]\n- 3\n"):
        assert [type(part) for part in _parts("site.yml", text)] == [Play]


def test_a_long_file_takes_no_long_time() -> None:
    text = PLAY + "    - name: x\n      copy: {dest: /a, content: x}\n      notify: y\n" * 3000
    source = Source("site.yml", text)

    before = time.monotonic()
    kind = kind_of(source)
    assert kind is not None
    judge(source, kind, Against())
    kind_of(Source("x.yml", "- \n" * 100_000))
    kind_of(Source("x.yml", "#\n" * 100_000))

    assert time.monotonic() - before < 60
