"""Does Compose accept how GPUs are reserved?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.compose import Compose, Service
from codeblue.model.config.node import Node
from codeblue.model.config.place import Place
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message
from codeblue.sources.config.compose import RESERVED

DRIVERS = ("nvidia", "cdi", "amd", "amdgpu", "")
"""Drivers of devices that docker has, or that a plug-in is known to bring."""


def _requests(compose: Compose) -> Iterator[tuple[Service, Node, bool]]:
    """Yield each request for devices, with its service, and whether it is a reservation."""
    for service in compose.services:
        for one in service.own.each(*RESERVED):
            if one.kind == "map":
                yield service, one, True
        for one in service.own.each("gpus"):
            if one.kind == "map":
                yield service, one, False


@rule("device-reservation-invalid")
def capabilities_are_named(compose: Compose) -> Iterator[Problem]:
    """Compose refuses a reservation without capabilities; with others than gpu no GPU comes."""
    for service, one, reserved in _requests(compose):
        told = one.get("capabilities")
        if told is None and reserved:
            yield Problem(
                place=_begin(one),
                variant="no-capabilities",
                message=message(
                    "service {name}: a reserved device needs capabilities: [gpu]; Compose refuses the file",
                    "服务 {name}：预留设备必须写 capabilities: [gpu]；否则 Compose 拒绝该文件",
                    name=service.name,
                ),
                fix=_with_capabilities(one),
            )
        elif told is not None and told.kind not in ("list", "null"):
            yield Problem(
                place=told.place,
                variant="capabilities-no-list",
                message=message(
                    "service {name}: capabilities is a list: [{value}]",
                    "服务 {name}：capabilities 必须是列表：[{value}]",
                    name=service.name,
                    value=told.text,
                ),
                fix=Fix(message("make it a list", "改为列表"), (Edit(told.place, f"[{told.text}]"),)),
            )


def _begin(one: Node) -> Place:
    return one.pairs[0][0].place if one.pairs else one.place


def _with_capabilities(one: Node) -> Fix | None:
    """Write the missing line above the first key of the request."""
    if one.style == "flow" or not one.pairs:
        return None
    first = one.pairs[0][0].place
    indent = " " * (first.column - 1)
    return Fix(
        message("add capabilities: [gpu]", "加上 capabilities: [gpu]"),
        (Edit(first.start, f"capabilities: [gpu]\n{indent}"),),
    )


@rule("device-reservation-invalid")
def number_or_names(compose: Compose) -> Iterator[Problem]:
    """``count`` and ``device_ids`` exclude each other; a count is a number or ``all``."""
    for service, one, _ in _requests(compose):
        count, ids = one.get("count"), one.get("device_ids")
        key = one.key("count")
        if key is not None and count is not None and ids is not None and ids.items:
            yield Problem(
                place=key.place,
                variant="count-and-ids",
                message=message(
                    "service {name}: count and device_ids exclude each other; docker refuses both together",
                    "服务 {name}：count 与 device_ids 不能同时写；docker 会拒绝",
                    name=service.name,
                ),
            )
        elif count is not None and not _is_count(count.text):
            yield Problem(
                place=count.place,
                variant="count-invalid",
                message=message(
                    "service {name}: count is {value}; it must be a whole number or all",
                    "服务 {name}：count 为 {value}；必须是整数或 all",
                    name=service.name,
                    value=count.text,
                ),
            )


def _is_count(text: str) -> bool:
    return text in ("all", "-1") or text.isdecimal() or "$" in text


@rule("device-reservation-invalid")
def driver_exists(compose: Compose) -> Iterator[Problem]:
    """A driver that docker does not know cannot be selected."""
    for service, one, _ in _requests(compose):
        driver = one.get("driver")
        gpus = {item.text for item in one.each("capabilities")}
        if driver is None or "$" in driver.text or driver.text in DRIVERS or "gpu" not in gpus:
            continue
        slip = driver.text.lower().strip(" \"'") in (
            "nvidia",
            "nvida",
            "nividia",
            "nvdia",
            "nvidea",
            "cuda",
            "gpu",
        )
        yield Problem(
            place=driver.place,
            variant="driver-unknown",
            message=message(
                "service {name}: docker has no device driver {driver}; write nvidia",
                "服务 {name}：docker 没有名为 {driver} 的设备驱动；应写 nvidia",
                name=service.name,
                driver=driver.text,
            ),
            certainty=Certainty.CERTAIN if slip else Certainty.LIKELY,
            fix=Fix(message("write nvidia", "改为 nvidia"), (Edit(driver.place, "nvidia"),))
            if slip
            else None,
        )


RULES = (capabilities_are_named, number_or_names, driver_exists)
