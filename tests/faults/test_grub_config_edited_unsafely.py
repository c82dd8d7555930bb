"""grub-config-edited-unsafely"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "grub-config-edited-unsafely"
SHOWS = (
    ("RUN sed -i 's/quiet/quiet iommu=pt/' /boot/grub/grub.cfg",),
    ('echo "linux /vmlinuz nouveau.modeset=0" >> /boot/grub2/grub.cfg',),
    (
        "- ansible.builtin.replace:",
        "    path: /boot/grub2/grub.cfg",
        "    regexp: quiet",
        "    replace: quiet rd.driver.blacklist=nouveau",
    ),
    ("# note: two roles rewrite GRUB_CMDLINE_LINUX in /etc/default/grub, whichever runs last wins",),
    ("# note: I edited grub.cfg by hand, after the kernel update my iommu=pt was gone",),
    ("# note: 直接改了 /boot/grub/grub.cfg，升级内核之后参数没了",),
    ("# note: 两个脚本同时写 /etc/default/grub，有一次文件只剩一半",),
)
OTHERS = (
    (
        "$ sudo sed -i 's/quiet/quiet iommu=pt/' /etc/default/grub",
        "$ sudo grub2-mkconfig -o /boot/grub2/grub.cfg",
    ),
    (
        'GRUB_CMDLINE_LINUX_DEFAULT="quiet splash nouveau.modeset=0"',
        "$ sudo update-grub",
        "Generating grub configuration file ...",
    ),
)


@pytest.mark.parametrize("lines", SHOWS)
def test_fires_on_edits_of_the_generated_file_and_several_writers(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.FIRED


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_the_intended_way(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
