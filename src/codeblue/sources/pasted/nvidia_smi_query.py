"""``nvidia-smi -q`` and ``nvidia-smi -q -x``: the long description of every GPU."""

import re
from collections.abc import Callable, Iterator, Sequence

from codeblue.model.facts import Cuda, Driver, Gpu, Nvml
from codeblue.model.section import UNREAD, Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.nvidia_smi import NAME
from codeblue.sources.pasted.transcript import command

BEGIN = re.compile(r"^=+NVSMI LOG=+$|^<nvidia_smi_log>$")
FIELD = re.compile(r"^( *)(\S[^:]{0,60}?)(?: *: (.*))?$")
GPU = re.compile(r"^GPU ([0-9A-Fa-f]{4,8}:[0-9A-Fa-f:.]{4,12})$")
XML_GPU = re.compile(r'^<gpu id="([0-9A-Fa-f:.]{8,20})">$')
XML = re.compile(r"^<(\w+)>(?:([^<]*)</\w+>)?$")
XML_END = re.compile(r"^</(\w+)>$")
DRIVER = re.compile(r"(\d{3}\.\d+(?:\.\d+)?)(?: \[|$)")
CUDA = re.compile(r"(\d+)\.(\d+)(?: \[|$)")
"""Driver branch 610 gives both fields new names and adds a note in brackets to the old ones."""
CHOSEN = re.compile(r" (?:-i|--id)[ =]*([\w:.,-]+)")
MIB = 1 << 20
DEEP = 12
REASONS = {
    "hw_slowdown": 0x8,
    "sw_thermal_slowdown": 0x20,
    "hw_thermal_slowdown": 0x40,
    "hw_power_brake_slowdown": 0x80,
}
"""NVML's bits of the reasons that matter, by name."""
RECOVERY = {"none": 0, "reset": 1, "reboot": 2, "drain p2p": 3, "drain and reset": 4}
"""NVML's recovery actions."""

Value = tuple[str, str]
Convert = Callable[[str], object]


def _mib(text: str) -> int:
    return int(text.split(maxsplit=1)[0]) * MIB


def _yes(text: str) -> bool:
    return text.lower() == "yes"


def _enabled(text: str) -> bool:
    return text.lower() == "enabled"


def _number(text: str) -> int:
    return int(re.match(r"\d+", text).group())  # type: ignore[union-attr]  # a ValueError in other words


