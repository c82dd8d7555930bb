"""Does systemd start a unit as it was meant, and can the service open the GPUs?"""

import re
from collections.abc import Iterator

from codeblue.knowledge import config_keys
from codeblue.lint.rule import rule
from codeblue.model.config.lines import Entry, Unit
from codeblue.model.fault import Certainty
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import message

SECTIONS = ("Unit", "Service", "Install")
YES = ("yes", "true", "on", "1")
GPU = re.compile(
    r"nvidia|cuda|\bgpus?\b|torch|vllm|ollama|triton|sglang|llama|tensorflow|jax\b|deepspeed|comfyui|jupyter|slurmd|dcgm",
    re.IGNORECASE,
)
SHELL = re.compile(r"(?:^|[/\s])(?:ba|da|z|k)?sh\s+(?:-\w+\s+)*-\w*c\b")
SYNTAX = re.compile(
    r"(?<=\s)(?:&&|\|\|?|>>?|2>(?:&1|>)?\S*|<)(?=\s|$)|(?<=\s)&$|(?<=\s)&>>?(?=\s)|\$\((?!\()"
)


def for_gpus(unit: Unit) -> bool:
    """Tell whether a unit starts something that uses GPUs, by what it says itself."""
    said = (one.value for one in unit.entries if one.name.startswith(("Exec", "Environment", "Description")))
    return GPU.search(f"{unit.name} {' '.join(said)}") is not None


@rule("unit-key-unknown")
def keys_are_known(unit: Unit) -> Iterator[Problem]:
    """systemd skips an unknown key, and says so only in the journal."""
    for one in unit.entries:
        if one.section not in SECTIONS or one.name.startswith("X-"):
            continue
        full = f"{one.section}.{one.name}"
        right = config_keys.meant("systemd", full)
        known = config_keys.keys("systemd")
        elsewhere = [s for s in SECTIONS if f"{s}.{one.name}" in known]
        if full in known or not (right or elsewhere):
            continue
        name = right.partition(".")[2] if right else one.name
        where = f"[{(right or elsewhere[0] + '.').partition('.')[0]}]"
        yield Problem(
            place=one.place,
            message=message(
                "systemd skips {name} in [{section}]; it knows {right} in {where}",
                "systemd 会忽略 [{section}] 中的 {name}；它认识的是 {where} 中的 {right}",
                name=one.name,
                section=one.section,
                right=name,
                where=where,
            ),
            fix=Fix(message("write {name}", "改为 {name}", name=name), (Edit(one.place, name),))
            if right and right.startswith(one.section)
            else None,
        )


@rule("unit-key-unknown")
def sections_are_known(unit: Unit) -> Iterator[Problem]:
    """What stands in a misspelt section does not count."""
    near = {
        "Instal": "Install",
        "install": "Install",
        "service": "Service",
        "unit": "Unit",
        "Services": "Service",
    }
    near |= {"Installs": "Install", "Units": "Unit", "Serivce": "Service", "Sevice": "Service"}
    for name, place in unit.sections:
        if name in near:
            yield Problem(
                place=place,
                variant="section",
                message=message(
                    "systemd skips the section [{name}]; it knows [{right}]",
                    "systemd 会忽略 [{name}] 这一段；它认识的是 [{right}]",
                    name=name,
                    right=near[name],
                ),
                fix=Fix(
                    message("write [{right}]", "改为 [{right}]", right=near[name]),
                    (Edit(place, f"[{near[name]}]"),),
                ),
            )


@rule("unit-exec-uses-shell-syntax")
def commands_need_no_shell(unit: Unit) -> Iterator[Problem]:
    """systemd starts programs itself: ``&&``, ``|`` and ``>`` become their arguments."""
    for one in unit.entries:
        if not one.name.startswith("Exec") or one.section != "Service" or SHELL.search(one.value):
            continue
        bare = re.sub(r"\"[^\"]*\"|'[^']*'", lambda found: "x" * len(found[0]), one.value)
        found = SYNTAX.search(bare)
        if found:
            yield Problem(
                place=one.value_place,
                message=message(
                    "systemd is no shell: {sign} goes to the program as an argument",
                    "systemd 不是 shell：{sign} 会作为参数传给程序",
                    sign=found[0].strip(),
                ),
            )


