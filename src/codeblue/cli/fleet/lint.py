"""``codeblue fleet lint``: documents and configuration against the nodes of a kept run."""

import os

import click

from codeblue.cli import lint as one
from codeblue.cli import options
from codeblue.cli.fleet import asked, engines
from codeblue.cli.language import say
from codeblue.model.text import message
from codeblue.sources.target import Unusable


@click.command(
    "lint",
    help=say(
        "Judge documents and configuration against the nodes of a kept run: the driver that a page names and "
        "nobody runs, the manifest that some nodes cannot start. A finding tells for which nodes it holds.",
        "对照一次已保存运行中的节点检查文档与配置：页面写着却没有节点在用的驱动、部分节点无法启动的清单。"
        "每个问题都注明涉及哪些节点。",
    ),
)
@click.argument("paths", nargs=-1, metavar="[PATH]...")
@click.option(
    "--run",
    "name",
    default="last",
    show_default=True,
    metavar="RUN",
    help=say("An id, its beginning, or last.", "编号、其开头，或 last。"),
)
@click.option(
    "--pedantic", is_flag=True, help=say("Show what many accept knowingly.", "也显示许多人有意接受的问题。")
)
@click.option("-o", "--output", metavar="FILE", help=say("Write the report to a file.", "把报告写入文件。"))
@click.option(
    "--baseline", metavar="FILE", help=say("Accept the findings of this file.", "接受该文件中的问题。")
)
@click.option(
    "--fail-on",
    type=click.Choice(("trouble", "risk")),
    help=say("What exit code 1 stands for.  [default: trouble]", "退出码 1 表示什么。[默认：trouble]"),
)
@engines.stored
@asked.config
@asked.form(*one.FORMS)
@options.lang
def command(
    paths: tuple[str, ...],
    name: str,
    pedantic: bool,
    output: str | None,
    baseline: str | None,
    fail_on: str | None,
    store: str | None,
    config: str | None,
    form: str,
) -> int:
    """Judge against each kind of node, and tell it together."""
    from codeblue.cli import site
    from codeblue.diagnose.engine import assemble
    from codeblue.fleet.alike import alike
    from codeblue.lint import machines
    from codeblue.lint.run import Against
    from codeblue.lint.whole import lint
    from codeblue.model.snapshot import Snapshot

    kept = engines.store_at(store)
    run = kept.run(name)
    loaded = site.load(config)
    own = loaded.site if loaded.path else None
    jobs, files = os.cpu_count() or 1, paths or (".",)
    found = [
        (names, lint(files, Against(assemble(Snapshot(views=[view])), own), jobs=jobs, pedantic=pedantic))
        for names, view in alike(kept, run, machines.asked())
    ]
    if not found:
        raise Unusable(message("{run}: no node has answered", "{run}：没有节点给出回答", run=run.id))
    left = kept.answered(run) - sum(len(names) for names, _ in found)
    if left:
        click.echo(
            say(
                f"{left} more nodes, each unlike the others, were not compared",
                f"另有 {left} 个彼此不同的节点未作比较",
            ),
            err=True,
        )
    linted = one.accepted(machines.together(found), Against(site=own), baseline)
    one.show(linted, form, output)
    return one.code(linted, fail_on)
