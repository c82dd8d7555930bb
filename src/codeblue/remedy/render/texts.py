"""Words that all rendered forms share, and text that stays a comment whatever it holds."""

from codeblue.model.plan import Plan, PlanItem, PlannedStep
from codeblue.model.remedy import Verb
from codeblue.model.text import Message, Text, message

HEAD = Text("From codeblue {version}, plan {digest}.", "由 codeblue {version} 生成，计划 {digest}。")
BY_HAND = Text("by hand: {why}", "需人工完成：{why}")
NOT_HERE = Text("not possible in this form: {verb}", "此形式无法表达：{verb}")

NOTES: dict[Verb, Message] = {
    Verb.SYSCTL_SET: message(
        "lost at the next boot, unless a file in /etc/sysctl.d says the same",
        "下次启动后失效，除非 /etc/sysctl.d 中有同样的设置",
    ),
    Verb.SHM_RESIZE: message(
        "lost when it is mounted anew, unless /etc/fstab says the same",
        "重新挂载后失效，除非 /etc/fstab 中有同样的设置",
    ),
    Verb.MODULE_LOAD: message(
        "lost at the next boot, unless a file in /etc/modules-load.d names it",
        "下次启动后失效，除非 /etc/modules-load.d 中列出该模块",
    ),
    Verb.GROUP_JOIN: message(
        "seen by programs that are started after a new login", "重新登录后启动的程序才会生效"
    ),
    Verb.NODES_CREATE: message(
        "lost at the next boot, unless the driver's service or udev makes them",
        "下次启动后失效，除非由驱动服务或 udev 创建",
    ),
    Verb.CACHE_CLEAN: message(
        "deleted for good; programs fill it again, slowly at first",
        "删除后无法恢复；程序会重新生成，起初较慢",
    ),
    Verb.INITRAMFS_REBUILD: message("used from the next boot on", "从下次启动起使用"),
    Verb.PROCESS_STOP: message("what the program has not saved is lost", "程序未保存的内容会丢失"),
}
"""What somebody should know who carries a verb out."""

HUMAN = frozenset((Verb.INSTRUCT, Verb.REBOOT))


def printable(text: str) -> str:
    """Return the text on one line: what could end a comment or move a cursor becomes visible."""
    return "".join(one if one.isprintable() else repr(one)[1:-1] for one in text)


def comments(text: str) -> list[str]:
    """Return the text as comment lines."""
    return [f"# {printable(line)}".rstrip() for line in text.splitlines() or [""]]


def head(plan: Plan, lang: str) -> list[str]:
    """Return the comment lines that name the plan."""
    return comments(HEAD.say(lang, version=plan.codeblue, digest=plan.digest[:12] or "-"))


def about(item: PlanItem, lang: str) -> str:
    """Return the name of an item."""
    return printable(f"{item.fault} ({item.subject}): {item.summary.say(lang)}")


def why(step: PlannedStep, lang: str) -> str:
    """Return the reason of a step, with what to know about its verb."""
    reason = step.why.say(lang)
    if step.verb in HUMAN:
        return printable(BY_HAND.say(lang, why=reason))
    note = NOTES.get(step.verb)
    between = "；" if lang == "zh" else "; "
    return printable(f"{reason}{between}{note.say(lang)}" if note else reason)


def not_here(step: PlannedStep, lang: str) -> str:
    """Return the line for a step that a form cannot express."""
    return NOT_HERE.say(lang, verb=step.verb.value)
