"""Does the shell hand a version limit to pip, or take it for a redirection?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.shell import Script
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message
from codeblue.sources.manifests.shell_words import Word, commands

LIMIT = re.compile(r"[<>]=?\s*\d[\w.*,<>=!]*$")
INSTALLERS = re.compile(r"(?:.*/)?(?:pip[\d.]*|python[\d.]*|uv|conda|mamba|micromamba)$")


@rule("pip-limit-redirected")
def limits_are_quoted(script: Script) -> Iterator[Problem]:
    """``pip install torch>=2.4`` writes a file named ``=2.4``."""
    text = script.source.text
    if "install" not in text:
        return
    for words in commands(text):
        for word in words if _installs(words) else ():
            if LIMIT.match(word.lost):
                start = text.index(word.lost, word.offset)
                end = start + len(word.lost)
                whole = script.source.place(word.offset, end)
                yield Problem(
                    place=script.source.place(start, end),
                    message=message(
                        "the shell writes a file {name} here, and pip sees no limit of the version: put the "
                        "whole requirement in quotes",
                        "shell 会在这里写入名为 {name} 的文件，pip 看不到版本限制：请给整条依赖加引号",
                        name=word.lost[1:],
                    ),
                    fix=Fix(
                        message("put it in quotes", "加上引号"),
                        (Edit(whole, f'"{text[word.offset : end]}"'),),
                    ),
                )


def _installs(words: list[Word]) -> bool:
    return any(INSTALLERS.match(word.text) for word in words[:3]) and "install" in [w.text for w in words[:6]]


RULES = (limits_are_quoted,)
