"""``python -m benchmarks.lint_public --clones PATTERN``: what lint says of public files that work.

``benchmarks/lint_public.tsv`` lists repository, commit and file; none of their text is kept here. PATTERN
is where the clones are, such as ``/srv/{owner}+{name}``. Every finding that is printed wants a look: is it
true? The files work, so that errors should be few.
"""

import argparse
import subprocess
import tempfile
from collections import Counter
from pathlib import Path

from codeblue.lint.run import Against
from codeblue.lint.whole import lint
from codeblue.model.fault import Severity
from codeblue.report.lint.text import heading

LIST = Path(__file__).with_name("lint_public.tsv")


def main() -> None:
    """Print findings and sums."""
    parser = argparse.ArgumentParser(prog="benchmarks.lint_public", description=__doc__)
    parser.add_argument("--clones", required=True)
    parser.add_argument("--pedantic", action="store_true")
    asked = parser.parse_args()
    rows = [row.split("\t") for row in LIST.read_text().splitlines() if row and not row.startswith("#")]
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        missing = [row for row in rows if not _written(root, asked.clones, *row)]
        linted = lint([str(root)], Against(), pedantic=asked.pedantic)
        for one in linted.findings:
            print(heading(one, "en").replace(f"{root}/", ""))
    _sums(len(rows), missing, linted.files, [one.severity for one in linted.findings])


def _sums(count: int, missing: list[list[str]], files: dict[str, str], found: list[Severity]) -> None:
    kinds = Counter(files.values())
    print(f"{count} files listed, {len(missing)} not in the clones, judged: {dict(kinds)}")
    print({severity.value: found.count(severity) for severity in Severity})


def _written(root: Path, clones: str, repository: str, commit: str, path: str) -> bool:
    """Write a file of a repository below the folder; return whether it is there."""
    owner, _, name = repository.partition("/")
    folder = clones.format(owner=owner, name=name)
    asked = ["git", "-C", folder, "show", f"{commit}:{path}"]
    shown = subprocess.run(asked, capture_output=True, check=False)
    target = root / repository / path
    if shown.returncode == 0 and not target.is_dir():
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(shown.stdout)
    return shown.returncode == 0


if __name__ == "__main__":
    main()
