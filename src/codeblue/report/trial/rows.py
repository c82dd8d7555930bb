"""Measures as rows of text, the same for every face."""

from msgspec import Struct

from codeblue.model.measure import Measure
from codeblue.model.text import Text

TRIALS = {
    "gpu": Text("compute", "计算"),
    "memory": Text("memory", "显存与内存"),
    "links": Text("links", "互联"),
    "nccl": Text("nccl", "集合通信"),
    "numerics": Text("numerics", "数值"),
    "loader": Text("input", "数据输入"),
}
OF_CEILING = Text("{share} % of {ceiling}", "{ceiling} 的 {share} %")


class Row(Struct, frozen=True):
    """One measure in words."""

    subject: str
    name: str
    value: str
    share: str
    note: str


def row(measure: Measure, lang: str) -> Row:
    """Return the measure in words."""
    unit = f" {measure.unit}" if measure.unit else ""
    share = ""
    if measure.share is not None:
        share = OF_CEILING.say(lang, share=f"{100 * measure.share:.0f}", ceiling=number(measure.ceiling or 0))
    note = measure.note.say(lang) if measure.note else ""
    return Row(measure.subject, measure.name.say(lang), f"{number(measure.value)}{unit}", share, note)


def number(value: float) -> str:
    """Return a number with three digits that count."""
    if value == 0 or 0.001 <= abs(value) < 100000:
        return f"{value:.0f}" if abs(value) >= 100 or value == int(value) else f"{value:.3g}"
    return f"{value:.1e}"
