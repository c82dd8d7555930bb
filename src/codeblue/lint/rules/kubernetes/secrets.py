"""Passwords in the plain text of a manifest."""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.containers.secrets import in_variables
from codeblue.lint.rules.kubernetes.reading import PLACEHOLDER
from codeblue.model.config.kubernetes import Pod
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

SECRET = re.compile(
    r"(?:^|_)(?:TOKEN|PASSWORD|PASSWD|SECRET|API_?KEY|ACCESS_KEY|PRIVATE_KEY|SECRET_KEY)$", re.IGNORECASE
)
UNREAL = re.compile(
    r"(?:your|my|some|the|example|dummy|fake|test|change-?me|none|null|empty|minio|x+|abc\w*|foo|bar|/|[a-z]{1,12}$)"
    r"|.*(?:[<>{}$%…]|\.\.\.|your|xxx|placeholder|replace)",
    re.IGNORECASE,
)
"""Values that stand for a secret, names of files, and words that keep no door."""
SHORTEST = 8


@rule("secret-in-configuration")
def passwords_are_references(pod: Pod) -> Iterator[Problem]:
    """Tokens of services, and a literal under the name of a secret of whatever program."""
    for container in pod.containers:
        tokens = list(in_variables(container.settings.settings))
        yield from tokens
        told = {one.place for one in tokens}
        for one in container.settings.settings:
            value, place = one.value or "", one.value_place or one.place
            if place in told or SECRET.search(one.name) is None or len(value) < SHORTEST:
                continue
            if not UNREAL.match(value) and not PLACEHOLDER.search(value):
                yield Problem(
                    place=place,
                    message=message(
                        "{name} holds a secret in plain text; it belongs into a Secret, with secretKeyRef",
                        "{name} 明文写着密钥；应放进 Secret，用 secretKeyRef 引用",
                        name=one.name,
                    ),
                    kind=Kind.RISK,
                    severity=Severity.WARNING,
                    certainty=Certainty.LIKELY,
                    hides=True,
                )


RULES = (passwords_are_references,)
