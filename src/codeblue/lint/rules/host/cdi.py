"""Can engines use a CDI specification, and does it name the files of the driver that is loaded?"""

import re
from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.model.config.files import CdiSpec
from codeblue.model.config.node import Node
from codeblue.model.facts import Driver
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

KIND = re.compile(r"[A-Za-z0-9][A-Za-z0-9.-]*/[A-Za-z0-9][A-Za-z0-9_-]*$")
LIBRARY = re.compile(
    r"/lib(?:nvidia|cuda|EGL_nvidia|GLX_nvidia|nvcuvid|nvoptix)[\w-]*\.so\.(\d{3}\.\d+(?:\.\d+)?)$"
)


@rule("cdi-spec-invalid")
def required_fields_are_there(spec: CdiSpec) -> Iterator[Problem]:
    """An engine skips the whole file otherwise."""
    first = spec.root.pairs[0][0].place if spec.root.pairs else spec.root.place
    for name in ("cdiVersion", "kind", "devices"):
        if spec.root.get(name) is None:
            yield Problem(
                place=first,
                variant="missing",
                message=message(
                    "{name} is missing: engines skip the file", "缺少 {name}：引擎会忽略这个文件", name=name
                ),
            )
    kind = spec.root.get("kind")
    if kind is not None and not KIND.match(kind.text):
        yield Problem(
            place=kind.place,
            variant="kind",
            message=message(
                "kind has to be vendor/class such as nvidia.com/gpu",
                "kind 必须是 vendor/class 的形式，例如 nvidia.com/gpu",
            ),
        )
    yield from _texts(spec)


def _texts(spec: CdiSpec) -> Iterator[Problem]:
    version = spec.root.get("cdiVersion")
    names = [name for device in spec.root.each("devices") if (name := device.get("name"))]
    for node in [*([version] if version else []), *names]:
        if node.kind not in ("string", "map", "list"):
            yield Problem(
                place=node.place,
                variant="not-a-text",
                message=message(
                    "{text} without quotes is a number, and a text is wanted: engines skip the file",
                    "不加引号的 {text} 是数字，而这里要求字符串：引擎会忽略这个文件",
                    text=node.text,
                ),
                fix=Fix(
                    message("put it into quotes", "加上引号"),
                    (Edit(node.place, f'"{node.text}"'),),
                    safe=True,
                ),
            )


def _versions(spec: CdiSpec) -> Iterator[tuple[Node, str]]:
    for node in spec.root.walk():
        if node.kind == "string" and (found := LIBRARY.search(node.text)):
            yield node, found[1]


@rule("cdi-spec-stale-after-driver-update")
def files_are_of_one_driver(spec: CdiSpec) -> Iterator[Problem]:
    """Library names of two releases in one file: one of them is gone."""
    first = ""
    for node, version in _versions(spec):
        first = first or version
        if version != first:
            yield Problem(
                place=node.place,
                certainty=Certainty.LIKELY,
                variant="mixed",
                message=message(
                    "this file is of driver {version}, others here are of {first}",
                    "这个文件属于驱动 {version}，此处其他文件属于 {first}",
                    version=version,
                    first=first,
                ),
            )
            return


@rule("cdi-spec-stale-after-driver-update")
def files_are_of_the_loaded_driver(spec: CdiSpec, driver: Driver) -> Iterator[Problem]:
    """Look at the first library that is not of the driver that is loaded."""
    for node, version in _versions(spec):
        if version != driver.module_version:
            yield Problem(
                place=node.place,
                message=message(
                    "names files of driver {version}; {loaded} is loaded: generate the file again",
                    "指向驱动 {version} 的文件，而加载的是 {loaded}：请重新生成",
                    version=version,
                    loaded=driver.module_version,
                ),
            )
            return


RULES = (required_fields_are_there, files_are_of_one_driver, files_are_of_the_loaded_driver)
