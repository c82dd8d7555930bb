"""GitLab pipelines."""

from collections.abc import Iterator

from codeblue.model.config.ci import Job
from codeblue.model.config.image import Image
from codeblue.model.config.node import Node
from codeblue.model.config.place import Source
from codeblue.model.config.shell import Script
from codeblue.sources.config import yaml_tree
from codeblue.sources.config.ci_parts import parts, said, script, settings, speaks_of_gpu

SYSTEM = "gitlab"
SCRIPTS = ("before_script", "script", "after_script")
NO_JOBS = frozenset(
    {"after_script", "before_script", "cache", "default", "image", "include", "pages", "services", "spec",
     "stages", "variables", "workflow"}
)  # fmt: skip
"""Keys of the whole file that are no jobs; ``pages`` is one, but never of GPUs."""


def read(source: Source) -> Iterator[object]:
    """Yield the jobs of a pipeline, their scripts, images and variables. Raises Broken."""
    for root in yaml_tree.documents(source):
        if root.kind != "map":
            continue
        yield from settings(root.get("variables"), "pipeline")
        jobs = [
            _job(root, key, value)
            for key, value in root.pairs
            if key.text not in NO_JOBS and not key.text.startswith(".") and value.kind == "map"
        ]
        yield from parts(SYSTEM, jobs, complete=root.get("include") is None)
        for holder, owner in ((root, "pipeline"), *((job.root, f"job {job.name}") for job in jobs)):
            if holder is not None:
                yield from _images(holder, owner)
        for job in jobs:
            if job.root is not None:
                yield from settings(job.root.get("variables"), f"job {job.name}")


def _job(root: Node, key: Node, value: Node) -> Job:
    job = _extended(root, value)
    runner = said(_inherited(root, job, "tags"))
    image = _inherited(root, job, "image")
    return Job(
        system=SYSTEM,
        name=key.text,
        place=key.place,
        root=job,
        runner=runner,
        gpu=speaks_of_gpu(runner),
        image=(image.say("name") if image.kind == "map" else image.text) if image else "",
        scripts=tuple(one for name in SCRIPTS for one in _scripts(value.get(name), key.text)),
    )


def _inherited(root: Node, job: Node, name: str) -> Node | None:
    return job.get(name) or root.get("default", name) or (root.get(name) if name != "tags" else None)


def _extended(root: Node, job: Node) -> Node:
    """Return a job with what it takes from the jobs that it extends; what it says itself counts more."""
    whole = Node("map", job.place)
    line, seen = [job], {id(job)}
    while line:
        one = line.pop()
        own = set(whole.keys())
        whole.pairs[:0] = [pair for pair in one.pairs if pair[0].text not in own]
        names = one.get("extends")
        for name in (names.items or [names]) if names else ():
            above = root.get(name.text)
            if above is not None and above.kind == "map" and id(above) not in seen:
                seen.add(id(above))
                line.append(above)
    return whole


def _scripts(node: Node | None, owner: str) -> Iterator[Script]:
    for line in (node.items or [node]) if node else ():
        if line.kind == "string" and line.source is not None:
            yield script(line.source, f"job {owner}", pipefail=True)


def _images(holder: Node, owner: str) -> Iterator[Image]:
    for node in (holder.get("image"), *holder.each("services")):
        named = node.get("name") if node is not None and node.kind == "map" else node
        if named is not None and named.kind == "string" and "$" not in named.text:
            yield Image(text=named.text, place=named.place, owner=owner)
