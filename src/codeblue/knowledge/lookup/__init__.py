"""Ask the tables by topic and name: ``torch 2.7``, ``gpu "RTX 4090"``, ``xid 79``."""

import difflib
from collections.abc import Sequence

from codeblue.knowledge.lookup import codes, container, gpu, software
from codeblue.knowledge.lookup.build import Topic
from codeblue.model.rows import Row

TOPICS: dict[str, Topic] = {
    "torch": software.TORCH,
    "driver": software.DRIVER,
    "cuda": software.CUDA,
    "cudnn": software.CUDNN,
    "nccl": software.NCCL,
    "tensorrt": software.TENSORRT,
    "gpu": gpu.GPU,
    "xid": codes.XID,
    "sxid": codes.SXID,
    "error": codes.ERROR,
    "env": codes.ENV,
    "toolkit": container.TOOLKIT,
    "bad": container.BAD,
}


class Unknown(LookupError):
    """Nothing is known by a name. ``near`` are known names like it, the best first."""

    def __init__(self, text: str, near: Sequence[str]) -> None:
        super().__init__(text)
        self.text = text
        self.near = list(near)


def topic_named(text: str) -> Topic:
    """Return the topic. Raises Unknown if there is none."""
    if text not in TOPICS:
        raise Unknown(text, difflib.get_close_matches(text, TOPICS, n=3) or list(TOPICS))
    return TOPICS[text]


def listing(topic: str) -> list[Row]:
    """Return all rows of a topic. Raises Unknown if there is no such topic."""
    asked = topic_named(topic)
    return [asked.build(raw, "") for raw in asked.rows()]


def look(topic: str, names: Sequence[str]) -> list[Row]:
    """Return the rows that the names mean, each once.

    Raises Unknown if there is no such topic, or if nothing is known by one of the names.
    """
    asked = topic_named(topic)
    found: list[Row] = []
    for text in _texts(asked, names):
        rows = asked.find(text)
        if not rows:
            raise Unknown(text, _near(asked, text))
        found += [row for raw in rows if (row := asked.build(raw, text)) not in found]
    return found


def _texts(asked: Topic, names: Sequence[str]) -> list[str]:
    whole = " ".join(names)
    if asked.spoken and (asked.find(whole) or not all(map(asked.find, names))):
        return [whole]
    return list(names)


def _near(asked: Topic, text: str, most: int = 3) -> list[str]:
    if asked.near is not None:
        return asked.near(text)
    known = {name.casefold(): name for name in map(asked.name, asked.rows())}
    near = difflib.get_close_matches(text.casefold(), known, n=most, cutoff=0.5)
    return [known[name] for name in near]
