"""Which language this run speaks: ``--lang``, else the locale, else English."""

import os
import sys

LANGUAGES = ("en", "zh")


def _chosen(arguments: list[str]) -> str:
    for position, word in enumerate(arguments):
        if word.startswith("--lang="):
            return word[len("--lang=") :]
        if word == "--lang" and position + 1 < len(arguments):
            return arguments[position + 1]
    return ""


def detect() -> str:
    """Return ``en`` or ``zh``.

    Help texts are made before the options are parsed, so the arguments are looked at here.
    """
    chosen = _chosen(sys.argv[1:])
    if chosen in LANGUAGES:
        return chosen
    for variable in ("LC_ALL", "LC_MESSAGES", "LANG"):
        locale = os.environ.get(variable)
        if locale:
            return "zh" if locale.lower().startswith("zh") else "en"
    return "en"


LANG = detect()


def say(en: str, zh: str) -> str:
    """Return the text in this run's language."""
    return zh if LANG == "zh" else en
