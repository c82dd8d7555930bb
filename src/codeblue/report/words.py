"""The words of the reports, in every language."""

from codeblue.model.diagnosis import BarrierState, Diagnosis, Overall, Return, Waived
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.layers import NAMES
from codeblue.model.remedy import Automation, Remedy, Undo
from codeblue.model.text import Text

VERDICT = {
    Overall.HEALTHY: Text("healthy: nothing wrong was found", "健康：没有发现问题"),
    Overall.RISK: Text("works; there are risks", "可用；存在风险"),
    Overall.TROUBLE: Text("trouble", "有故障"),
    Overall.UNKNOWN: Text(
        "not decided: something could not be read or understood", "无法判定：有内容未能读取或理解"
    ),
}
QUIET = Text("nothing in the text points at trouble", "文本中没有指向故障的内容")
CANDIDATES = Text("not decided: the text leaves these candidates", "无法判定：文本留下以下候选原因")
STATE = {
    BarrierState.OPEN: Text("open", "通"),
    BarrierState.CLOSED: Text("closed", "断"),
    BarrierState.PARTIAL: Text("partial", "部分"),
    BarrierState.NOT_APPLICABLE: Text("not applicable", "不适用"),
    BarrierState.UNREAD: Text("unread", "未读取"),
}
CERTAINTY = {
    Certainty.CERTAIN: Text("certain", "确定"),
    Certainty.LIKELY: Text("likely", "很可能"),
    Certainty.POSSIBLE: Text("possible", "可能"),
}
KIND = {
    Kind.TROUBLE: Text("trouble", "故障"),
    Kind.RISK: Text("risk", "风险"),
    Kind.HARMLESS: Text("harmless", "无害"),
}
SEVERITY = {
    Severity.ERROR: Text("error", "错误"),
    Severity.WARNING: Text("warning", "警告"),
    Severity.NOTE: Text("note", "提示"),
}
AUTOMATION = {
    Automation.AUTOMATIC: Text("safe to run yourself", "可自行执行"),
    Automation.APPROVAL: Text("ask the owner of the machine first", "先征得机器负责人同意"),
    Automation.HUMAN: Text("needs a person", "需要人工处理"),
}
UNDO = {
    Undo.EXACT: Text("can be taken back exactly", "可精确还原"),
    Undo.COMPENSATING: Text("can be compensated", "可用反向操作抵消"),
    Undo.NONE: Text("cannot be taken back", "不可撤销"),
}

VERDICT_AND_LAYER = Text("{verdict}, broken layer: {layer}", "{verdict}，故障层：{layer}")
SAFETY = Text("{automation}; {undo}", "{automation}；{undo}")
CAUSE = Text("root cause", "根因")
CANDIDATE = Text("possible cause", "可能的原因")
ON_SIDE = {
    "host": Text("on the host", "在宿主机上"),
    "container": Text("inside the container", "在容器内"),
}
HOST_LAYERS = Text("layers of its host", "宿主机各层")
ALSO = Text("another cause", "另一个根因")
EVIDENCE = Text("evidence", "证据")
EXPLAINS = Text("explains", "解释了")
CONSEQUENCES = Text("consequences", "后果")
FIX = Text("what to do", "怎么办")
PAGE = Text("more", "详情")
SHOWS_PLAN = Text("shows the plan, changes nothing", "显示方案，不做改动")
LAYERS = Text("layers", "各层")
RISKS = Text("risks", "风险")
AFTER_BOOT = Text("after the next boot", "下次启动之后")
RETURN = {
    Return.YES: Text("it will come back: nothing was found that stops it", "会恢复：没有发现会妨碍它的问题"),
    Return.NO: Text("it will not come back as it is", "照现在的状态，重启后不会恢复"),
    Return.UNKNOWN: Text("not decided whether it will come back", "无法判定能否恢复"),
}
HARMLESS = Text("looks bad, is harmless", "看着像故障，其实无害")
ACCEPTED = Text("accepted by the site", "站点已接受")
WAIVER = Text(
    "{subject}: {reason} ({owner}, until {expires})", "{subject}：{reason}（{owner}，至 {expires}）"
)
RULED_OUT = Text("ruled out", "已排除")
SKIPPED = Text("could not be looked at", "未能查看")
BROKEN = Text("rules that failed (please report)", "出错的规则（请反馈）")
NEXT = Text("next", "下一步")
DECIDES = Text("decides between {faults}", "可区分 {faults}")
NOTES = Text("notes", "说明")
MORE = Text("{n} faults (-v lists them)", "{n} 种故障（-v 列出）")
TITLE = Text("codeblue report", "codeblue 报告")
TARGET = Text("target", "目标")
HOST = Text("host", "主机")
TIME = Text("time", "时间")
WAITING = Text(
    "layers up to the libraries are read; running a kernel with torch …",
    "库及以下各层已读取；正在用 torch 运行内核……",
)
SOURCE = Text("source", "来源")
VALUE = Text("value", "值")
FACT = Text("fact", "事实")


def verdict(diagnosis: Diagnosis, lang: str) -> str:
    """Return the verdict in one line."""
    if not diagnosis.barriers:
        if diagnosis.verdict is Overall.HEALTHY:
            return QUIET.say(lang)
        if diagnosis.verdict is Overall.UNKNOWN and diagnosis.causes:
            return CANDIDATES.say(lang)
    told = VERDICT[diagnosis.verdict].say(lang)
    if diagnosis.layer is None or diagnosis.verdict is not Overall.TROUBLE:
        return told
    return VERDICT_AND_LAYER.say(lang, verdict=told, layer=NAMES[diagnosis.layer].say(lang))


def cause_title(certainty: Certainty, number: int) -> Text:
    """Return what the cause of this number, from 0, is called."""
    if certainty is Certainty.POSSIBLE:
        return CANDIDATE
    return ALSO if number else CAUSE


def safety(remedy: Remedy, lang: str) -> str:
    """Return who may carry the remedy out and how it is taken back."""
    automation, undo = AUTOMATION[remedy.automation], UNDO[remedy.undo]
    return SAFETY.say(lang, automation=automation.say(lang), undo=undo.say(lang))


def waiver(waived: Waived, lang: str) -> str:
    """Return on what, why, by whom and how long a finding is accepted."""
    return WAIVER.say(
        lang, subject=waived.subject, reason=waived.reason, owner=waived.owner, expires=waived.expires
    )
