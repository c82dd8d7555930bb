"""What ``fleet fix`` and ``fleet undo`` do: find the nodes, ask for leave, go wave by wave, tell."""

import getpass
import shlex
import sys
from collections.abc import Callable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any, TypeVar

import click
from msgspec import Struct, structs

from codeblue.cli.fleet import engines
from codeblue.cli.language import LANG, say
from codeblue.model.text import message
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    from codeblue.fleet.engines.base import Engine
    from codeblue.fleet.errands import Errand
    from codeblue.fleet.rollout_journal import Journal
    from codeblue.fleet.store import Store
    from codeblue.model.approval import Approval
    from codeblue.model.fleet import Listed, Run
    from codeblue.model.rollout import NodePlan, Pace

F = TypeVar("F", bound=Callable[..., Any])


class Wanted(Struct, frozen=True, kw_only=True):
    """What the user asked for."""

    fault: str
    chosen: engines.Chosen
    run: str | None
    remote: str | None
    seconds: float
    apply: bool
    resume: bool
    yes: bool
    approvals: tuple[str, ...]
    canary: int
    batch: str
    stop_above: str
    drain: bool
    form: str


def remote(function: F) -> F:
    """Accept how codeblue is started on the nodes, and for how long."""
    words = click.option(
        "--remote-codeblue",
        metavar="PATH",
        help=say(
            "codeblue on the nodes, with words before it if need be: 'sudo -n /opt/codeblue/bin/codeblue'; "
            "else the one that is found there.",
            "节点上的 codeblue，前面可带其他词：'sudo -n /opt/codeblue/bin/codeblue'；缺省取节点上能找到的。",
        ),
    )
    seconds = click.option(
        "--seconds",
        type=click.FloatRange(1, 86400),
        default=300,
        show_default=True,
        help=say(
            "Time of one node; a codeblue that is late is told to stop and takes back what it has begun.",
            "单个节点的时限；超时的 codeblue 会被要求停止，并撤销已开始的改动。",
        ),
    )
    return words(seconds(function))


def fix(wanted: Wanted, store: "Store") -> int:
    """Show the plans; carry them out if that was asked for. Return the exit code. Raises Unusable."""
    from codeblue.cli import fixing
    from codeblue.cli.output import show
    from codeblue.cli.refusals import refusals
    from codeblue.fleet import repairing
    from codeblue.remedy.approvals import approval
    from codeblue.report.fleet import repairs

    fixing.known((wanted.fault,))
    _fits(wanted)
    pace(wanted, 1)
    with refusals():
        signed = [approval(path) for path in wanted.approvals]
    run, engine = _run(wanted, store)
    plans = _plans(wanted, store, run, engine)
    rows, digest = repairing.groups(plans), repairing.digest(plans)
    if not wanted.apply:
        if wanted.form == "json":
            click.echo(repairs.document(wanted.fault, run.id, rows, plans, digest, (), LANG), nl=False)
            return 0
        show(repairs.preview(wanted.fault, run.id, rows, plans, digest, LANG))
        if rows:
            show([(repairs.NEXT.say(LANG, command=_command(wanted, run, "--apply")), "dim")])
        return 0
    if wanted.form == "terminal" and not wanted.resume:
        show(repairs.preview(wanted.fault, run.id, rows, plans, digest, LANG))
    if not rows:
        return 1 if any(one.outcome and one.outcome.value != "nothing-to-do" for one in plans) else 0
    signed += _leave(wanted, digest, sum(len(nodes) for _, nodes in rows), bool(signed))
    return _apply(wanted, store, run, engine, plans, signed)


def _not_by_pods(chosen: engines.Chosen) -> None:
    if chosen.kubernetes:
        raise click.UsageError(
            say(
                "a pod has its own files, not those of its node: reach the nodes by --ssh",
                "Pod 有自己的文件系统，无法修复节点：请用 --ssh 访问节点",
            )
        )


def _fits(wanted: Wanted) -> None:
    _not_by_pods(wanted.chosen)
    if wanted.drain and not wanted.chosen.slurm:
        raise click.UsageError(say("--drain goes with --slurm", "--drain 须与 --slurm 一起使用"))
    if wanted.resume and not wanted.run:
        raise click.UsageError(say("--resume needs --run RUN", "--resume 需要 --run RUN"))


def pace(wanted: Wanted, nodes: int) -> "Pace":
    """Return how fast it goes on over so many nodes. Raises Unusable."""
    from codeblue.model.rollout import Pace

    share = _share(wanted.batch)
    if share is None and not (wanted.batch.isdecimal() and 0 < len(wanted.batch) < 8 and int(wanted.batch)):
        raise _bad("--batch", wanted.batch, "10% or 5", "10% 或 5")
    above = _share(wanted.stop_above)
    if above is None or above >= 1:
        raise _bad("--stop-above", wanted.stop_above, "10%", "10%")
    batch = int(wanted.batch) if share is None else max(1, int(nodes * share))
    return Pace(canary=wanted.canary, batch=batch, stop_above=above)


