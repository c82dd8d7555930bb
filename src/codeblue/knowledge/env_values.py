"""What values known variables take.

Sources: the table of variables; NCCL reads numbers with ``strtoll``, which takes the digits at the beginning
and 0 if there are none (src/misc/param.cc), and levels of a path in capitals only (src/graph/paths.cc).
"""

import re
from functools import cache
from typing import NamedTuple

from codeblue.knowledge.tables import by_key

INTEGER = re.compile(r"\s*[-+]?(?:0[xX][0-9a-fA-F]+|[0-9]+)\s*")
DIGITS = re.compile(r"\s*([-+]?(?:0[xX][0-9a-fA-F]+|[0-9]+))")
RANGE = re.compile(r"(-?[0-9]+)\.\.(-?[0-9]+)(?:$|[, ])")
LISTED = re.compile(r"-?[0-9]+(?: \([a-z]+\))?(?:(?: \| | )-?[0-9]+(?: \([a-z]+\))?)+$")
UNBOUNDED = ("integer", "bytes", "ms", "index")
SENTINELS = (-2, -1)
"""Values by which NCCL itself says ``unset`` and ``automatic``."""
PLACEHOLDER = re.compile(r"[$<>{}%]")
PORTS = ("MASTER_PORT",)
RANKS = ("WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE")
LARGEST_PORT = 65535


class Numbers(NamedTuple):
    """Which whole numbers a variable takes."""

    legal: str
    """As people write it; empty if there is no bound."""
    allowed: frozenset[int] | None
    bounds: tuple[int, int] | None
    lenient: bool
    """True if the reader takes what is no number for one, False if it refuses it."""

    @property
    def switch(self) -> bool:
        """True if it is switched on and off."""
        return self.allowed is not None and {0, 1} <= self.allowed

    def holds(self, number: int) -> bool:
        """Tell whether a number is among them."""
        if self.lenient and number in SENTINELS:
            return True
        if self.allowed is not None:
            # Whatever is not 0 switches on.
            return number in self.allowed or (self.allowed == {0, 1} and number > 1)
        return self.bounds is None or self.bounds[0] <= number <= self.bounds[1]


class Words(NamedTuple):
    """Which words a variable takes."""

    words: tuple[str, ...]
    case: bool = True
    """True if capitals count."""
    listed: bool = False
    """True if several may stand there, with commas between."""
    numbers: bool = False
    """True if a number is taken as well."""
    harmless: tuple[str, ...] = ()
    """Words that nobody knows and that have the effect their author wants."""


PATHS = ("LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS")
WORDS = {
    "NCCL_DEBUG": Words(
        ("VERSION", "WARN", "INFO", "ABORT", "TRACE"), case=False, harmless=("NONE", "OFF", "0")
    ),
    "NCCL_SOCKET_FAMILY": Words(("AF_INET", "AF_INET6")),
    "NCCL_NET_GDR_LEVEL": Words(PATHS, numbers=True),
    "NCCL_P2P_LEVEL": Words(PATHS, numbers=True),
    "NCCL_PROTO": Words(("LL", "LL128", "Simple"), case=False, listed=True),
    "CUDA_DEVICE_ORDER": Words(("FASTEST_FIRST", "PCI_BUS_ID")),
    "CUDA_MODULE_LOADING": Words(("EAGER", "LAZY", "DEFAULT")),
    "TORCH_DISTRIBUTED_DEBUG": Words(("OFF", "INFO", "DETAIL"), case=False),
}
MEANT = {
    ("NCCL_DEBUG", "DEBUG"): "INFO",
    ("NCCL_DEBUG", "1"): "INFO",
    ("NCCL_DEBUG", "WARNING"): "WARN",
    ("CUDA_DEVICE_ORDER", "PCI_BUS"): "PCI_BUS_ID",
    ("CUDA_DEVICE_ORDER", "PCI_BUD_ID"): "PCI_BUS_ID",
}
"""What people write, and what they mean."""


def placeholder(value: str) -> bool:
    """Tell whether somebody fills the value in later."""
    return PLACEHOLDER.search(value) is not None


@cache
def numbers(name: str) -> Numbers | None:
    """Return which numbers a variable takes; None if it takes words, or nobody knows."""
    if name in PORTS:
        return Numbers(f"1..{LARGEST_PORT}", None, (1, LARGEST_PORT), lenient=False)
    if name in RANKS:
        return Numbers("0..", None, (0, 1 << 31), lenient=False)
    row = by_key("nccl_env", "name").get(name)
    if row is None or row["lib"] != "nccl" or "values" not in row:
        return None
    legal = str(row["values"])
    if found := RANGE.match(legal):
        return Numbers(legal.split(",", maxsplit=1)[0], None, (int(found[1]), int(found[2])), lenient=True)
    if LISTED.match(legal):
        return Numbers(legal, frozenset(map(int, re.findall(r"-?[0-9]+", legal))), None, lenient=True)
    if legal in UNBOUNDED:
        return Numbers("0..", None, (0, 1 << 62), lenient=True)
    return None


def read_as(value: str) -> int:
    """Return the number that NCCL finds at the beginning of a text."""
    found = DIGITS.match(value)
    return int(found[1], 16 if "x" in found[1].lower() else 10) if found else 0


def wrong_word(name: str, value: str) -> str | None:
    """Return the first word of a value that the variable does not take."""
    kind = WORDS.get(name)
    if kind is None or (kind.listed and re.search("[:;]", value)):
        # Newer releases of NCCL take a list for each collective.
        return None
    known = kind.words if kind.case else tuple(word.upper() for word in kind.words)
    for word in value.lstrip("^").split(",") if kind.listed else [value]:
        plain = word.strip() if kind.case else word.strip().upper()
        number = kind.numbers and INTEGER.fullmatch(plain) is not None
        if plain and plain not in known and plain not in kind.harmless and not number:
            return word.strip()
    return None


def near_word(name: str, wrong: str) -> str | None:
    """Return the word that was meant, where that is plain."""
    meant = MEANT.get((name, wrong.upper()))
    return meant or next((word for word in WORDS[name].words if word == wrong.upper()), None)
