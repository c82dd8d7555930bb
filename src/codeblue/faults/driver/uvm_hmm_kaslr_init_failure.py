"""
## What it means
The UVM module could not reserve address space for its heterogeneous memory management (HMM), and because
of that CUDA does not start: `cuInit` returns 3, "initialization error". `nvidia-smi` is perfect, all
device nodes open, the modules are loaded.

## Why it happens
With address space randomisation of the kernel (KASLR) some kernels leave no free range above physical
memory that is large enough. Whether it hits depends on the kernel, the amount of memory and the luck of
the boot. EL9 kernels and kernels from 6.10 on were reported. NVIDIA lists it as a known issue in the
CUDA release notes.

## When it is not a fault
Code 3 has other causes too: a fabric manager that is not running, an MPS daemon that died. Without the
kernel line this is only one possibility, and the test below decides.

## What to do
Unload and load the module without HMM: `sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm
uvm_disable_hmm=1`. If CUDA then starts, make it permanent with `options nvidia_uvm uvm_disable_hmm=1` in
/etc/modprobe.d/nvidia-uvm-hmm.conf. NVIDIA's other way is to boot with `nokaslr`. A newer kernel or driver
may have it fixed.

## How safe the fix is
The file can be removed again. The module can only be unloaded while no CUDA program runs. Without HMM
programs lose the direct use of malloc memory on the GPU, which PyTorch does not need. `nokaslr` weakens the
kernel's hardening.
"""

from collections.abc import Iterator

from codeblue.faults.words import CUDA_FAILS
from codeblue.model.facts import Cuda, Host, KernelLog, KernelModules, Nodes, Nvml, Pci
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

NOT_INITIALIZED = 3
NODE = "/dev/nvidia-uvm"
REFUSAL = "request_free_mem_region() err -34"

WITHOUT_HMM = Remedy(
    message("load nvidia_uvm with uvm_disable_hmm=1", "以 uvm_disable_hmm=1 加载 nvidia_uvm"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "reload nvidia_uvm with the option uvm_disable_hmm=1 and keep it in /etc/modprobe.d",
                "以选项 uvm_disable_hmm=1 重新加载 nvidia_uvm，并把它写入 /etc/modprobe.d",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


FOR_GOOD = Remedy(
    WITHOUT_HMM.summary,
    (
        Step(
            Verb.FILE_WRITE,
            message("holds at every load of the module from then on", "此后每次加载该模块都生效"),
            {
                "path": "/etc/modprobe.d/nvidia-uvm-hmm.conf",
                "content": "options nvidia_uvm uvm_disable_hmm=1\n",
            },
        ),
        Step(
            Verb.INSTRUCT,
            message(
                "when no CUDA program runs: sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm",
                "在没有 CUDA 程序运行时：sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "uvm-hmm-kaslr-init-failure",
    title=Text(
        "UVM finds no room for HMM memory, CUDA does not start",
        "UVM 找不到 HMM 所需的地址空间，CUDA 无法启动",
    ),
    layer=Layer.DRIVER,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "cuda-init-failed",
        "torch-cuda-unavailable",
        "nvidia-uvm-not-loaded",
    ),
    references=(
        Reference(
            "CUDA toolkit release notes, known issues (KASLR and HMM)",
            "https://docs.nvidia.com/cuda/cuda-toolkit-release-notes/index.html",
            "2026-11-30",
        ),
        Reference(
            "open-gpu-kernel-modules issue 901: HMM causes CUDA initialization failures",
            "https://github.com/NVIDIA/open-gpu-kernel-modules/issues/901",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature("request_free_mem_region", r"nvidia-uvm: .*request_free_mem_region\(\) err -34"),
        Signature("request_free_mem_region", "request_free_mem_region", Certainty.LIKELY),
    ),
    clues=(
        Clue(
            all=(
                r"\bHMM\b|uvm_disable_hmm|nokaslr|KASLR|request_free_mem",
                "cuInit|"
                + CUDA_FAILS
                + r"|initialization error|CUDA.{0,20}(?:fail|error|not)|error 3\b|初始化|works|fix",
            ),
        ),
        Clue(
            all=(
                r"CUDA_ERROR_NOT_INITIALIZED|initialization error|cuInit.{0,30}\b3\b",
                r"\bopen\b[ -](?:kernel|gpu|modules?|driver|flavou?r|source)|open kernel module"
                "|driver: .*open|开源(?:内核)?(?:模块|驱动)|proprietary (?:module|driver"
                "|flavou?r).{0,60}(?:not|fine|works|ok)|闭源.{0,8}(?:正常|没)",
            ),
            none=(
                "fork|multiprocess|MPS|802|requires use of|RmInitAdapter|NVIDIA-SMI has failed"
                "|No devices were found|suspend|MIG ",
            ),
        ),
    ),
    remedy=WITHOUT_HMM,
    next_command="sudo dmesg | grep request_free_mem_region; "
    "sudo modprobe -r nvidia_uvm && sudo modprobe nvidia_uvm uvm_disable_hmm=1",
)
def uvm_hmm_kaslr_init_failure(
    cuda: Cuda | None = None,
    nvml: Nvml | None = None,
    modules: KernelModules | None = None,
    nodes: Nodes | None = None,
    pci: Pci | None = None,
    host: Host | None = None,
    kernel_log: KernelLog | None = None,
) -> Iterator[Hit]:
    if cuda and cuda.init != NOT_INITIALIZED:
        return
    said = [n for n, line in enumerate(kernel_log.lines if kernel_log else []) if REFUSAL in line.text]
    if said:
        yield _refused(said[0], cuda)
        return
    if not (cuda and nvml and modules and nodes and pci and host):
        return
    if nvml.init != 0 or "nvidia_uvm" not in modules.loaded:
        return
    node = nodes.nodes.get(NODE)
    if pci.nvswitches or "nokaslr" in host.cmdline or node is None or not node.exists or node.open_rw != "ok":
        return
    yield Hit(
        subject="driver",
        certainty=Certainty.POSSIBLE,
        summary=message(
            "NVML works, nvidia_uvm is loaded, cuInit returned 3: HMM may have failed on kernel {kernel}",
            "NVML 正常且 nvidia_uvm 已加载，cuInit 却返回 3：内核 {kernel} 上的 HMM 初始化可能失败",
            kernel=host.kernel,
        ),
        because=cite("cuda.init", "nvml.init", f"nodes[{NODE}].open_rw", "host.kernel"),
    )


def _refused(position: int, cuda: Cuda | None) -> Hit:
    return Hit(
        subject="driver",
        certainty=Certainty.CERTAIN if cuda else Certainty.LIKELY,
        summary=message(
            "the UVM module found no free address range for HMM, which keeps CUDA from starting",
            "UVM 模块没有为 HMM 找到空闲的地址区间，CUDA 因此无法启动",
        ),
        because=cite(f"kernel_log.lines[{position}].text", *(("cuda.init",) if cuda else ())),
        remedy=FOR_GOOD if cuda else None,
    )
