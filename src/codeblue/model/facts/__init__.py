"""One typed section per reader. The registry below is the order in which they are documented."""

from codeblue.model.facts.collective import CollectiveTest, CollectiveTests, RankGpu, Transfer
from codeblue.model.facts.driver import Driver, DriverFile, DriverFiles, Node, Nodes, ProcGpu
from codeblue.model.facts.engine import CdiSpec, ContainerRun, DaemonJson, DeviceRequest, Engine, Tool
from codeblue.model.facts.expectations import Expectations
from codeblue.model.facts.fabric import Fabric, FabricGpu, NvLink, Peer, Registration
from codeblue.model.facts.gpu import Cuda, CudaDevice, Gpu, GpuProcess, NvidiaSmi, Nvml
from codeblue.model.facts.kernel_log import KernelLine, KernelLog, Service, Services, Xid
from codeblue.model.facts.loader import Damaged, Library, Loader
from codeblue.model.facts.machine import Host, KernelModules, Module, Pci, PciFunction, PciPort
from codeblue.model.facts.network import Clock, Interface, Network, RdmaDevice, RdmaPort
from codeblue.model.facts.next_boot import NextBoot
from codeblue.model.facts.packages import Package, PackageChange, Packages
from codeblue.model.facts.process import (
    Cgroup,
    Container,
    Environment,
    Filesystem,
    Filesystems,
    Limit,
    Limits,
    Login,
    LoginFile,
    User,
)
from codeblue.model.facts.python_env import (
    Distribution,
    Jupyter,
    Kernel,
    Python,
    Torch,
    TorchDevice,
    TorchTrial,
)
from codeblue.model.facts.running import Process
from codeblue.model.facts.sharing import Conda, CondaFile, VirtualGpu
from codeblue.model.facts.sightings import Sighting, Sightings, Skipped, Stream, Told
from codeblue.model.facts.trials.gpu import GpuTrial, GpuTried, Load, Product
from codeblue.model.facts.trials.history import Earlier, TrialHistory
from codeblue.model.facts.trials.links import LinksTrial, LinksTried, Pair
from codeblue.model.facts.trials.memory import (
    FromNode,
    HostTransfers,
    MemoryErrors,
    MemoryTrial,
    MemoryTried,
    OwnMemory,
    PatternTest,
)
from codeblue.model.facts.trials.nccl import (
    Collective,
    NcclLog,
    NcclRun,
    NcclTrial,
    NcclTried,
    StepParts,
)
from codeblue.model.facts.workload import Pod, Pods

__all__ = [
    "CdiSpec",
    "Cgroup",
    "Clock",
    "Collective",
    "CollectiveTest",
    "CollectiveTests",
    "Conda",
    "CondaFile",
    "Container",
    "ContainerRun",
    "Cuda",
    "CudaDevice",
    "DaemonJson",
    "Damaged",
    "DeviceRequest",
    "Distribution",
    "Driver",
    "DriverFile",
    "DriverFiles",
    "Earlier",
    "Engine",
    "Environment",
    "Expectations",
    "Fabric",
    "FabricGpu",
    "Filesystem",
    "Filesystems",
    "FromNode",
    "Gpu",
    "GpuProcess",
    "GpuTrial",
    "GpuTried",
    "Host",
    "HostTransfers",
    "Interface",
    "Jupyter",
    "Kernel",
    "KernelLine",
    "KernelLog",
    "KernelModules",
    "Library",
    "Limit",
    "Limits",
    "LinksTrial",
    "LinksTried",
    "Load",
    "Loader",
    "Login",
    "LoginFile",
    "MemoryErrors",
    "MemoryTrial",
    "MemoryTried",
    "Module",
    "NcclLog",
    "NcclRun",
    "NcclTrial",
    "NcclTried",
    "Network",
    "NextBoot",
    "Node",
    "Nodes",
    "NvLink",
    "NvidiaSmi",
    "Nvml",
    "OwnMemory",
    "Package",
    "PackageChange",
    "Packages",
    "Pair",
    "PatternTest",
    "Pci",
    "PciFunction",
    "PciPort",
    "Peer",
    "Pod",
    "Pods",
    "ProcGpu",
    "Process",
    "Product",
    "Python",
    "RankGpu",
    "RdmaDevice",
    "RdmaPort",
    "Registration",
    "Service",
    "Services",
    "Sighting",
    "Sightings",
    "Skipped",
    "StepParts",
    "Stream",
    "Told",
    "Tool",
    "Torch",
    "TorchDevice",
    "TorchTrial",
    "Transfer",
    "TrialHistory",
    "User",
    "VirtualGpu",
    "Xid",
]
