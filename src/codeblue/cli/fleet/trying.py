"""What ``fleet trial`` does: trials on each node, collectives over all, and the report."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from codeblue.cli.fleet import engines
from codeblue.model.fleet import NodeState, Run
from codeblue.model.text import message
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    from codeblue.cli.trying import Asked
    from codeblue.fleet.collectives import Told
    from codeblue.fleet.engines.base import Engine
    from codeblue.fleet.store import Store
    from codeblue.model.facts import NcclTrial
    from codeblue.model.fleet import Judged
    from codeblue.model.measure import Measure
    from codeblue.model.snapshot import View
    from codeblue.sources.launch import Options
    from codeblue.sources.launched_trial import Launcher
    from codeblue.sources.site import Loaded

SRUN = "srun --quiet -N {count} -w {folded} --ntasks-per-node {ranks} --immediate={patience}"
PATIENCE = 60
"""Seconds in which Slurm must hand out the nodes."""


class Collective(Struct, frozen=True, kw_only=True):
    """How collectives are run over several nodes."""

    count: int | None
    launch: str | None
    ranks: int
    python: str
    floor: float | None
    most: int
    small: bool
    seconds: float
    partition: str | None
    slurm: bool

    def over(self, nodes: Sequence[str]) -> "Launcher":
        """Return what starts the ranks on these nodes. Raises Unusable."""
        from codeblue.model.node_sets import fold
        from codeblue.sources.launched_trial import launcher

        words = self.launch or self._srun()
        for name, value in (("nodes", ",".join(nodes)), ("folded", fold(nodes)), ("count", str(len(nodes)))):
            words = words.replace(f"{{{name}}}", value)
        return launcher(words)

    def check(self) -> None:
        """Raise Unusable if nothing can start the ranks, or if it would not be told on which nodes."""
        if self.launch is None and not self.slurm:
            raise Unusable(
                message(
                    "say what starts the ranks: --launch 'mpirun --host {nodes}', or use --slurm",
                    "请指定启动各 rank 的命令：--launch 'mpirun --host {nodes}'，或使用 --slurm",
                    nodes="{nodes}",
                )
            )
        if self.launch and "{nodes}" not in self.launch and "{folded}" not in self.launch:
            raise Unusable(
                message(
                    "--launch {launch}: it needs {nodes} or {folded}, where the names of the nodes belong",
                    "--launch {launch}：须包含 {nodes} 或 {folded}，用于填入节点名",
                    launch=self.launch,
                    nodes="{nodes}",
                    folded="{folded}",
                )
            )

    def _srun(self) -> str:
        words = SRUN.replace("{ranks}", str(self.ranks)).replace("{patience}", str(PATIENCE))
        gpus = f" --gpus-per-node {self.ranks}" if self.ranks > 1 else ""
        return f"{words}{gpus}" + (f" -p {self.partition}" if self.partition else "")


def measure(
    chosen: engines.Chosen,
    store: "Store",
    accepts: "Loaded",
    look: "Options",
    asked: "Asked",
    collective: Collective | None,
    form: str,
    lang: str,
) -> int:
    """Measure, keep and report. Return the exit code. Raises Unusable, UsageError."""
    from codeblue.cli.fleet.check import exit_code
    from codeblue.cli.fleet.judging import judged
    from codeblue.cli.output import show
    from codeblue.cli.trying import left_out
    from codeblue.diagnose.measures import measures
    from codeblue.fleet.asking import new_run
    from codeblue.fleet.behind import peers
    from codeblue.model.snapshot import Snapshot
    from codeblue.report.fleet import trials

    if collective:
        collective.check()
    engine = chosen.engine()
    run = new_run(engine, chosen.asked)
    store.begin(run)
    nodes: list[Judged] = []
    if asked.trials:
        _ask(engine, chosen.limit, store, run, look)
        nodes = judged(store, run, accepts)
    found: dict[str, Sequence[Measure]] = {}
    left: list[tuple[str, str, str]] = []
    for view in _views(store, run):
        found[view.name] = measures(view)
        left += [(view.name, *one) for one in left_out(Snapshot(views=[view]), asked).items()]
    rows = peers(found)
    told = _together(collective, run, nodes) if collective else None
    if form == "json":
        verdicts = {node.node: node.verdict or node.state.value for node in nodes}
        click.echo(trials.document(run, rows, verdicts, left, told, lang), nl=False)
    else:
        if nodes:
            from codeblue.cli.fleet.reporting import report

            report(store, run, accepts, "terminal", None, lang)
        show(trials.measured(rows, lang))
        show(trials.not_tried(left, lang))
        if told:
            show(trials.collective(told, lang))
    behind = any(one.behind for one in rows)
    bad = told is not None and told.found is not None
    code = exit_code(nodes) if nodes else 0
    missing = any(what in asked.trials for _, what, _ in left)
    return 1 if bad or behind else code or (3 if missing else 0)


def _ask(engine: "Engine", limit: int, store: "Store", run: Run, look: "Options") -> None:
    from codeblue.cli.fleet.progress import Progress
    from codeblue.fleet.asking import ask

    with Progress(len(run.nodes)) as progress:
        for reply in store.add(run, ask(engine, list(run.nodes), look, limit)):
            progress.step(reply)


def _views(store: "Store", run: Run) -> "Iterator[View]":
    """Yield what is known of each node that answered."""
    from codeblue.fleet.facts import Facts, Pool
    from codeblue.fleet.judging import EVERY

    pool, last = Pool(), store.latest(run)
    for name in store.batches(run):
        nodes = [node for node in store.batch(name) if last.get(node.name) == name]
        wanted = {digest for node in nodes for digest in node.sections.values()}
        pool.hold(store.contents(pool.missing(wanted), name), wanted)
        answered = [node for node in nodes if node.state is NodeState.ANSWERED]
        yield from (Facts(node, pool, None).view(whole=EVERY) for node in answered)


def _together(collective: Collective, run: Run, judged: "Sequence[Judged]") -> "Told":
    """Run the collectives over the free nodes that answer. Raises Unusable if there are not enough."""
    from codeblue.fleet.collectives import accepted
    from codeblue.pipeline import signatures
    from codeblue.sources import launched_trial
    from codeblue.state import salt

    silent = {node.node for node in judged if node.state is not NodeState.ANSWERED}
    free = [node.name for node in run.nodes if node.state is None and node.name not in silent]
    wanted = collective.count or len(free)
    if len(free) < max(2, wanted):
        raise Unusable(
            message(
                "{free} nodes are free, and {wanted} are wanted",
                "只有 {free} 个空闲节点，而需要 {wanted} 个",
                free=len(free),
                wanted=max(2, wanted),
            )
        )
    known, key = signatures(), salt()

    def ran(nodes: tuple[str, ...]) -> "NcclTrial":
        section, _ = launched_trial.run(
            collective.over(nodes), collective.python, {}, collective.small, collective.seconds, key, known
        )
        return section

    return accepted(free[:wanted], ran, collective.floor, collective.most)
