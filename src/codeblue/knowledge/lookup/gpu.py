"""The topic ``gpu``."""

from typing import Any

from codeblue.knowledge import gpu_names
from codeblue.knowledge.architectures import runs
from codeblue.knowledge.lookup.build import Raw, Topic, derived, fields, row
from codeblue.knowledge.tables import table
from codeblue.model.rows import Field, Row

ARM = frozenset({"superchip", "jetson"})
"""Classes whose processors are aarch64."""

FIRST = (
    *("arch", "cc", "class", "mem_gb", "mem_gbs", "tflops", "sms", "nvlink_gen", "nvlink_gbs"),
    *("min_driver_branch", "last_driver_branch", "min_cuda", "last_cuda"),
)


def _build(raw: Raw, _: str) -> Row:
    capability = _capability(raw["cc"])
    formats = [derived(key, capability[key]) for key in ("bf16", "tf32", "fp8", "fp4") if key in capability]
    told = fields(raw, *FIRST, without=("name",))
    return row("gpu", raw["name"], raw, [*told, *formats, *_torch(raw)], file="gpus")


def _capability(cc: str) -> Raw:
    rows: list[Raw] = table("gpus")["capabilities"]
    return next((row for row in rows if row["cc"] == cc), {})


def _torch(raw: Raw) -> list[Field]:
    """Return the first and the last official release that has code for the GPU."""
    variants = "aarch64_variants" if raw["class"] in ARM else "variants"
    fitting = [
        release["version"]
        for release in table("torch_releases")["rows"]
        if any(_has_code(raw["cc"], variant) for variant in release[variants].values())
    ]
    if not fitting:
        return [derived("torch_first", None), derived("torch_last", None)]
    return [derived("torch_first", fitting[0]), derived("torch_last", fitting[-1])]


def _has_code(capability: str, variant: dict[str, Any]) -> bool:
    return variant["confidence"] != "low" and runs(capability, [f"sm_{number}" for number in variant["sm"]])


GPU = Topic(
    rows=lambda: table("gpus")["rows"],
    name=lambda raw: str(raw["name"]),
    find=gpu_names.matching,
    build=_build,
    near=gpu_names.nearest,
    spoken=True,
)
