"""GitHub workflows and composite actions."""

import re
from collections.abc import Iterator

from codeblue.model.config.ci import Job
from codeblue.model.config.image import Image
from codeblue.model.config.node import Node
from codeblue.model.config.place import Source
from codeblue.model.config.shell import Script
from codeblue.sources.config import yaml_tree
from codeblue.sources.config.blanks import GITHUB, blanked
from codeblue.sources.config.ci_parts import parts, said, script, settings, speaks_of_gpu

SYSTEM = "github"
POWERSHELL = re.compile(r"^[ \t]*(?:\$\w+[ \t]*=|(?:&[ \t]*)?[A-Z][a-z]+-[A-Z][A-Za-z]+\b)", re.MULTILINE)


def read(source: Source) -> Iterator[object]:
    """Yield the jobs of a workflow, their scripts, images and variables. Raises Broken."""
    for root in yaml_tree.documents(source):
        yield from settings(root.get("env"), "workflow")
        table = root.get("jobs")
        jobs = [_job(root, key, value) for key, value in table.pairs if value.kind == "map"] if table else []
        if steps := root.get("runs", "steps"):
            jobs = [
                Job(system=SYSTEM, name="action", place=steps.place, scripts=tuple(_scripts(root, steps)))
            ]
        called = any(job.root is not None and job.root.get("uses") for job in jobs)
        yield from parts(SYSTEM, jobs, complete=bool(table) and not called)
        for job in jobs:
            yield from _besides(job)


def _job(workflow: Node, key: Node, root: Node) -> Job:
    runner = said(root.get("runs-on"))
    container = root.get("container")
    steps = root.get("steps")
    return Job(
        system=SYSTEM,
        name=key.text,
        place=key.place,
        root=root,
        runner=runner,
        # What a matrix fills in stands elsewhere in the job.
        gpu=speaks_of_gpu(runner + (said(root.get("strategy")) if "${{" in runner else "")),
        image=_image(container),
        scripts=tuple(_scripts(workflow, steps, root)) if steps else (),
    )


def _image(container: Node | None) -> str:
    if container is None:
        return ""
    return container.say("image") if container.kind == "map" else container.text


def _scripts(workflow: Node, steps: Node, job: Node | None = None) -> Iterator[Script]:
    default = workflow.say("defaults", "run", "shell")
    default = (job.say("defaults", "run", "shell") if job else "") or default
    windows = "windows" in (said(job.get("runs-on")).lower() if job else "")
    for step in steps.items:
        run = step.get("run")
        chosen = step.say("shell") or default or ("pwsh" if windows else "")
        if not chosen and run is not None and POWERSHELL.search(run.text):
            continue  # the runner is told elsewhere
        if run is not None and run.source is not None and chosen.split(" ", 1)[0] in ("", "bash", "sh"):
            owner = f"step {step.say('name') or run.text.split(chr(10), 1)[0][:40]}"
            # Only an explicit `bash` is started with pipefail.
            yield script(
                blanked(run.source, GITHUB), owner, pipefail=chosen == "bash" or "pipefail" in chosen
            )


def _besides(job: Job) -> Iterator[object]:
    if job.root is None:
        return
    yield from settings(job.root.get("env"), f"job {job.name}")
    for step in job.root.each("steps"):
        yield from settings(step.get("env"), f"step {step.say('name')}")
    services = job.root.get("services")
    for holder in (job.root.get("container"), *(value for _, value in (services.pairs if services else ()))):
        node = holder.get("image") if holder is not None and holder.kind == "map" else holder
        if node is not None and node.kind == "string" and "${{" not in node.text:
            yield Image(text=node.text, place=node.place, owner=f"job {job.name}")
