"""container-flags: options with which a container is to be started; only written out."""

import shlex

from codeblue.model.plan import Args
from codeblue.remedy import launching
from codeblue.remedy.verbs.rendered import Rendered


class ContainerFlags(Rendered):
    """Takes ``flags``: options of ``docker run`` as one would type them."""

    form = "sh"

    def text(self, args: Args) -> str:
        """Return the options, quoted anew."""
        return shlex.join(launching.flags(args))
