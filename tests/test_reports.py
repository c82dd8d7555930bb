"""Whole reports, compared as they are printed; ``python -m scripts.update_expected`` writes them anew."""

import json
from io import StringIO
from pathlib import Path

import pytest
from rich.console import Console

from codeblue.model.diagnosis import Diagnosis
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.remedy import Step, Verb
from codeblue.model.text import message
from codeblue.pipeline import judge
from codeblue.remedy.shell import TEMPLATES, command
from codeblue.report import escape, json_v1, markdown, plain
from codeblue.report.terminal import Terminal
from tests.conftest import joined, recording, text

FOLDER = Path(__file__).parent / "expected"
EXPECTED = [
    f"{case}.{form}.{lang}.txt"
    for case in ("closed-node", "job-error")
    for form in ("terminal", "narrow", "markdown", "json")
    for lang in ("en", "zh")
]

CLOSED = {"mode": "0644", "open_rw": "EACCES", "mode_after": "0644"}


def diagnosis(case: str) -> Diagnosis:
    """Return the diagnosis that a report is made of."""
    if case == "job-error":
        words = text(
            "epoch 3",
            "[rank1]: Traceback (most recent call last):",
            "[rank1]: torch.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 1 has a "
            "total capacity of 79.10 GiB of which 1.05 GiB is free.",
        )
        return judge(joined(recording("h200-healthy"), words))
    return judge(
        recording(
            "h200-healthy",
            nodes={"nodes": {"/dev/nvidiactl": CLOSED}},
            cuda={"init": 100, "count": None, "devices": {}},
            nvml={"state": "read", "library": "libnvidia-ml.so.1", "init": 999, "unread": {"gpus": "error"}},
            torch_trial={"available": False, "count": 0, "devices": {}},
        )
    )


def rendered(name: str) -> str:
    """Return the report of this name as it would be printed."""
    case, form, lang, _ = name.split(".")
    found = diagnosis(case)
    if form == "json":
        return json_v1.render(found, lang)
    if form == "markdown":
        return markdown.render(found, lang)
    page = StringIO()
    console = Console(file=page, width=50 if form == "narrow" else 110, highlight=False)
    Terminal(console, lang, verbose=False, reveal=lambda line: line).show(found)
    return "".join(f"{line.rstrip()}\n" for line in page.getvalue().splitlines())


@pytest.mark.parametrize("name", EXPECTED)
def test_the_whole_report(name: str) -> None:
    assert rendered(name) == (FOLDER / name).read_text(encoding="utf-8")


@pytest.mark.parametrize("name", [name for name in EXPECTED if ".terminal." in name])
def test_what_is_piped_is_what_a_wide_terminal_shows(name: str) -> None:
    case, _, lang, _ = name.split(".")
    found = diagnosis(case)
    piped, shown = StringIO(), StringIO()
    wide = Console(file=shown, width=1000, highlight=False)
    for console in (plain.Console(piped, "utf-8"), wide):
        Terminal(console, lang, verbose=True, reveal=lambda line: line).show(found)

    assert piped.getvalue() == "".join(f"{line.rstrip()}\n" for line in shown.getvalue().splitlines())


@pytest.mark.parametrize("lang", ["en", "zh"])
def test_a_narrow_terminal_loses_nothing(lang: str) -> None:
    narrow = rendered(f"closed-node.narrow.{lang}.txt")

    assert max(map(len, narrow.splitlines())) <= 50
    assert "device-node-permissions" in narrow
    assert "chmod" in narrow


def test_the_json_document_has_the_documented_shape() -> None:
    document = json.loads(rendered("closed-node.json.en.txt"))

    assert (document["verdict"], document["layer"]) == ("trouble", "device-access")
    cause = document["causes"][0]
    assert {"fault", "variant", "layer", "kind", "subject", "severity", "certainty"} <= cause.keys()
    assert cause["fix"]["command"] == "codeblue fix device-node-permissions"
    assert cause["fix"]["undo"] == "exact"
    assert {row["fault"] for row in document["consequences"]} >= {
        "cuda-init-failed",
        "torch-cuda-unavailable",
    }


def test_commands_quote_what_a_shell_would_act_on() -> None:
    hostile = "/tmp/$(reboot); x"
    step = Step(Verb.NODE_MODE, message("x", "某"), {"path": hostile, "mode": "0666"})
    variable = Step(Verb.ENV_SET, message("x", "某"), {"name": "A", "value": "b c"})

    assert command(step) == "sudo chmod 0666 '/tmp/$(reboot); x'"
    assert command(variable) == "export A='b c'"


def test_every_verb_is_a_command_or_an_instruction() -> None:
    assert set(TEMPLATES) | {Verb.INSTRUCT} == set(Verb)


def test_values_are_never_expanded_as_templates() -> None:
    assert message("{name}", "{name}", name="{other} {0.x}").say("en") == "{other} {0.x}"


@pytest.mark.parametrize("text", ["a\x1b[31mb", "a\x00b", "a\u202eb", "a\rb"])
def test_control_characters_become_visible(text: str) -> None:
    assert escape.line(text).startswith("a")
    assert all(character.isprintable() for character in escape.line(text))


def test_markdown_and_html_are_escaped() -> None:
    assert escape.markdown("<b>|[x](y)|`z`") == r"\<b\>\|\[x\](y)\|\`z\`"


def test_names_of_the_model_are_the_published_words() -> None:
    assert [kind.value for kind in Kind] == ["trouble", "risk", "harmless"]
    assert [severity.value for severity in Severity] == ["error", "warning", "note"]
    assert [certainty.value for certainty in Certainty] == ["certain", "likely", "possible"]
