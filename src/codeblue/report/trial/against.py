"""What an environment computes differently from a base, for people and for programs."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text as Rich

from codeblue.model.facts import NumericsTrial
from codeblue.model.numerics.band import Band
from codeblue.model.numerics.difference import Compared, Difference, Level
from codeblue.model.numerics.precision import place
from codeblue.model.text import Text
from codeblue.report.escape import line

TITLE = Text("numerics against {name}{about}", "与 {name}{about} 的数值比较")
VERDICTS = {
    Level.SAME: Text("the same, bit for bit", "逐比特相同"),
    Level.ROUNDING: Text("the same within rounding", "在舍入误差内相同"),
    Level.OTHER_RANDOM_NUMBERS: Text("the same seed gives other random numbers", "同一种子得到不同的随机数"),
    Level.MORE_EXACT: Text("computes differently: more exactly", "计算方式不同：更精确"),
    Level.LACKING: Text("lacks what there is in the base", "缺少基准中有的操作"),
    Level.LESS_EXACT: Text("computes differently: less exactly", "计算方式不同：更不精确"),
}
COUNTS = {
    Level.ROUNDING: Text("{count} with other bits", "{count} 个比特不同"),
    Level.OTHER_RANDOM_NUMBERS: Text("{count} with other random numbers", "{count} 个随机数不同"),
    Level.MORE_EXACT: Text("{count} more exact", "{count} 个更精确"),
    Level.LACKING: Text("{count} not there", "{count} 个没有"),
    Level.LESS_EXACT: Text("{count} less exact", "{count} 个更不精确"),
}
STYLES = {
    Level.SAME: "green",
    Level.ROUNDING: "green",
    Level.OTHER_RANDOM_NUMBERS: "yellow",
    Level.MORE_EXACT: "yellow",
    Level.LACKING: "yellow",
    Level.LESS_EXACT: "bold red",
}
OF = Text("of {count} operations", "共 {count} 个操作")
ALL, AND = Text(" ({told})", "（{told}）"), Text(", ", "，")
BECAUSE = Text("because {why}", "原因：{why}")
NO_REASON = Text("no setting or version is different", "设置和版本都没有差别")
BY_CHANCE = Text("these operations vary from run to run", "这些操作每次运行都会变化")
MORE = Text("and {count} more", "还有 {count} 个")
OUTSIDE = Text(
    "the training's loss {loss} is outside {low} to {high}", "训练损失 {loss} 超出 {low} 至 {high} 的范围"
)
NO_NUMBER = Text("the training's loss is no number", "训练损失不是数")
SHOWN, REASONS = 6, 5


class Against:
    """One comparison, to be shown."""

    def __init__(
        self, name: str, about: Sequence[str], trial: NumericsTrial, found: Sequence[Compared]
    ) -> None:
        self.name = name
        self.about = tuple(about)
        self.places = {one.index: place(one.index, trial.devices[one.index]) for one in found}
        self.found = tuple(found)

    def table(self, lang: str, verbose: bool, reveal: Callable[[str], str]) -> RenderableType:
        """Return the comparison for a terminal; all differences if ``verbose``.

        ``reveal`` turns pseudonyms of this machine back into names.
        """
        about = reveal(f" ({', '.join(self.about)})") if self.about else ""
        rows: list[RenderableType] = [Rich(line(TITLE.say(lang, name=self.name, about=about)), "bold")]
        for one in self.found:
            rows.append(Padding(self._device(one, lang, verbose), (0, 0, 0, 2)))
        return Group(*rows)

    def _device(self, one: Compared, lang: str, verbose: bool) -> Table:
        grid = Table.grid(padding=(0, 2, 0, 0), pad_edge=False)
        grid.add_column(no_wrap=True)
        grid.add_column()
        verdict = Rich(VERDICTS[one.level].say(lang), STYLES[one.level])
        grid.add_row(self.places[one.index], verdict.append(_counts(one, lang), "dim"))
        for row in (*_differences(one, lang, verbose), *_why(one, lang)):
            grid.add_row("", row)
        return grid

    def document(self) -> dict[str, Any]:
        """Return the comparison as plain data."""
        return {"name": self.name, "devices": [self._plain(one) for one in self.found]}

    def _plain(self, one: Compared) -> dict[str, Any]:
        return {
            "subject": self.places[one.index],
            "base_device": one.base_index,
            "verdict": one.level.value,
            "compared": one.count,
            "differences": [_difference(difference) for difference in one.differences],
            "reasons": [
                _reason(reason.sort.value, reason.name, reason.old, reason.new) for reason in one.reasons
            ],
            "training_outside": one.canary.left if one.canary else None,
        }


def _differences(one: Compared, lang: str, verbose: bool) -> Iterator[Rich]:
    """Yield the differences that say more than their number does, or all."""
    counted = () if verbose else (Level.LACKING, Level.ROUNDING)
    telling = [difference for difference in one.differences if difference.level not in counted]
    shown = telling if verbose else telling[:SHOWN]
    yield from (Rich(_errors(difference)) for difference in shown)
    if len(telling) > len(shown):
        yield Rich(MORE.say(lang, count=len(telling) - len(shown)), "dim")


def _why(one: Compared, lang: str) -> Iterator[Rich]:
    if one.differences or one.reasons:
        told = "; ".join(str(reason) for reason in one.reasons[:REASONS])
        otherwise = BY_CHANCE if one.by_chance else NO_REASON
        yield Rich(line(BECAUSE.say(lang, why=told or otherwise.say(lang))))
    if one.canary is not None and one.canary.left:
        yield Rich(_loss(one.canary, lang), "bold red")


def _counts(one: Compared, lang: str) -> str:
    counts = Counter(difference.level for difference in one.differences)
    told = [COUNTS[level].say(lang, count=counts[level]) for level in reversed(COUNTS) if counts[level]]
    return ALL.say(lang, told=AND.say(lang).join([*told, OF.say(lang, count=one.count)]))


def _errors(difference: Difference) -> str:
    errors = " → ".join(_number(value) for value in (difference.old, difference.new))
    return line(f"{difference.name}  {errors}" if difference.old is not None else difference.name)


def _number(value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1e}" if value >= 0 else "NaN"


def _loss(band: Band, lang: str) -> str:
    if band.loss < 0:
        return NO_NUMBER.say(lang)
    return OUTSIDE.say(lang, loss=f"{band.loss:.3g}", low=f"{band.low:.3g}", high=f"{band.high:.3g}")


def _difference(one: Difference) -> Mapping[str, Any]:
    return {"name": one.name, "level": one.level.value, "base_error": one.old, "error": one.new}


def _reason(sort: str, name: str, old: str, new: str) -> Mapping[str, Any]:
    return {"sort": sort, "name": name, "base": old, "here": new}
