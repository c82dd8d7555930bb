"""Does the container toolkit read its config.toml as it was meant?"""

import re
from collections.abc import Iterator

from codeblue.knowledge import config_keys
from codeblue.lint.rule import rule
from codeblue.model.config.files import ToolkitConfig
from codeblue.model.config.node import Node
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

MODES = ("auto", "legacy", "cdi", "csv", "jit-cdi")
PROGRAM = "nvidia-container-toolkit"


def _walk(table: Node, path: str = "") -> Iterator[tuple[str, Node, Node]]:
    """Yield every key with its path from the root."""
    for key, value in table.pairs:
        full = f"{path}.{key.text}" if path else key.text
        yield full, key, value
        if value.kind == "map":
            yield from _walk(value, full)


@rule("toolkit-config-key-unknown")
def keys_are_known(config: ToolkitConfig) -> Iterator[Problem]:
    """A key that the toolkit does not know, near one that it does, or in the wrong table."""
    for path, key, _ in _walk(config.root):
        above = path.rpartition(".")[0]
        if path in config_keys.keys(PROGRAM) or (above and above not in config_keys.keys(PROGRAM)):
            continue
        right = config_keys.meant(PROGRAM, path)
        elsewhere = [name for name in config_keys.keys(PROGRAM) if name.rpartition(".")[2] == key.text]
        if not right and (len(elsewhere) != 1 or "." not in elsewhere[0]):
            continue
        yield Problem(
            place=key.place,
            message=message(
                "the toolkit does not read {path}; it reads {right}",
                "工具包不读取 {path}；它读取的是 {right}",
                path=path,
                right=right or elsewhere[0],
            ),
            fix=_renamed(key, right) if right else None,
        )


def _renamed(key: Node, right: str) -> Fix:
    name = right.rpartition(".")[2]
    return Fix(message("write {name}", "改为 {name}", name=name), (Edit(key.place, name),))


@rule("toolkit-config-invalid")
def values_can_be_used(config: ToolkitConfig) -> Iterator[Problem]:
    """A wrong type or mode makes every container with GPUs fail."""
    for path, _, value in _walk(config.root):
        wanted = config_keys.keys(PROGRAM).get(path, {}).get("type")
        if wanted and value.kind != wanted:
            bare = wanted == "boolean" and value.text in ("true", "false")
            yield Problem(
                place=value.place,
                variant="wrong-type",
                message=message(
                    "{path} has to be a {wanted}: the toolkit cannot load the file",
                    "{path} 的类型必须是 {wanted}：工具包无法加载这个文件",
                    path=path,
                    wanted=wanted,
                ),
                fix=Fix(message("take the quotes away", "去掉引号"), (Edit(value.place, value.text),))
                if bare
                else None,
            )
    mode = config.root.get("nvidia-container-runtime", "mode")
    if mode is not None and mode.kind == "string" and mode.text not in MODES:
        yield Problem(
            place=mode.place,
            variant="mode",
            message=message(
                "{mode} is no mode of the runtime ({modes}): no container with it starts",
                "{mode} 不是运行时支持的模式（{modes}）：使用它的容器都无法启动",
                mode=mode.text or "''",
                modes=", ".join(MODES),
            ),
        )


@rule("no-cgroups-true-with-rootful-engine")
def cgroups_are_set_up(config: ToolkitConfig) -> Iterator[Problem]:
    """In the file that the engine of root reads; that is right only where all engines are rootless."""
    node = config.root.get("nvidia-container-cli", "no-cgroups")
    if not config.rootless and node is not None and node.text == "true":
        yield Problem(
            place=node.place,
            certainty=Certainty.POSSIBLE,
            severity=Severity.WARNING,
            message=message(
                "no-cgroups = true is for rootless engines; under root, containers may not open the GPU",
                "no-cgroups = true 只用于 rootless 引擎；以 root 运行的引擎下，容器可能无法打开 GPU",
            ),
            fix=Fix(message("set it to false", "改为 false"), (Edit(node.place, "false"),)),
        )


@rule("toolkit-ldconfig-path-wrong")
def ldconfig_is_the_hosts(config: ToolkitConfig) -> Iterator[Problem]:
    """A path without ``@`` is one inside of the container, which newer releases refuse."""
    node = config.root.get("nvidia-container-cli", "ldconfig")
    if node is None or node.kind != "string" or not node.text:
        return
    allowed = config.root.say("features", "allow-ldconfig-from-container") == "true"
    if not re.match(r"@?/.*ldconfig", node.text):
        yield Problem(
            place=node.place,
            message=message(
                "{path} is not a path to ldconfig, as @/sbin/ldconfig is",
                "{path} 不是 ldconfig 的路径（正确写法如 @/sbin/ldconfig）",
                path=node.text,
            ),
        )
    elif not node.text.startswith("@") and not allowed:
        mark = node.style or '"'
        yield Problem(
            place=node.place,
            certainty=Certainty.LIKELY,
            message=message(
                "{path} without @ is a file of the container; toolkit 1.17 and newer refuse it",
                "{path} 没有 @，指的是容器内的文件；工具包 1.17 及更新版本会拒绝",
                path=node.text,
            ),
            fix=Fix(
                message("name the host's ldconfig", "改用主机的 ldconfig"),
                (Edit(node.place, f"{mark}@{node.text}{mark}"),),
            ),
        )


RULES = (keys_are_known, values_can_be_used, cgroups_are_set_up, ldconfig_is_the_hosts)
