"""``codeblue fleet expect``: what a healthy node has, as what a site expects."""

import click

from codeblue.cli import options
from codeblue.cli.fleet import engines
from codeblue.cli.language import say


@click.command(
    "expect",
    help=say(
        "Write a codeblue.toml that expects of every machine what NODE of a kept run has: number and model "
        "of GPUs, versions, limits.",
        "按已保存的运行中 NODE 的状况生成 codeblue.toml：GPU 数量与型号、版本、限制。",
    ),
)
@click.argument("node")
@click.option(
    "--run",
    "name",
    metavar="RUN",
    default="last",
    show_default=True,
    help=say("The run that looked at it.", "检查过该节点的运行。"),
)
@engines.stored
@click.option("-o", "--output", metavar="FILE", help=say("Write to a file.", "写入文件。"))
@options.lang
def command(node: str, name: str, store: str | None, output: str | None) -> int:
    """Read, judge, write."""
    from codeblue.cli.fleet.judging import new_judge
    from codeblue.cli.output import write
    from codeblue.fleet.expecting import expected, toml
    from codeblue.fleet.facts import Pool
    from codeblue.fleet.judging import snapshot_of
    from codeblue.model.fleet import NodeState
    from codeblue.model.text import message
    from codeblue.pipeline import signatures
    from codeblue.sources.site import Loaded
    from codeblue.sources.target import Unusable

    kept = engines.store_at(store)
    run = kept.run(name)
    found = kept.node(run, node)
    if found is None or found.state is not NodeState.ANSWERED:
        raise Unusable(
            message(
                "{node}: the run {run} has no answer of this node",
                "{node}：运行 {run} 中没有该节点的回答",
                node=node,
                run=run.id,
            )
        )
    verdict = new_judge(Loaded()).judged(found, Pool(kept.contents(found.sections.values()))).verdict
    if verdict not in ("healthy", "risk"):
        raise Unusable(
            message(
                "{node} is not healthy in the run {run}: what it has is nothing to expect of others",
                "{node} 在运行 {run} 中并不健康，不能作为其他节点的标准",
                node=node,
                run=run.id,
            )
        )
    [view] = snapshot_of(kept, found, signatures()).views
    head = say(f"as {node} was in the run {run.id}", f"依据运行 {run.id} 中的 {node}")
    text = "".join(f"{line}\n" for line in toml(expected(view), _comments(), head))
    if output is None:
        click.echo(text, nl=False)
    else:
        write(output, text.encode())
    return 0


def _comments() -> dict[str, str]:
    return {
        "driver": say(
            'this very release; ">=" in front accepts newer ones',
            "仅限该版本；前面加 “>=” 则也接受更新的版本",
        ),
        "shm": say("at least", "至少"),
        "memlock": say("soft limits, at least", "软限制，至少"),
    }
