"""The topics of releases: torch, driver, CUDA toolkit, cuDNN, NCCL, TensorRT."""

import re
from collections.abc import Callable

from codeblue.knowledge.defects import affecting
from codeblue.knowledge.lookup.build import Raw, Topic, by_version, defects, derived, field, fields, grid, row
from codeblue.knowledge.tables import by_key, table
from codeblue.knowledge.versions import older, parts
from codeblue.knowledge.wheels import driver_runs, local
from codeblue.model.rows import Field, Grid, Row

VARIANT = (
    *("variant", "cuda", "cudnn", "nccl", "driver_min", "driver_native"),
    *("capabilities", "sm_unsure", "ptx", "confidence", "note"),
)
FIX = ("fixed_in", "what", "cves", "max_cvss", "bulletin")
_BRANCH = re.compile(r"r?(\d{3})(?:\.x|(?:\.\d+)*)")


def _version(raw: Raw) -> str:
    return str(raw["version"])


# torch


def variants(raw: Raw, key: str = "variants") -> list[Raw]:
    """Return the CUDA builds of a torch release, each with the drivers that run it.

    ``driver_min`` is the lowest driver under minor-version compatibility, ``driver_native`` the driver of
    the toolkit; ``capabilities`` are those that the build has machine code for.
    """
    return [_variant(name, build, raw, f"{key}.{name}.") for name, build in raw[key].items()]


def _variant(name: str, build: Raw, raw: Raw, path: str) -> Raw:
    toolkit = by_key("cuda_toolkits", "version").get(build["cuda"], {})
    native = next((one["driver"] for one in toolkit.get("updates", ()) if one.get("driver")), None)
    low = {one.removeprefix(path) for one in raw.get("low", ()) if one.startswith(path)}
    low |= set(build.get("low", ()))
    if "sm" in low:
        low.add("capabilities")
    if toolkit.get("confidence") == "low":
        low |= {"driver_min", "driver_native"}
    return build | {
        "variant": name,
        "capabilities": [capability(number) for number in build["sm"]],
        "sm_unsure": [capability(number) for number in build.get("sm_unsure", ())] or None,
        "ptx": [capability(number) for number in build["ptx"]] if "ptx" in build else None,
        "driver_min": toolkit.get("driver_min_minor_compat") or native,
        "driver_native": native,
        "low": sorted(low),
    }


def capability(number: int | str) -> str:
    """Return a capability as people write it, e.g. ``8.9`` for 89; a suffix stays."""
    found = re.fullmatch(r"(\d+)(\d)([af]?)", str(number))
    assert found, number
    return f"{found[1]}.{found[2]}{found[3]}"


def _find_torch(text: str) -> list[Raw]:
    plain, _, wanted = text.partition("+")
    found = by_version(table("torch_releases")["rows"], plain)
    return [raw for raw in found if not wanted or wanted in {**raw["variants"], **raw["aarch64_variants"]}]


def _build_torch(raw: Raw, text: str) -> Row:
    wanted = local(text)
    grids = [
        grid(key, VARIANT, [one for one in variants(raw, key) if wanted in ("", one["variant"])])
        for key in ("variants", "aarch64_variants")
    ]
    hidden = ("version", "variants", "aarch64_variants")
    told = fields(raw, "date", "requires_python", "python", without=hidden)
    bad = defects(affecting("torch", raw["version"]))
    return row("torch", raw["version"], raw, told, *grids, bad, file="torch_releases")


TORCH = Topic(lambda: table("torch_releases")["rows"], _version, _find_torch, _build_torch)


# driver


def _find_driver(text: str) -> list[Raw]:
    found = _BRANCH.fullmatch(text.strip())
    known = by_key("drivers", "branch").get(int(found[1])) if found else None
    return [known] if known else []


def _build_driver(raw: Raw, text: str) -> Row:
    newest = raw["releases"][-1]["v"]
    floor = security_floor(raw["branch"])
    toolkits = table("cuda_toolkits")["rows"]
    more = [one for one in toolkits if older(raw["cuda_max"], one["version"])]
    joined = [
        derived("cuda_minor_compat", [one["version"] for one in more if driver_runs(newest, one["version"])]),
        derived(
            "native_of",
            [one["version"] for one in toolkits if one["native_driver_branch"] == raw["branch"]],
        ),
        derived("security_floor", floor),
        derived("newest_release", newest),
    ]
    release = text.strip().removeprefix("r")
    asked = _release(raw, release, floor) if re.search(r"\.\d", release) else []
    told = fields(raw, "cuda_max", without=("branch", "releases"))
    told[1:1] = joined
    bad = [one for one in table("known_bad")["rows"] if _concerns(one, raw["branch"])]
    listed = grid("releases", ("v", "date"), raw["releases"])
    name = release if asked else str(raw["branch"])
    return row("driver", name, raw, [*asked, *told], listed, defects(bad), file="drivers")


