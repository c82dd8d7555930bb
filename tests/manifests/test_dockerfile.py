"""The scanner of Dockerfiles against places counted by hand; variables; shell words; branches."""

import pytest

from codeblue.sources.manifests.branches import Branches
from codeblue.sources.manifests.dockerfile import expand, scan
from codeblue.sources.manifests.shell_words import commands
from codeblue.sources.manifests.substitutions import worked_out

FILE = """\
# syntax=docker/dockerfile:1

FROM --platform=linux/arm64 python:3.11 AS build
  run --mount=type=cache,target=/root/.cache \\
    # a comment in between

    pip install \\
      "torch==2.5.1" \\
      numpy
COPY a b
RUN <<EOF
pip install scipy
EOF
RUN <<-"END" bash
\tpip install jax
\tEND
RUN echo a <<<word \\\\
LABEL x=1
RUN last \\"""


def test_instructions_and_their_spans() -> None:
    found = scan(FILE)

    assert [(one.name, tuple(one.span)) for one in found] == [
        ("FROM", (3, 1, 3, 49)),
        ("RUN", (4, 3, 9, 12)),
        ("COPY", (10, 1, 10, 9)),
        ("RUN", (11, 1, 13, 4)),
        ("RUN", (14, 1, 16, 5)),
        ("RUN", (17, 1, 17, 22)),
        ("LABEL", (18, 1, 18, 10)),
        ("RUN", (19, 1, 19, 11)),
    ]
    assert found[0].value == "python:3.11 AS build"
    assert found[0].flag("platform") == "linux/arm64"
    assert found[1].flags == (("mount", "type=cache,target=/root/.cache"),)
    assert found[1].value.split() == ["pip", "install", '"torch==2.5.1"', "numpy"]
    assert found[5].value == "echo a <<<word \\\\"
    assert found[7].value == "last"


@pytest.mark.parametrize(
    ("number", "word", "place"),
    [
        (0, "python:3.11", (3, 29)),
        (0, "build", (3, 44)),
        (1, "pip", (7, 5)),
        (1, '"torch==2.5.1"', (8, 7)),
        (1, "numpy", (9, 7)),
        (2, "b", (10, 8)),
        (7, "last", (19, 5)),
    ],
)
def test_every_character_has_its_place(number: int, word: str, place: tuple[int, int]) -> None:
    one = scan(FILE)[number]

    assert one.place(one.value.index(word)) == place


def test_heredocs() -> None:
    plain, stripped = scan(FILE)[3:5]

    assert [(doc.name, doc.text, doc.line, doc.expands) for doc in plain.heredocs] == [
        ("EOF", "pip install scipy", 12, True)
    ]
    assert [(doc.name, doc.text, doc.line, doc.expands) for doc in stripped.heredocs] == [
        ("END", "pip install jax", 15, False)
    ]
    both = scan("COPY <<A <<B /x/\n1\nA\n2\nB\nFROM y\n")
    assert [doc.text for doc in both[0].heredocs] == ["1", "2"]
    assert [one.name for one in both] == ["COPY", "FROM"]


def test_words_that_only_look_like_a_heredoc_swallow_nothing() -> None:
    assert [one.name for one in scan('RUN echo "<<EOF"\nRUN x\n')] == ["RUN", "RUN"]


def test_another_escape_character() -> None:
    found = scan("# escape=`\nFROM x\nRUN a `\n  b \\\nRUN c\n")

    assert [(one.name, one.value) for one in found] == [("FROM", "x"), ("RUN", "a   b \\"), ("RUN", "c")]


def test_a_directive_behind_anything_else_is_a_comment() -> None:
    assert [one.name for one in scan("# hello\n# escape=`\nRUN a `\nRUN b\n")] == ["RUN", "RUN"]


@pytest.mark.parametrize(
    "text", ["", "\n\n", "# only\n", "\\", "\\\n\\\n", "FROM", "--x=1", "RUN <<", "RUN <<A"]
)
def test_odd_files(text: str) -> None:
    for one in scan(text):
        assert one.place(0)[0] >= 1
        assert one.span.line <= one.span.end_line


