"""Does modprobe read a file of modprobe.d, and does NVIDIA's module take its options?"""

import re
from collections.abc import Iterator

from codeblue.knowledge import config_keys
from codeblue.knowledge.near import one_apart
from codeblue.lint.rule import rule
from codeblue.model.config.lines import Modprobe
from codeblue.model.config.place import TOP
from codeblue.model.config.shell import Word
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

DIRECTIVES = ("alias", "blacklist", "config", "include", "install", "options", "remove", "softdep", "weakdep")
NOT_MEANT = re.compile(
    r"\.conf$|~$|\.(?:bak|orig|old|save|disabled|dist|example|md|txt|j2|tmpl|in|erb|dpkg-\w+|rpm\w+|ucf-\w+)$|^README|\.conf\."
)
"""Names that are right, and copies that nobody wants to be read."""
MODULES = {
    **dict.fromkeys(
        ("noveau", "nuoveau", "nouvaeu", "nouveu", "nouveua", "nouvea", "nouveaux", "nouveau.ko"), "nouveau"
    ),
    **dict.fromkeys(("nvida", "nvdia", "nivida", "nvidai", "nvidea"), "nvidia"),
}
"""Names of modules that do not exist, and what was meant."""


@rule("modprobe-config-ignored")
def the_name_ends_in_conf(file: Modprobe) -> Iterator[Problem]:
    """modprobe reads only names that end in ``.conf``."""
    if NOT_MEANT.search(file.name) or not file.lines:
        return
    first = file.lines[0][0].place if file.lines[0] else TOP
    yield Problem(
        place=first,
        variant="file-name",
        message=message(
            "modprobe reads only files that end in .conf, and this one is {name}",
            "modprobe 只读取以 .conf 结尾的文件，而这个文件名是 {name}",
            name=file.name,
        ),
    )


@rule("modprobe-config-ignored")
def directives_are_known(file: Modprobe) -> Iterator[Problem]:
    """modprobe skips a line that begins with another word."""
    for line in file.lines:
        head = line[0]
        if head.text in DIRECTIVES:
            continue
        near = [one for one in DIRECTIVES if one_apart(one, head.text.lower()) or head.text.lower() == one]
        yield Problem(
            place=head.place,
            variant="directive",
            message=message(
                "modprobe skips this line: it knows no {word}",
                "modprobe 会忽略这一行：没有 {word} 这个指令",
                word=head.text,
            ),
            fix=Fix(message("write {right}", "改为 {right}", right=near[0]), (Edit(head.place, near[0]),))
            if len(near) == 1
            else None,
        )


@rule("modprobe-config-ignored")
def modules_are_spelt_right(file: Modprobe) -> Iterator[Problem]:
    """A module that does not exist can be blacklisted as well."""
    for line in file.lines:
        if line[0].text in ("blacklist", "options", "install") and len(line) > 1:
            module = line[1]
            right = MODULES.get(module.text)
            if right:
                yield Problem(
                    place=module.place,
                    variant="module",
                    message=message(
                        "there is no module {word}; {right} is meant",
                        "没有名为 {word} 的模块；应为 {right}",
                        word=module.text,
                        right=right,
                    ),
                    fix=Fix(
                        message("write {right}", "改为 {right}", right=right), (Edit(module.place, right),)
                    ),
                )


@rule("nvidia-module-blacklisted")
def nvidia_may_be_loaded(file: Modprobe) -> Iterator[Problem]:
    """On a host that hands its GPUs to guests that is meant."""
    text = " ".join(word.text for line in file.lines for word in line)
    for line in file.lines:
        named = len(line) > 1 and line[1].text.replace("-", "_") == "nvidia"
        off = line[0].text == "blacklist" or (
            line[0].text == "install" and len(line) > 2 and line[2].text.endswith(("/false", "/true"))
        )
        if named and off and "vfio" not in text:
            yield Problem(
                place=line[1].place,
                certainty=Certainty.POSSIBLE,
                message=message(
                    "this keeps NVIDIA's module from being loaded at boot", "这会阻止启动时加载 NVIDIA 模块"
                ),
            )


def _options(file: Modprobe) -> Iterator[tuple[str, Word]]:
    for line in file.lines:
        if line[0].text == "options" and len(line) > 2:
            for word in (one for one in line[2:] if '"' not in one.text):
                yield line[1].text.replace("_", "-"), word


@rule("module-option-misspelt")
def options_are_known(file: Modprobe) -> Iterator[Problem]:
    """The module says in the kernel log that it ignores an unknown parameter, and goes on."""
    for module, word in _options(file):
        name, equals, value = word.text.partition("=")
        right = config_keys.meant(module, name) if module.startswith("nvidia") else None
        if module == "nouveau" and name != "modeset" and one_apart(name, "modeset"):
            right = "modeset"
        if right is None and module == "nvidia" and f"NVreg_{name}" in config_keys.keys("nvidia"):
            right = f"NVreg_{name}"
        if right is not None:
            yield Problem(
                place=word.place,
                message=message(
                    "the module {module} ignores {name}; it knows {right}",
                    "模块 {module} 会忽略 {name}；它认识的是 {right}",
                    module=module,
                    name=name,
                    right=right,
                ),
                fix=Fix(
                    message("write {right}", "改为 {right}", right=right),
                    (Edit(word.place, right + equals + value),),
                ),
            )


@rule("device-node-permissions")
def modes_are_octal(file: Modprobe) -> Iterator[Problem]:
    """The kernel reads a number without a leading 0 as decimal; 438, which is 0666, is right."""
    for module, word in _options(file):
        name, _, value = word.text.partition("=")
        if (
            module == "nvidia"
            and name == "NVreg_DeviceFileMode"
            and re.fullmatch(r"[0-7]{3}", value)
            and int(value) > 0o777
        ):
            yield Problem(
                place=word.place,
                variant="decimal",
                message=message(
                    "{value} is decimal here, that is mode {mode}; write 0{value}",
                    "{value} 在这里是十进制，相当于模式 {mode}；请写成 0{value}",
                    value=value,
                    mode=f"{int(value):05o}",
                ),
                fix=Fix(
                    message("write 0{value}", "改为 0{value}", value=value),
                    (Edit(word.place, f"{name}=0{value}"),),
                ),
            )


RULES = (
    the_name_ends_in_conf,
    directives_are_known,
    modules_are_spelt_right,
    nvidia_may_be_loaded,
    options_are_known,
    modes_are_octal,
)
