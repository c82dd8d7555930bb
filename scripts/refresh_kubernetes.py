"""Build the table of the Kubernetes API from the schemas that a package carries.

    python -m scripts.refresh_kubernetes           asks pip for the package, writes the table
    python -m scripts.refresh_kubernetes WHEEL     reads a wheel that is here already

The package is ``kubernetes-validate``: the OpenAPI definitions of each minor version as JSON. It is read as
an archive and never imported. Kept are names, types, required fields and versions; no sentence of it.
"""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

from scripts.kubernetes_facts import ACCEPTED_EMPTY, KINDS, REMOVED, VALUES

OUT = Path(__file__).parent.parent / "src" / "codeblue" / "knowledge" / "data" / "kubernetes.json"
PACKAGE = "kubernetes-validate"
FOLDER = re.compile(r"/kubernetes-json-schema/v(1\.\d+)\.0-local/_definitions\.json$")
OPAQUE = frozenset({"status", "managedFields"})
"""Fields that the cluster writes; what is in them is not judged."""
SCALARS = {
    "Quantity": "quantity",
    "IntOrString": "int-or-string",
    "Time": "string",
    "MicroTime": "string",
    "FieldsV1": "any",
    "RawExtension": "any",
}
Raw = dict[str, Any]


class Api:
    """The types of one version."""

    def __init__(self, version: str, definitions: Raw) -> None:
        self.version = version
        self.definitions = definitions
        self.kinds = dict(_kinds(definitions))

    def types(self) -> dict[str, Raw]:
        """Return by its short name every type that the kinds are made of: fields, and those required."""
        found: dict[str, Raw] = {}
        waiting = [self.kinds[kind] for kind in KINDS if kind in self.kinds]
        while waiting:
            full = waiting.pop()
            definition = self.definitions[full]
            name = short(full)
            if name in SCALARS or name in found:
                continue
            fields = {key: _type(value, key) for key, value in definition.get("properties", {}).items()}
            found[name] = {"fields": fields, "required": definition.get("required", [])}
            waiting += [
                reference
                for key, value in definition.get("properties", {}).items()
                if key not in OPAQUE
                for reference in re.findall(r"#/\$defs/([\w.]+)", json.dumps(value))
            ]
        return found

    def says(self, type_name: str, field: str) -> str:
        """Return the description of a field, and of its type."""
        full = next(name for name in self.definitions if short(name) == type_name and "alpha" not in name)
        return str(self.definitions[full]["properties"][field].get("description", ""))


def short(full: str) -> str:
    """Return the last part of a name such as ``io.k8s.api.core.v1.Pod``."""
    return full.rpartition(".")[2]


def _kinds(definitions: Raw) -> Iterator[tuple[tuple[str, str], str]]:
    for name, definition in definitions.items():
        for one in definition.get("x-kubernetes-group-version-kind", []):
            group = f"{one['group']}/" if one["group"] else ""
            if short(name) == one["kind"]:
                yield (group + one["version"], one["kind"]), name


def _type(value: Raw, key: str) -> str:
    """Return a field's type: ``string``, ``[string]`` for lists, ``{string}`` for maps, or a type's name."""
    if key in OPAQUE:
        return "any"
    if "$ref" in value:
        name = short(value["$ref"])
        return SCALARS.get(name, name)
    kinds = value.get("type", "any")
    kind = next(one for one in kinds if one != "null") if isinstance(kinds, list) else kinds
    if kind == "array":
        return f"[{_type(value['items'], '')}]"
    if kind == "object":
        inner = value.get("additionalProperties")
        return f"{{{_type(inner, '')}}}" if isinstance(inner, dict) else "any"
    return str(kind)


def rows(apis: list[Api]) -> Iterator[Raw]:
    """Yield one row a type: the newest type of each field, and the versions that have it."""
    seen = [(api.version, api.types()) for api in apis]
    for name in sorted({name for _, types in seen for name in types}):
        having = [(version, types[name]) for version, types in seen if name in types]
        fields = {}
        for field in sorted({field for _, one in having for field in one["fields"]}):
            versions = [version for version, one in having if field in one["fields"]]
            newest = next(one for _, one in reversed(having) if field in one["fields"])
            span = _span(versions, having, apis)
            fields[field] = newest["fields"][field] + (f" {span}" if span else "")
        # What only some versions demand is a rule that came or went; only what all demand is certain.
        required = [
            field
            for field in having[-1][1]["required"]
            if all(field in one["required"] for _, one in having) and (name, field) not in ACCEPTED_EMPTY
        ]
        yield {"name": name, "fields": fields, "required": required, "src": ["api"], "confidence": "verified"}


