"""Kubernetes manifests: objects, lists of them, and the pods inside."""

import re
from collections.abc import Iterator

from codeblue.model.config.image import Image
from codeblue.model.config.kubernetes import Container, Manifest, Pod, Together
from codeblue.model.config.node import Node, Step
from codeblue.model.config.place import Source
from codeblue.model.config.setting import Setting, Settings
from codeblue.sources.config import json_tree, shell, yaml_tree

TEMPLATES: dict[str, tuple[tuple[Step, ...], ...]] = {
    "Pod": ((),),
    "PodTemplate": (("template",),),
    "CronJob": (("spec", "jobTemplate", "spec", "template"),),
    "RayCluster": (("spec", "headGroupSpec", "template"), ("spec", "workerGroupSpecs", "*", "template")),
    "RayJob": (
        ("spec", "rayClusterSpec", "headGroupSpec", "template"),
        ("spec", "rayClusterSpec", "workerGroupSpecs", "*", "template"),
        ("spec", "submitterPodTemplate"),
    ),
    "RayService": (
        ("spec", "rayClusterConfig", "headGroupSpec", "template"),
        ("spec", "rayClusterConfig", "workerGroupSpecs", "*", "template"),
    ),
    "JobSet": (("spec", "replicatedJobs", "*", "template", "spec", "template"),),
    "LeaderWorkerSet": (
        ("spec", "leaderWorkerTemplate", "leaderTemplate"),
        ("spec", "leaderWorkerTemplate", "workerTemplate"),
    ),
    "PyTorchJob": (("spec", "pytorchReplicaSpecs", "*", "template"),),
    "TFJob": (("spec", "tfReplicaSpecs", "*", "template"),),
    "MPIJob": (("spec", "mpiReplicaSpecs", "*", "template"),),
    "XGBoostJob": (("spec", "xgbReplicaSpecs", "*", "template"),),
    "PaddleJob": (("spec", "paddleReplicaSpecs", "*", "template"),),
    "JAXJob": (("spec", "jaxReplicaSpecs", "*", "template"),),
}
"""Where the pod templates of a kind are; ``*`` is every element or every value."""
JSON = re.compile(r"\s*(?:\{(?![{%])|\[)")
"""How a JSON text begins; two braces begin what Helm or Jinja fills in."""
SHELL = re.compile(r"(?:^|/)(?:ba|da|z)?sh$")
SHELL_FLAG = re.compile(r"-[a-z]*c$")
ANY = (("spec", "template"), ("spec", "tasks", "*", "template"))
"""Where they are in most kinds, also in those that nobody here knows."""


def read(source: Source) -> Iterator[object]:
    """Yield the manifests of a file, and their pods, images and variables. Raises Broken and Template."""
    if JSON.match(source.text) and not source.name.endswith((".yaml", ".yml")):
        root = json_tree.root(source)
        roots = iter((root,) if root else ())
    else:
        roots = yaml_tree.documents(source)
    manifests: list[Manifest] = []
    pods: list[Pod] = []
    for one in roots:
        for part in _object(source, one):
            yield part
            if isinstance(part, Manifest):
                manifests.append(part)
            elif isinstance(part, Pod):
                pods.append(part)
    yield Together(manifests=tuple(manifests), pods=tuple(pods))


def _object(source: Source, root: Node) -> Iterator[object]:
    if root.kind != "map" or not root.say("kind"):
        return
    if root.say("kind").endswith("List") and root.get("items"):
        for item in root.each("items"):
            yield from _object(source, item)
        return
    kind = root.say("kind")
    templates = (one for path in TEMPLATES.get(kind, ANY) for one in _all(root, path) if one.kind == "map")
    manifest = Manifest(
        api=root.say("apiVersion"),
        kind=kind,
        name=root.say("metadata", "name"),
        root=root,
        templates=tuple(templates),
        source=source,
    )
    yield manifest
    for template in manifest.templates:
        if (spec := template.get("spec")) is not None and spec.kind == "map":
            yield from _pod(manifest, template, spec)


def _all(node: Node, path: tuple[Step, ...]) -> Iterator[Node]:
    if not path:
        yield node
    elif path[0] == "*":
        for child in [value for _, value in node.pairs] or node.items:
            yield from _all(child, path[1:])
    elif (child_of := node.get(path[0])) is not None:
        yield from _all(child_of, path[1:])


def _pod(owner: Manifest, template: Node, spec: Node) -> Iterator[object]:
    containers = tuple(
        _container(one, init)
        for key, init in (("initContainers", True), ("containers", False))
        for one in spec.each(key)
        if one.kind == "map"
    )
    yield Pod(owner=owner, template=template, spec=spec, containers=containers)
    for container in containers:
        yield container.settings
        yield from _scripts(container)
        if image := container.root.get("image"):
            always = container.root.say("imagePullPolicy") == "Always"
            yield Image(text=image.text, place=image.place, owner=container.name, always_pulled=always)


def _scripts(container: Container) -> Iterator[object]:
    """Yield what ``sh -c`` gets."""
    words = [*container.root.each("command"), *container.root.each("args")]
    for number, word in enumerate(words[:-1]):
        following = words[number + 1]
        if (
            SHELL_FLAG.match(word.text)
            and number > 0
            and SHELL.search(words[number - 1].text)
            and following.source
        ):
            yield shell.script(following.source, f"container {container.name}")


def _container(root: Node, init: bool) -> Container:
    name = root.say("name")
    settings = tuple(_setting(one, name, init) for one in root.each("env") if one.get("name"))
    # A container of init that always restarts stays beside the job.
    init = init and root.say("restartPolicy") != "Always"
    return Container(name=name, root=root, init=init, settings=Settings(owner=name, settings=settings))


def _setting(node: Node, owner: str, init: bool) -> Setting:
    name, value = node.get("name"), node.get("value")
    assert name is not None
    given = value is not None and "$(" not in value.text
    return Setting(
        name=name.text,
        value=value.text if value is not None and given else None,
        place=name.place,
        value_place=value.place if value is not None else None,
        owner=owner,
        init=init,
    )
