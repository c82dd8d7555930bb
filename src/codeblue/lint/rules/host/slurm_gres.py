"""Do gres.conf and slurm.conf name the same GPUs?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.host.slurm import gpus_in
from codeblue.model.config.lines import Entry, Slurm
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

RANGE = re.compile(r"\[([\d,-]+)\]")
GPU = re.compile(r"gpu(?::[A-Za-z][\w.-]*)?(?::(\d+))?(?:\(|$)", re.IGNORECASE)
MOST = 1024
"""Devices, or nodes, of one expression."""


@rule("slurm-gres-conf-wrong")
def gres_types_name_gpu(file: Slurm) -> Iterator[Problem]:
    """A node's Gres is refused unless its type is declared."""
    if file.name != "slurm.conf" or file.last("GresTypes"):
        return
    for line in file.starting("NodeName"):
        gres = _of(line, "Gres")
        if gres is not None and "gpu" in gres.value.lower():
            yield Problem(
                place=gres.place,
                variant="no-gres-types",
                message=message(
                    "there is no GresTypes=gpu, so Slurm refuses this Gres",
                    "没有 GresTypes=gpu，Slurm 不接受这个 Gres",
                ),
            )
            return


@rule("slurm-gres-conf-wrong")
def ranges_go_up(file: Slurm) -> Iterator[Problem]:
    """``[7-0]`` names no device."""
    for one in _files(file):
        found = RANGE.search(one.value)
        for part in found[1].split(",") if found else ():
            low, _, high = part.partition("-")
            if high and low.isdigit() and high.isdigit() and int(low) > int(high):
                new = one.value.replace(part, f"{high}-{low}")
                yield Problem(
                    place=one.value_place,
                    variant="range",
                    message=message("the range {part} goes down", "区间 {part} 是倒序的", part=part),
                    fix=Fix(message("write {new}", "改为 {new}", new=new), (Edit(one.value_place, new),)),
                )


@rule("slurm-gres-conf-wrong")
def counts_agree(file: Slurm) -> Iterator[Problem]:
    """The number of devices in gres.conf is the one in slurm.conf, where both name the nodes alike."""
    main = file.beside.get("slurm.conf")
    if file.name != "gres.conf" or main is None:
        return
    wanted = {name: count for line in main.starting("NodeName") for name, count in _wanted(line)}
    given: dict[str, int] = {}
    last: dict[str, Entry] = {}
    detected = any(
        one.name.lower() == "autodetect" and one.value.lower() != "off" for line in file.lines for one in line
    )
    for line in file.lines:
        device = _of(line, "File")
        if device is None or (_of(line, "Name") or device).value.lower() != "gpu":
            continue
        nodes = _of(line, "NodeName")
        for name in [nodes.value] if nodes else wanted:
            given[name] = given.get(name, 0) + _devices(device.value)
            last[name] = device
    for name, count in given.items():
        if not detected and name in wanted and wanted[name] != count:
            yield Problem(
                place=last[name].value_place,
                variant="count",
                message=message(
                    "gres.conf has {count} GPU(s) for {name}, slurm.conf says {wanted}",
                    "gres.conf 为 {name} 写了 {count} 个 GPU，而 slurm.conf 写的是 {wanted}",
                    count=count,
                    name=name,
                    wanted=wanted[name],
                ),
            )


@rule("slurm-gres-conf-wrong")
def gpus_have_their_file(file: Slurm) -> Iterator[Problem]:
    """slurm.conf gives nodes GPUs, and the gres.conf beside it names none."""
    gres = file.beside.get("gres.conf")
    if file.name != "slurm.conf" or gres is None or gpus_in(gres):
        return
    if any(one.name.lower() == "autodetect" for line in gres.lines for one in line):
        return
    for line in file.starting("NodeName"):
        own = _of(line, "Gres")
        if own is not None and "gpu" in own.value.lower():
            yield Problem(
                place=own.place,
                variant="not-in-gres-conf",
                message=message("gres.conf names no GPU", "gres.conf 中没有任何 GPU"),
            )
            return


def _of(line: tuple[Entry, ...], key: str) -> Entry | None:
    return next((one for one in line if one.name.lower() == key.lower()), None)


def _files(file: Slurm) -> Iterator[Entry]:
    if file.name == "gres.conf":
        yield from (one for line in file.lines for one in line if one.name.lower() == "file")


def _wanted(line: tuple[Entry, ...]) -> Iterator[tuple[str, int]]:
    gres = _of(line, "Gres")
    counts = [found for part in gres.value.split(",") if (found := GPU.match(part))] if gres else []
    if counts:
        yield line[0].value, sum(int(one[1] or 1) for one in counts)


def _devices(text: str) -> int:
    """Return how many devices an expression such as ``/dev/nvidia[0-3,6]`` names."""
    found = RANGE.search(text)
    if found is None:
        return len(text.split(","))
    count = 0
    for part in found[1].split(","):
        low, _, high = part.partition("-")
        count += min(MOST, int(high) - int(low) + 1) if high and low else 1
    return count


RULES = (gres_types_name_gpu, ranges_go_up, counts_agree, gpus_have_their_file)
