"""The topics of codes and names that software prints or reads: Xid, SXid, errors, variables."""

import re

from codeblue.knowledge.lookup.build import Raw, Topic, derived, fields, row
from codeblue.knowledge.tables import by_key, table
from codeblue.model.rows import Field, Row

_CODE = re.compile(r"(?:(?P<table>cuda|nvml)\b[ :]*)?(?:error[ :]*)?(?P<rest>\S+)", re.IGNORECASE)
NVML = "nvml_errors"
CUDA = "cuda_errors"


def _numbered(name: str, text: str) -> list[Raw]:
    word = text.strip().casefold().removeprefix(name).strip()
    return [raw for raw in table(name)["rows"] if word == str(raw["code"])]


def _code(raw: Raw) -> str:
    return str(raw["code"])


def _build_xid(raw: Raw, _: str) -> Row:
    printed = f"NVRM: Xid (PCI:0000:3b:00): {raw['code']}, pid=1, name=python3, {raw.get('title') or ''}"
    told = fields(
        raw,
        *("title", "meaning", "class", "severity", "action", "app_can_cause", "look_at", "name", "alias"),
        without=("code",),
    )
    return row("xid", _code(raw), raw, told, file="xid", printed=(printed,))


XID = Topic(lambda: table("xid")["rows"], _code, lambda text: _numbered("xid", text), _build_xid)


def _build_sxid(raw: Raw, _: str) -> Row:
    fatal = "Non-fatal" if raw["fatality"] == "non_fatal" else "Fatal"
    printed = f"nvidia-nvswitch0: SXid (PCI:0000:c1:00.0): {raw['code']}, {fatal}, Link 01 {raw['name']}"
    told = fields(raw, "name", "block", "fatality", "action", without=("code",))
    return row("sxid", _code(raw), raw, told, file="sxid", printed=(printed,))


SXID = Topic(lambda: table("sxid")["rows"], _code, lambda text: _numbered("sxid", text), _build_sxid)


# Errors of two libraries with numbers of their own.


def _errors() -> list[Raw]:
    return [*table(CUDA)["rows"], *table(NVML)["rows"]]


def _names(raw: Raw) -> list[str]:
    return [name for key in ("runtime", "driver", "name") if (name := raw.get(key))]


def _error_name(raw: Raw) -> str:
    return (_names(raw) or [str(raw["code"])])[0]


def _find_error(text: str) -> list[Raw]:
    found = _CODE.fullmatch(text.strip())
    if found is None:
        return []
    asked, word = (found["table"] or "").casefold(), found["rest"].casefold()
    rows = {"cuda": table(CUDA)["rows"], "nvml": table(NVML)["rows"]}.get(asked) or _errors()
    return [raw for raw in rows if word == str(raw["code"]) or word in map(str.casefold, _names(raw))]


def _build_error(raw: Raw, _: str) -> Row:
    file = NVML if "name" in raw else CUDA
    told = fields(raw, "code", "runtime", "driver", "name", "text", "class", "meaning", "causes", "check")
    legacy = _legacy(raw) if file == CUDA else []
    printed = [f"CUDA error: {raw['text']}", f"RuntimeError: {raw['text']}"] if "text" in raw else []
    printed += [f"CUDA driver error: {name}" for name in _names(raw)]
    return row("error", _error_name(raw), raw, [*told, *legacy], file=file, printed=tuple(printed))


def _legacy(raw: Raw) -> list[Field]:
    """Return the number that the runtime gave before CUDA 10.1, where it is known."""
    rows = table(CUDA)["legacy_runtime"]
    return [derived("legacy_code", one["code"], True) for one in rows if one["now"] == raw["code"]]


ERROR = Topic(_errors, _error_name, _find_error, _build_error, spoken=True)


# Environment variables.


def _find_variable(text: str) -> list[Raw]:
    name = text.strip().partition("=")[0].upper()
    found = by_key("nccl_env", "name").get(name)
    return [found] if found else []


def _build_variable(raw: Raw, _: str) -> Row:
    told = fields(raw, "lib", "purpose", "values", "default", "since", "last", "risk", without=("name",))
    return row("env", raw["name"], raw, told, file="nccl_env")


ENV = Topic(lambda: table("nccl_env")["rows"], lambda raw: str(raw["name"]), _find_variable, _build_variable)
