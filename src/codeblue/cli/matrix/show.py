"""``codeblue matrix show``: what the tables know of a release, a GPU or a code."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

import click

from codeblue.cli import options
from codeblue.cli.language import LANG, say

if TYPE_CHECKING:
    from codeblue.knowledge.lookup import Unknown
    from codeblue.model.rows import Row

TOPICS = "torch, driver, cuda, cudnn, nccl, tensorrt, gpu, xid, sxid, error, env, toolkit, bad"


@click.command(
    "show",
    help=say(
        f"Show what the tables know. TOPIC is {TOPICS}; NAME a version, GPU, code or variable; without NAME, "
        "one line for each row. Examples: show torch 2.7.1+cu128, show gpu RTX 4090, show error nvml 999.",
        f"显示表中的数据。TOPIC 为 {TOPICS}；NAME 为版本、GPU、代码或变量名；不带 NAME 时每条数据显示一行。"
        "例如：show torch 2.7.1+cu128、show gpu RTX 4090、show error nvml 999。",
    ),
)
@click.argument("topic")
@click.argument("names", nargs=-1, metavar="[NAME]...")
@click.option(
    "--format",
    "form",
    type=click.Choice(("terminal", "json", "md")),
    default="terminal",
    show_default=True,
    help=say("Form of the output.", "输出形式。"),
)
@options.lang
def command(topic: str, names: tuple[str, ...], form: str) -> int:
    """Look up, join, print."""
    from codeblue.knowledge import DATE, lookup
    from codeblue.report import rows as report

    try:
        lookup.topic_named(topic)
    except lookup.Unknown as error:
        raise click.UsageError(_no_topic(error)) from None
    try:
        found = _with_pages(lookup.look(topic, names)) if names else lookup.listing(topic)
    except lookup.Unknown as error:
        raise click.UsageError(_no_row(topic, error)) from None
    if form == "json":
        click.echo(report.document(found, DATE), nl=False)
        return 0
    if LANG == "zh":
        from codeblue.knowledge.translated import row_in_chinese

        found = [row_in_chinese(row) for row in found]
    if form == "md":
        click.echo((report.page if names else report.page_list)(found, LANG), nl=False)
    else:
        from codeblue.cli.output import screen

        with screen() as console:
            (report.show if names else report.show_list)(console, found, LANG)
    return 0


def _with_pages(rows: "list[Row]") -> "list[Row]":
    """Return the rows with the faults whose signatures recognise what software prints for them."""
    from msgspec.structs import replace

    if not any(row.printed for row in rows):
        return rows
    return [replace(row, faults=_faults(row.printed)) for row in rows]


def _faults(printed: Iterable[str]) -> tuple[str, ...]:
    from codeblue.faults import index
    from codeblue.sources.logs import Signatures

    signatures = Signatures((entry.id, entry.signatures) for entry in index.entries().values())
    return tuple(dict.fromkeys(fault for line in printed for fault, _ in signatures.match(line)))


def _no_topic(error: "Unknown") -> str:
    from codeblue.report.escape import value

    text = value(error.text, 40)
    return say(
        f"no topic '{text}'; topics: {', '.join(error.near)}",
        f"没有主题 '{text}'；可用：{'、'.join(error.near)}",
    )


def _no_row(topic: str, error: "Unknown") -> str:
    from codeblue.report.escape import value

    text = value(error.text, 60)
    said = say(f"the tables know no {topic} '{text}'", f"表中没有 {topic} '{text}'")
    if error.near:
        return said + say(f"; nearest: {', '.join(error.near)}", f"；最接近：{'、'.join(error.near)}")
    listing = f"codeblue matrix show {topic}"
    return said + say(f"; {listing} lists all", f"；{listing} 列出全部")