def _span(versions: list[str], having: list[tuple[str, Raw]], apis: list[Api]) -> str:
    """Return ``1.31-``, ``-1.30`` or both for a field that not all versions of its type have."""
    first = versions[0] if versions[0] != having[0][0] else ""
    last = versions[-1] if versions[-1] != apis[-1].version else ""
    return f"{first}-{last}" if first or last else ""


def values(newest: Api) -> Iterator[Raw]:
    """Yield the values that a field may have. Raises ValueError if its description does not name one."""
    for (name, field), words in VALUES.items():
        text = newest.says(name, field)
        missing = [word for word in words.split() if not re.search(rf"\b{word}\b", text)]
        if missing:
            raise ValueError(f"{name}.{field}: the description does not name {missing}: {text}")
        yield {"type": name, "field": field, "values": words.split(), "src": ["api"]}


def built(apis: list[Api], package: str) -> str:
    """Return the table as text, one row a line."""
    newest = apis[-1]
    versions = f"{apis[0].version} to {newest.version}"
    meta = {
        "file": "kubernetes.json",
        "about": "Types of the Kubernetes API: the fields of workloads and of what stands beside them.",
        "generated": date.today().isoformat(),
        "oldest": apis[0].version,
        "newest": newest.version,
        "fields": {
            "name": "type, as the API names it",
            "fields": "field: type. [x] is a list, {x} a map; behind it the versions, 1.31- is from 1.31 on",
            "required": "fields that every version demands",
            "confidence": "verified | medium | low",
            "src": "ids in _meta.sources",
        },
        "sources": {
            "api": f"OpenAPI definitions of Kubernetes {versions}, as in {package}",
            "guide": "kubernetes.io, reference/using-api/deprecation-guide, 2026-12-01",
        },
    }
    kinds = [
        {"api": api, "kind": kind, "type": short(newest.kinds[api, kind]), "src": ["api"]}
        for api, kind in KINDS
    ]
    removed = [
        {"api": api, "kind": kind, "gone": gone, "use": use, "src": ["guide"]}
        for api, kind, gone, use in REMOVED
    ]
    parts = {
        "rows": list(rows(apis)),
        "kinds": kinds,
        "removed": removed,
        "values": list(values(newest)),
    }
    body = ",\n".join(
        f'"{name}": [\n' + ",\n".join(json.dumps(row) for row in part) + "\n]" for name, part in parts.items()
    )
    return f'{{\n"_meta": {json.dumps(meta, indent=1)},\n{body}\n}}\n'


def read(wheel: Path) -> list[Api]:
    """Return the versions that a wheel carries, oldest first. Raises ValueError if there are none."""
    with zipfile.ZipFile(wheel) as archive:
        found = {match[1]: name for name in archive.namelist() if (match := FOLDER.search(name))}
        if not found:
            raise ValueError(f"{wheel.name}: no schemas in it")
        ordered = sorted(found, key=lambda version: int(version.partition(".")[2]))
        return [Api(version, json.loads(archive.read(found[version]))["$defs"]) for version in ordered]


def main(arguments: list[str] | None = None) -> int:
    """Read the wheel, or fetch it first, and write the table."""
    parser = argparse.ArgumentParser(description="Build the table of the Kubernetes API.")
    parser.add_argument("wheel", nargs="?", type=Path, help=f"wheel of {PACKAGE} (default: asked of pip)")
    parser.add_argument("--out", type=Path, default=OUT, help="the table")
    chosen = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory() as folder:
        wheel = chosen.wheel
        if wheel is None:
            command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "-d", folder, PACKAGE]
            subprocess.run(command, check=True)
            wheel = next(Path(folder).glob("*.whl"))
        try:
            apis = read(wheel)
            text = built(apis, "-".join(wheel.name.split("-")[:2]).replace("_", "-"))
        except (OSError, ValueError, zipfile.BadZipFile) as error:
            print(f"refresh_kubernetes: {error}", file=sys.stderr)
            return 2
    chosen.out.write_text(text, encoding="utf-8")
    print(f"{chosen.out}: {len(text)} bytes, Kubernetes {apis[0].version} to {apis[-1].version}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
