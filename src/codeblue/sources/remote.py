"""Another machine as a target: a host over ssh, a node of Slurm."""

import re

from msgspec import structs

from codeblue.model.fleet import NodeState
from codeblue.model.text import Message, Text, message
from codeblue.sources import slurm
from codeblue.sources.launch import Launched, Options, send
from codeblue.sources.target import Target, Unusable
from codeblue.transport.remote import OLD, VOICELESS, WITHOUT_GPU, interpreter, jump_host, over_ssh

START = 15.0
"""Seconds beyond the probe's budget: connecting, looking for a Python, sending the text."""
SMALL = 1024
"""Megabytes asked of a node on which others are at work."""

REASONS = (
    (
        re.compile(r"[Hh]ost key|HOST IDENTIFICATION"),
        Text(
            "{name}: its host key is not known here, or has changed; compare it with the real one, "
            "then connect once by hand: ssh {value}",
            "{name}：这里没有它的主机密钥，或密钥已改变；请先核对，再手动连接一次：ssh {value}",
        ),
    ),
    (
        re.compile(r"Permission denied|Too many authentication"),
        Text(
            "{name}: ssh does not let us in ({why}); this must work without a question: ssh {value} true",
            "{name}：ssh 拒绝登录（{why}）；下面的命令必须无需输入即可成功：ssh {value} true",
        ),
    ),
    (
        re.compile(OLD),
        Text(
            "{name}: {why}; install one there (any user's will do)",
            "{name}：没有 Python 3.6 或更高版本（{why}）；请在那里安装一个（装在任意用户下即可）",
        ),
    ),
    (
        re.compile(
            r"timed? ?out|No route to host|Connection (?:refused|reset|closed)|resolve hostname|unreachable",
            re.IGNORECASE,
        ),
        Text(
            "{name}: not reached ({why}); see that ssh {value} works",
            "{name}：无法连接（{why}）；请确认 ssh {value} 可用",
        ),
    ),
)
"""What ssh and the shell over there say, and what to do."""

STANDING = (
    # For a minute or so sinfo may go on to call a node mixed of which jobs have taken all.
    (re.compile(r"(?:.*: )?Requested nodes are busy"), NodeState.ALLOCATED, "allocated"),
    (re.compile(r"(?:.*: )?(Required node not available.*)"), NodeState.DOWN, r"\1"),
)
"""What srun says where sinfo has called the node free, and what sinfo would have said."""


def beyond(target: Target, options: Options) -> Launched:
    """Send the probe to another machine. Raises Unusable, also where ours would wait for other jobs."""
    lacking: tuple[Message, ...] = ()
    if target.kind == "ssh":
        prefix = over_ssh(target.value, interpreter())
    else:
        node = _node(target)
        prefix = _as_job(node, options.budget)
        lacking = () if _whole(node) else (_without_gpu(target),)
    # The working directory is one of this machine.
    launched = send(target, structs.replace(options, cwd=None), {}, prefix)
    return structs.replace(launched, budget=options.budget + START, lacking=lacking)


def refusal(target: Target, words: str) -> Message:
    """Return what to say where the probe could not be started."""
    if target.kind == "ssh" and VOICELESS in words and (jump := jump_host(target.value)):
        return message(
            "{name}: not reached by way of {jump} ({why}); see that the jump host answers, "
            "and that ssh {value} works",
            "{name}：无法经由 {jump} 连接（{why}）；请确认跳板机有响应，且 ssh {value} 可用",
            name=target.name,
            jump=jump,
            why=words,
            value=target.value,
        )
    for pattern, state, why in STANDING:
        if found := pattern.match(words):
            return _not_asked(target, state, found.expand(why))
    for pattern, text in REASONS:
        if pattern.search(words):
            return message(text.en, text.zh, name=target.name, value=target.value, why=words.rstrip("."))
    return message("{name}: {why}", "{name}：{why}", name=target.name, why=words)


def _node(target: Target) -> slurm.SlurmNode:
    node = next(iter(slurm.listed(None, [target.value])), None)
    if node is None:
        raise Unusable(
            message(
                "{name}: Slurm knows no such node; sinfo -N lists them",
                "{name}：Slurm 中没有这个节点；可用 sinfo -N 列出",
                name=target.name,
            )
        )
    state, why = node.standing()
    if state is not None:
        raise Unusable(_not_asked(target, state, why))
    return node


def _whole(node: slurm.SlurmNode) -> bool:
    return node.idle or not node.gpus


def _without_gpu(target: Target) -> Message:
    return message(
        "{name}: others are at work there, so it was read without a GPU",
        "{name}：有其他作业在运行，因此在不占 GPU 的情况下读取",
        name=target.name,
    )


def _as_job(node: slurm.SlurmNode, budget: float) -> tuple[str, ...]:
    wish = slurm.Wish(
        partition=node.partition,
        nodes=(node.name,),
        name=slurm.job_name(),
        gpus=node.gpus if node.idle else 0,
        memory=0 if node.idle else min(SMALL, node.memory),
        seconds=budget + START,
    )
    return slurm.command(wish, interpreter(told=() if _whole(node) else (WITHOUT_GPU,)))


def _not_asked(target: Target, state: NodeState, why: str) -> Message:
    if state is NodeState.ALLOCATED:
        return message(
            "{name}: not looked at: {why}; jobs are at work there, and ours would queue",
            "{name}：未查看：{why}；节点正在被作业使用，我们的作业只会排队",
            name=target.name,
            why=why,
        )
    return message(
        "{name}: Slurm starts nothing there: {why}; try ssh:{value}",
        "{name}：Slurm 不会在那里启动作业：{why}；可改用 ssh:{value}",
        name=target.name,
        why=why,
        value=target.value,
    )
