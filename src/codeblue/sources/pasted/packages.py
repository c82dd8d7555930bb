"""``dpkg -l`` and ``rpm -qa``: packages of the driver, CUDA, container engines and kernels."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Package, Packages
from codeblue.model.section import Section
from codeblue.sources.clues import Line

WANTED = re.compile(
    r"(?:lib)?(?:nvidia|nvlsm|cuda|cudnn|nccl|cublas|nvinfer)|xserver-xorg-video-nvidia|datacenter-gpu-manager|dkms$"
    r"|linux-(?:image|modules|headers|nvidia|generic)|kernel(?:-core|-modules|-devel|-headers|-default)?$"
    r"|kmod-nvidia|docker-ce$|docker\.io$|containerd|podman$|mlnx|doca-"
)
DPKG = re.compile(r"^([a-zA-Z])([a-zA-Z])R? +([a-z0-9][\w.+-]*)(?::(\w+))? +(\d[\w.:+~-]*)(?: .*)?$")
RPM = re.compile(r"^([a-zA-Z][\w.+-]*?)-((?:\d+:)?\d[\w.+~^]*-\d[\w.+~^]*)\.(?:x86_64|aarch64|noarch)$")


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the packages that are listed; others may be installed too."""
    found: dict[str, Package] = {}
    manager = source = ""
    for line in lines:
        text = line.text.strip()
        if row := DPKG.match(text):
            _, status, name, architecture, version = row.groups()
            if status in "cn" or architecture == "i386" or not WANTED.match(name):
                continue  # removed, or for 32-bit programs
            found.setdefault(name, Package(version=version, whole=status == "i", held=row.group(1) == "h"))
            manager = manager or "dpkg"
        elif (row := RPM.match(text)) and WANTED.match(row.group(1)):
            found.setdefault(row.group(1), Package(version=row.group(2), whole=True))
            manager = manager or "rpm"
        else:
            continue
        source = source or line.place
    if found:
        yield Packages(manager=manager, installed=found, source=source)
