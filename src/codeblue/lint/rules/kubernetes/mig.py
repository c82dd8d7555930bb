"""Names of MIG resources."""

import re
from collections.abc import Iterator

from codeblue.knowledge.mig import PROFILES, near
from codeblue.lint.rule import rule
from codeblue.model.config.kubernetes import Pod
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

PREFIX = "nvidia.com/mig-"
SHAPE = re.compile(r"([1-7]g\.[0-9]+gb)((?:[.-][a-z]+)*)(?:\.shared)?$")


@rule("mig-profile-unknown")
def profiles_exist(pod: Pod) -> Iterator[Problem]:
    """No node offers a resource whose profile no GPU has: the pod stays Pending."""
    for container in pod.containers:
        for name, key in container.resources.items():
            if not name.startswith(PREFIX):
                continue
            profile = name[len(PREFIX) :]
            found = SHAPE.match(profile)
            if found is not None and found[1] in PROFILES:
                continue
            like = near(profile)
            yield Problem(
                place=key.place,
                message=message(
                    "{name}: no GPU has a MIG profile {profile}; near it is {near}",
                    "{name}：没有 GPU 提供 MIG 规格 {profile}；相近的是 {near}",
                    name=name,
                    profile=profile,
                    near=like or "-",
                ),
                certainty=Certainty.CERTAIN if found is None else Certainty.LIKELY,
                fix=Fix(
                    message("write {near}", "改为 {near}", near=like), (Edit(key.place, f"{PREFIX}{like}"),)
                )
                if like
                else None,
            )


RULES = (profiles_exist,)
