"""``$(echo $CUDA_VERSION | cut -d. -f1,2 | tr -d .)``: the few commands that cut versions, worked out.

Dockerfiles make the name of PyTorch's index from the version of CUDA in this way.
"""

import re

from codeblue.sources.manifests.shell_words import commands

SUBSTITUTION = re.compile(r"\$\(([^()`]{1,300})\)")
DELETED = re.compile(r"s(.)(\\?[^\\/|,#])\1\1g?$")
"""``s/\\.//g`` of sed."""


def worked_out(text: str) -> str:
    """Return a text with such substitutions replaced by what they print; any other stays."""
    return SUBSTITUTION.sub(lambda found: _printed(found[1], found[0]), text)


def _printed(pipeline: str, otherwise: str) -> str:
    value: str | None = None
    steps = [[word.text for word in words] for words in commands(pipeline)]
    if pipeline.count("|") != len(steps) - 1 or "$" in pipeline:
        return otherwise
    for words in steps:
        program, arguments = words[0], words[1:]
        if value is None:
            value = arguments[-1] if program == "echo" and arguments else None
        elif program == "cut":
            value = _cut(value, arguments)
        elif program == "tr" and arguments[:1] == ["-d"] and len(arguments) == 2:
            value = value.translate(dict.fromkeys(map(ord, arguments[1])))
        elif program == "sed":
            value = _sed(value, arguments)
        else:
            value = None
        if value is None:
            return otherwise
    return otherwise if value is None else value


def _cut(text: str, arguments: list[str]) -> str | None:
    told = re.fullmatch(r"-d ?(\S) -f ?(\d)(?:([,-])(\d))?", " ".join(arguments))
    if not told:
        return None
    parts, first = text.split(told[1]), int(told[2])
    last = int(told[4] or first)
    chosen = range(first, last + 1) if told[3] == "-" else sorted({first, last})
    return told[1].join(parts[place - 1] for place in chosen if 0 < place <= len(parts))


def _sed(text: str, arguments: list[str]) -> str | None:
    told = DELETED.match(arguments[-1]) if len(arguments) in (1, 2) else None
    if not told or (len(told[2]) == 1 and told[2] in ".*^$["):
        return None
    return text.replace(told[2][-1], "", -1 if arguments[-1].endswith("g") else 1)
