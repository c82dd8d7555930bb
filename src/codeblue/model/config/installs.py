"""What pip, uv and conda are asked to install by a file or by one command in it."""

import re

from msgspec import Struct

from codeblue.model.config.image import Image
from codeblue.model.config.place import Place, Source
from codeblue.model.manifest import Manifest


class Installs(Struct, frozen=True, kw_only=True):
    """A manifest, and the way from its origins to places.

    ``kind`` is ``image``, ``command``, ``requirements``, ``project`` or ``conda``. Origins of commands end in
    an offset of ``source``, those of files in a line.
    """

    kind: str
    manifest: Manifest
    source: Source
    image: Image | None = None
    """Base of the last stage, where it is an image."""
    files: bool = False
    """True if further requirements stand in files that are not read here."""

    def holds(self, origin: str) -> bool:
        """Tell whether an origin is in this file."""
        return origin.rpartition(":")[0] == self.source.name

    def place(self, origin: str, *words: str) -> Place:
        """Return where the first of the words that is there stands, from the origin on; else its line."""
        text, start = self.source.text, self._offset(origin)
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        for word in words:
            found = re.compile(rf"(?<![\w.]){re.escape(word)}(?!\w)", re.IGNORECASE).search(text, start, end)
            if word and found:
                return self.source.place(*found.span())
        line = text[start:end]
        indent = len(line) - len(line.lstrip())
        return self.source.place(start + indent, start + len(line.rstrip()))

    def _offset(self, origin: str) -> int:
        number = int(origin.rpartition(":")[2])
        if self.kind == "command":
            return number
        at = 0
        for _ in range(number - 1):
            at = self.source.text.find("\n", at) + 1
        return at
