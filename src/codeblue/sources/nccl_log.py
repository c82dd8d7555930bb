"""What NCCL says at INFO becomes facts: which way it takes, and what made it choose so."""

import re
from collections import Counter
from collections.abc import Iterable
from typing import Any

from msgspec import to_builtins

from codeblue.model.facts import NcclLog
from codeblue.sources.logs import clean

MANY = 50
"""Variables, and warnings, that are kept."""
LONG = 200
"""Characters kept of a value or a warning."""

LINE = re.compile(r"\bNCCL (?P<level>INFO|WARN) (?P<words>.*)")
VERSION = re.compile(r"^NCCL version (\d+\.\d+(?:\.\d+)?)")
CHANNEL = re.compile(r"^Channel \d+(?:/\d+)? : \d+\[\w+\] -> \d+\[\w+\](?: \[(?:send|receive)\])? via (.+)$")
NETWORK = re.compile(r"^Using network (.+)$")
CHOSEN = re.compile(r"^NET/(\S+) ?: Using (.*)$")
DEVICE = re.compile(r"\[\d+\]([^\s:;<\[\]]+(?::\d+/(?:IB|RoCE))?)")
VARIABLE = re.compile(r"^(NCCL_\w+) set by environment to (.*?)\.?$")
ADDRESS = re.compile(
    r"\b\d{1,3}(?:\.\d{1,3}){3}\b(?:<\d+>)?|(?<![\w:])(?:[0-9a-f]{0,4}:){3,7}[0-9a-f]{1,4}(?:%\w+)?(?:<\d+>)?"
)
NUMBERS = re.compile(r"^\d+(?:\(\d+\))?$")


def read(lines: Iterable[str]) -> NcclLog:
    """Return the facts of the lines of all ranks; other lines are passed over."""
    version, network = None, None
    transports: Counter[str] = Counter()
    interfaces: dict[str, list[str]] = {}
    variables: dict[str, str] = {}
    warnings: dict[str, None] = {}
    for line in lines:
        said = LINE.search(clean(line))
        if said is None:
            continue
        words = said["words"].strip()
        if said["level"] == "WARN":
            warnings[ADDRESS.sub("ADDRESS", words)[:LONG]] = None
        elif found := CHANNEL.match(words):
            transports[transport(found[1])] += 1
        elif found := VARIABLE.match(words):
            variables[found[1]] = found[2][:LONG]
        elif found := NETWORK.match(words):
            network = found[1][:LONG]
        elif found := CHOSEN.match(words):
            interfaces[found[1]] = DEVICE.findall(found[2])
        elif version is None and (found := VERSION.match(words)):
            version = found[1]
    return NcclLog(
        version=version,
        transports=dict(transports),
        network=network,
        interfaces=interfaces.get(network or "", [])[:MANY],
        variables=dict(list(variables.items())[:MANY]),
        warnings=list(warnings)[:MANY],
    )


def told(section: dict[str, Any]) -> dict[str, Any]:
    """Return the raw section of the trial with facts in place of the workers' words."""
    plain = {key: value for key, value in section.items() if key != "words"}
    if "words" in section:
        plain["log"] = to_builtins(read(section["words"].splitlines()))
    if "again" in section:
        plain["again"] = told(section["again"])
    return plain


def shared(words: str) -> list[str]:
    """Return the lines in which a signature may see something, without names and addresses of hosts."""
    lines = (line[found.start() :] if (found := LINE.search(line)) else line for line in words.splitlines())
    return [ADDRESS.sub("ADDRESS", line) for line in lines if line.strip()]


def transport(words: str) -> str:
    """Return the way without the numbers of devices: ``NET/IB/0(1)/GDRDMA`` is ``NET/IB/GDRDMA``."""
    parts = [part for part in words.strip().split("/") if not NUMBERS.match(part)]
    return "/".join(parts)[:LONG]
