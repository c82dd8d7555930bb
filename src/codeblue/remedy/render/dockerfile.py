"""A plan as lines for a Dockerfile: what belongs into the image."""

import json
from collections.abc import Iterator

from codeblue.model.plan import Plan, PlannedStep, Refused
from codeblue.model.remedy import Verb
from codeblue.remedy.render.texts import about, comments, head, not_here, why
from codeblue.remedy.shell import argv

BUILDS = frozenset(
    (
        Verb.GROUP_JOIN,
        Verb.PIP_INSTALL,
        Verb.PIP_REINSTALL,
        Verb.PIP_UNINSTALL,
        Verb.FILE_RENAME,
        Verb.FILE_MODE,
        Verb.FILE_OWNER,
        Verb.LDCONFIG,
        Verb.CACHE_CLEAN,
    )
)
"""Verbs whose effect stays in a layer of an image."""


def render(plan: Plan, lang: str) -> str:
    """Return the lines; what an image cannot hold is listed in comments, which are in ``lang``."""
    lines = head(plan, lang)
    for item in plan.items:
        lines += ["", *comments(f"== {about(item, lang)}")]
        for step in item.steps:
            lines += comments(why(step, lang))
            try:
                made = list(_lines(step))
            except Refused as refused:
                made = comments(refused.line.say(lang))
            lines += made or comments(not_here(step, lang))
    return "\n".join(lines) + "\n"


def _lines(step: PlannedStep) -> Iterator[str]:
    args = step.args
    if step.verb is Verb.ENV_SET and _is_name(args["name"]) and args["value"].isprintable():
        yield f"ENV {args['name']}={_literal(args['value'])}"
    elif step.verb is Verb.ENV_UNSET and _is_name(args["name"]):
        # An image cannot unset what its base sets; programs take the empty value for none.
        yield f'ENV {args["name"]}=""'
    elif step.verb is Verb.PACKAGE_INSTALL:
        package = argv(step)
        assert package is not None
        yield _run("sh", "-c", 'apt-get update && "$@" && rm -rf /var/lib/apt/lists/*', "sh", *package)
    elif step.verb is Verb.FILE_WRITE:
        write = 'mkdir -p -- "$(dirname -- "$1")" && printf %s "$2" > "$1"'
        yield _run("sh", "-c", write, "sh", args["path"], args["content"])
    elif step.verb in BUILDS and (words := argv(step)):
        yield _run(*words)


def _is_name(name: str) -> bool:
    return name.isascii() and name.isidentifier()


def _run(*words: str) -> str:
    # The JSON form: no shell reads the words, and no line of theirs ends the instruction.
    return f"RUN {json.dumps(list(words))}"


def _literal(value: str) -> str:
    for special in ("\\", '"', "$"):
        value = value.replace(special, f"\\{special}")
    return f'"{value}"'
