"""JSON: what ``docker inspect`` (or podman's, or skopeo's) says of an image or container, and pip's lists."""

import json
from typing import Any, NoReturn

from codeblue.sources.manifests import conda_lists, locks
from codeblue.sources.manifests.files import File, refuse
from codeblue.sources.manifests.gathered import Gathered
from codeblue.sources.manifests.images import INDEXES
from codeblue.sources.manifests.places import Places
from codeblue.sources.manifests.toml_file import rows, table, word


def loaded(file: File) -> Any:
    """Return what the file holds. Raises Unusable with line and column."""
    try:
        return json.loads(file.text)
    except json.JSONDecodeError as error:
        _refuse(f"{file.name}:{error.lineno}:{error.colno}", error.msg)
    except RecursionError:
        _refuse(file.name, "nested too deeply")
    except ValueError as error:  # a number of thousands of digits
        _refuse(file.name, str(error))


def _refuse(place: str, why: str) -> NoReturn:
    refuse(
        place,
        "not valid JSON: {why}; correct this line or write the file anew",
        "不是合法的 JSON：{why}；请改正这一行，或重新生成该文件",
        why=why,
    )


def read(file: File, into: Gathered) -> None:
    """Read a document of any of the known kinds. Raises Unusable for another."""
    content = loaded(file)
    first = content[0] if isinstance(content, list) and content else content
    if isinstance(content, dict) and "_meta" in content:
        locks.read_pipfile(file, content, into)
    elif "Config" in table(first) or "Env" in table(first):
        _image(file, table(first), into)
    elif isinstance(content, list) and {"name", "version"} <= set(table(first)):
        _list(file, content, into)
    else:
        refuse(
            file.name,
            "JSON of an unknown kind; give the output of docker inspect, Pipfile.lock, "
            "or pip list --format json",
            "未知类型的 JSON；请给出 docker inspect 的输出、Pipfile.lock，或 pip list --format json 的输出",
        )


def _image(file: File, told: dict[str, Any], into: Gathered) -> None:
    places, config = Places(file), table(told, "Config")
    tags = [tag for tag in rows(told.get("RepoTags")) if isinstance(tag, str)]
    name = word(config, "Image") or (tags[0] if tags else "") or word(told, "Name").lstrip("/")
    if name:
        into.image(name, places.next(name))
    if word(told, "Architecture"):
        into.for_machine(word(told, "Architecture"), places.next('"Architecture"'))
    for row in rows(config.get("Env") or told.get("Env")):
        variable, sep, value = row.partition("=") if isinstance(row, str) else ("", "", "")
        if not sep:
            continue
        origin = places.next(f'"{variable}=')
        into.variable(variable, value, origin)
        if variable == "PYTHON_VERSION":
            into.python(value, origin)
        for url in value.split() if variable in INDEXES else ():
            into.index(url, origin, INDEXES[variable])
    for label, value in (table(config, "Labels") or table(told, "Labels")).items():
        if isinstance(value, str) and label.startswith("com.nvidia."):
            into.variable(label, value, places.next(f'"{label}"'))


def _list(file: File, content: list[Any], into: Gathered) -> None:
    """Read ``pip list --format json`` or ``conda list --json``."""
    places = Places(file)
    for row in rows(content):
        name, version = word(row, "name"), word(row, "version")
        if not name or not version:
            continue
        origin = places.next(f'"{name}"')
        conda_lists.installed(name, version, word(row, "build_string"), word(row, "channel"), origin, into)
