"""playbook-sets-device-node-mode"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "playbook-sets-device-node-mode"
SHOWS = (
    (
        "- name: gpu perms",
        "  shell: chmod 0666 /dev/nvidia*",
        "  become: true",
    ),
    (
        "- hosts: gpu",
        "  tasks:",
        "  - file: path=/dev/nvidia0 mode=0660 owner=root group=ml",
    ),
    (
        "file { '/dev/nvidiactl':",
        "  mode => '0660',",
        "  group => 'gpuusers',",
        "}",
    ),
    (
        "runcmd:",
        "  - chgrp video /dev/nvidia0 /dev/nvidiactl",
        "  - chmod 660 /dev/nvidia0 /dev/nvidiactl",
        "#cloud-config, runs at first boot: cloud-init",
    ),
    ("# note: our ansible role sets owner and permissions of the nvidia device nodes, any problem?",),
    ("# note: 运维的 ansible 剧本会把 /dev/nvidia0 的属组改成 gpu，权限 0660",),
)
OTHERS = (
    (
        "services:",
        "  train:",
        "    devices:",
        "      - /dev/nvidia0:/dev/nvidia0",
        "    mode: replicated",
    ),
    ("$ sudo chmod 666 /dev/nvidia0",),
    (
        "- name: install driver",
        "  apt: name=nvidia-driver-570",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_tasks_that_touch_the_nodes(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_a_device_mapping_and_a_mode_set_by_hand(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