@rule("unit-environment-not-expanded")
def variables_are_literal(unit: Unit) -> Iterator[Problem]:
    """``$PATH`` in ``Environment=`` is five characters; nothing is put in its place."""
    for one in unit.all("Service", "Environment"):
        found = re.search(r"\$\{?([A-Za-z_]\w*)\}?", one.value)
        if found:
            yield Problem(
                place=one.value_place,
                message=message(
                    "systemd leaves {variable} in Environment= as it stands; the value holds the text itself",
                    "systemd 不会展开 Environment= 中的 {variable}；变量值里就是这段文字",
                    variable=found[0],
                ),
            )


@rule("unit-environment-split")
def values_hold_together(unit: Unit) -> Iterator[Problem]:
    """Without quotes around it, the value ends at the first space; the rest is dropped."""
    for one in unit.all("Service", "Environment"):
        for word in _words(one):
            if "=" not in word and word != "\\":
                yield Problem(
                    place=one.value_place,
                    message=message(
                        "{word} is no NAME=value: systemd drops it; put quotes around the whole assignment",
                        "{word} 不是 NAME=value：systemd 会丢弃它；请用引号把整个赋值括起来",
                        word=word,
                    ),
                )
                break


def _words(one: Entry) -> list[str]:
    return re.findall(r"(?:\"(?:\\.|[^\"])*\"|'(?:\\.|[^'])*'|\\.|[^\s\"'])+", one.value)


@rule("unit-hides-gpus")
def devices_are_visible(unit: Unit) -> Iterator[Problem]:
    """Protections that take ``/dev/nvidia*`` away, in a unit that speaks of GPUs."""
    if not for_gpus(unit):
        return
    allowed = any("nvidia" in one.value for one in unit.all("Service", "DeviceAllow"))
    policy = [one for one in unit.all("Service", "DevicePolicy") if one.value in ("closed", "strict")]
    private = [one for one in unit.all("Service", "PrivateDevices") if one.value.lower() in YES]
    some = [one for one in unit.all("Service", "DeviceAllow") if one.value] if not policy else []
    for one in private + ([] if allowed else policy + some[:1]):
        yield Problem(
            place=one.place,
            certainty=Certainty.LIKELY,
            message=message(
                "{setting} hides /dev/nvidia* from this service",
                "{setting} 会让这个服务看不到 /dev/nvidia*",
                setting=f"{one.name}={one.value}",
            ),
        )


@rule("unit-hides-gpus", pedantic=True)
def modules_can_be_loaded(unit: Unit) -> Iterator[Problem]:
    """Loading nvidia_uvm at first use needs the right to load modules."""
    for one in unit.all("Service", "ProtectKernelModules"):
        if for_gpus(unit) and one.value.lower() in YES:
            yield Problem(
                place=one.place,
                variant="modules",
                certainty=Certainty.POSSIBLE,
                message=message(
                    "the service cannot load nvidia_uvm itself; it has to be loaded before",
                    "这个服务无法自行加载 nvidia_uvm；必须提前加载",
                ),
            )


@rule("memlock-limit-too-low")
def memory_can_be_locked(unit: Unit) -> Iterator[Problem]:
    """systemd writes ``infinity``; it drops ``unlimited``, and the limit stays at its small default."""
    for one in unit.all("Service", "LimitMEMLOCK", "LimitNOFILE", "LimitNPROC", "LimitSTACK", "LimitAS"):
        if any(part in ("unlimited", "-1", "max", "inf") for part in one.value.split(":")):
            yield Problem(
                place=one.value_place,
                variant="unit",
                message=message(
                    "systemd does not know {value} and drops the line; it says infinity",
                    "systemd 不认识 {value}，会忽略这一行；应写 infinity",
                    value=one.value,
                ),
                fix=Fix(message("write infinity", "改为 infinity"), (Edit(one.value_place, "infinity"),)),
            )


@rule("service-not-enabled-at-boot", pedantic=True)
def it_can_be_enabled(unit: Unit) -> Iterator[Problem]:
    """``systemctl enable`` does nothing without ``[Install]``; units that others start need none."""
    names = [name for name, _ in unit.sections]
    if unit.name.endswith(".service") and not unit.drop_in and "Install" not in names and for_gpus(unit):
        yield Problem(
            place=unit.sections[0][1],
            certainty=Certainty.POSSIBLE,
            message=message(
                "no [Install]: systemctl enable has no effect, and nothing starts this at boot",
                "没有 [Install]：systemctl enable 不起作用，开机时不会启动它",
            ),
        )


RULES = (
    keys_are_known,
    sections_are_known,
    commands_need_no_shell,
    variables_are_literal,
    values_hold_together,
    devices_are_visible,
    modules_can_be_loaded,
    memory_can_be_locked,
    it_can_be_enabled,
)
