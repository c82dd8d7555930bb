"""The words of the reports over many nodes."""

from codeblue.model.fleet import Judged, NodeState, Role
from codeblue.model.text import Text

TITLE = Text("Fleet report", "集群报告")
STATES = {
    NodeState.ANSWERED: Text("answered", "已回答"),
    NodeState.SILENT: Text("no answer", "没有回答"),
    NodeState.REFUSED: Text("could not be asked", "无法询问"),
    NodeState.DOWN: Text("down, says the engine", "引擎称已下线"),
    NodeState.ALLOCATED: Text("not looked at: allocated", "未查看：已分配"),
    NodeState.UNUSABLE: Text("answered what cannot be read", "回答无法读取"),
}
VERDICTS = {
    "trouble": Text("trouble", "有故障"),
    "unknown": Text("not decided", "无法判定"),
    "risk": Text("works; there are risks", "可用；存在风险"),
    "healthy": Text("healthy", "健康"),
}
STYLES = {"trouble": "bad", "unknown": "warn", "risk": "warn", "healthy": "good"}
ROLES = {
    Role.CAUSE: Text("cause", "原因"),
    Role.CONSEQUENCE: Text("consequence", "后果"),
    Role.RISK: Text("risk", "风险"),
}
ACROSS = Text("what many nodes have in common", "多个节点的共同之处")
CAUSES = Text("causes", "原因")
EFFECTS = Text("what follows from them", "由此产生的现象")
RISKS = Text("risks", "风险")
NOTES = Text("who they are, and their clocks", "节点身份与时钟")
WITHOUT_GPU = Text("of these read without a GPU", "其中未占用 GPU 读取的")
NOT_ASKED = Text("who was not looked at, and why", "未能查看的节点及原因")
LIGHT_NODES = Text("of these read without a GPU: {nodes}", "其中未占用 GPU 读取的：{nodes}")
LIGHT = Text("read without a GPU", "未占用 GPU 读取")
MANY = Text("{n} nodes", "{n} 个节点")
ONE = Text("{n} node", "{n} 个节点")
HOW_MANY = Text("how many", "节点数")
RUN = Text("run", "运行")
GROUPS = Text("groups", "分组")
GROUP = Text("group", "分组")
NODES = Text("nodes", "节点")
NODE = Text("node", "节点")
STATE = Text("state", "状态")
FOUND = Text("what was found", "发现")
FAULT = Text("fault", "故障")
LAYER = Text("layer", "层")
SEARCH = Text("name of a node, a group or a fault", "节点、分组或故障的名称")
MORE = Text("and {n} more: narrow the search", "还有 {n} 个：请缩小搜索范围")
NOTHING = Text("nothing wrong was found", "没有发现问题")
ODD = Text("who differs from the rest", "与众不同的节点")
BECAUSE = Text("because", "依据")
LEFT_OUT = Text(
    "too much for this page: codeblue fleet report --format json tells it",
    "内容太多，本页从略：见 codeblue fleet report --format json",
)
NO_GROUP = Text("(none)", "（无）")


def count(number: int, lang: str) -> str:
    """Return how many nodes there are."""
    return (ONE if number == 1 else MANY).say(lang, n=number)


def kind(node: Judged) -> str:
    """Return the verdict on a node, or its state where there is none."""
    return node.verdict or node.state.value


def named(kind_: str, lang: str) -> str:
    """Return the name of what :func:`kind` tells."""
    text = VERDICTS.get(kind_) or STATES[NodeState(kind_)]
    return text.say(lang)
