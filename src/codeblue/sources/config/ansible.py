"""Ansible playbooks and task files: plays, tasks, and the lines that tasks hand to a shell."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.config.ansible import Play, Task
from codeblue.model.config.node import Node
from codeblue.model.config.place import Source
from codeblue.model.config.setting import Setting, Settings
from codeblue.model.lint import Edit, Fix
from codeblue.model.text import message
from codeblue.sources.config import shell, yaml_tree
from codeblue.sources.config.blanks import JINJA, blanked
from codeblue.sources.config.broken import Broken, Template

KEYWORDS = frozenset(
    {
        "action", "any_errors_fatal", "args", "async", "become", "become_exe", "become_flags",
        "become_method", "become_user", "changed_when", "check_mode", "collections", "connection",
        "debugger", "delay",
        "delegate_facts", "delegate_to", "diff", "environment", "failed_when", "ignore_errors",
        "ignore_unreachable", "listen", "local_action", "loop", "loop_control", "module_defaults", "name",
        "no_log", "notify", "poll", "port", "register", "remote_user", "retries", "run_once", "tags",
        "throttle", "timeout", "until", "vars", "when",
    }
)  # fmt: skip
"""Keys of a task that are no module."""
CALLS = frozenset({"action", "local_action"})
"""Keys whose value names the module."""
TASKS = ("pre_tasks", "tasks", "post_tasks")
BLOCK = ("block", "rescue", "always")
ELSEWHERE = frozenset(
    {"include", "include_role", "import_role", "include_tasks", "import_tasks", "import_playbook"}
)
"""Modules that bring tasks from other files."""
FREE = frozenset({"shell", "command", "raw", "script", "win_shell", "win_command"})
SHELLS = frozenset({"shell", "command", "raw"})
WORD = re.compile(r"(?<!\S)(\w+)=(\"[^\"]*\"|'[^']*'|(?:\{\{.*?\}\}|\S)*)")
BARE = re.compile(r"^(?:[ \t]*(?:- )?[\w.-]+:[ \t]+|[ \t]*- )(\{\{[^\n]*?)[ \t]*(?:#[^\n]*)?$", re.MULTILINE)


def read(source: Source) -> Iterator[object]:
    """Yield plays, tasks, scripts and variables. Raises Broken and Template."""
    for root in _documents(source):
        _check(source, root)
        if any(one.get("hosts") for one in root.items):
            for play in root.items:
                if play.kind == "map":
                    yield from _play(play)
        else:
            yield from _file(source, root)


def _documents(source: Source) -> Iterator[Node]:
    try:
        yield from (root for root in yaml_tree.documents(source) if root.kind == "list")
    except Broken as broken:
        if found := _bare_value(source, broken.place.line):
            raise _bare(source, found) from None
        raise
    except Template:
        if found := BARE.search(source.text):
            raise _bare(source, found) from None
        raise


def _bare_value(source: Source, line: int) -> re.Match[str] | None:
    """Return the value of a line if it begins with ``{{`` and no quote."""
    lines = source.text.split("\n")
    start = sum(len(one) + 1 for one in lines[: line - 1])
    return BARE.match(source.text, start, start + len(lines[line - 1]))


def _check(source: Source, root: Node) -> None:
    """Raise Broken for ``key: {{ value }}``, which YAML reads as a map with a map for its key."""
    for node in root.walk():
        for key, _ in node.pairs:
            found = _bare_value(source, key.place.line) if key.kind == "map" else None
            if found is not None:
                raise _bare(source, found)


def _bare(source: Source, found: re.Match[str]) -> Broken:
    place = source.place(*found.span(1))
    text = found[1]
    quote = '"' if '"' not in text else "'"
    fix = Fix(message("quote it", "加上引号"), (Edit(place, f"{quote}{text}{quote}"),), safe=True)
    return Broken(
        place,
        message(
            "a value that begins with {sign} needs quotes, else YAML takes it for a map",
            "以 {sign} 开头的值必须加引号，否则 YAML 会把它当成映射",
            sign="{{",
        ),
        fix if quote not in text else None,
    )


def _play(root: Node) -> Iterator[object]:
    tasks = [task for key in TASKS for task in _tasks(root.each(key))]
    handlers = list(_tasks(root.each("handlers")))
    complete = not root.get("roles") and not any(one.module in ELSEWHERE for one in (*tasks, *handlers))
    yield Play(place=root, tasks=tuple(tasks), handlers=tuple(handlers), complete=complete, included=False)
    yield from _environment(root, "play")
    yield from _parts(tasks + handlers)


def _file(source: Source, root: Node) -> Iterator[object]:
    tasks = tuple(_tasks(root.items))
    if not tasks:
        return
    handlers = "/handlers/" in f"/{source.name}"
    yield Play(
        place=root,
        tasks=() if handlers else tasks,
        handlers=tasks if handlers else (),
        complete=False,
        included=True,
    )
    yield from _parts(tasks)


def _tasks(items: Sequence[Node], conditional: bool = False) -> Iterator[Task]:
    for root in items:
        if root.kind != "map":
            continue
        guarded = conditional or root.get("when") is not None
        if any(root.get(key) for key in BLOCK):
            for key in BLOCK:
                yield from _tasks(root.each(key), guarded)
        elif (task := _task(root, guarded)) is not None:
            yield task


def _task(root: Node, conditional: bool) -> Task | None:
    for key, value in root.pairs:
        if key.text not in KEYWORDS - CALLS and not key.text.startswith("with_"):
            return _called(root, key, value, conditional)
    return None


def _called(root: Node, key: Node, value: Node, conditional: bool) -> Task:
    module = key.text.rsplit(".", 1)[-1]
    if module in CALLS:
        called = value.say("module") if value.kind == "map" else value.text.split(" ", 1)[0]
        module = called.rsplit(".", 1)[-1]
    arguments = dict(_arguments(value, module))
    arguments |= {name.text: node for name, node in _pairs(root.get("args"))}
    free = arguments.get("cmd") if value.kind == "map" else value
    return Task(
        name=root.say("name"),
        module=module,
        key=key,
        root=root,
        arguments=tuple(arguments.items()),
        free=free if module in FREE else None,
        conditional=conditional,
    )


def _pairs(node: Node | None) -> list[tuple[Node, Node]]:
    return node.pairs if node is not None else []


def _arguments(value: Node, module: str) -> Iterator[tuple[str, Node]]:
    if value.kind == "map":
        yield from ((key.text, node) for key, node in value.pairs)
    elif value.source is not None and module not in FREE:
        for found in WORD.finditer(value.source.text):
            text = found[2]
            if text[:1] in ("'", '"'):
                text = text[1:-1]
            yield found[1], Node("string", value.source.place(*found.span(2)), text)


def _parts(tasks: Sequence[Task]) -> Iterator[object]:
    for task in tasks:
        yield task
        owner = f"task {task.name or task.module}"
        yield from _environment(task.root, owner)
        if task.module in SHELLS and task.free is not None and task.free.source is not None:
            yield shell.script(blanked(task.free.source, JINJA), owner)


def _environment(root: Node, owner: str) -> Iterator[Settings]:
    table = root.get("environment")
    found = tuple(
        Setting(
            name=key.text,
            value=value.text if value.kind not in ("map", "list") and "{{" not in value.text else None,
            place=key.place,
            value_place=value.place,
            owner=owner,
        )
        for key, value in _pairs(table)
    )
    if found:
        yield Settings(owner=owner, settings=found)
