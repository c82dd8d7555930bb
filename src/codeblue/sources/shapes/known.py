"""Known values: what secret-named variables hold, and the names of this machine and its people."""

import base64
import json
import os
import re
from typing import Callable, Collection, Dict, Iterable, List, Mapping, Optional, Pattern, Set, Tuple
from urllib.parse import quote

from . import judges
from .late import Late
from .private import IP, PRIVATE
from .rule import replace
from .secrets import SECRETS

SECRET_NAME = Late(r"(?i)TOKEN|SECRET|PASSW|KEY|AUTH|CREDENTIAL")
SHORTEST = 8
"""Characters of a harvested value; a shorter one could be part of any word."""

COMMON = Late(r"(?i)[a-z]{8,9}|localhost.*|anonymous|[0-9.]+|(?:unix|file|https?|tcp)[:/].*")
"""Values that name a setting: they would take harmless words with them."""

FIXED = [rule for rule in PRIVATE if rule is not IP]
"""What is replaced even in a field that holds a version."""

Alias = Callable[[str, str], str]


def harvested(environment: Mapping[str, str]) -> List[str]:
    """Return the values of secret-named variables, which are to be replaced wherever they stand."""
    values = []
    for name, value in environment.items():
        if SECRET_NAME.search(name) and len(value) >= SHORTEST:
            if not COMMON.fullmatch(value) and not judges.PATH.fullmatch(value):
                values.append(value)
    return values


def people(accounts: Iterable[Tuple[str, int, str]], uids: Collection[int], homes: Iterable[str]) -> Set[str]:
    """Return the names of this machine's people, of these users, and of the owners of these folders.

    ``accounts`` has the name, number and home of each user here.
    """
    names = {name for name, uid, home in accounts if uid >= 1000 or uid in uids or home.startswith("/home/")}
    names |= {home.split("/")[2] for home in homes if home.startswith("/home/")}
    return {name for name in names if len(name) > 2 and name not in judges.SYSTEM}


class Known:
    """Replaces known values literally, then everything that has the shape of private data."""

    def __init__(self, secrets: Iterable[str], users: Iterable[str], alias: Alias) -> None:
        self.alias = alias
        self.hosts: Set[str] = set()
        self.users = set(users)
        self.forms: Dict[str, str] = {form: value for value in secrets for form in _forms(value)}
        self._host: Optional[Pattern[str]] = None
        self._user = _words(self.users, r"(?<=/)(?:%s)(?=/|$)")
        self.add_host(os.uname().nodename)

    def add_host(self, name: str) -> None:
        """Replace this host name from now on wherever it stands as a word."""
        if len(name) > 2 and name != "localhost":
            self.hosts.add(name)
            self._host = _words(self.hosts, r"(?<![\w-])(?:%s)(?![\w-])")

    def text(self, text: str, version: bool = False) -> str:
        """Return one text without anything private; in a ``version`` numbers with dots stay."""
        for form, value in self.forms.items():
            if form in text:
                text = text.replace(form, self.alias("secret", value))
        text = replace(SECRETS, text, self.alias)
        text = replace(FIXED if version else PRIVATE, text, self.alias)
        if text in self.users:
            return self.alias("user", text)
        for kind, pattern in (("host", self._host), ("user", self._user)):
            if pattern:
                text = pattern.sub(lambda match, kind=kind: self.alias(kind, match.group()), text)  # type: ignore[misc]  # a default cannot be typed in a lambda
        return text

    def holds(self, text: str) -> Optional[str]:
        """Return the class of a secret that the text holds, or None. Names and addresses are no secrets."""
        if any(form in text for form in self.forms):
            return "value of a secret variable"
        low = text.lower()
        return next((rule.name for rule in SECRETS for _ in rule.spans(text, low)), None)


def _words(names: Set[str], template: str) -> Optional[Pattern[str]]:
    escaped = [re.escape(name) for name in sorted(names, key=len, reverse=True)]
    return re.compile(template % "|".join(escaped)) if escaped else None


def _forms(value: str) -> Set[str]:
    """Return the value as it stands in a text, a URL, a JSON document and a base64 blob."""
    raw = value.encode("utf-8", "replace")
    return {value, quote(value, safe=""), json.dumps(value)[1:-1], base64.b64encode(raw).decode("ascii")}