def _share(text: str) -> float | None:
    number = text.removesuffix("%")
    if (
        number == text
        or not number.isdecimal()
        or not number.isascii()
        or len(number) > 3
        or int(number) > 100
    ):
        return None
    return int(number) / 100


def _bad(option: str, value: str, en: str, zh: str) -> Unusable:
    return Unusable(
        message(
            "{option} {value}: write {en}",
            "{option} {value}：请写成 {zh}",
            option=option,
            value=value,
            en=en,
            zh=zh,
        )
    )


def _run(wanted: Wanted, store: "Store") -> "tuple[Run, Engine]":
    """Return the run that is meant, a new one if none is, and the engine. Raises Unusable, UsageError."""
    from codeblue.fleet.asking import new_run

    if wanted.run:
        run = store.run(wanted.run)
        return run, engine_of(wanted.chosen, run)
    engine = wanted.chosen.engine()
    run = new_run(engine, wanted.chosen.asked)
    store.begin(run)
    return run, engine


def engine_of(chosen: engines.Chosen, run: "Run") -> "Engine":
    """Return the engine that the user names now, else that of the run. Raises UsageError."""
    if chosen.ssh or chosen.slurm or chosen.kubernetes or chosen.ray:
        return chosen.engine()
    names = tuple(node.name for node in run.nodes)
    if run.engine == "ssh":
        from codeblue.fleet.engines.ssh import Ssh

        return Ssh(names, chosen.ssh_config, chosen.python)
    if run.engine == "slurm":
        from codeblue.fleet.engines.slurm import Slurm

        return Slurm(None, names, python=chosen.python)
    raise click.UsageError(
        say(
            f"say how the nodes of run {run.id} are reached: --ssh HOSTS, --slurm or --ray ADDRESS",
            f"请指定如何访问运行 {run.id} 的节点：--ssh 主机、--slurm 或 --ray 地址",
        )
    )


def _listed(engine: "Engine", names: Sequence[str]) -> "dict[str, Listed]":
    """Return these nodes as the engine sees them now. Raises Unusable."""
    from codeblue.model.fleet import Listed, NodeState

    there = {node.name: node for node in engine.nodes()}
    lost = "the engine does not list it now"
    return {name: there.get(name) or Listed(name, NodeState.REFUSED, lost) for name in names}


def _plans(wanted: Wanted, store: "Store", run: "Run", engine: "Engine") -> "list[NodePlan]":
    """Return the plans of the nodes: those of the preview if they are to be carried out, else new ones."""
    from codeblue.fleet import errands
    from codeblue.fleet.rollout_journal import keep_plans, kept_plans

    kept = kept_plans(store, run, wanted.fault) if wanted.apply else []
    if kept:
        return kept
    nodes = _listed(engine, _with_fault(wanted.fault, store, run))
    answers = errands.send(engine, list(nodes.values()), errand(wanted, run, "plan"))
    plans = sorted((errands.node_plan(answer) for answer in answers), key=lambda one: one.node)
    keep_plans(store, run, wanted.fault, plans)
    return plans


def _with_fault(fault: str, store: "Store", run: "Run") -> list[str]:
    """Return the nodes on which a run has found the fault; all of a run that has not looked."""
    from codeblue.cli.fleet.judging import judged
    from codeblue.sources.site import Loaded

    if not store.batches(run):
        return [node.name for node in run.nodes]
    rows = judged(store, run, Loaded())
    return [row.node for row in rows if any(one.fault == fault for one in row.findings)]


def errand(wanted: Wanted, run: "Run", verb: str) -> "Errand":
    """Return what the nodes are asked to do."""
    from codeblue.fleet.errands import Errand

    words = tuple(shlex.split(wanted.remote or ""))
    return Errand(
        verb=verb,
        run=run.id,
        fault=wanted.fault,
        words=words,
        seconds=wanted.seconds,
        limit=wanted.chosen.limit,
        yes=wanted.yes,
    )


def _leave(wanted: Wanted, digest: str, nodes: int, signed: bool) -> "list[Approval]":
    """Ask the user at his terminal; his word is handed to the nodes as an approval of today. Raises Unusable.

    A node whose codeblue.toml names approvers takes it for what it is, and refuses.
    """
    from codeblue.model.approval import Approval

    if signed or wanted.yes:
        return []
    if not sys.stdin.isatty():
        raise Unusable(
            message(
                "there is no terminal to ask at and nothing was changed; use --yes for safe steps, "
                "--approval FILE for others (plan {digest})",
                "没有可供询问的终端，未做任何改动；安全的步骤请用 --yes，"
                "其他步骤请用 --approval FILE（计划 {digest}）",
                digest=digest,
            )
        )
    if not click.confirm(say(f"apply it to {nodes} nodes?", f"在 {nodes} 个节点上执行？"), default=False):
        raise click.exceptions.Exit(1)
    return [Approval(plan=digest, owner=getpass.getuser(), until=date.today())]


