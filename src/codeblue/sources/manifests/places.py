"""Where the values of a text that is known to parse were written."""

import re
from bisect import bisect_right

from codeblue.sources.manifests.files import File


class Places:
    """Finds the lines of words."""

    def __init__(self, file: File) -> None:
        self._file = file
        self._starts = [0, *(found.end() for found in re.finditer("\n", file.text))]
        self._last = 0
        self._keys: dict[str, int] = {}
        self._sections: dict[str, int] = {}
        self._before: dict[tuple[str, ...], int] = {}

    def of(self, section: str, *words: str) -> str:
        """Return the place of the last of the words, each looked for behind the one before it.

        ``section`` is the name of a TOML table, as ``tool.uv``; empty for the top of the file.
        """
        return self._line(self._behind(section, words))

    def key(self, section: str, name: str) -> str:
        """Return the place of a key in a table."""
        begin = self._section(section)
        key = re.compile(rf"^[ \t]*[\"']?{re.escape(name)}[\"']?[ \t]*[=.]", re.MULTILINE)
        # Keys are mostly asked for in their order.
        last = self._keys.get(section, begin)
        found = key.search(self._file.text, last) or key.search(self._file.text, begin)
        if found:
            self._keys[section] = found.end()
        return self._line(found.end() if found else self._found(name, begin))

    def entries(self, table: str) -> list[str]:
        """Return the places of all ``[[table]]`` headers."""
        header = re.compile(rf"^[ \t]*\[\[[ \t]*{re.escape(table)}[ \t]*\]\]", re.MULTILINE)
        return [self._line(found.end()) for found in header.finditer(self._file.text)]

    def next(self, word: str) -> str:
        """Return the place of a word, looked for behind the one before it, else from the top."""
        found = self._file.text.find(word, self._last)
        self._last = found if found >= 0 else self._found(word, 0)
        return self._line(self._last)

    def _behind(self, section: str, words: tuple[str, ...]) -> int:
        if not words:
            return self._section(section)
        before = (section, *words[:-1])
        if before not in self._before:
            self._before[before] = self._behind(section, words[:-1])
        return self._found(words[-1], self._before[before])

    def _section(self, name: str) -> int:
        """Return where a table begins, or the first table below it."""
        if name not in self._sections:
            self._sections[name] = self._searched(name) if name else 0
        return self._sections[name]

    def _searched(self, name: str) -> int:
        for end in ("]", "."):
            header = re.compile(rf"^[ \t]*\[+[ \t]*{re.escape(name)}[ \t]*{re.escape(end)}", re.MULTILINE)
            found = header.search(self._file.text)
            if found:
                return found.end()
        return 0

    def _found(self, word: str, begin: int) -> int:
        """Return where a word stands, in quotes if it does so anywhere; ``begin`` if it does not."""
        places = (self._file.text.find(form, begin) for form in (f'"{word}"', f"'{word}'", word))
        return next((place for place in places if place >= 0), begin)

    def _line(self, offset: int) -> str:
        return self._file.place(bisect_right(self._starts, offset))
