"""Can the ranks of a job meet, and only they?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.header import SMALLEST, asked, gpus_per_node, number
from codeblue.lint.rules.launch.launchers import assigned, launches, resolved
from codeblue.model.config.place import Place
from codeblue.model.config.shell import Script
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.lint import Problem
from codeblue.model.text import message

LOOPBACK = ("localhost", "127.0.0.1", "::1", "[::1]")
ADDRESS = ("--master_addr", "--master-addr", "--main_process_ip")
PORT = ("--master_port", "--master-port", "--main_process_port")
ENDPOINT = ("--rdzv_endpoint", "--rdzv-endpoint")
NODES = ("--nnodes", "--num_machines", "--num_nodes")


@rule("rendezvous-port-in-use")
def ports_of_shared_nodes_differ(script: Script) -> Iterator[Problem]:
    """A job that leaves GPUs of its node to others does not fix the port where its ranks meet."""
    given = gpus_per_node(script)
    several = (number(script, "--nodes") or 1) > 1
    if given is None or given[1] >= SMALLEST or several or asked(script, "--exclusive"):
        return
    for place, text in _ports(script):
        if text.isdigit() and text != "0":
            yield Problem(
                place=place,
                message=message(
                    "port {port} is fixed, and with {gpus} GPU(s) the node is shared: "
                    "a second job that uses this script there does not start",
                    "端口 {port} 是写死的，而作业只占 {gpus} 块 GPU，节点与他人共享："
                    "同一节点上第二个用此脚本的作业无法启动",
                    port=text,
                    gpus=given[1],
                ),
                certainty=Certainty.POSSIBLE,
                kind=Kind.RISK,
                severity=Severity.WARNING,
                variant="fixed",
            )


def _ports(script: Script) -> Iterator[tuple[Place, str]]:
    for one in script.settings:
        if one.name == "MASTER_PORT" and one.value and one.value_place:
            yield one.value_place, one.value
    for start in launches(script):
        for names in (PORT, ENDPOINT):
            word = start.own.option(*names)
            if word is not None and word.literal:
                yield word.place, word.text.split("=", 1)[-1].rpartition(":")[2]


@rule("rendezvous-address-loopback")
def several_nodes_meet_at_an_address(script: Script) -> Iterator[Problem]:
    """Jobs on several nodes do not meet at an address that means this machine on each of them."""
    for nodes, place, text in _addresses(script):
        host = text.rsplit(":", 1)[0] if text.count(":") == 1 else text
        if nodes > 1 and host in LOOPBACK:
            yield Problem(
                place=place,
                message=message(
                    "{nodes} nodes meet at {host}, where each finds only itself: a wait until the time-out",
                    "{nodes} 个节点以 {host} 为集合点，但每个节点只能找到自己：一直等到超时",
                    nodes=nodes,
                    host=host,
                ),
                certainty=Certainty.LIKELY,
            )


def _addresses(script: Script) -> Iterator[tuple[int, Place, str]]:
    """Yield addresses of rendezvous and how many nodes are to meet there."""
    asked_for = number(script, "--nodes") or 1
    known = assigned(script)
    for one in known.get("MASTER_ADDR", ()):
        if one.value_place is not None:
            yield asked_for, one.value_place, one.value or ""
    for start in launches(script):
        stated = resolved(known, start.own.value(*NODES))
        nodes = int(stated) if stated.isdigit() and len(stated) < 6 else asked_for
        word = start.own.option(*ADDRESS) or start.own.option(*ENDPOINT)
        if word is not None:
            yield nodes, word.place, resolved(known, word.text.split("=", 1)[-1])


RULES = (ports_of_shared_nodes_differ, several_nodes_meet_at_an_address)
