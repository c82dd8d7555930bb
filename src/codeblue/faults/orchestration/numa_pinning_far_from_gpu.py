"""
## What it means
The processors that the job may use belong to another NUMA node (another socket, mostly) than the GPU.
Every copy to and from the GPU, and every interrupt, crosses the link between the sockets. Copies from
pinned memory become slower, small kernels start later, and several such jobs compete for that link.

## Why it happens
A mask was set without looking at the topology: `taskset`, `numactl --cpunodebind`, the first free cores
of a scheduler that does not bind by GPU, a cpuset of Kubernetes without the Topology Manager.

## When it is not a fault
The processors near the GPU may all be taken, and a far one is better than none. Where the machine does not
tell the node of a GPU (virtual machines) nothing is said. Work that stays on the GPU does not notice.

## What to do
`nvidia-smi topo -m` shows the CPU affinity of each GPU. Slurm: `--gpu-bind=closest`, or `Cores=` in
gres.conf. Kubernetes: kubelet with `topologyManagerPolicy: best-effort`. By hand: `numactl
--cpunodebind=N --membind=N`.

## How safe the fix is
Only speed changes. A job that is bound to one node must fit into its memory if `--membind` is used.
"""

from collections.abc import Iterator

from codeblue.faults.feeding import tried
from codeblue.model.facts import LoaderTrial
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message


@fault(
    "numa-pinning-far-from-gpu",
    title=Text("The job is bound to processors far from its GPU", "任务绑定的处理器离它的 GPU 太远"),
    layer=Layer.ORCHESTRATION,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference(
            "Linux: /sys/bus/pci/devices/…/numa_node",
            "https://docs.kernel.org/admin-guide/abi-testing.html",
            "2026-12-01",
        ),
        Reference("Slurm: gres.conf, Cores", "https://slurm.schedmd.com/gres.conf.html", "2026-12-01"),
    ),
    next_command="nvidia-smi topo -m; numactl --show; taskset -pc $$",
)
def numa_pinning_far_from_gpu(loader_trial: LoaderTrial) -> Iterator[Hit]:
    found = tried(loader_trial)
    if found is None or not was_read(found.row, "processors"):
        return
    processors = found.row.processors
    if not processors.nodes or processors.all_nodes < 2:
        return
    where = f"{found.path}.processors"
    for gpu, node in processors.gpu_nodes.items():
        if node not in processors.nodes:
            yield Hit(
                subject=f"gpu:{gpu}",
                summary=message(
                    "GPU {gpu} is at NUMA node {node}, and the job may use only processors of node {nodes}",
                    "GPU {gpu} 在 NUMA 节点 {node}，而任务只能用节点 {nodes} 的处理器",
                    gpu=gpu,
                    node=node,
                    nodes=", ".join(map(str, processors.nodes)),
                ),
                because=cite(f"{where}.gpu_nodes[{gpu}]", f"{where}.nodes", f"{where}.mask"),
                remedy=_near(node),
            )


def _near(node: int) -> Remedy:
    return Remedy(
        message("bind the job to NUMA node {node}", "把任务绑定到 NUMA 节点 {node}", node=node),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "numactl --cpunodebind={node} --membind={node} …; Slurm: --gpu-bind=closest",
                    "numactl --cpunodebind={node} --membind={node} …；Slurm：--gpu-bind=closest",
                    node=node,
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.NONE,
    )
