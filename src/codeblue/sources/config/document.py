"""Documents of every format."""

import re
from collections.abc import Iterator

from codeblue.model.config.place import Source
from codeblue.sources.config.documents import html, markdown, rst
from codeblue.sources.config.documents.parts import parts

RST = re.compile(r"\.rst$", re.IGNORECASE)
HTML = re.compile(r"\.html?$", re.IGNORECASE)


def read(source: Source) -> Iterator[object]:
    """Yield what a document says, and the parts of the code in it; no document is broken."""
    if RST.search(source.name):
        return parts(source, rst.blocks)
    return parts(source, html.blocks if HTML.search(source.name) else markdown.blocks)
