"""
## What it means
The device plugin heard of an Xid for a GPU and withdrew it from the kubelet: Allocatable is one lower than
Capacity. It never asks again whether the GPU has recovered, so it stays withdrawn until the plugin starts
anew. Allocatable 0 may also mean that the plugin has stopped: for some minutes Capacity tells of it still.

## Why it happens
Only a short list of Xids (13, 31, 43, 45, 68, 109 and the like) is taken as the application's fault. All
others, also those contained in one process such as 94, or an event that cannot be assigned, mark the GPU, or
all of them, for good.

## When it is not a fault
For Xid 48, 63, 64, 74, 79, 95, 119 and similar the plugin is right: the GPU needs a reset, a reboot or an
exchange, and the restart would only give it to the next victim.

## What to do
Read the number in the plugin's log and in `dmesg`. Is the GPU well (`nvidia-smi -q -d ECC,ROW_REMAPPER`, a
short test)? Then delete the plugin's pod on this node.

## How safe the fix is
Restarting the plugin leaves running pods alone. Switching health checks off altogether hands sick GPUs to
jobs.
"""

from collections.abc import Iterator

from codeblue.model.facts import KubernetesNode
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Message, Text, message


@fault(
    "device-plugin-keeps-gpu-unhealthy",
    title=Text("The device plugin keeps a GPU marked unhealthy", "设备插件一直把某块 GPU 标记为不健康"),
    layer=Layer.ORCHESTRATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("gpus-all-allocated",),
    references=(
        Reference(
            "k8s-device-plugin#1014: GPU not recovered after an Xid",
            "https://github.com/NVIDIA/k8s-device-plugin/issues/1014",
            "2026-12-01",
        ),
        Reference(
            "k8s-device-plugin: DP_DISABLE_HEALTHCHECKS",
            "https://github.com/NVIDIA/k8s-device-plugin#configuration-option-details",
            "2026-12-01",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"unhealthy|not healthy|不健康|health ?check",
                r"device[- ]?plugin|nvidia\.com/gpu|Allocatable|设备插件|kubelet",
                r"restart\w*|recover\w*|transient|stays?\b|remain\w*|forever|come[s]? back|\bnever\b|stuck|"
                r"still|until|\bXid\b|重启|恢复|一直|仍然|不会自动",
            ),
            none=(r"\bMIG\b.*chang",),
        ),
        Clue(
            all=(
                r"Allocatable",
                r"nvidia\.com/gpu:? +8\b",
                r"nvidia\.com/gpu:? +7\b",
            ),
            none=(r"\bMIG\b|vgpu|HAMi|Allocated resources",),
        ),
        Clue(
            all=(
                r"Allocatable",
                r"nvidia\.com/gpu:? +4\b",
                r"nvidia\.com/gpu:? +3\b",
            ),
            none=(r"\bMIG\b|vgpu|HAMi|Allocated resources",),
        ),
        Clue(
            all=(
                r"Allocatable",
                r"nvidia\.com/gpu:? +2\b",
                r"nvidia\.com/gpu:? +1\b",
            ),
            none=(r"\bMIG\b|vgpu|HAMi|Allocated resources",),
        ),
        Clue(
            all=(
                r"Allocatable|nvidia\.com/gpu",
                r"\bXid\b|unhealthy",
                r"one (?:less|fewer|missing)|(?:fewer|less) than|8 -> 7|8 to 7|7 of 8|"
                r"7 instead of 8|7 out of 8|missing|dropped|少了一|少一|not recover\w*|"
                r"没有恢复|不恢复|未恢复",
            ),
        ),
    ),
    signatures=(
        Signature(
            "XidCriticalError: Xid=",
            r"XidCriticalError: Xid=(?P<xid>\d+) on Device=.*unhealthy",
            Certainty.LIKELY,
        ),
        Signature("device marked unhealthy", r"'nvidia\.com/\S+' device marked unhealthy", Certainty.LIKELY),
        Signature("as unhealthy", r"[Mm]arking device (?:\S+ )?as unhealthy", Certainty.LIKELY),
    ),
    remedy=Remedy(
        message("find out whether the GPU is well, then restart the plugin", "先确认 GPU 正常，再重启插件"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "look up the Xid; if the application caused it and nvidia-smi shows the GPU as usual: "
                    "kubectl delete pod -n NAMESPACE DEVICE-PLUGIN-POD",
                    "查 Xid 的含义；如果是应用引起的，且 nvidia-smi 显示 GPU 正常："
                    "kubectl delete pod -n 命名空间 设备插件的 pod",
                ),
            ),
            Step(
                Verb.INSTRUCT,
                message(
                    "an Xid that applications cause again and again may be exempted: "
                    "DP_DISABLE_HEALTHCHECKS=94 (a list) in the plugin's environment",
                    "应用反复引起的某个 Xid 可以豁免："
                    "在插件环境变量中设 DP_DISABLE_HEALTHCHECKS=94（可写列表）",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command="kubectl logs -n NAMESPACE DEVICE-PLUGIN-POD | grep -iE 'xid|unhealthy'; nvidia-smi; "
    "sudo dmesg -T | grep 'NVRM: Xid' | tail -5",
)
def device_plugin_keeps_gpu_unhealthy(kubernetes_node: KubernetesNode) -> Iterator[Hit]:
    allocatable = kubernetes_node.allocatable
    for name, count in kubernetes_node.capacity.items():
        left = allocatable.get(name, 0)
        if left < count:
            row = f"kubernetes_node.allocatable[{name}]"
            yield Hit(
                subject="node",
                certainty=Certainty.LIKELY,
                summary=_withdrawn(name, count, left),
                because=cite(
                    f"kubernetes_node.capacity[{name}]",
                    row if name in allocatable else "kubernetes_node.allocatable",
                ),
            )


def _withdrawn(name: str, count: int, left: int) -> Message:
    if left == 0:
        return message(
            "the device plugin calls all {count} {name} unhealthy, or has stopped: pods cannot have them",
            "设备插件把全部 {count} 个 {name} 视为不健康，或者插件已停止：Pod 无法使用",
            count=count,
            name=name,
        )
    return message(
        "of {count} {name} the device plugin calls {bad} unhealthy: pods cannot have them",
        "{count} 个 {name} 中有 {bad} 个被设备插件视为不健康：Pod 无法使用",
        count=count,
        name=name,
        bad=count - left,
    )
