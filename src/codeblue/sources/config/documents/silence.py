"""Where a document does not say how things are: history, and examples of what not to do."""

import re

PATH = re.compile(
    r"(?:^|/)(?:changelogs?|changes|history|news|releases?|release[_-]?notes?|archived?|legacy|"
    r"versioned_docs|old|"
    r"deprecated|v?\d+\.(?:\d+|x)[\w.]*|更新日志|历史)(?:[-_.][\w.-]*)?(?:/|\.\w+$)",
    re.IGNORECASE,
)
HEADING = re.compile(
    r"change ?log|release notes?|releases\b|\bhistory\b|\bnews\b|what.?s new|updates?\b(?! (?:the|your))|"
    r"migrat|deprecat|legacy|previous versions?|older versions?|archive|known issues|"
    r"^\W*v?\d+\.\d+[\w.]*\W|\b(?:19|20)\d\d[-/.年]\d|"
    r"更新日志|更新记录|历史|变更|新闻|最新动态|发布说明|旧版|迁移|已知问题|弃用",
    re.IGNORECASE,
)
DATED = re.compile(
    r"^[\s\[(（【🔥*-]*(?:(?:19|20)\d\d[-/.年]\s?\d|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|"
    r"dec)\w*\.? \d)",
    re.IGNORECASE,
)
WRONG = re.compile(
    r"\bwrong\b|\bincorrect|\bdo(?:es)? ?n[o']t\b|\bdo not\b|\bnever\b|\bavoid\b|\bbad\b|\bbroken\b|"
    r"\bfails?\b|\berror|"
    r"\bno longer\b|\bnot (?:work|support|use|recommend|compatible)|\bobsolete\b|\bdeprecated\b|"
    r"\bremoved?\b|\binstead of\b|"
    r"\bused to\b|\bformerly\b|\bpreviously\b|\bold(?:er)?\b|\blegacy\b|\bretired?\b|\bbefore\b|"
    r"错误|不要|不能|不可|反例|切勿|请勿|❌|✗|弃用|废弃|已停止|过去|以前|旧版|老版|曾",
    re.IGNORECASE,
)
"""Words before an example that is not to be followed."""
DENIED = re.compile(
    r"\b(?:not|cannot|can't|won't|isn't|aren't|doesn't|don't|never|no longer|nor|neither|without|unless|"
    r"except|instead|"
    r"wrong|incorrect|fails?|failed|broken|bug|issue|errors?|removed|dropped?|deprecated|unsupported|"
    r"incompatible|"
    r"legacy|formerly|previously|used to|was|were|had|if you|hypothetic\w*|e\.g|for example|such as)\b|"
    r"n['’]t\b|"
    r"不|没|未|无法|禁止|弃用|废弃|移除|停止|错误|报错|失败|除非|如果|假如|例如|比如|曾|以前|过去|旧",
    re.IGNORECASE,
)
"""Words that turn a sentence round, put it into the past, or make an example of it."""


def is_history(path: str) -> bool:
    """Tell whether a whole file speaks of the past."""
    return PATH.search(path) is not None


class Outline:
    """The headings above the place where the reader is."""

    def __init__(self) -> None:
        self._above: list[tuple[int, str]] = []

    def enter(self, level: int, title: str) -> None:
        """Take a heading."""
        self._above = [one for one in self._above if one[0] < level]
        self._above.append((level, " ".join(title.split())))

    @property
    def text(self) -> str:
        """Every heading above, in one line."""
        return " / ".join(title for _, title in self._above)

    @property
    def is_history(self) -> bool:
        """True below a heading that speaks of the past; the title of the whole document does not count."""
        return any(HEADING.search(title) for _, title in self._above[1:] or self._above)
