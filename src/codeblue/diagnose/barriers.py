"""What was observed of each layer. Observations only: causes are the catalogue's business."""

from collections.abc import Callable

from codeblue.diagnose.evidence import quote
from codeblue.model.diagnosis import Barrier, BarrierState
from codeblue.model.facts import (
    Container,
    Cuda,
    Driver,
    Host,
    Node,
    Nodes,
    Nvml,
    Pci,
    Python,
    Torch,
    TorchTrial,
)
from codeblue.model.layers import Layer
from codeblue.model.section import NotRead, State
from codeblue.model.snapshot import View
from codeblue.model.text import Message, message

OPEN, CLOSED, PARTIAL = BarrierState.OPEN, BarrierState.CLOSED, BarrierState.PARTIAL
NOT_APPLICABLE, UNREAD = BarrierState.NOT_APPLICABLE, BarrierState.UNREAD

Seen = tuple[BarrierState, Message, tuple[str, ...]]

NO_GPU: Seen = (NOT_APPLICABLE, message("no NVIDIA GPU here", "这里没有 NVIDIA GPU"), ())


def barriers(view: View) -> tuple[Barrier, ...]:
    """Return the barrier of every layer that was asked for, from the ground up."""
    looks = LOOKS if view.until == "frameworks" and view.complete else LOOKS[:-1]
    if view.without_gpu:
        looks = tuple(look for look in looks if look[0] in WITHOUT_GPU)
    if view.side == "host":
        looks = tuple(look for look in looks if look[0] in HOST_SIDE)
    return tuple(_barrier(layer, look, view) for layer, look in looks)


def _barrier(layer: Layer, look: Callable[[View], Seen], view: View) -> Barrier:
    try:
        state, summary, paths = look(view)
    except NotRead as reason:
        why = f"{reason} ({reason.detail})" if reason.detail else str(reason)
        return Barrier(layer, UNREAD, message("not read: {why}", "未读取：{why}", why=why))
    return Barrier(layer, state, summary, tuple(quote(view, path) for path in paths))


def gpus_seen(view: View) -> int:
    """Return how many NVIDIA GPUs any reader saw; the bus does not show them under WSL.

    Raises NotRead if no reader that could tell was able to look.
    """
    counts: list[int] = []
    reason: NotRead | None = None
    for look in (_on_the_bus, _by_nvml, _by_cuda):
        try:
            counts.append(look(view))
        except NotRead as unread:
            reason = reason or unread
    if reason is not None and not any(counts) and not _bus_tells_all(view):
        raise reason
    return max(counts)


def _bus_tells_all(view: View) -> bool:
    """True if the bus was read and GPUs would show there, as they do everywhere but under WSL."""
    try:
        return view.section(Pci).state is State.READ and not view.section(Host).wsl
    except NotRead:
        return False


def _on_the_bus(view: View) -> int:
    pci = view.section(Pci)
    return len(pci.nvidia_gpus) if pci.state is State.READ else 0


def _by_nvml(view: View) -> int:
    nvml = view.section(Nvml)
    return (nvml.count or 0) if nvml.state is State.READ else 0


def _by_cuda(view: View) -> int:
    cuda = view.section(Cuda)
    return (cuda.count or 0) if cuda.state is State.READ else 0


def _hardware(view: View) -> Seen:
    try:
        count = _on_the_bus(view) or gpus_seen(view)
    except NotRead:
        count = gpus_seen(view)
    if not count:
        return NO_GPU
    summary = message("{n} NVIDIA GPU(s)", "{n} 块 NVIDIA GPU", n=count)
    paths = ("pci.nvidia_gpus",) if _has(view, Pci) else ()
    return OPEN, summary, paths


def _driver(view: View) -> Seen:
    driver = view.section(Driver)
    if driver.state is State.ABSENT:
        if not gpus_seen(view):
            return NO_GPU
        if _cuda_works(view):
            return OPEN, message("outside this namespace", "在本命名空间之外"), ()
        return CLOSED, message("the kernel module is not loaded", "内核模块未加载"), ()
    try:
        version, flavour = driver.module_version, driver.flavour
    except NotRead:
        if not _cuda_works(view):
            raise
        return OPEN, message("at work, its version is hidden", "在工作，但版本被隐藏"), ("cuda.init",)
    summary = message("{version} ({flavour})", "{version}（{flavour}）", version=version, flavour=flavour)
    return OPEN, summary, ("driver.module_version",)


