"""What people and programs say in many faults, as parts of the patterns of clues."""

CONTAINER = r"docker|podman|container|kubernetes|\bk8s|\bpod\b|containerd|compose|容器|镜像"
"""It happens in a container."""
GPU_UNUSABLE = (
    "driver.{0,30}(?:not load|fail|won't load|doesn't load|refuse)|(?:kernel|nvidia"
    "|NVIDIA) modules?.{0,30}(?:not load|missing|fail)|(?:GPU|card)s?.{0,30}(?:not (?:found"
    "|detected|visible|available|usable|work|show)|missing|invisible|disappear)|(?:找不到"
    "|识别不到|检测不到|看不到|认不到).{0,4}(?:GPU|显卡)|(?:GPU|显卡|驱动).{0,10}(?:不可用|用不了"
    "|找不到|识别不到|失败|加载不|没加载|起不来|报错|不工作|掉了)"
)
"""Somebody says that driver or GPU do not work."""
NVIDIA_SMI_FAILS = (
    "NVIDIA-SMI has failed|communicate with the (?:NVIDIA )?driver|驱动通信|No devices were found"
    r"|Failed to initialize NVML|nvml error|[Dd]river not loaded|nvidia-smi\b.{0,40}(?:fail|error"
    "|not work|no longer|stop|hang|not found|no devices)|nvidia-smi.{0,12}(?:报错|失败|不能|无法"
    "|没有|找不到|用不了|卡)"
)
"""nvidia-smi or NVML reports a failure."""
CUDA_FAILS = (
    "is_available.{0,30}False|^False$|is_available.{0,20}(?:fail|报错)|No CUDA GPUs are available"
    "|Found no NVIDIA driver|no CUDA-capable device|CUDA unknown error|cuInit|CUDA_ERROR_"
    "|CUDA initialization|failed call to cu"
)
"""A program says that CUDA cannot be used."""
GPU_DROPS = (
    "fallen off|fell off|falls off|drop(?:s|ped)? (?:out|off)|disappear|device handle for"
    r"|GPU is lost|Xid\D{0,25}79\b|\bERR!|shuts? (?:itself )?(?:down|off)|turns? (?:itself )?off"
    "|switche?s? (?:itself )?off|goes (?:down|dark)|resets? itself|restarts? itself|reboots?"
    "|power(?:s|ed)? off|crash|freez|hang|black screen|掉卡|掉线|掉了|重启|死机|关机|断电|丢失"
    "|崩溃"
)
"""A GPU or its machine goes away under load."""
VIRTUAL_MACHINE = (
    r" VMs?\b|-vm\b|vm-\d|\bVM (?:with|has|guest)|virtual machine|QEMU|\bKVM\b|Proxmox (?:VM"
    "|guest)|on Proxmox|in Proxmox|libvirt|ESXi|VMware|Hyper-V|passthrough|pass-through"
    r"|passed through|hypervisor|OVMF|VFIO|\bguest\b|虚拟机|直通|透传"
)
"""It happens in a virtual machine."""
NO_GPU = f"{NVIDIA_SMI_FAILS}|{CUDA_FAILS}|{GPU_UNUSABLE}"
"""Any of the three."""