def _apply(
    wanted: Wanted,
    store: "Store",
    run: "Run",
    engine: "Engine",
    plans: "Sequence[NodePlan]",
    signed: "Sequence[Approval]",
) -> int:
    from codeblue.fleet import repairing
    from codeblue.fleet.rollout_journal import journal
    from codeblue.model.rollout import Event

    with journal(store, run, wanted.fault) as kept:
        if kept.entries and not wanted.resume:
            raise Unusable(
                message(
                    "run {run}: the repair of {fault} was begun already; go on with --resume",
                    "运行 {run}：{fault} 的修复已经开始过；请用 --resume 继续",
                    run=run.id,
                    fault=wanted.fault,
                )
            )
        names = repairing.order(plans, kept)
        kept.add(Event.BEGIN)
        digests = {one.node: one.plan.digest for one in plans if one.plan}
        order = structs.replace(
            errand(wanted, run, "apply"),
            approvals=repairing.approved(plans, signed),
            plans=list(digests.values()),
            drain=f"codeblue {run.id}" if wanted.drain else "",
        )
        listed, how = _listed(engine, names), pace(wanted, len(names))
        for answer in repairing.repair(engine, listed, order, digests, names, how, kept):
            if sys.stderr.isatty():
                click.echo(f"{answer.node}: {answer.outcome.value if answer.outcome else ''}", err=True)
        return _told(wanted, run, plans, kept)


def _command(wanted: Wanted, run: "Run", end: str) -> str:
    words = ["codeblue", "fleet", "fix", wanted.fault, "--run", run.id, *_way(wanted), end]
    return shlex.join(words)


def _way(wanted: Wanted) -> list[str]:
    """Return the options without which the next call would reach the nodes in another way."""
    told = {
        "--ssh-config": wanted.chosen.ssh_config,
        "--python": wanted.chosen.python,
        "--remote-codeblue": wanted.remote,
    }
    return [word for name, value in told.items() if value for word in (name, value)]


def _told(wanted: Wanted, run: "Run", plans: "Sequence[NodePlan]", kept: "Journal") -> int:
    """Report what became of all nodes; 0 if each of them is fixed or had nothing to fix."""
    from codeblue.cli.output import show
    from codeblue.fleet import repairing
    from codeblue.model.rollout import Outcome
    from codeblue.report.fleet import repairs

    last = kept.last()
    left = [one.node for one in plans if one.plan and one.node not in last]
    if wanted.form == "json":
        rows, digest = repairing.groups(plans), repairing.digest(plans)
        click.echo(repairs.document(wanted.fault, run.id, rows, plans, digest, kept.entries, LANG), nl=False)
    else:
        show(repairs.came_of(last, left, kept.entries[-1].stop, LANG))
        if left or any(one.outcome not in repairing.DONE for one in last.values()):
            show([(repairs.AGAIN.say(LANG, command=_command(wanted, run, "--resume")), "dim")])
        if kept.standing():
            words = ["codeblue", "fleet", "undo", run.id, wanted.fault, *_way(wanted)]
            show([(repairs.BACK.say(LANG, command=shlex.join(words)), "dim")])
    good = (*repairing.DONE, Outcome.AWAITING)
    bad = any(one.outcome not in good for one in last.values())
    unplanned = any(one.outcome not in (None, Outcome.NOTHING) for one in plans)
    return 1 if left or bad or unplanned else 0


def undo(
    store: "Store", name: str, fault: str | None, chosen: engines.Chosen, words: str | None, seconds: float
) -> int:
    """Take back on each node what stands. Return the exit code. Raises Unusable."""
    from codeblue.cli.output import show
    from codeblue.fleet import repairing
    from codeblue.fleet.errands import Errand
    from codeblue.fleet.rollout_journal import faults, journal
    from codeblue.model.rollout import Outcome
    from codeblue.report.fleet import repairs

    _not_by_pods(chosen)
    run = store.run(name)
    begun = [one for one in faults(store, run) if fault in (None, one)]
    if not begun:
        raise Unusable(
            message(
                "run {run}: fleet fix has changed nothing",
                "运行 {run}：fleet fix 没有做过任何改动",
                run=run.id,
            )
        )
    engine, told = engine_of(chosen, run), []
    for one in begun:
        with journal(store, run, one) as kept:
            standing = kept.standing()
            order = Errand(
                verb="undo",
                run=run.id,
                fault=one,
                words=tuple(shlex.split(words or "")),
                seconds=seconds,
                limit=chosen.limit,
                plans=[entry.plan for entry in standing.values()],
            )
            nodes = list(_listed(engine, list(standing)).values())
            told += list(repairing.take_back(engine, nodes, order, kept))
    show(repairs.summed([(answer.node, answer.outcome, answer.why) for answer in told], LANG))
    return 1 if any(answer.outcome not in (Outcome.TAKEN_BACK, Outcome.NOTHING) for answer in told) else 0
