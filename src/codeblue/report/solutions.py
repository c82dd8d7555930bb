"""Sets of versions that would work together, for people and for programs."""

from collections.abc import Iterator
from typing import Any

from msgspec import json

from codeblue.model.judgement import Answer, Judgement
from codeblue.model.solution import Change, Refused, Solution, Solutions, Tier
from codeblue.model.text import Text
from codeblue.remedy.installs import pip
from codeblue.report.escape import line

SCHEMA = "codeblue/solutions/1"
COMMAND = "green"
"""Style of lines to copy."""
SHOWN = ("driver", "kernel_modules", "compat", "python", "torch", "torchvision", "torchaudio", "tensorrt")
"""Parts of a set that are told in its first line."""
SHOWN_NOTES = 3

FOUND = Text("works together", "可用组合")
NEAREST = Text("what is wanted does not exist; the nearest that works", "所要的版本不存在；最接近的可用组合")
NONE = Text("no set of versions works", "没有可用的版本组合")
UNCHANGED = Text("nothing to change: what is there works together", "无需改动：现有版本可以配合使用")
ADDED = Text("nothing that is there changes", "现有部分不变")
TIERS = {
    Tier.INDEX: Text("changes the build of torch only", "只换 torch 的构建"),
    Tier.COMPANIONS: Text("changes what belongs to torch", "更换 torch 的配套包"),
    Tier.TORCH: Text("changes torch", "更换 torch 版本"),
    Tier.PYTHON: Text("changes Python", "更换 Python 版本"),
    Tier.COMPAT: Text("needs the cuda-compat package", "需要 cuda-compat 包"),
    Tier.DRIVER: Text("needs another driver", "需要更换驱动"),
}
ADMINISTRATOR = Text("by an administrator: {change}", "需管理员操作：{change}")
FLOOR = Text("needs driver {floor} or newer", "需要驱动 {floor} 或更新")
REFUSED = Text("why not with less change", "为什么更小的改动不行")
REFUSED_ALL = Text("why", "原因")
FORMS = Text(
    "as a file: --as uv, conda, pixi, dockerfile or requirements",
    "输出为文件：--as uv、conda、pixi、dockerfile 或 requirements",
)
MORE = Text(
    "more notes: {count}; codeblue matrix check shows them",
    "另有 {count} 条备注：用 codeblue matrix check 查看",
)
DATA = Text("data of {date}", "数据日期 {date}")
WAY = Text("instead: {way}", "改法：{way}")


def document(found: Solutions, date: str, lang: str) -> str:
    """Return the JSON document; keys, parts and tiers are the same in every language."""
    content = {
        "schema": SCHEMA,
        "found": bool(found.best) and not found.missing,
        "asked": [_part(name, part.value, part.origin) for name, part in found.asked.parts()],
        "wanted": [str(wish) for wish in found.wishes],
        "missing": [_judgement(one, lang) for one in found.missing],
        "sets": [_set(one, lang) for one in found.best],
        "refused": [
            {
                "tier": _tier(one.tier),
                "summary": one.text.say(lang),
                "reasons": [_judgement(reason, lang) for reason in one.reasons],
            }
            for one in found.failed
        ],
        "data": date,
    }
    return json.format(json.encode(content), indent=2).decode() + "\n"


def _tier(tier: Tier) -> str:
    return tier.name.lower()


def _part(name: str, value: str, origin: str) -> dict[str, str]:
    return {"part": name, "value": value, "origin": origin}


def _set(one: Solution, lang: str) -> dict[str, Any]:
    install = one.install
    return {
        "tier": _tier(one.tier),
        "parts": [_part(name, part.value, part.origin) for name, part in one.combination.parts()],
        "changes": [_change(change, lang) for change in one.changes],
        "conditions": [_judgement(each, lang) for each in one.judged.said(Answer.IF)],
        "notes": [_judgement(each, lang) for each in one.judged.said(Answer.NOTE)],
        "install": {
            "packages": [{"name": each.name, "version": each.version} for each in install.packages],
            "index": install.index,
            "python": install.python,
            "driver_floor": install.driver_floor,
            "pip": pip.commands(install),
        },
    }


def _change(change: Change, lang: str) -> dict[str, Any]:
    return {
        "part": change.part,
        "before": change.before,
        "after": change.after,
        "administrator": change.administrator,
        "summary": change.text.say(lang),
    }


def _judgement(one: Judgement, lang: str) -> dict[str, Any]:
    return {
        "rule": one.rule,
        "answer": one.answer.value,
        "parts": list(one.parts),
        "summary": one.text.say(lang),
        "sources": [source.row for source in one.sources],
    }


def lines(found: Solutions, date: str, lang: str) -> Iterator[tuple[str, str]]:
    """Yield the lines for a terminal, each with its style."""
    title, style = _title(found)
    yield f"{title.say(lang)}  ({DATA.say(lang, date=date)})", style
    for one in found.missing:
        yield f"  ✗ {line(one.text.say(lang))}", "red"
        if one.way is not None:
            yield f"      {WAY.say(lang, way=line(one.way.say(lang)))}", ""
    for number, one_set in enumerate(found.best, 1):
        yield "", ""
        yield from _lines_of_set(one_set, number, lang)
    if found.failed:
        yield "", ""
        yield (REFUSED if found.best else REFUSED_ALL).say(lang), "bold"
        yield from _lines_of_refused(found.failed, lang)
    if found.best and found.best[0].install.packages:
        yield "", ""
        yield FORMS.say(lang), "dim"


def _title(found: Solutions) -> tuple[Text, str]:
    if not found.best:
        return NONE, "bold red"
    if found.missing:
        return NEAREST, "bold yellow"
    return FOUND, "bold green"


def _lines_of_set(one: Solution, number: int, lang: str) -> Iterator[tuple[str, str]]:
    combination = one.combination
    named = [(name, getattr(combination, name)) for name in SHOWN]
    yield line(f"{number}. " + ", ".join(f"{name} {part.value}" for name, part in named if part)), "bold"
    yield f"   {_cost(one).say(lang)}", "dim"
    for change in one.changes:
        text = line(change.text.say(lang))
        if change.administrator:
            yield f"   ! {ADMINISTRATOR.say(lang, change=text)}", "yellow"
        elif change.before is not None or change.part == "compat":
            yield f"   - {text}", ""
    for condition in one.judged.said(Answer.IF):
        yield f"   ! {line(condition.text.say(lang))}", "cyan"
    if combination.driver is None and one.install.driver_floor is not None:
        yield f"   ! {FLOOR.say(lang, floor=one.install.driver_floor)}", "cyan"
    notes = one.judged.said(Answer.NOTE)
    for note in notes[:SHOWN_NOTES]:
        yield f"   · {line(note.text.say(lang))}", "dim"
    if len(notes) > SHOWN_NOTES:
        yield f"   {MORE.say(lang, count=len(notes) - SHOWN_NOTES)}", "dim"
    for command in pip.commands(one.install) if one.changes else ():
        yield f"   {line(command)}", COMMAND


def _cost(one: Solution) -> Text:
    if not one.changes:
        return UNCHANGED
    return TIERS.get(one.tier, ADDED)


def _lines_of_refused(failed: tuple[Refused, ...], lang: str) -> Iterator[tuple[str, str]]:
    """Yield each tier with its reasons; what was said of a cheaper one is not said again."""
    said: set[str] = set()
    for refused in failed:
        yield f"  ✗ {line(refused.text.say(lang))}", ""
        for reason in refused.reasons:
            text = line(reason.text.say(lang))
            if text not in said:
                yield f"      {text}", "dim"
            said.add(text)
