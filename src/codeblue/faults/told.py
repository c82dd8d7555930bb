"""What rules ask where a text tells only a part: symptoms that were seen, GPUs that a program named."""

from codeblue.model.facts import Driver, Gpu, Nvml, Sightings
from codeblue.model.section import Unread, was_read


def symptoms(sightings: Sightings | None, *faults: str) -> list[str]:
    """Return the paths of the lines that show one of these faults, at most two."""
    seen = sightings.seen if sightings else []
    return [f"sightings.seen[{n}].text" for n, one in enumerate(seen) if one.fault in faults][:2]


def gpu_told(nvml: Nvml | None, driver: Driver | Unread | None) -> str | None:
    """Return the path of the fact with which NVIDIA's own tools show a GPU, None if none does."""
    if nvml is not None and gpus_told(nvml):
        return "nvml.gpus"
    return (
        "driver.module_version" if isinstance(driver, Driver) and was_read(driver, "module_version") else None
    )


def gpus_told(nvml: Nvml | None) -> dict[str, Gpu]:
    """Return the GPUs that were listed."""
    return nvml.gpus if nvml is not None and was_read(nvml, "gpus") else {}