def _release(raw: Raw, release: str, floor: str | None) -> list[Field]:
    """Return what is known of one release of the branch."""
    listed = {one["v"]: one for one in raw["releases"]}
    return [
        derived("branch", raw["branch"]),
        derived("release_listed", release in listed),
        derived("release_date", listed.get(release, {}).get("date")),
        derived("below_security_floor", older(release, floor) if floor else None),
    ]


def security_floor(branch: int) -> str | None:
    """Return the lowest release of a driver branch without a listed vulnerability; None if not known."""
    rows = table("security")["driver_floor"]
    return next((one["lowest_safe"] for one in rows if one["branch"] == branch), None)


def _concerns(bad: Raw, branch: int) -> bool:
    return bad["component"] == "driver" and str(bad["affected"]).startswith(f"{branch} ")


DRIVER = Topic(lambda: table("drivers")["rows"], lambda raw: str(raw["branch"]), _find_driver, _build_driver)


# CUDA toolkit


def _find_cuda(text: str) -> list[Raw]:
    rows = table("cuda_toolkits")["rows"]
    wanted = text.strip().removeprefix("v")
    return [raw for raw in rows if any(wanted == one["v"] for one in raw["updates"])] or by_version(
        rows, wanted
    )


def _build_cuda(raw: Raw, text: str) -> Row:
    version, asked = raw["version"], text.strip().removeprefix("v")
    exact = any(asked == one["v"] for one in raw["updates"])
    items = [one | {"low": _update_low(raw, one["v"])} for one in raw["updates"]]
    built = [
        f"{one['version']}+{name}"
        for one in table("torch_releases")["rows"]
        for name, build in one["variants"].items()
        if build["cuda"] == version
    ]
    told = fields(raw, "date", "driver_min_minor_compat", without=("version", "updates", "targets"))
    targets = field(raw | {"targets": [capability(number) for number in raw["targets"]]}, "targets")
    return row(
        "cuda",
        asked if exact else version,
        raw,
        [*told, targets, derived("torch", built)],
        grid("updates", ("v", "driver", "date"), items),
        defects(affecting("cuda", asked if exact else raw["updates"][-1]["v"])),
        _fixes("cuda", version),
        file="cuda_toolkits",
    )


def _update_low(raw: Raw, update: str) -> list[str]:
    low = set(raw.get("low", ()))
    if low & {"updates", f"updates.{update}"}:
        return ["v", "driver", "date"]
    return [key for key in ("driver", "date") if low & {f"updates.{key}", f"updates.{update}.{key}"}]


def _fixes(component: str, version: str) -> Grid:
    """Return the security fixes of a component that this version does not have yet."""
    rows = table("security")["rows"]
    later = (one for one in rows if one["component"] == component and older(version, one["fixed_in"]))
    return grid("security", FIX, later)


CUDA = Topic(lambda: table("cuda_toolkits")["rows"], _version, _find_cuda, _build_cuda)


# libraries


def _build_cudnn(raw: Raw, _: str) -> Row:
    line = next((one for one in table("cudnn")["lines"] if _in_line(raw["version"], one["versions"])), None)
    told = fields(raw, "date", without=("version",)) + (_support(line) if line else [])
    return row("cudnn", raw["version"], raw, told, defects(affecting("cudnn", raw["version"])), file="cudnn")


def _support(line: Raw) -> list[Field]:
    keys = ("cuda", "cc_min", "cc_max", "driver_min", "note")
    return [derived(key, line[key], line["confidence"] == "low") for key in keys if key in line]


def _in_line(version: str, versions: str) -> bool:
    first, _, last = versions.partition("-")
    return parts(first) <= parts(version)[:2] <= parts(last or first)


def _build_nccl(raw: Raw, _: str) -> Row:
    rule = next(one for one in table("cuda_toolkits")["rules"] if one["rule"] == "minor_compat")
    needs = {flavour: rule["majors"][flavour.removeprefix("cu")]["min"] for flavour in raw["pypi"]}
    told = [*fields(raw, "date", without=("version",)), derived("driver_min", needs)]
    return row("nccl", raw["version"], raw, told, defects(affecting("nccl", raw["version"])), file="nccl")


def _build_tensorrt(raw: Raw, _: str) -> Row:
    told = fields(raw, "date", without=("version",))
    return row("tensorrt", raw["version"], raw, told, _fixes("tensorrt", raw["version"]), file="tensorrt")


def _library(name: str, build: Callable[[Raw, str], Row]) -> Topic:
    def rows() -> list[Raw]:
        found: list[Raw] = table(name)["rows"]
        return found

    return Topic(rows, _version, lambda text: by_version(rows(), text), build)


CUDNN = _library("cudnn", _build_cudnn)
NCCL = _library("nccl", _build_nccl)
TENSORRT = _library("tensorrt", _build_tensorrt)
