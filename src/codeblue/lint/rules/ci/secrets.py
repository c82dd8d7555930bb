"""Do secrets stay out of the log?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.ci import Job
from codeblue.model.config.shell import Command
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import message

SECRET = re.compile(
    r"\$\{?((?:[A-Z0-9]+_)*(?:TOKEN|SECRET|PASSWORD|PASSWD|API_?KEY|PRIVATE_KEY|ACCESS_KEY))(?:\}|(?![\w:#%{]))"
)
"""Names that end so: ``MAX_TOKENS`` and ``TOKENIZER`` are none."""


@rule("ci-secret-printed")
def secrets_are_not_printed(job: Job) -> Iterator[Problem]:
    """``echo $TOKEN`` writes it where everybody who sees the job can read it."""
    for script in job.scripts:
        for command in script.commands:
            if command.name not in ("echo", "printf") or not _to_the_log(command):
                continue
            for word in command.arguments:
                found = SECRET.search(word.text)
                if found is not None and "add-mask" not in word.text:
                    yield Problem(
                        place=word.place,
                        message=message(
                            "{name} is printed into the log of the job",
                            "{name} 会被打印到任务日志里",
                            name=found[1],
                        ),
                        certainty=Certainty.LIKELY,
                    )


def _to_the_log(command: Command) -> bool:
    return not command.feeds and not command.redirected and not command.nested


RULES = (secrets_are_not_printed,)
