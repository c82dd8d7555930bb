"""A target of ``--on`` as a snapshot: looked at now, or read from a file."""

from codeblue.model.snapshot import Snapshot


def looked(on: str) -> Snapshot:
    """Return the snapshot of a live target, or of a snapshot file. Raises Unusable."""
    from pathlib import Path

    from codeblue.cli import kept, site
    from codeblue.pipeline import read
    from codeblue.sources.launch import launch
    from codeblue.sources.site import Loaded
    from codeblue.sources.target import parse

    if on.startswith("file:") or Path(on).is_file():
        return kept.from_file(on)
    where = parse(on)
    look = site.look(Loaded(), None, None)
    *_, whole = read(where, launch(where, look), (), look.salt, Loaded())
    return whole
