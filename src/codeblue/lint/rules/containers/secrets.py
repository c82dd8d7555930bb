"""Do secrets stand in a file that is copied, committed, or built into layers? None is ever shown."""

import re
from collections.abc import Iterable, Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.container import ContainerRun
from codeblue.model.config.docker import Dockerfile
from codeblue.model.config.setting import Setting
from codeblue.model.config.shell import Script
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.text import Message, message
from codeblue.sources.shapes.tokens import SHAPED

SHORTEST = 16
"""Characters of a token."""
GUESSES = ("kubeadm token", "encoded credentials", "webhook", "password hash")
"""Shapes that words of a configuration have too."""
TOKENS = [one for one in SHAPED if one.name not in GUESSES and "- _" not in " ".join(one.anchors)]
NAMES = re.compile(
    r"(?:HF|HUGGING_?FACE(?:_HUB)?|WANDB|NGC|GITHUB|GH|GITLAB|OPENAI|ANTHROPIC|KAGGLE|COMET|NEPTUNE|CLEARML|PYPI"
    r"|AWS_SECRET|AWS_SESSION)_?(?:API_?)?(?:ACCESS_?)?(?:TOKEN|KEY|ACCESS_KEY|SECRET)$"
)
PLACEHOLDER = re.compile(
    r"(?i)your|change|example|placeholder|replace|insert|secret|dummy|fake|test|xxx|\*\*\*|<|>|\{\{|\.\.\.|^(.)\1*$"
)
FILES = re.compile(
    r"(?:^|/)(?:\.netrc|\.pypirc|\.git-credentials|id_(?:rsa|ed25519|ecdsa|dsa)|kaggle\.json|\.aws(?:/credentials)?"
    r"|\.docker/config\.json|\.huggingface/token|\.kube/config|service[-_]account[\w-]*\.json)$"
)
IN_ADDRESS = re.compile(r"https?://[^\s/:@$\"']*:([^\s/@$\"'{}<>]{6,})@[\w.-]+")


def _shape(text: str) -> tuple[str, int, int] | None:
    """Return what kind of token stands in a text, and where."""
    low = text.lower()
    for one in TOKENS:
        for start, end in one.spans(text, low):
            if not PLACEHOLDER.search(text[start:end]):
                return one.name, start, end
    return None


def _words(what: str) -> Message:
    return message(
        "a secret stands in the file ({what}): whoever has the file or the image has it; revoke it, and hand "
        "it in at run time",
        "文件里写着密钥（{what}）：拿到文件或镜像的人都能得到它；请作废它，并改为运行时传入",
        what=what,
    )


@rule("secret-in-configuration")
def containers_get_no_literal_secrets(run: ContainerRun) -> Iterator[Problem]:
    """Variables of a service, or of ``docker run``."""
    yield from in_variables(run.settings.settings)


@rule("secret-in-configuration")
def images_hold_no_secrets(dockerfile: Dockerfile) -> Iterator[Problem]:
    """Variables of an image, which everybody reads who pulls it."""
    for stage in dockerfile.stages:
        yield from in_variables(stage.settings.settings)


@rule("secret-in-configuration")
def scripts_hold_no_secrets(script: Script) -> Iterator[Problem]:
    """Variables that a script sets."""
    assigned = (one for command in script.commands for one in command.assigned)
    yield from in_variables((*script.settings, *assigned))


def in_variables(settings: Iterable[Setting]) -> Iterator[Problem]:
    """Tell a token by its shape, or a literal for a variable that is known to hold one."""
    for one in settings:
        value = (one.value or "").strip("\"'")
        shape = _shape(value) if len(value) >= SHORTEST else None
        named = NAMES.match(one.name) and len(value) >= SHORTEST and _is_literal(value)
        if shape is not None or named:
            yield Problem(
                place=one.value_place or one.place,
                message=_words(shape[0] if shape else one.name),
                certainty=Certainty.CERTAIN if shape else Certainty.LIKELY,
                hides=True,
            )


def _is_literal(value: str) -> bool:
    return " " not in value and not PLACEHOLDER.search(value)


@rule("secret-in-configuration")
def commands_hold_no_secrets(script: Script) -> Iterator[Problem]:
    """A token in a command, or a password in an address."""
    for command in script.commands:
        for word in command.words:
            shape = _shape(word.text) if len(word.text) >= SHORTEST else None
            address = IN_ADDRESS.search(word.text)
            if shape is not None or (address and not PLACEHOLDER.search(address[1])):
                yield Problem(
                    place=word.place,
                    message=_words(shape[0] if shape else "https://…:…@…"),
                    certainty=Certainty.CERTAIN if shape else Certainty.LIKELY,
                    hides=True,
                )


@rule("secret-in-configuration")
def layers_hold_no_secrets(dockerfile: Dockerfile) -> Iterator[Problem]:
    """Files of credentials that are copied in, and secrets in build arguments."""
    for stage in dockerfile.stages:
        for step in stage.steps:
            if step.name in ("COPY", "ADD") and not dict(step.flags).get("from"):
                sources = step.value.strip("[]").replace('"', " ").replace(",", " ").split()[:-1]
                if found := next((one for one in sources if FILES.search(one)), None):
                    yield Problem(
                        place=step.value_place,
                        message=message(
                            "{file} is copied into a layer, from which anyone with the image can take it: "
                            "use RUN --mount=type=secret",
                            "{file} 被复制进镜像层，拿到镜像的人都能取出：请用 RUN --mount=type=secret",
                            file=found,
                        ),
                        certainty=Certainty.LIKELY,
                    )
            elif step.name == "ARG" and _shape(step.value):
                yield Problem(place=step.value_place, message=_words("token"), hides=True)


RULES = (
    containers_get_no_literal_secrets,
    images_hold_no_secrets,
    scripts_hold_no_secrets,
    commands_hold_no_secrets,
    layers_hold_no_secrets,
)
