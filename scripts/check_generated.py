"""Fail if a generated file is not what its generator makes now."""

import sys

from scripts import build_docs, build_index


def main() -> int:
    """Name every stale file."""
    stale = []
    if (build_index.FAULTS / "index.json").read_text(encoding="utf-8") != build_index.built():
        stale.append("src/codeblue/faults/index.json (make index)")
    if (build_index.RULES / "index.json").read_text(encoding="utf-8") != build_index.built_of_rules():
        stale.append("src/codeblue/lint/rules/index.json (make index)")
    for name, content in build_docs.pages().items():
        path = build_docs.DOCS / name
        if not path.exists() or path.read_text(encoding="utf-8") != content:
            stale.append(f"docs/{name} (make docs)")
    for name in stale:
        print(f"stale: {name}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
