"""A combination to a judged one: every rule is asked, nothing is weighed twice."""

from codeblue.knowledge.wheels import local
from codeblue.matrix import builds
from codeblue.matrix.rules import RULES
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judged, Judgement
from codeblue.model.text import Message, message


def judge(asked: Combination, assumed: tuple[Message, ...] = (), hidden: tuple[Message, ...] = ()) -> Judged:
    """Return what the tables say of a combination.

    ``assumed`` is what was taken for granted to get it, ``hidden`` what could not be read and may ask for
    more: with it nothing is known to be compatible.
    """
    found = tuple(one for rule in RULES for one in rule(asked))
    unread = tuple(
        Judgement(rule="files-are-read", answer=Answer.UNKNOWN, parts=(), text=text) for text in hidden
    )
    return Judged(combination=asked, judgements=found + unread, assumed=(*assumed, *_assumed(asked)))


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