def _device_access(view: View) -> Seen:
    nodes = view.section(Nodes).nodes
    if not nodes and (not gpus_seen(view) or _cuda_works(view)):
        return NO_GPU if not gpus_seen(view) else (OPEN, message("no nodes needed", "不需要节点"), ())
    needed = {path: node for path, node in nodes.items() if not path.endswith(("-tools", "-modeset", "ctl0"))}
    shut = [path for path, node in needed.items() if not _opens(node)]
    if not needed:
        return CLOSED, message("no device nodes", "没有设备节点"), ()
    if not shut or (_cuda_works(view) and not any(nodes[path].exists for path in shut)):
        return OPEN, message("{n} nodes open", "{n} 个节点可打开", n=len(needed) - len(shut)), ()
    only_gpus = all(path[len("/dev/nvidia") :].isdigit() for path in shut)
    gpus = [path for path in needed if path[len("/dev/nvidia") :].isdigit()]
    state = PARTIAL if only_gpus and len(shut) < len(gpus) else CLOSED
    summary = message("cannot open {nodes}", "无法打开 {nodes}", nodes=", ".join(shut))
    return state, summary, tuple(f"nodes[{path}].exists" for path in shut)


def _opens(node: Node) -> bool:
    return node.exists and node.open_rw == "ok"


def _container(view: View) -> Seen:
    container = view.section(Container)
    if container.state is State.ABSENT:
        return NOT_APPLICABLE, message("not in a container", "不在容器中"), ()
    engine = message("{engine}", "{engine}", engine=container.engine)
    nodes = view.section(Nodes).nodes
    if any(node.exists for node in nodes.values()) or _cuda_works(view):
        return OPEN, engine, ("container.engine",)
    if not gpus_seen(view):
        return NOT_APPLICABLE, engine, ("container.engine",)
    return (
        CLOSED,
        message("{engine}: no GPU was handed in", "{engine}：没有交入 GPU", engine=container.engine),
        ("container.engine",),
    )


def _libraries(view: View) -> Seen:
    cuda = view.section(Cuda)
    if cuda.state is State.ABSENT:
        if not gpus_seen(view):
            return NO_GPU
        return CLOSED, message("libcuda: {why}", "libcuda：{why}", why=cuda.reason), ()
    if cuda.init == 0 and cuda.count:
        summary = message("CUDA starts, {n} device(s)", "CUDA 可初始化，{n} 个设备", n=cuda.count)
        return OPEN, summary, ("cuda.init", "cuda.count")
    if not gpus_seen(view):
        return NO_GPU
    summary = message("cuInit returned {code}", "cuInit 返回 {code}", code=cuda.init)
    return CLOSED, summary, ("cuda.init",)


def _python(view: View) -> Seen:
    python = view.section(Python)
    torch = view.section(Torch)
    paths = ("python.executable", "python.version")
    if torch.state is State.READ:
        summary = message("{v}, torch {t}", "{v}，torch {t}", v=python.version, t=torch.version)
        return OPEN, summary, (*paths, "torch.version")
    summary = message("{v}, no torch", "{v}，没有 torch", v=python.version)
    return OPEN, summary, paths


def _framework(view: View) -> Seen:
    trial = view.section(TorchTrial)
    if trial.state is State.ABSENT:
        return NOT_APPLICABLE, message("no torch to try", "没有可试运行的 torch"), ()
    if not trial.imported:
        why = (trial.error or trial.signal or "").splitlines()
        summary = message("import torch fails: {why}", "import torch 失败：{why}", why=why[0] if why else "?")
        return CLOSED, summary, ("torch_trial.imported",)
    if not trial.available:
        if not gpus_seen(view):
            return NO_GPU
        return CLOSED, message("torch sees no GPU", "torch 看不到 GPU"), ("torch_trial.available",)
    good = [row for row in trial.devices.values() if row.ok]
    total = trial.count
    summary = message("a kernel ran on {n} of {m}", "{m} 块中有 {n} 块跑通了内核", n=len(good), m=total)
    state = OPEN if len(good) == total else PARTIAL if good else CLOSED
    return state, summary, ("torch_trial.count",)


def _has(view: View, kind: type[Pci]) -> bool:
    try:
        return view.section(kind).state is State.READ
    except NotRead:
        return False


def _cuda_works(view: View) -> bool:
    try:
        return bool(_by_cuda(view))
    except NotRead:
        return False


HOST_SIDE = (Layer.HARDWARE, Layer.DRIVER, Layer.DEVICE_ACCESS, Layer.LIBRARIES)
"""What is to be compared with the inside of a container."""

WITHOUT_GPU = (Layer.HARDWARE, Layer.DRIVER, Layer.PYTHON)
"""What can be told where no GPU was asked for."""

LOOKS: tuple[tuple[Layer, Callable[[View], Seen]], ...] = (
    (Layer.HARDWARE, _hardware),
    (Layer.DRIVER, _driver),
    (Layer.DEVICE_ACCESS, _device_access),
    (Layer.CONTAINER, _container),
    (Layer.LIBRARIES, _libraries),
    (Layer.PYTHON, _python),
    (Layer.FRAMEWORK, _framework),
)