@pytest.mark.parametrize(
    ("text", "filled"),
    [
        ("$A ${A} ${A}b $Ab", "1 1 1b $Ab"),
        ("${B:-2} ${B-2} ${A:-2}", "2 2 1"),
        ("${E:-2} ${E-2} [$E]", "2  []"),
        ("${A:+yes} ${B:+yes} ${B+yes}", "yes  "),
        ("${B:-${A}}", "1"),
        (r"\$A $C", r"\$A $C"),
        ("${A#x} ${", "${A#x} ${"),
    ],
)
def test_variables(text: str, filled: str) -> None:
    assert expand(text, {"A": "1", "E": ""}) == filled


def test_variables_that_grow_stop() -> None:
    variables = {f"v{n}": f"$v{n - 1}$v{n - 1}" for n in range(1, 40)} | {"v0": "x" * 100}

    assert len(expand("$v39", variables)) <= 4000


def words(text: str) -> list[list[str]]:
    return [[word.text for word in found] for found in commands(text)]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a b && c|d; e & f\ng", [["a", "b"], ["c"], ["d"], ["e"], ["f"], ["g"]]),
        ("a 'b c' \"d $e\" f\\ g", [["a", "b c", "d $e", "f g"]]),
        ("(a; b) # c && d\ne", [["a"], ["b"], ["e"]]),
        ('a "$(b; c)" $(d (e) | f)g', [["a", "$(b; c)", "$(d (e) | f)g"]]),
        ("a > b 2>&1 < c d", [["a", "d"]]),
        ("a `b;c`", [["a", "`b;c`"]]),
        ("a 'never ends", [["a", "never ends"]]),
        ('a "never ends', [["a", "never ends"]]),
        ("a $(never", [["a", "$(never"]]),
        ("a \\", [["a", ""]]),
        ("", []),
    ],
)
def test_shell_words(text: str, found: list[list[str]]) -> None:
    assert words(text) == found


def test_words_know_their_place_and_what_the_shell_takes_away() -> None:
    (found,) = commands("pip install 'a' torch>=2.4 numpy")

    assert [(word.text, word.offset) for word in found][2:] == [("a", 12), ("torch", 16), ("numpy", 27)]
    assert [word.lost for word in found] == ["", "", "", ">=2.4", ""]
    assert [word.expands for word in found] == [True, True, False, True, True]


@pytest.mark.parametrize(
    ("text", "run"),
    [
        ("if [ a = a ]; then x; else y; fi; z", "xz"),
        ("if [ a = b ]; then x; else y; fi; z", "yz"),
        ("if [ a != b ]; then x; fi", "x"),
        ('if [ -n "" ]; then x; elif [ -z "" ]; then y; else z; fi', "y"),
        ("if [[ ! a == a ]]; then x; fi; z", "z"),
        ("if [ $A = a ]; then x; else y; fi", "xy"),
        ("if test a = a && other; then x; else y; fi", "xy"),
        ("if other; then x; elif [ a = a ]; then y; else z; fi", "xy"),
        ("if [ a = b ]; then if other; then x; fi; y; fi; z", "z"),
        ("fi; else; x", "x"),
    ],
)
def test_branches_that_are_surely_not_taken(text: str, run: str) -> None:
    branches = Branches()
    taken = [found for found in commands(text) if branches.runs(found)]

    assert "".join(found[-1].text for found in taken if found[-1].text in ("x", "y", "z")) == run


@pytest.mark.parametrize(
    ("text", "printed"),
    [
        ("cu$(echo 12.8.1 | cut -d. -f1,2 | tr -d '.')", "cu128"),
        ("cu$(echo 12.8.1 | cut -d '.' -f 1-2 | sed 's/\\.//g')", "cu128"),
        ("$(echo 12.8.1 | cut -d. -f1)", "12"),
        ("$(echo 3.11 | sed 's/\\.//')", "311"),
        ("$(echo 3.11 | sed 's/.//g')", "$(echo 3.11 | sed 's/.//g')"),
        ("$(echo $X | cut -d. -f1)", "$(echo $X | cut -d. -f1)"),
        ("$(uname -m)", "$(uname -m)"),
        ("$(cat x | tr -d .)", "$(cat x | tr -d .)"),
        ("$(echo a; echo b)", "$(echo a; echo b)"),
    ],
)
def test_cut_versions(text: str, printed: str) -> None:
    assert worked_out(text) == printed