FIELDS: dict[str, tuple[str, Convert]] = {
    "product_name": ("name", str),
    "persistence_mode": ("persistence", _enabled),
    "mig_mode/current": ("mig", _enabled),
    "mig_mode/current_mig": ("mig", _enabled),
    "minor_number": ("minor", _number),
    "gpu_recovery_action": ("recovery_action", lambda text: RECOVERY[text.lower()]),
    "fb_memory_usage/total": ("memory_total", _mib),
    "fb_memory_usage/used": ("memory_used", _mib),
    "compute_mode": ("compute_mode", lambda text: text.lower().replace("_", "-")),
    "ecc_mode/current": ("ecc", _enabled),
    "ecc_mode/current_ecc": ("ecc", _enabled),
    "remapped_rows/pending": ("remapped_pending", _yes),
    "remapped_rows/remapped_row_pending": ("remapped_pending", _yes),
    "remapped_rows/remapping_failure_occurred": ("remapped_failed", _yes),
    "remapped_rows/remapped_row_failure": ("remapped_failed", _yes),
    "temperature/gpu_current_temp": ("temperature", _number),
    "temperature/gpu_temp": ("temperature", _number),
    "pci/gpu_link_info/link_width/current": ("link_width", _number),
    "pci/gpu_link_info/link_width/max": ("link_width_max", _number),
    "pci/pci_gpu_link_info/link_widths/current_link_width": ("link_width", _number),
    "pci/pci_gpu_link_info/link_widths/max_link_width": ("link_width_max", _number),
}
UNCORRECTED = re.compile(r"^ecc_errors/volatile/(?:(?:s|d)ram_uncorrectable\w*|double_bit/total)$")
"""GPUs before Ampere count single and double bit errors."""
REASON = re.compile(
    r"^clocks_(?:event|throttle)_reasons/(?:clocks_(?:event|throttle)_reason_|hw_slowdown/)?(\w+)$"
)


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield what the long form says of driver and GPUs."""
    begin = next((n for n, line in enumerate(lines) if BEGIN.match(line.text.strip())), None)
    if begin is None:
        return
    xml = lines[begin].text.strip().startswith("<")
    source = lines[begin].place
    attached: int | None = None
    gpus: dict[str, Gpu] = {}
    """By address."""
    for address, values in _described(lines[begin + 1 :], xml):
        if address is None:
            whole = dict(values)
            yield from _whole(whole, source)
            attached = _attached(whole)
        else:
            gpus[address] = _gpu(address, values)
    if gpus:
        chosen = _chosen(lines[:begin])
        if attached is None and chosen is None:
            attached = len(gpus)
        numbers = _numbers(list(gpus), chosen, attached, lines)
        by_number = dict(zip(numbers, gpus.values(), strict=True))
        yield Nvml(gpus=by_number, count=UNREAD if attached is None else attached, source=source)


def _attached(whole: dict[str, str]) -> int | None:
    """Return how many GPUs the machine has, also where only some are described."""
    said = whole.get("attached_gpus", "")
    return int(said) if said.isdigit() else None


def _chosen(before: Sequence[Line]) -> str | None:
    """Return the GPUs that the command asked for, as far as it stands above its output."""
    typed = next(filter(None, map(command, reversed(before))), "")
    asked = CHOSEN.search(typed) if "nvidia-smi" in typed else None
    return asked.group(1) if asked else None


def _numbers(
    addresses: Sequence[str], chosen: str | None, attached: int | None, lines: Sequence[Line]
) -> Sequence[str]:
    """Return the index of each GPU; its address where nothing tells the index.

    The long form has no numbers. Its order is theirs only where it describes every GPU.
    """
    asked = (chosen or "").split(",")
    if len(asked) == len(addresses) and all(map(str.isdigit, asked)):
        return asked
    if len(addresses) == attached:
        return [str(number) for number in range(attached)]
    rows = filter(None, (NAME.match(line.text) for line in lines))
    listed = {row.group(4).lower(): row.group(1) for row in rows}
    return [listed.get(address, address) for address in addresses]


def _whole(values: dict[str, str], source: str) -> Iterator[Section]:
    driver = DRIVER.match(values.get("kmd_version") or values.get("driver_version") or "")
    if driver:
        yield Driver(module_version=driver.group(1), source=source)
        yield Nvml(driver_version=driver.group(1), init=0, source=source)
    cuda = CUDA.match(values.get("cuda_umd_version") or values.get("cuda_version") or "")
    if cuda:
        yield Cuda(driver_version=int(cuda.group(1)) * 1000 + int(cuda.group(2)) * 10, source=source)


def _described(lines: Sequence[Line], xml: bool) -> Iterator[tuple[str | None, list[Value]]]:
    """Yield the address of each GPU, None for what stands before them, with its values by path."""
    address: str | None = None
    values: list[Value] = []
    for kind, text in _xml(lines) if xml else _indented(lines):
        if kind == "gpu":
            yield address, values
            address, values = text.lower(), []
        else:
            values.append((kind, text))
    yield address, values


def _indented(lines: Sequence[Line]) -> Iterator[Value]:
    above: list[tuple[int, str]] = []
    for line in lines:
        if gpu := GPU.match(line.text):
            above = []
            yield "gpu", gpu.group(1)
            continue
        field = FIELD.match(line.text)
        if not field:
            continue
        depth, name = len(field.group(1)), re.sub(r"\W+", "_", field.group(2).lower())
        above = [(at, word) for at, word in above if at < depth][:DEEP]
        if field.group(3) is None:
            above.append((depth, name))
        else:
            yield "/".join([*(word for _, word in above), name]), field.group(3).strip()
            above.append((depth, name))  # MIG Mode and the like have lines of their own below


def _xml(lines: Sequence[Line]) -> Iterator[Value]:
    above: list[str] = []
    for line in lines:
        text = line.text.strip()
        if gpu := XML_GPU.match(text):
            above = []
            yield "gpu", gpu.group(1)
        elif field := XML.match(text):
            if field.group(2) is None:
                above = [*above[:DEEP], field.group(1)]
            else:
                yield "/".join([*above, field.group(1)]), field.group(2).strip()
        elif (end := XML_END.match(text)) and end.group(1) in above:
            above = above[: above.index(end.group(1))]


def _gpu(address: str, values: Sequence[Value]) -> Gpu:
    known: dict[str, object] = {}
    uncorrected: int | None = None
    throttle: int | None = None
    for path, text in values:
        if path in FIELDS and text not in ("N/A", ""):
            name, convert = FIELDS[path]
            try:
                known.setdefault(name, convert(text))
            except (ValueError, KeyError, AttributeError, IndexError):
                continue  # a word that this version of the tool does not know
        elif UNCORRECTED.match(path) and text.isdigit():
            uncorrected = (uncorrected or 0) + int(text)
        elif reason := REASON.match(path):
            bit = REASONS.get(reason.group(1), 0)
            throttle = (throttle or 0) | (bit if text == "Active" else 0)
    if uncorrected is not None:
        known["ecc_uncorrected"] = uncorrected
    if throttle is not None:
        known["throttle"] = throttle
    return Gpu(handle=0, pci=address, **known)  # type: ignore[arg-type]  # by field name
