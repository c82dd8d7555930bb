"""The playbook, the patch for Kubernetes and the Dockerfile"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

from codeblue.model.remedy import Verb
from codeblue.remedy.render import ansible, dockerfile, kubectl_patch
from tests.fix.render.plans import HOSTILE, everything, plan, step


class _Loader(yaml.SafeLoader):
    """Reads Ansible's tag for text that is no template."""


_Loader.add_constructor("!unsafe", lambda loader, node: ("unsafe", node.value))


def tasks(text: str) -> list[dict[str, Any]]:
    """Return the tasks of a playbook."""
    [play] = yaml.load(text, Loader=_Loader)  # noqa: S506 - a safe loader with one more tag
    found: list[dict[str, Any]] = play["tasks"]
    return found


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("value", [None, HOSTILE])
def test_a_playbook_names_every_step(lang: str, value: str | None) -> None:
    found = tasks(ansible.render(everything(value), lang))

    assert len(found) >= len(Verb)
    for task in found:
        [module] = [key for key in task if key.startswith("ansible.builtin.")]
        assert task["name"] and task[module]


def test_in_a_playbook_values_are_no_templates() -> None:
    write = step(Verb.FILE_WRITE, {"path": "/etc/x", "content": HOSTILE}, why=HOSTILE, root=True)
    [task] = tasks(ansible.render(plan(write), "en"))

    assert task["ansible.builtin.copy"]["content"] == ("unsafe", HOSTILE)
    assert task["name"][0] == "unsafe" and task["become"] is True


@pytest.mark.skipif(shutil.which("ansible-playbook") is None, reason="ansible-core is not installed")
def test_ansible_itself_runs_it(tmp_path: Path) -> None:
    target = tmp_path / "written"
    book = tmp_path / "book.yaml"
    environment = {**os.environ, "HOME": str(tmp_path), "LC_ALL": "C.UTF-8", "ANSIBLE_LOCALHOST_WARNING": "0"}
    interpreter = f"ansible_python_interpreter={sys.executable}"
    command = ["ansible-playbook", "-i", "localhost,", "-c", "local", "-e", interpreter, str(book)]
    book.write_text(ansible.render(everything(HOSTILE), "en"), encoding="utf-8")
    subprocess.run([*command, "--syntax-check"], check=True, env=environment)

    write = step(Verb.FILE_WRITE, {"path": str(target), "content": HOSTILE}, why=HOSTILE)
    rename = step(Verb.FILE_RENAME, {"path": str(tmp_path / "{{ 1 + 1 }}")})
    (tmp_path / "{{ 1 + 1 }}").touch()
    book.write_text(ansible.render(plan(write, rename), "en"), encoding="utf-8")
    subprocess.run(command, check=True, env=environment)
    assert target.read_text(encoding="utf-8") == HOSTILE
    assert (tmp_path / "{{ 1 + 1 }}.away").exists()


def test_a_patch_has_variables_memory_and_what_was_given() -> None:
    steps = (
        step(Verb.ENV_SET, {"name": "A", "value": HOSTILE}),
        step(Verb.ENV_UNSET, {"name": "B"}),
        step(Verb.SHM_RESIZE, {"size": "16g"}),
        step(Verb.POD_PATCH, {"patch": '{"volumes": [{"name": "data"}], "hostIPC": true}'}),
        step(Verb.REBOOT, {}),
    )
    text = kubectl_patch.render(plan(*steps), "en", container="trainer")

    assert yaml.safe_load(text) == {
        "spec": {
            "template": {
                "spec": {
                    "containers": [
                        {
                            "name": "trainer",
                            "env": [{"name": "A", "value": HOSTILE}, {"name": "B", "$patch": "delete"}],
                            "volumeMounts": [{"name": "shared-memory", "mountPath": "/dev/shm"}],
                        }
                    ],
                    "volumes": [
                        {"name": "shared-memory", "emptyDir": {"medium": "Memory", "sizeLimit": "16Gi"}},
                        {"name": "data"},
                    ],
                    "hostIPC": True,
                }
            }
        }
    }
    assert "# not possible in this form: reboot" in text
    bare = yaml.safe_load(kubectl_patch.render(plan(*steps), "zh", pod=True))
    assert "containers" in bare["spec"]


@pytest.mark.parametrize("render", [kubectl_patch.render, dockerfile.render])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("value", [None, HOSTILE])
def test_no_value_leaves_its_place(render: Any, lang: str, value: str | None) -> None:
    text = render(everything(value), lang)

    if render is dockerfile.render:
        for line in filter(None, text.splitlines()):
            assert line.startswith(("# ", "ENV ", "RUN [")), line
            assert not line.startswith("RUN") or all(json.loads(line[4:]))
    else:
        assert isinstance(yaml.safe_load(text), dict)


def test_variables_of_an_image_are_not_expanded() -> None:
    text = dockerfile.render(plan(step(Verb.ENV_SET, {"name": "A", "value": 'a"$HOME\\'})), "en")

    assert text.splitlines()[-1] == 'ENV A="a\\"\\$HOME\\\\"'


def test_a_file_of_an_image_holds_what_was_meant(tmp_path: Path) -> None:
    target = tmp_path / "deep" / "file"
    text = dockerfile.render(plan(step(Verb.FILE_WRITE, {"path": str(target), "content": HOSTILE})), "en")
    subprocess.run(json.loads(text.splitlines()[-1][4:]), check=True, cwd=tmp_path)

    assert target.read_text(encoding="utf-8") == HOSTILE
    assert not (tmp_path / "pwned").exists()
