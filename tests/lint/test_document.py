"""Documents as people and programs really write them: odd, broken, huge; and places in every format."""

import time

import pytest

from codeblue.lint.run import Against, judge
from codeblue.model.config.document import Claim
from codeblue.model.config.place import Source
from codeblue.model.config.setting import Settings
from codeblue.model.config.shell import Script
from codeblue.model.facts import Driver
from codeblue.model.snapshot import View
from codeblue.sources.config.files import text_of
from codeblue.sources.config.kinds import kind_of

WRONG = "CUDA 12.4 requires driver 470.57.02 or newer."


def parts(name: str, text: str) -> list[object]:
    source = Source(name, text)
    kind = kind_of(source)
    assert kind is not None and kind.name == "document"
    return list(kind.read(source))


def places(name: str, text: str) -> list[tuple[int, int]]:
    source = Source(name, text)
    kind = kind_of(source)
    assert kind is not None
    return [(one.place.line, one.place.column) for one in judge(source, kind, Against()).findings]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n\n",
        "```bash\nnever closed",
        "~~~\n```\n~~~",
        "| a | b |\n|---|---|\n| \\| | |",
        "<!-- never closed\n" + WRONG,
        "[x](y [z](" * 50,
        "#" * 500,
        "\x1b[31m\x00\u202e",
        "---\ntitle: x\n",
        "{% for x in y %}{{ x }}{% endfor %}",
        "> > > - 1. * ```\n> > >   x",
    ],
)
@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.html"])
def test_no_document_is_broken(name: str, text: str) -> None:
    assert places(name, text) == []


