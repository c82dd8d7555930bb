"""Which file beside a Dockerfile one inside of the image was copied from."""

import os
import posixpath
from collections.abc import Callable, Iterator, Mapping

from codeblue.sources.manifests.dockerfile import Instruction, expand

MOST = 500
"""Files and folders that are copied."""


class Copies:
    """What COPY and ADD have brought into the image, and where commands run.

    ``folder`` is that of the Dockerfile; the build may as well have been started one above.
    """

    def __init__(self, folder: str) -> None:
        self._folders = [folder, os.path.join(folder, os.pardir)]
        self._copied: dict[tuple[str, str], None] = {}
        self._work = "/"

    def enter(self, folder: str) -> None:
        """Go to another working directory."""
        self._work = posixpath.normpath(posixpath.join(self._work, folder))

    def add(self, one: Instruction, variables: Mapping[str, str]) -> None:
        """Keep the pairs of a COPY or ADD; heredocs and other stages are no files here."""
        words = [expand(word.strip("\"',[]"), variables) for word in one.value.split()]
        for source in words[:-1]:
            if source and not source.startswith("<<"):
                self._keep(source, self._inside(words[-1], source, len(words) > 2))

    def mounted(self, one: Instruction) -> None:
        """Keep what a RUN mounts out of the context."""
        for name, value in one.flags:
            told = dict(part.partition("=")[::2] for part in value.split(",")) if name == "mount" else {}
            if told.get("type", "bind") == "bind" and "from" not in told:
                target = next((told[key] for key in ("target", "dst", "destination") if told.get(key)), "")
                source = told.get("source") or told.get("src") or "."
                if target:
                    self._keep(source, posixpath.normpath(posixpath.join(self._work, target)))

    def _keep(self, source: str, place: str) -> None:
        if len(self._copied) < MOST:
            self._copied[source, place] = None

    def _inside(self, destination: str, source: str, is_folder: bool) -> str:
        place = posixpath.normpath(posixpath.join(self._work, destination))
        name = posixpath.basename(posixpath.normpath(source))
        is_folder = is_folder or destination.endswith("/") or destination in (".", "./")
        if is_folder and self._existing(source, os.path.isdir) is None:
            return posixpath.join(place, name)
        return place

    def find(self, path: str) -> str | None:
        """Return the file on this machine that a path inside of the image was copied from."""
        wanted = posixpath.normpath(posixpath.join(self._work, path))
        return next((found for found in self._candidates(wanted) if found is not None), None)

    def _candidates(self, wanted: str) -> Iterator[str | None]:
        for source, place in reversed(self._copied):
            if place == wanted:
                yield self._existing(source, os.path.isfile)
                yield self._existing(posixpath.join(source, posixpath.basename(wanted)), os.path.isfile)
            inside = place.rstrip("/") + "/"
            if wanted.startswith(inside):
                rest = wanted[len(inside) :]
                yield self._existing(posixpath.join(source, rest), os.path.isfile)
                if posixpath.basename(source) == rest:
                    yield self._existing(source, os.path.isfile)

    def _existing(self, source: str, kind: Callable[[str], bool]) -> str | None:
        """Return the path of a source below the context; None of one that leaves it."""
        plain = posixpath.normpath(source.lstrip("/"))
        if plain.startswith("..") or "\0" in plain:
            return None
        paths = (os.path.normpath(os.path.join(folder, plain)) for folder in self._folders)
        return next((path for path in paths if kind(path)), None)
