"""The words of kubectl, as one line in the user's language with what to do."""

import re
import shutil

from codeblue.model.text import Message, Text, message
from codeblue.sources.target import Unusable
from codeblue.transport.calling import Answer, call

FORBIDDEN = re.compile(
    r'cannot (?P<verb>\w+) resource "(?P<what>[\w./-]+)"(?: in API group "(?P<group>[\w.-]*)")?'
    r'(?:.* in the namespace "(?P<namespace>[\w.-]+)")?'
)
OTHERS = (
    (
        re.compile(r"exceeded quota|forbidden: maximum|violates PodSecurity|denied the request", re.I),
        Text(
            "{what}: the cluster's rules refuse it: {why}",
            "{what}：被集群的规则拒绝：{why}",
        ),
    ),
    (
        re.compile(r'namespaces "[^"]*" not found'),
        Text(
            "{what}: there is no such namespace ({why}); kubectl get namespaces lists them",
            "{what}：没有这个命名空间（{why}）；可用 kubectl get namespaces 列出",
        ),
    ),
    (
        re.compile(r'pods "[^"]*" not found'),
        Text(
            "{what}: there is no such pod; kubectl get pods -A lists them",
            "{what}：没有这个 pod；可用 kubectl get pods -A 列出",
        ),
    ),
    (
        re.compile(r'context "[^"]*" does not exist|no context exists|context was not found', re.I),
        Text(
            "{what}: kubectl knows no such context ({why}); kubectl config get-contexts lists them",
            "{what}：kubectl 没有这个 context（{why}）；可用 kubectl config get-contexts 列出",
        ),
    ),
    (
        re.compile(r"localhost:8080|current-context|no configuration has been provided|kubeconfig", re.I),
        Text(
            "{what}: kubectl is not set up for a cluster ({why}); set KUBECONFIG or name a --context",
            "{what}：kubectl 尚未配置任何集群（{why}）；请设置 KUBECONFIG 或用 --context 指定",
        ),
    ),
    (
        re.compile(r"Unauthorized|must be logged in|provide credentials|getting credentials|expired", re.I),
        Text(
            "{what}: the cluster does not accept the login of this kubectl ({why}); log in again",
            "{what}：集群不接受 kubectl 当前的登录凭据（{why}）；请重新登录",
        ),
    ),
    (
        re.compile(
            r"refused|no such host|i/o timeout|no route to host|Client\.Timeout|no answer within|unreachable"
            r"|deadline exceeded|EOF$|certificate",
            re.I,
        ),
        Text(
            "{what}: the cluster cannot be reached ({why}); see whether kubectl get nodes works",
            "{what}：无法连接集群（{why}）；请检查 kubectl get nodes 是否可用",
        ),
    ),
    (
        re.compile(r"unable to parse requirement|invalid label|field selector|found '.*', expected", re.I),
        Text(
            "{what}: not a selector such as nvidia.com/gpu.present=true ({why})",
            "{what}：不是 nvidia.com/gpu.present=true 这样的选择器（{why}）",
        ),
    ),
)
"""What kubectl says -> our line. ``{why}`` are its own words."""


def command(context: str | None, *arguments: str) -> list[str]:
    """Return the argv of a call."""
    return ["kubectl", *arguments, *(("--context", context) if context else ())]


def there() -> None:
    """Return if kubectl is installed. Raises Unusable."""
    if shutil.which("kubectl") is None:
        raise Unusable(
            message(
                "kubectl is not installed here, or not on PATH; install it and try again",
                "这里没有安装 kubectl，或不在 PATH 中；请安装后重试",
            )
        )


def asked(what: str, context: str | None, *arguments: str, text: bytes = b"") -> bytes:
    """Return what kubectl prints. Raises Unusable with one line on ``what``."""
    answer = call(command(context, *arguments), text)
    if answer.code != 0:
        raise Unusable(refusal(what, answer))
    return answer.out


def refusal(what: str, answer: Answer) -> Message:
    """Return the line for a call that failed."""
    why = reason(answer.words) or f"kubectl ended with {answer.code}"
    if found := FORBIDDEN.search(why):
        where = f" -n {found['namespace']}" if found["namespace"] else ""
        return message(
            "{what}: this login may not {verb} {kind} here; ask for that right (kubectl auth can-i"
            " {verb} {kind}{where})",
            "{what}：当前登录无权对 {kind} 执行 {verb}；请申请该权限"
            "（kubectl auth can-i {verb} {kind}{where}）",
            what=what,
            verb=found["verb"],
            kind=f"{found['what']}.{found['group']}" if found["group"] else found["what"],
            where=where,
        )
    for pattern, text in OTHERS:
        if pattern.search(why):
            return Message(text, {"what": what, "why": why})
    return message("{what}: kubectl says: {why}", "{what}：kubectl 的说明：{why}", what=what, why=why)


def reason(words: str) -> str:
    """Return the last line of kubectl's complaints that is no warning, without what it puts before."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    telling = [line for line in lines if not re.match(r"Warning:|[EWI]\d{4} ", line)] or lines
    return re.sub(r"^(?:Error from server(?: \(\w+\))?|error): ", "", telling[-1])[:400] if telling else ""