@pytest.mark.parametrize(
    "piece",
    [
        "[",
        "](",
        "<",
        "`",
        "*",
        "| ",
        "|-",
        "a.b ",
        "CUDA ",
        "driver ",
        "&amp;",
        "<td>",
        "\n    ",
        "- ",
        "12.",
        "# x\n",
    ],
)
@pytest.mark.parametrize("name", ["a.md", "a.rst", "a.html"])
def test_a_megabyte_of_anything_ends(name: str, piece: str) -> None:
    begin = time.process_time()

    parts(name, piece * (200_000 // len(piece)))

    # Linear readers take about a second; anything quadratic would take minutes.
    assert time.process_time() - begin < 60


def test_a_document_that_a_program_made_is_left_alone() -> None:
    assert parts("a.md", f"{WRONG}\n\n" * 60_000) == []


def test_line_ends_and_marks_of_order_move_no_place() -> None:
    text = text_of(b"\xef\xbb\xbfTitle\r\n=====\r\n\r\nCUDA 12.4 requires\r\ndriver 470.57.02 or newer.\r\n")

    assert places("a.md", text) == [(5, 8)]


@pytest.mark.parametrize(
    ("name", "text", "place"),
    [
        (
            "a.md",
            "- **CUDA 12.4** requires\n  driver `470.57.02` or [newer](https://x.example/1_(2)).\n",
            (2, 11),
        ),
        ("a.md", "> CUDA 12.4 requires driver 470.57.02 or newer.\n", (1, 29)),
        ("a.rst", "* ``CUDA 12.4`` requires\n  driver ``470.57.02`` or newer.\n", (2, 12)),
        ("a.html", "<p>\n <b>CUDA&nbsp;12.4</b>\n requires driver <i>470.57.02</i> or newer.\n</p>", (3, 21)),
        ("a.html", "<ul><li>CUDA 12.4 requires driver &#8805; 470.57.02</ul>", (1, 43)),
    ],
)
def test_places_are_those_of_the_file(name: str, text: str, place: tuple[int, int]) -> None:
    assert places(name, text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        f"# Release notes\n\n{WRONG}\n",
        f"# Guide\n\n## 更新日志\n\n{WRONG}\n",
        f"# Guide\n\n## v2.3.1\n\n{WRONG}\n",
        "- [2023/05] CUDA 12.4 requires driver 470.57.02 or newer.\n",
        "It is wrong that CUDA 12.4 requires driver 470.57.02 or newer.\n",
        "如果 CUDA 12.4 需要驱动 470.57.02 以上。\n",
        f"<!-- {WRONG} -->\n",
        f"```python\n# {WRONG}\n```\n",
    ],
)
def test_history_examples_and_code_say_nothing(text: str) -> None:
    assert places("guide.md", text) == []


def test_whole_files_of_history_say_nothing() -> None:
    for name in (
        "CHANGELOG.md",
        "docs/release-notes/1.md",
        "docs/v1.2/install.md",
        "website/versioned_docs/a.md",
        "keps/1/README.md",
    ):
        assert places(name, WRONG) == []
    assert places("docs/install.md", WRONG) == [(1, 27)]


def test_only_what_stands_behind_a_prompt_is_a_command() -> None:
    text = "```console\n$ docker run \\\n    --rm x\nnvidia-docker run y\nroot# exit\n```\n"

    [script] = [one for one in parts("a.md", text) if isinstance(one, Script)]

    assert [[word.text for word in command.words] for command in script.commands] == [
        ["docker", "run", "--rm", "x"]
    ]
    assert (script.commands[0].place.line, script.commands[0].place.column) == (2, 3)


def test_texts_are_read_only_if_they_are_clearly_guides() -> None:
    for name in ("requirements.txt", "CMakeLists.txt", "notes.txt"):
        kind = kind_of(Source(name, WRONG))
        assert kind is None or kind.name != "document"
    for name in ("README.txt", "docs/install.txt", "部署说明.txt"):
        assert places(name, WRONG) == [(1, 27)]


def test_versions_have_bounds() -> None:
    [claim] = [
        one
        for one in parts(
            "a.md", "Driver ≥ 535, driver 550.54.14 or newer, driver 580.95.05; driver up to 590.48.01."
        )
        if isinstance(one, Claim) and one.all("driver")
    ][:1]

    assert [(one.value, one.bound) for one in claim.mentions] == [
        ("535", "least"),
        ("550.54.14", "least"),
        ("580.95.05", ""),
    ]


@pytest.mark.parametrize(
    "code",
    [
        "python train.py\nx = torch.ones(2)\nnvidia-docker run y\n",
        "git diff\nimport torch\nnvidia-docker run y\n",
        "$ python\n$ x = 2\n$ nvidia-docker run y\n",
    ],
)
def test_other_languages_behind_a_wrong_fence_say_nothing(code: str) -> None:
    assert places("a.md", f"```bash\n{code}```\n") == []


def test_values_of_examples_are_not_judged() -> None:
    [settings] = [
        one for one in parts("a.md", "```sh\nexport NCCL_DEBUG=TRACE\n```\n") if isinstance(one, Settings)
    ]

    assert [(one.name, one.value) for one in settings.settings] == [("NCCL_DEBUG", None)]


def test_code_within_a_line_opens_no_block() -> None:
    text = f"```pip install x```\n\n{WRONG}\n"

    assert places("a.md", text) == [(3, 27)]


def test_comments_that_a_document_shows_accept_nothing_and_want_nothing() -> None:
    shown = "```yaml\n- a: b  # codeblue: ignore[no-such-fault] because\n```\n"
    own = "<!-- codeblue: ignore[no-such-fault] because -->\n"

    assert _faults("a.md", shown) == []
    assert _faults("a.md", own) == ["suppression-unused"]


def _faults(name: str, text: str) -> list[str]:
    source = Source(name, text)
    kind = kind_of(source)
    assert kind is not None
    return [one.fault for one in judge(source, kind, Against()).findings]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("tests/test_dockerfile.py", "FROM x\n"),
        ("nvidia-smi.json", '{"kind": "probe", "containers": []}'),
    ],
)
def test_files_of_other_programs_are_left_alone(name: str, text: str) -> None:
    assert kind_of(Source(name, text)) is None


def test_of_two_reasons_the_machine_is_told() -> None:
    machine = View(kind="probe", name="n", driver=Driver(module_version="580.159.03"))
    source = Source("wiki.md", "All nodes run driver 535.288.01.\n")
    kind = kind_of(source)
    assert kind is not None

    [finding] = judge(source, kind, Against(machine=machine)).findings

    assert finding.variant == "machine"
