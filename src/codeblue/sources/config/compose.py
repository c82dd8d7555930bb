"""Compose files: services with what they extend, and how each container is started."""

import re
from collections.abc import Iterator
from itertools import pairwise

from codeblue.model.config.compose import Compose, Service
from codeblue.model.config.container import ContainerRun, Gpus
from codeblue.model.config.image import Image
from codeblue.model.config.node import Node
from codeblue.model.config.place import Source
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.config.shell import Word
from codeblue.sources.config import docker_run, shell, yaml_tree
from codeblue.sources.manifests.dockerfile import expand

DEEPEST = 20
"""Services that extend each other."""
SHELL_FLAG = re.compile(r"-[a-z]*c$")
RESERVED = ("deploy", "resources", "reservations", "devices")


def read(source: Source) -> Iterator[object]:
    """Yield the file, and the container, image, variables and scripts of each service.

    Raises Broken and Template.
    """
    for root in yaml_tree.documents(source):
        table = root.get("services")
        if table is None or table.kind != "map":
            continue
        services = tuple(_service(key, own, table) for key, own in table.pairs if own.kind == "map")
        yield Compose(root=root, services=services)
        for service in services:
            run = _run(service)
            yield run
            yield run.settings
            if run.image is not None:
                yield run.image
            yield from _scripts(service)


def _service(key: Node, own: Node, table: Node) -> Service:
    root, is_open = _whole(own, table, 0)
    return Service(name=key.text, key=key, own=own, root=root, open=is_open)


def _whole(own: Node, table: Node, depth: int) -> tuple[Node, bool]:
    """Return a service with what it extends, and whether some of that is in another file."""
    extends = own.get("extends")
    if extends is None or depth > DEEPEST:
        return own, False
    base = table.get(extends.say("service") if extends.kind == "map" else extends.text)
    if extends.get("file") is not None or base is None or base.kind != "map":
        return own, True
    below, is_open = _whole(base, table, depth + 1)
    return merged(below, own), is_open


def merged(base: Node, own: Node) -> Node:
    """Return two maps as one: tables are joined, lists put behind each other, what ``own`` says counts."""
    found = Node(own.kind, own.place, own.text, own.style)
    said = {key.text: value for key, value in own.pairs}
    for key, value in base.pairs:
        mine = said.get(key.text)
        if mine is None:
            found.pairs.append((key, value))
        elif mine.kind == value.kind == "map":
            found.pairs.append((own.key(key.text) or key, merged(value, mine)))
        elif mine.kind == value.kind == "list" and key.text not in ("command", "entrypoint"):
            found.pairs.append((own.key(key.text) or key, _joined(value, mine)))
        else:
            found.pairs.append((own.key(key.text) or key, mine))
    known = set(base.keys())
    found.pairs += [pair for pair in own.pairs if pair[0].text not in known]
    return found


def _joined(base: Node, own: Node) -> Node:
    found = Node("list", own.place)
    found.items = [*base.items, *own.items]
    return found


def word(node: Node) -> Word:
    """Return a scalar as a word, with the defaults of its variables filled in."""
    return Word(text=expand(node.text, {}), place=node.place)


def _run(service: Service) -> ContainerRun:
    root, owner = service.root, f"service {service.name}"
    image = root.get("image")
    ulimits = root.get("ulimits")
    scalars = {
        name: word(node)
        for name in ("runtime", "shm_size", "ipc", "privileged")
        if (node := root.get(name)) is not None and node.kind not in ("map", "list", "null")
    }
    return ContainerRun(
        owner=owner,
        place=service.key.place,
        program="compose",
        image=Image(text=word(image).text, place=image.place, owner=owner) if image else None,
        settings=Settings(owner=owner, settings=tuple(_settings(root.get("environment"), owner))),
        gpus=tuple(_gpus(root)),
        runtime=scalars.get("runtime"),
        shm=scalars.get("shm_size"),
        ipc=scalars.get("ipc"),
        privileged=scalars.get("privileged") if root.say("privileged") == "true" else None,
        ulimits={key.text: word(value) for key, value in ulimits.pairs} if ulimits else {},
        capabilities=tuple(map(word, root.each("cap_add"))),
        volumes=tuple(_volumes(root)),
        devices=tuple(_devices(root)),
        command=tuple(map(word, [*_words(root.get("entrypoint")), *_words(root.get("command"))])),
        open=service.open or (root.get("build") is not None and image is None),
    )


