"""What rules share about the kernel that will boot, and about keeping nouveau out of it."""

from collections.abc import Iterable

from codeblue.model.facts import Host, NextBoot
from codeblue.model.fault import Certainty

LISTS = ("modprobe.blacklist", "module_blacklist")
EARLY_LISTS = ("rd.driver.blacklist", "rdblacklist")
"""Read by dracut, which has no say once the root file system is there."""
MISSPELT_LISTS = (
    "modprob.blacklist",
    "modeprobe.blacklist",
    "mobprobe.blacklist",
    "modprobes.blacklist",
    "modproble.blacklist",
    "moprobe.blacklist",
    "module.blacklist",
    "rd.drivers.blacklist",
    "rddriver.blacklist",
)
MISSPELT = (
    "nouveau.modset",
    "nouveau.mode",
    "nouveau.mode_set",
    "nouveau.mod_set",
    "nouveau.modsetting",
    "nouveau-modeset",
    "nouveau_modeset",
    "noveau.modeset",
)
PATIENT_BUILDERS = ("dkms", "akmods")
"""Units that build what is missing while the machine boots."""


def keeps_nouveau_out(parameters: Iterable[str], early: bool = False) -> bool:
    """Return whether kernel parameters keep nouveau off the GPU; ``early``: while the initramfs runs."""
    lists = (*LISTS, *EARLY_LISTS) if early else LISTS
    for word in parameters:
        name, _, value = word.partition("=")
        if name in lists and "nouveau" in value.split(","):
            return True
        if (name, value) == ("nouveau.modeset", "0") or word == "nomodeset":
            return True
    return False


def misspelt(parameters: Iterable[str]) -> int | None:
    """Return the position of the first parameter that was to keep nouveau out and is misspelt."""
    for position, word in enumerate(parameters):
        name, _, value = word.partition("=")
        if name in MISSPELT or (name in MISSPELT_LISTS and "nouveau" in value):
            return position
    return None


def boots_from_here(host: Host, next_boot: NextBoot) -> bool:
    """Return whether the running kernel is one of those installed; if not, it comes from outside."""
    return next_boot.kernel is not None and host.kernel in next_boot.kernels


def sureness(next_boot: NextBoot) -> Certainty:
    """Return how sure it is that this kernel will boot."""
    return Certainty.LIKELY if next_boot.chosen_by == "newest-file" else Certainty.CERTAIN
