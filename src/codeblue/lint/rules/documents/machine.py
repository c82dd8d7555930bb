"""Does a document say what the machine has, and what the site expects?"""

import re
from collections.abc import Iterator

from codeblue.knowledge.versions import branch, older, satisfies
from codeblue.lint.rule import rule
from codeblue.model.config.document import Claim, Mention
from codeblue.model.facts import Driver
from codeblue.model.fault import Certainty
from codeblue.model.lint import Problem
from codeblue.model.site import Site
from codeblue.model.text import message

OURS = (
    r"\b(?:our|the|all|every|each|these) (?:\w+ )?(?:nodes?|machines?|hosts?|servers?|cluster|fleet|"
    r"workstations?)\b|"
    r"\b(?:runs?|running|installed|currently)\b|"
    r"(?:集群|节点|机器|服务器|主机|工作站)|(?:当前|目前|现在|已安装)"
)
"""Words of a sentence that says how things are here."""


@rule("document-version-stale")
def documents_say_what_the_machine_has(claim: Claim, driver: Driver) -> Iterator[Problem]:
    """``The nodes run driver 525.60.13`` is what the machine runs; a minimum is met by it."""
    here = driver.module_version
    for one in [*claim.all("driver"), *claim.all("branch")]:
        least = one.bound == "least"
        if least and older(here, one.value) and not claim.all("cuda"):
            yield Problem(
                place=one.place,
                variant="machine-older",
                message=message(
                    "the machine has driver {here}, older than the {said} that is asked for here",
                    "机器的驱动是 {here}，低于这里要求的 {said}",
                    here=here,
                    said=one.value,
                ),
                certainty=Certainty.LIKELY,
            )
        elif not one.bound and _differs(one, here) and claim.says(OURS):
            yield Problem(
                place=one.place,
                variant="machine",
                message=message(
                    "the machine has driver {here}, not {said}",
                    "机器的驱动是 {here}，不是 {said}",
                    here=here,
                    said=one.value,
                ),
                certainty=Certainty.LIKELY,
            )


def _differs(one: Mention, here: str) -> bool:
    return branch(one.value) != branch(here) if one.kind == "branch" else one.value != here


@rule("document-version-stale")
def documents_say_what_the_site_expects(claim: Claim, site: Site) -> Iterator[Problem]:
    """A sentence on how things are here agrees with ``[expect]`` of codeblue.toml."""
    if not claim.says(OURS):
        return
    for kind, expected in (("driver", site.expect.driver), ("torch", site.expect.torch)):
        for one in claim.all(kind):
            if expected and not one.bound and not satisfies(one.value, _as_said(expected, one.value)):
                yield Problem(
                    place=one.place,
                    variant="site",
                    message=message(
                        "codeblue.toml expects {kind} {expected}, and here it is {said}",
                        "codeblue.toml 期望 {kind} 为 {expected}，这里写的是 {said}",
                        kind=kind,
                        expected=expected,
                        said=one.value,
                    ),
                    certainty=Certainty.LIKELY,
                )


def _as_said(expected: str, said: str) -> str:
    """Return the rule without what the document does not say: its local part, and numbers behind the last."""
    rule, _, variant = expected.partition("+")
    numbers = re.split(r"\.", rule.removesuffix(".*"))
    short = ".".join(numbers[: said.partition("+")[0].count(".") + 1])
    return f"{short}+{variant}" if variant and "+" in said else short


RULES = (documents_say_what_the_machine_has, documents_say_what_the_site_expects)