def _words(node: Node | None) -> list[Node]:
    """Return a command as a list of words, whichever way it is written."""
    if node is None or node.kind in ("null", "map"):
        return []
    if node.kind == "list":
        return [item for item in node.items if item.kind not in ("map", "list")]
    source = node.source
    if source is None:
        return [node]
    found = []
    for piece in re.finditer(r"\S+", source.text):
        found.append(Node("string", source.place(*piece.span()), piece[0]))
    return found


def _settings(table: Node | None, owner: str) -> Iterator[Setting]:
    for key, value in table.pairs if table else ():
        given = value.kind not in ("null", "map", "list") and "$" not in value.text
        yield Setting(
            name=key.text,
            value=value.text if given else None,
            written=value.text,
            place=key.place,
            value_place=value.place,
            owner=owner,
        )
    for item in table.items if table else ():
        if item.kind not in ("map", "list"):
            yield _listed(item, owner)


def _listed(item: Node, owner: str) -> Setting:
    """Return ``NAME=value`` of a list."""
    name, sep, value = item.text.partition("=")
    place = value_place = item.place
    if item.source is not None and item.source.exact:
        place = item.source.place(0, len(name))
        value_place = item.source.place(len(name) + 1, len(item.text)) if value else place.end
    return Setting(
        name=name,
        value=value if sep and "$" not in value else None,
        written=value,
        place=place,
        value_place=value_place if sep else None,
        owner=owner,
    )


def _gpus(root: Node) -> Iterator[Gpus]:
    whole = root.get("gpus")
    if whole is not None and whole.kind not in ("map", "list", "null"):
        yield Gpus(place=whole.place)
    requests = [*root.each("gpus"), *root.each(*RESERVED)]
    for number, one in enumerate(requests):
        if one.kind == "map" and (number < len(root.each("gpus")) or is_gpu_request(one)):
            yield _request(one)
    for device in root.each("devices"):
        if found := docker_run.CDI.fullmatch(device.text):
            yield docker_run.of_cdi(word(device), found[1])


def is_gpu_request(one: Node) -> bool:
    """Tell whether a reservation of a device means NVIDIA's GPUs."""
    told = {item.text.lower() for item in one.each("capabilities")}
    return "gpu" in told or one.say("driver").startswith(("nvidia", "cdi"))


def _request(one: Node) -> Gpus:
    count, ids = one.say("count"), one.each("device_ids")
    known = all("$" not in item.text for item in ids)
    return Gpus(
        place=one.place,
        count=int(count) if count.isdecimal() and len(count) < 6 else None,
        ids=tuple(item.text for item in ids) if known else (),
    )


def _volumes(root: Node) -> Iterator[Word]:
    for one in root.each("volumes"):
        if one.kind == "map":
            source = one.get("source") or one
            yield Word(text=f"{one.say('source')}:{one.say('target')}", place=source.place)
        else:
            yield word(one)
    for one in root.each("tmpfs"):
        yield Word(text=f"tmpfs:{one.text}", place=one.place)


def _devices(root: Node) -> Iterator[Word]:
    for one in root.each("devices"):
        yield word(one) if one.kind != "map" else Word(text=one.say("source"), place=one.place)


def _scripts(service: Service) -> Iterator[object]:
    """Yield what ``sh -c`` gets."""
    items = [*service.root.each("entrypoint"), *service.root.each("command")]
    for flag, text in pairwise(items):
        if SHELL_FLAG.match(flag.text) and text.source is not None:
            yield shell.script(text.source, f"service {service.name}")
