"""What the faults about hidden wheel libraries share: which copy was mapped, and whether it did harm."""

import re
from collections.abc import Iterator

from codeblue.faults.libraries.search_path import drop, folder
from codeblue.model.facts import Library, Loader, TorchTrial
from codeblue.model.fault import Certainty, Hit, Kind, Severity, cite
from codeblue.model.text import message

LINKING = re.compile(
    r"undefined symbol|symbol lookup error|not defined in file|version incompatib|Could not load library"
)
"""Words with which the loader or cuDNN says that two libraries do not fit each other."""


def shadow(stem: str, loader: Loader, trial: TorchTrial) -> Iterator[Hit]:
    """Yield a hit if a copy outside the wheel of a library ``lib<stem>*`` was mapped, or broke the trial."""
    hidden = [
        name for name in loader.shadowed if name.startswith(f"lib{stem}") and name in loader.environment
    ]
    foreign = [name for name in hidden if is_foreign(trial.libraries.get(name), loader.environment[name])]
    own = [name for name in hidden if name in trial.libraries and name not in foreign]
    if not hidden or (own and not foreign):
        return
    trouble = blame(stem, trial, bool(foreign))
    if trouble is not None:
        name = (foreign or hidden)[0]
        yield _hit(name, loader, trial, Kind.TROUBLE, trouble)
        return
    differing = [name for name in foreign if not same_version(name, loader)]
    if differing:
        yield _hit(differing[0], loader, trial, Kind.RISK, Certainty.POSSIBLE)


def is_foreign(mapped: str | None, own: Library) -> bool:
    """True if the mapped file is not the wheel's own copy."""
    return mapped is not None and mapped not in (own.path, own.real)


def same_version(name: str, loader: Loader) -> bool:
    """True if both copies are known to be of one version."""
    other = loader.libraries.get(name)
    own = loader.environment[name].version
    return other is not None and own is not None and other.version == own


def blame(stem: str, trial: TorchTrial, mapped: bool) -> Certainty | None:
    """Return how sure it is that the trial failed because of this library; None if it did not."""
    if trial.imported and trial.signal is None and not failed_devices(trial) and trial.error is None:
        return None
    said = " ".join([trial.error or "", *failed_devices(trial)])
    if stem.lower() not in said.lower():
        return None
    if not LINKING.search(said):
        return Certainty.LIKELY if mapped else None
    return Certainty.CERTAIN if mapped else Certainty.LIKELY


def failed_devices(trial: TorchTrial) -> list[str]:
    """Return the errors of the devices on which the trial's kernel failed."""
    if not trial.imported:
        return []
    return [device.error or "" for device in trial.devices.values() if not device.ok]


def _hit(name: str, loader: Loader, trial: TorchTrial, kind: Kind, certainty: Certainty) -> Hit:
    other = trial.libraries.get(name) or loader.shadowed[name]
    paths = ["loader.shadowed", f"loader.environment[{name}].path"]
    if name in trial.libraries:
        paths.insert(0, f"torch_trial.libraries[{name}]")
    if kind is Kind.TROUBLE:
        paths.append("torch_trial.error")
    return Hit(
        subject=f"library:{name}",
        kind=kind,
        severity=Severity.ERROR if kind is Kind.TROUBLE else Severity.NOTE,
        certainty=certainty,
        summary=message(
            "{other} is found before the wheel's own {own}",
            "{other} 先于 wheel 自带的 {own} 被找到",
            other=other,
            own=loader.environment[name].path,
        ),
        because=cite(*paths),
        remedy=drop(folder(loader.shadowed[name]), loader),
    )
