"""A combination to a judged one: every rule is asked, nothing is weighed twice."""

from codeblue.knowledge.wheels import local
from codeblue.matrix import builds
from codeblue.matrix.rules import RULES
from codeblue.model.combination import Combination
from codeblue.model.judgement import Judged
from codeblue.model.text import Message, message


def judge(asked: Combination, assumed: tuple[Message, ...] = ()) -> Judged:
    """Return what the tables say of a combination; ``assumed`` is what was taken for granted to get it."""
    found = tuple(one for rule in RULES for one in rule(asked))
    return Judged(combination=asked, judgements=found, assumed=(*assumed, *_assumed(asked)))


def _assumed(asked: Combination) -> tuple[Message, ...]:
    build = builds.of(asked)
    if build is None or asked.torch is None or asked.targets or local(asked.torch.value):
        return ()
    return (
        message(
            "torch {version} is taken to be the build of the package index: {build} ({machine})",
            "torch {version} 按软件包索引的默认构建处理：{build}（{machine}）",
            version=asked.torch.value,
            build=build.name,
            machine=builds.machine(asked),
        ),
    )
