"""Does every field stand where the API knows it?"""

from collections.abc import Iterator

from codeblue.knowledge import kubernetes
from codeblue.lint.rule import rule
from codeblue.lint.rules.kubernetes.schema.belongs import Above, Below, Spelt, belongs
from codeblue.lint.rules.kubernetes.schema.shift import Mover
from codeblue.lint.rules.kubernetes.schema.walk import Missing, Newer, Unknown, oddities
from codeblue.lint.rules.kubernetes.schema.words import called
from codeblue.model.config.kubernetes import Manifest, Pod
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import Message, message

SHARED = ("cpu", "memory")
WHOLE = frozenset(
    {
        *("Pod", "PodSpec", "PodTemplate", "Deployment", "DeploymentSpec", "StatefulSet", "StatefulSetSpec"),
        *("DaemonSet", "DaemonSetSpec", "ReplicaSet", "ReplicaSetSpec", "JobSpec", "CronJob", "CronJobSpec"),
    }
)
"""Types that a patch names without saying all about them."""


@rule("manifest-field-misplaced")
def fields_are_known(manifest: Manifest) -> Iterator[Problem]:
    """A field that its object does not have is dropped, or the whole file is refused."""
    mover = Mover(manifest)
    for one in oddities(manifest):
        if not isinstance(one, Unknown):
            continue
        home = belongs(one)
        if isinstance(home, Spelt):
            yield _spelt(one, home)
        else:
            offset, fix = (mover.moved(one, home) if home else None) or (0, None)
            said = _placed(one, home, offset) if home else _nowhere(one)
            yield Problem(place=one.key.place, message=said, variant="misplaced", fix=fix)


@rule("manifest-field-misplaced")
def pods_share_only_what_can_be_shared(pod: Pod) -> Iterator[Problem]:
    """A pod as a whole can ask for processors and memory; GPUs are asked for by its containers."""
    for where in ("limits", "requests"):
        table = pod.spec.get("resources", where)
        for key, _ in table.pairs if table else ():
            if key.kind != "map" and key.text not in SHARED and not key.text.startswith("hugepages-"):
                yield Problem(
                    place=key.place,
                    variant="pod-level",
                    message=message(
                        "`{resource}` is not for the resources of the whole pod, which are cpu, memory and "
                        "hugepages; a container asks for it",
                        "`{resource}` 不能写在整个 pod 的 resources 里，那里只能写 cpu、memory 和 hugepages；"
                        "应由容器申请",
                        resource=key.text,
                    ),
                )


def _spelt(one: Unknown, home: Spelt) -> Problem:
    style = one.key.style
    return Problem(
        place=one.key.place,
        variant="misspelt",
        message=message(
            "`{field}` is not a field of {type}, `{right}` is. {effect}",
            "`{field}` 不是“{type_zh}”的字段，应为 `{right}`。{effect_zh}",
            **_words(one),
            right=home.right,
        ),
        fix=Fix(
            message("write {right}", "改为 {right}", right=home.right),
            (Edit(one.key.place, f"{style}{home.right}{style}"),),
        ),
    )


def _nowhere(one: Unknown) -> Message:
    return message(
        "`{field}` is not a field of {type} up to Kubernetes {newest}. {effect}",
        "直到 Kubernetes {newest}，“{type_zh}”都没有字段 `{field}`。{effect_zh}",
        **_words(one),
        newest=kubernetes.newest(),
    )


def _placed(one: Unknown, home: Above | Below, offset: int) -> Message:
    target, target_zh = (
        called(home.home.type) if isinstance(home, Above) else (".".join(home.route[:-1]),) * 2
    )
    aside, aside_zh = _aside(offset) if offset else ("", "")
    return message(
        "`{field}` is not a field of {type} but of {target}{aside}. {effect}",
        "`{field}` 不是“{type_zh}”的字段，而是“{target_zh}”的字段{aside_zh}。{effect_zh}",
        **_words(one),
        target=target,
        target_zh=target_zh,
        aside=aside,
        aside_zh=aside_zh,
    )


def _words(one: Unknown) -> dict[str, str]:
    """Return what every message about a field names, in both languages."""
    name, name_zh = called(one.trail[-1].type)
    effect, effect_zh = _effect(one)
    return {
        "field": one.key.text,
        "type": name,
        "type_zh": name_zh,
        "effect": effect,
        "effect_zh": effect_zh,
    }


def _effect(one: Unknown) -> tuple[str, str]:
    """Return what becomes of the field, in both languages."""
    if one.trail[0].type.name == "PodTemplateSpec":
        return "The pods are made without it", "创建出的 pod 不会有它"
    return (
        "kubectl refuses the file, less strict clients lose the field",
        "kubectl 会拒绝该文件，不严格校验的客户端会悄悄丢掉该字段",
    )


def _aside(offset: int) -> tuple[str, str]:
    """Return how far to which side, in both languages."""
    left = offset < 0
    return (
        f": {abs(offset)} space(s) to the {'left' if left else 'right'}",
        f"，应向{'左' if left else '右'}移 {abs(offset)} 个空格",
    )


@rule("manifest-field-missing")
def demanded_fields_are_there(manifest: Manifest) -> Iterator[Problem]:
    """A field that every version demands is there; a patch for an object need not have any."""
    found = list(oddities(manifest))
    spelt = {(id(one.trail[-1].node), _right(one)) for one in found if isinstance(one, Unknown)}
    for one in found:
        if not isinstance(one, Missing):
            continue
        own = one.trail[-1]
        if (id(own.node), one.field) in spelt or (own.type.name in WHOLE and not _is_whole(manifest)):
            continue
        name, name_zh = called(own.type)
        yield Problem(
            place=own.node.pairs[0][0].place if own.node.pairs else own.node.place,
            message=message(
                "{type} lacks `{field}`, without which the API server refuses the object",
                "“{type_zh}”缺少 `{field}`，API 服务器会拒绝该对象",
                type=name,
                type_zh=name_zh,
                field=one.field,
            ),
        )


def _right(one: Unknown) -> str | None:
    """Return how a field is spelt right; None if that is not the matter."""
    home = belongs(one)
    return home.right if isinstance(home, Spelt) else None


def _is_whole(manifest: Manifest) -> bool:
    """Tell an object from a patch for one: its containers have images, its pods have labels."""
    if not manifest.templates:
        return False
    images = [
        one.get("image")
        for template in manifest.templates
        for one in template.each("spec", "containers") + template.each("spec", "initContainers")
    ]
    labelled = all(one.get("metadata", "labels") for one in manifest.templates)
    return bool(images) and all(images) and (labelled or not manifest.api.startswith("apps/"))


@rule("manifest-field-too-new", pedantic=True)
def fields_are_in_every_version(manifest: Manifest) -> Iterator[Problem]:
    """Say from which version on there is a field that older ones drop."""
    for one in oddities(manifest):
        if isinstance(one, Newer):
            name, name_zh = called(one.owner)
            yield Problem(
                place=one.key.place,
                message=message(
                    "`{field}` of {type} exists from Kubernetes {since} on; older clusters drop it",
                    "“{type_zh}”的 `{field}` 从 Kubernetes {since} 起才有；更旧的集群会丢掉它",
                    field=one.key.text,
                    type=name,
                    type_zh=name_zh,
                    since=one.since,
                ),
            )


RULES = (
    fields_are_known,
    pods_share_only_what_can_be_shared,
    demanded_fields_are_there,
    fields_are_in_every_version,
)
