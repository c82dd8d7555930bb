"""What is wrong with a YAML file that cannot be parsed, in the words of somebody who looks at the lines."""

from codeblue.model.text import Message, message

BEYOND = 400
"""Lines looked back for the keys that a line should stand in line with."""


def explained(text: str, offset: int, problem: str) -> tuple[int, int, Message]:
    """Return where the text goes wrong, from and up to which character, and why.

    ``offset`` and ``problem`` are the parser's own words, which often come one line late.
    """
    lines = text.split("\n")
    number = text.count("\n", 0, offset)
    begin = text.rfind("\n", 0, offset) + 1
    line = lines[number]
    if "\t" in line[: len(line) - len(line.lstrip())]:
        at = begin + line.index("\t")
        return (
            at,
            at + 1,
            message("a tab indents this line; YAML wants spaces", "这一行用制表符缩进；YAML 只能用空格"),
        )
    for candidate in (number, number - 1):
        slid = _slid(lines, candidate)
        if slid is not None:
            column, word, why = slid
            start = (begin if candidate == number else begin - len(lines[candidate]) - 1) + column
            return start, start + len(word), why
    why = message("not YAML: {problem}", "不是合法的 YAML：{problem}", problem=problem.strip())
    return offset, offset + 1, why


def _slid(lines: list[str], number: int) -> tuple[int, str, Message] | None:
    """Tell a line that is out of step with the keys around it: its column, its key, and the words."""
    line = lines[number] if number >= 0 else ""
    if not line.strip() or ":" not in line:
        return None
    column = _column(line)
    near = _levels(lines, number)
    if not near or column in near:
        return None
    wanted = min(near, key=lambda level: (abs(level - column), -level))
    word = line[column:].split(":", 1)[0]
    return column, word, _moved(word.strip()[:60], number + 1, column, wanted)


def _moved(word: str, line: int, column: int, wanted: int) -> Message:
    return message(
        "line {line}: `{word}` begins in column {column}, the keys around it in column {wanted}: "
        "{count} space(s) too {which}",
        "第 {line} 行：`{word}` 从第 {column} 列开始，"
        "周围的键从第 {wanted} 列开始：{which_zh} {count} 个空格",
        line=line,
        word=word,
        column=column + 1,
        wanted=wanted + 1,
        count=abs(column - wanted),
        which="many" if column > wanted else "few",
        which_zh="多了" if column > wanted else "少了",
    )


def _column(line: str) -> int:
    """Return where the first key of a line begins, behind the dash of a list."""
    column = len(line) - len(line.lstrip(" "))
    while line[column : column + 2] == "- ":
        column += 2
        column += len(line[column:]) - len(line[column:].lstrip(" "))
    return column


def _levels(lines: list[str], number: int) -> set[int]:
    """Return the columns of the keys that are open above a line."""
    levels: set[int] = set()
    lowest = 1 << 30
    for line in reversed(lines[max(0, number - BEYOND) : number]):
        if not line.strip() or line.lstrip().startswith("#") or ":" not in line:
            continue
        column = _column(line)
        if column < lowest:
            levels.add(column)
            dash = len(line) - len(line.lstrip(" "))
            lowest = min(column, dash) if dash != column else column
        if lowest == 0:
            break
    return levels
