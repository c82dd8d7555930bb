"""Private data in given texts becomes pseudonyms; the last gate refuses what still looks like a secret."""

import os
import re
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any, TypeVar

from msgspec import convert, structs, to_builtins

from codeblue import patience
from codeblue.model.facts import Sighting, Sightings, Stream, Told
from codeblue.model.section import NotRead, Section, State
from codeblue.model.text import message
from codeblue.sources.shapes.known import Known, harvested, people
from codeblue.sources.target import Unusable
from codeblue.state import Pseudonyms

S = TypeVar("S", bound=Section)

BEGIN = re.compile(r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY")
END = "-----END "
LONGEST_KEY = 200
"""Lines of a private key whose end is missing."""

WHOLE = 4096
"""Characters of a line that are looked at before it is cut."""

NAMED = re.compile(
    r"(?i)[\w.-]*(?:passw(?:or)?d|secret|api_?key|access_?key|private_?key|_token|(?<![a-z])token)"
)
"""A key of a document whose value is a secret."""


VERSIONS = frozenset(
    (
        "version",
        "driver_version",
        "module_version",
        "server_version",
        "kernel",
        "glibc",
        "firmware",
        "other_kernels",
    )
)
"""Fields whose values may look like addresses and are none."""
PLACES = frozenset(("source", "sources"))
REMEMBERED = 1024
"""Paths kept with what they became: each line of a file comes with its name."""


class Redactor:
    """Replaces secrets, names and addresses; one value gets one pseudonym wherever the key is the same."""

    def __init__(self, pseudonyms: Pseudonyms) -> None:
        homes = (os.environ.get("HOME", ""), os.getcwd())
        self._pseudonyms = pseudonyms
        self._replaced: dict[str, str] = {}
        names = people(patience.accounts(), [os.getuid()], homes)
        self._known = Known(harvested(os.environ), names, self._alias)
        self._paths = lru_cache(REMEMBERED)(self._path)

    def _alias(self, kind: str, value: str) -> str:
        alias = self._pseudonyms.pseudonym(kind, value)
        self._replaced[value] = alias
        return alias

    def learn_hosts(self, names: Iterable[str]) -> None:
        """Replace these host names from now on, whatever stands around them."""
        for name in names:
            self._known.add_host(name)
        self._paths.cache_clear()

    def text(self, text: str) -> str:
        """Return one line, or a few, with pseudonyms in place of everything private."""
        return self._known.text(text)

    def lines(self, lines: Iterable[str]) -> Iterator[str]:
        """Yield redacted lines; the body of a private key is masked up to its end."""
        inside = 0
        for line in lines:
            if inside and END not in line:
                inside -= 1
                yield self._pseudonyms.pseudonym("secret", line.strip()) if line.strip() else line
                continue
            inside = LONGEST_KEY if BEGIN.search(line) and END not in line else 0
            yield self.text(line)

    def path(self, path: str) -> str:
        """Return a file's path with its own name kept and the names of people replaced."""
        return self._paths(path)

    def _path(self, path: str) -> str:
        folder, slash, name = path.rpartition("/")
        return self.text(folder + slash)[: -len(slash) or None] + slash + self.text(name)

    def section(self, section: S) -> S:
        """Return the facts of a text with every value redacted."""
        return convert(self._document(to_builtins(section), ""), type(section))

    def _document(self, value: Any, field: str) -> Any:
        if isinstance(value, dict):
            named = field != "sources"
            return {
                self.text(key): self._document(one, key if named else field) for key, one in value.items()
            }
        if isinstance(value, list):
            return [self._document(one, field) for one in value]
        if not isinstance(value, str) or field in VERSIONS:
            return value
        if field == "MASTER_ADDR" and value not in ("localhost", "127.0.0.1", "::1"):
            return self._alias("host", value)
        return self.path(value) if field in PLACES else self.text(value)

    def sightings(self, section: Sightings, length: int) -> Sightings:
        """Return the sightings with every text, value and file name redacted, lines cut to ``length``."""
        if section.state is not State.READ:
            return section
        errors = [self._line(line, length) for line in section.unrecognised_errors]
        seen = [self._sighting(one, length) for one in section.seen]
        source = self.path(section.source) if section.source else section.source
        unusual = self._told(section.unusual, length)
        section = structs.replace(
            section, seen=seen, unrecognised_errors=errors, unusual=unusual, source=source
        )
        return structs.replace(section, **self._files(section, length))

    def _told(self, lines: list[Told], length: int) -> list[Told]:
        """Return lines that follow each other: a private key among them is masked up to its end."""
        texts = self.lines(self._whole(line.text) for line in lines)
        return [
            structs.replace(line, text=text[:length], file=self.path(line.file))
            for line, text in zip(lines, texts, strict=True)
        ]

    def _files(self, section: Sightings, length: int) -> dict[str, Any]:
        """Return what is said of the files themselves, if it was read."""
        try:
            streams = [self._stream(one, length) for one in section.streams]
            skipped = [structs.replace(one, file=self.path(one.file)) for one in section.skipped]
        except NotRead:
            return {}
        return {"streams": streams, "skipped": skipped}

    def _stream(self, one: Stream, length: int) -> Stream:
        host = self._host(one.host)
        text, label = self._line(one.last_text, length), self.text(one.label)
        return structs.replace(one, file=self.path(one.file), last_text=text, label=label, host=host)

    def _host(self, name: str | None) -> str | None:
        return name and self._pseudonyms.pseudonym("host", name)

    def _sighting(self, one: Sighting, length: int) -> Sighting:
        self._replaced.clear()
        text = self._line(one.text, length)
        # A captured value has lost the words that gave it away: what the line hid is hidden in it too.
        hidden = sorted(self._replaced.items(), key=lambda pair: -len(pair[0]))
        values = {}
        for name, value in one.values.items():
            for private, alias in hidden:
                value = value.replace(private, alias)
            values[name] = self.text(value)
        host = self._host(one.host)
        return structs.replace(one, text=text, file=self.path(one.file), values=values, host=host)

    def _line(self, line: str, length: int) -> str:
        return self.text(self._whole(line))[:length]

    def _whole(self, line: str) -> str:
        """Return the line without a word that was cut in the middle: it has lost its shape."""
        return re.sub(r"\S+$", "", line[:WHOLE]) if len(line) >= WHOLE else line

    def refuse_secrets(self, document: Any, name: str) -> None:
        """Raise Unusable with the place and the class if a document still holds a secret."""
        for place, kind in self._held(document, ""):
            raise Unusable(
                message(
                    "{name}: not written: {place} looks like a secret ({kind})",
                    "{name}：未写入：{place} 像是密钥或密码（{kind}）",
                    name=name,
                    place=place,
                    kind=kind,
                )
            )

    def _held(self, document: Any, place: str) -> Iterator[tuple[str, str]]:
        if isinstance(document, dict):
            for key, value in document.items():
                if self._known.holds(key):
                    yield f"{place}.…".lstrip("."), str(self._known.holds(key))
                named = isinstance(value, str) and NAMED.fullmatch(key)
                found = self._known.holds(f"{key}={value}") if named else None
                if found:
                    yield f"{place}.{key}".lstrip("."), found
                yield from self._held(value, f"{place}.{key}".lstrip("."))
        elif isinstance(document, list):
            for number, value in enumerate(document):
                yield from self._held(value, f"{place}[{number}]")
        elif isinstance(document, str) and (found := self._known.holds(document)):
            yield place, found
