"""The facts of a site's file."""

from typing import Any

from codeblue.model.site import Expect

NOTHING: dict[str, Any] = dict.fromkeys(Expect.__struct_fields__)


def expecting(**wanted: Any) -> dict[str, Any]:
    """Return the section of a site that expects this and nothing else."""
    return NOTHING | wanted | {"state": "read", "source": "codeblue.toml", "host_unknown": False}
