"""The part of YAML in which people write .condarc: words, lists of words, one level of names."""

import re

KEY = re.compile(r"([\w-]+)\s*:(?:\s+(.*))?$")
LISTED = re.compile(r"-(?:\s+(.*))?$")


class NotUnderstood(ValueError):
    """A line that is not in this part of YAML."""


def parse(text):
    """Return the settings as words, lists and dictionaries. Raises NotUnderstood."""
    settings, key, name = {}, None, None
    for row in text.splitlines():
        body = _without_comment(row)
        content = body.strip()
        if content in ("", "---", "..."):
            continue
        item, named = LISTED.match(content), KEY.match(content)
        if item and key:
            table = settings if name is None else settings[key]
            _append(table, key if name is None else name, _word(item.group(1)))
        elif named and body[:1] not in " \t":
            key, name = named.group(1), None
            settings[key] = _value(named.group(2))
        elif named and key and isinstance(settings[key] or {}, dict):
            name = named.group(1)
            settings[key] = settings[key] or {}
            settings[key][name] = _value(named.group(2))
        else:
            raise NotUnderstood(content[:40])
    return settings


def _append(table, key, word):
    if table[key] is None:
        table[key] = []
    if not isinstance(table[key], list):
        raise NotUnderstood(key)
    table[key].append(word)


def _value(text):
    if not text:
        return None
    if text[0] == "[" and text[-1] == "]":
        return [_word(part) for part in text[1:-1].split(",") if part.strip()]
    return _word(text)


def _word(text):
    text = (text or "").strip()
    if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"":
        return text[1:-1]
    if text[:1] in ("{", "[", "&", "*", "!", "|", ">"):
        raise NotUnderstood(text[:40])
    return text


def _without_comment(row):
    """Return a row up to its comment; within quotes and words ``#`` is a letter."""
    quote = ""
    for place, letter in enumerate(row):
        if quote:
            quote = "" if letter == quote else quote
        elif letter in "'\"":
            quote = letter
        elif letter == "#" and (not place or row[place - 1] in " \t"):
            return row[:place].rstrip()
    return row.rstrip()
