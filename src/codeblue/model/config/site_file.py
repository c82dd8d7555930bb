"""The file ``codeblue.toml`` itself."""

from msgspec import Struct

from codeblue.model.config.place import Place
from codeblue.model.site import Site


class SiteFile(Struct, frozen=True, kw_only=True):
    """What it says, and where its dates and names stand."""

    site: Site
    waived: tuple[Place, ...]
    """Of ``expires``, one for each waiver."""
    owners: tuple[Place, ...]
    """Of ``owner``, one for each waiver."""
    until: tuple[Place, ...]
    """One for each approver."""
