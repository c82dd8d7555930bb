"""Can the ranks of a job meet, and only they?"""

from collections.abc import Iterator

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.header import EIGHT, asked, gpus_per_node, number
from codeblue.lint.rules.launch.launchers import launches, resolved
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
    if given is None or given[1] >= EIGHT or asked(script, "--exclusive"):
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
    nodes = number(script, "--nodes") or 1
    places = [
        (one.value_place, one.value)
        for one in script.settings
        if one.name == "MASTER_ADDR" and one.value_place and nodes > 1
    ]
    for start in launches(script):
        stated = resolved(script, start.own.value(*NODES))
        count = int(stated) if stated.isdigit() and len(stated) < 6 else nodes
        word = start.own.option(*ADDRESS) or start.own.option(*ENDPOINT)
        if count > 1 and word is not None:
            places.append((word.place, resolved(script, word.text.split("=", 1)[-1])))
            nodes = count
    for place, text in places:
        host = (text or "").rsplit(":", 1)[0] if (text or "").count(":") == 1 else text
        if place is not None and host in LOOPBACK:
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


RULES = (ports_of_shared_nodes_differ, several_nodes_meet_at_an_address)
