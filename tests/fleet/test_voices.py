"""Answers of many over one pipe, as srun --label writes them."""

import base64
import zlib

from codeblue.transport.fanout import Ended, Job, Told, told_by_many
from codeblue.transport.frames import Voices

MARK = "codeblue-1:"


def frames(body: str, size: int = 8) -> list[str]:
    text = base64.b64encode(zlib.compress(body.encode())).decode()
    parts = [text[start : start + size] for start in range(0, len(text), size)]
    return [f"{MARK}{number}/{len(parts)}:{part}" for number, part in enumerate(parts, 1)]


def heard(*lines: str) -> list[tuple[str, bytes | None]]:
    voices = Voices(MARK)
    for line in lines:
        assert voices.take(line.encode()) is False
    return list(voices.news())


def test_lines_of_many_nodes_are_told_apart() -> None:
    first, second = frames("answer of one"), frames("another answer")
    mixed = [
        line for pair in zip(first, second, strict=False) for line in (f"0: {pair[0]}", f" 1: {pair[1]}")
    ]
    rest = [f"1: {line}" for line in second[len(first) :]] + [f"0: {line}" for line in first[len(second) :]]

    news = heard(f"0: {MARK}is:gpu1", "1: hello", f"1: {MARK}is:gpu2.site", *mixed, *rest)

    assert [name for name, document in news if document is None] == ["gpu1", "gpu2.site"]
    assert dict(news) == {"gpu1": b"answer of one", "gpu2.site": b"another answer"}


def test_a_damaged_answer_is_told_as_none() -> None:
    lines = [line.replace("1/", "1/", 1) for line in frames("text")]
    lines[0] = f"{MARK}1/{len(lines)}:AAAAAAAA"
    assert heard(f"0: {MARK}is:a", *(f"0: {line}" for line in lines))[1:] == [("a", b"")]
    assert heard(f"0: {MARK}1/x:AAAA", f"0: {MARK}is:a b", "0: nothing") == []


def test_a_program_that_speaks_for_many() -> None:
    answer = "\\n".join(f"3: {line}" for line in frames("it works"))
    text = f"printf '3: {MARK}is:gpu3\\n{answer}\\n'; echo '3: bad luck' >&2; cat >/dev/null; exit 4"
    job = Job("step", ["sh", "-c", text], labelled=True)

    news = list(told_by_many([job], "stdin", MARK, limit=1, seconds=20))

    assert [(one.name, one.document) for one in news if isinstance(one, Told)] == [
        ("gpu3", None),
        ("gpu3", b"it works"),
    ]
    [end] = [one for one in news if isinstance(one, Ended)]
    assert (end.code, end.complaints) == (4, ("gpu3: bad luck",))


def test_a_pipe_that_something_holds_open_is_not_waited_for() -> None:
    """A master connection of ssh, say, that outlives the ssh which has opened it."""
    line = frames("answer of one", 1000)[0]
    holds = "sleep 60 & "
    says = f"echo broken >&2; echo '0: {MARK}is:n1'; echo '0: {line}'; exit 3"
    jobs = [Job("many", ("sh", "-c", holds + says), labelled=True), Job("one", ("sh", "-c", holds))]

    news = list(told_by_many(jobs, "", MARK, limit=2, seconds=50))

    ended = {one.name: one for one in news if isinstance(one, Ended)}
    assert {name: one.code for name, one in ended.items()} == {"many": 3, "one": 0}
    assert ended["many"].words == "broken"
    assert all(one.seconds < 20 for one in ended.values())
    told = [(one.name, one.document) for one in news if isinstance(one, Told)]
    assert told == [("n1", None), ("n1", b"answer of one")]
    assert isinstance(news[news.index(ended["many"]) - 1], Told)
