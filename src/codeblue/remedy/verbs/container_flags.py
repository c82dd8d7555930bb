"""container-flags: options with which a container is to be started; only written out."""

import shlex

from codeblue.model.plan import Args, Refused
from codeblue.model.text import message
from codeblue.remedy.verbs.rendered import Rendered


class ContainerFlags(Rendered):
    """Takes ``flags``: options of ``docker run`` as one would type them."""

    form = "sh"

    def text(self, args: Args) -> str:
        """Return the options, quoted anew."""
        return shlex.join(split(args))


def split(args: Args) -> list[str]:
    """Return the options as a list. Raises Refused if they cannot be split or are none."""
    try:
        words = shlex.split(args.get("flags", ""))
    except ValueError:
        words = []
    if not words or not words[0].startswith("-"):
        raise Refused(
            message(
                "these are no options of a container: {flags}",
                "这些不是容器的启动选项：{flags}",
                flags=repr(args.get("flags", "")),
            )
        )
    return words
