"""
## What it means
The node has NVIDIA GPUs, but tells the scheduler of none: its `status.allocatable` has no `nvidia.com/gpu`,
or 0 of them. A pod that asks for a GPU is never placed there, and waits with "Insufficient nvidia.com/gpu"
if no other node has room. The driver and the GPUs may be perfectly well.

## Why it happens
Nobody announces the GPUs to the kubelet. The device plugin does not run on this node: it was never
installed, its DaemonSet does not tolerate a taint of the node or selects another label, or the operator
stopped at an earlier step such as the driver. Or it runs and finds no GPU: most often because containerd's
default runtime is not nvidia's, so that it cannot load NVML; its log then says "No devices found" or
"Incompatible platform detected". Or the kubelet was restarted and the plugin, an old one, has not
registered again.

## When it is not a fault
The GPUs are handed to virtual machines (`nvidia.com/gpu.workload.config=vm-…`), are offered under another
name (slices of MIG, shares), or by Dynamic Resource Allocation: then nothing is reported. A node that has
just joined, or whose MIG layout is being changed, offers none for some minutes. Where this login may not
list `resourceslices`, it is only *possible*.

## What to do
See whether the plugin runs on this node and what it says: `kubectl get pods -A -o wide --field-selector
spec.nodeName=NODE | grep -i nvidia`, then `kubectl logs` of it. No pod: look at the DaemonSet's
tolerations and node selector. "No devices found": set nvidia as the default runtime
(`sudo nvidia-ctk runtime configure --runtime=containerd --set-as-default`), restart containerd, then delete
the plugin's pod.

## How safe the fix is
The plugin may be installed or restarted at any time: running pods keep their GPUs. A restart of containerd
leaves containers alone, but new ones wait for it.
"""

from collections.abc import Iterator

from codeblue.model.facts import KubernetesNode, Pci
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

TELLING = ("gpu.present", "gpu.count", "gpu.product", "accelerator", "10de.present")
"""How labels end that say that there are GPUs."""
NONE = ("", "0", "false")
ELSEWHERE = (
    ("nvidia.com/gpu.workload.config", ("vm-passthrough", "vm-vgpu")),
    ("nvidia.com/gpu.deploy.operands", ("false",)),
    ("nvidia.com/gpu.deploy.device-plugin", ("false", "paused-for-mig-change")),
    ("nvidia.com/mig.config.state", ("pending", "rebooting")),
)
"""Labels with which somebody says that no pod is to have them, or not now."""


@fault(
    "gpus-not-offered-to-pods",
    title=Text("The node has GPUs, but offers none to pods", "节点有 GPU，却没有提供给 Pod"),
    layer=Layer.ORCHESTRATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("gpus-all-allocated",),
    references=(
        Reference(
            "Kubernetes: device plugins",
            "https://kubernetes.io/docs/concepts/extend-kubernetes/compute-storage-net/device-plugins/",
            "2026-12-01",
        ),
        Reference(
            "NVIDIA device plugin for Kubernetes",
            "https://github.com/NVIDIA/k8s-device-plugin#prerequisites",
            "2026-12-01",
        ),
    ),
    remedy=Remedy(
        message("get the device plugin to run on this node", "让设备插件在该节点上正常运行"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "kubectl get pods -A -o wide --field-selector spec.nodeName=NODE | grep -i nvidia; no "
                    "plugin there: look at its DaemonSet's tolerations and node selector",
                    "kubectl get pods -A -o wide --field-selector spec.nodeName=NODE | grep -i nvidia；"
                    "没有插件：检查其 DaemonSet 的 tolerations 和 node selector",
                ),
            ),
            Step(
                Verb.INSTRUCT,
                message(
                    "it runs and its log says that it finds no devices: make nvidia the default runtime of "
                    "containerd, restart containerd, then delete the plugin's pod",
                    "插件在运行但日志说找不到设备：把 containerd 的默认运行时设为 nvidia，重启 containerd，"
                    "再删除插件的 pod",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    ),
    next_command="kubectl describe node NODE | grep -A8 -E '^(Capacity|Allocatable)'; "
    "kubectl get pods -A -o wide --field-selector spec.nodeName=NODE | grep -i nvidia",
)
def gpus_not_offered_to_pods(kubernetes_node: KubernetesNode, pci: Pci | None) -> Iterator[Hit]:
    labels = kubernetes_node.labels
    known = [name for name, value in labels.items() if name.endswith(TELLING) and value not in NONE]
    seen = pci.nvidia_gpus if pci else []
    # What is announced and called unhealthy is another fault.
    offered = (*kubernetes_node.allocatable.values(), *kubernetes_node.capacity.values())
    if any(offered) or any(labels.get(name) in values for name, values in ELSEWHERE):
        return
    asked = was_read(kubernetes_node, "claims")
    if not (known or seen) or (asked and kubernetes_node.claims):
        return
    yield Hit(
        subject="node",
        certainty=Certainty.LIKELY if asked else Certainty.POSSIBLE,
        summary=message(
            "it has NVIDIA GPUs, but its kubelet offers none: pods that ask for a GPU cannot be placed here",
            "节点有 NVIDIA GPU，但 kubelet 没有提供：申请 GPU 的 Pod 无法调度到这里",
        ),
        because=cite(
            "kubernetes_node.allocatable",
            *(f"kubernetes_node.labels[{name}]" for name in known[:1]),
            *(("pci.nvidia_gpus",) if seen else ()),
            *(("kubernetes_node.claims",) if asked else ()),
        ),
    )
