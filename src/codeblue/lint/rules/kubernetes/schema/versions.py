"""Is the kind served under its ``apiVersion``?"""

from collections.abc import Iterator

from codeblue.knowledge import kubernetes
from codeblue.lint.rule import rule
from codeblue.model.config.kubernetes import Manifest
from codeblue.model.config.node import Node
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

OWN = frozenset({"", "apps", "batch", "extensions", "policy", "autoscaling"})
"""Groups of the API without a dot; with a dot, only those of ``k8s.io`` are its own."""


@rule("manifest-api-version-wrong")
def kind_is_served(manifest: Manifest) -> Iterator[Problem]:
    """An ``apiVersion`` that was taken away, or under which there never was such a kind."""
    value = manifest.root.get("apiVersion")
    if value is None or value.kind != "string" or kubernetes.kind(manifest.api, manifest.kind):
        return
    served = kubernetes.removed(manifest.api, manifest.kind)
    homes = kubernetes.homes(manifest.kind)
    if served is not None:
        yield _gone(manifest, value, served)
    elif homes and _is_own(manifest.api):
        yield Problem(
            place=value.place,
            variant="never",
            message=message(
                "there is no {kind} under {api}; it is served under {home}",
                "{api} 下没有 {kind}；它在 {home} 下",
                kind=manifest.kind,
                api=manifest.api,
                home=homes[0],
            ),
            fix=_served_under(value, homes[0]),
        )


def _gone(manifest: Manifest, value: Node, served: kubernetes.Served) -> Problem:
    if not served.use:
        said = message(
            "{kind} is gone since Kubernetes {gone}, and nothing replaces it under this name",
            "{kind} 从 Kubernetes {gone} 起已被移除，也没有同名的替代",
            kind=manifest.kind,
            gone=served.gone,
        )
    else:
        said = message(
            "{kind} is not served under {api} since Kubernetes {gone}, but under {use}",
            "从 Kubernetes {gone} 起，{kind} 不再由 {api} 提供，而由 {use} 提供",
            kind=manifest.kind,
            api=manifest.api,
            gone=served.gone,
            use=served.use,
        )
    fix = _served_under(value, served.use) if kubernetes.kind(served.use, manifest.kind) else None
    return Problem(place=value.place, variant="gone", message=said, fix=fix)


def _served_under(value: Node, api: str) -> Fix:
    return Fix(
        message("write {api}", "改为 {api}", api=api),
        (Edit(value.place, f"{value.style}{api}{value.style}"),),
    )


def _is_own(api: str) -> bool:
    group = api.rpartition("/")[0]
    return group in OWN or group.endswith(".k8s.io")


RULES = (kind_is_served,)
