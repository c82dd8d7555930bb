"""``codeblue fleet query``: questions to kept runs, in SQL."""

import sys

import click

from codeblue.cli import options
from codeblue.cli.fleet import asked, engines
from codeblue.cli.language import say

COLUMNS = """\b
runs:     run, time, engine, asked, nodes, codeblue, data
nodes:    run, node, grp, state, why, verdict, host, seconds
findings: run, node, fault, subject, layer, kind, certainty, role, summary
facts:    run, node, section, path, place, value, number
"""


@click.command(
    "query",
    help=say(
        "Ask kept runs in SQL (DuckDB; one SELECT, nothing can be changed and no file be read).",
        "用 SQL 查询已保存的运行（DuckDB；一条 SELECT，不能修改数据，也不能读取文件）。",
    )
    + "\n\n"
    + COLUMNS,
)
@click.argument("sql")
@click.option(
    "--run",
    "names",
    multiple=True,
    metavar="RUN",
    help=say(
        "Runs that the tables hold; `all` for all of them.  [default: the last one]",
        "表中包含的运行；`all` 表示全部。[缺省：最近一次]",
    ),
)
@click.option(
    "--seconds",
    type=click.FloatRange(0.1, 3600),
    default=60.0,
    show_default=True,
    help=say("How long the answer may take.", "最长等待时间（秒）。"),
)
@engines.stored
@asked.config
@asked.form("table", "csv", "json")
@options.lang
def command(
    sql: str, names: tuple[str, ...], seconds: float, store: str | None, config: str | None, form: str
) -> int:
    """Ask and print."""
    from codeblue.cli import site
    from codeblue.cli.fleet.kept import complain, opened
    from codeblue.fleet.question import ask
    from codeblue.report.fleet import rows

    kept = engines.store_at(store)
    wanted = kept.runs() if "all" in names else names or ("last",)
    database, _ = opened(kept, [kept.run(name) for name in wanted], site.load(config))
    complain(kept)
    with ask(kept, database, sql, seconds) as answer:
        for text in rows.FORMS[form](answer.columns, answer.rows):
            sys.stdout.write(text)
    return 0
