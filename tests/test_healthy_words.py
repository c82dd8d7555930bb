"""What a healthy machine prints is no fault, whatever words occur in it."""

import pytest

from codeblue import pipeline
from codeblue.diagnose.similar import SIMILARITY
from tests.conftest import text

HEALTHY = {
    "nvidia-smi and Secure Boot": """\
$ mokutil --sb-state
SecureBoot enabled
$ nvidia-smi
| NVIDIA-SMI 580.95.05              Driver Version: 580.95.05      CUDA Version: 13.0     |
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|   0  NVIDIA A100-SXM4-80GB          Off |   00000000:07:00.0 Off |                    0 |
| N/A   41C    P0              72W / 400W |       4MiB /  81920MiB |      0%   E. Process |
|                                         |                        |             Disabled |
>>> torch.cuda.is_available()
True
""",
    "modules, nodes and limits": """\
$ lsmod | grep nvidia
nvidia_uvm           4956160  0
nvidia_drm            122880  0
nvidia_modeset       1355776  1 nvidia_drm
nvidia              54317056  2 nvidia_uvm,nvidia_modeset
$ ls -l /dev/nvidia*
crw-rw-rw- 1 root root 195,   0 Jan  1 10:00 /dev/nvidia0
crw-rw-rw- 1 root root 195, 255 Jan  1 10:00 /dev/nvidiactl
crw-rw-rw- 1 root root 511,   0 Jan  1 10:00 /dev/nvidia-uvm
$ df -h /dev/shm
shm              64M     0   64M   0% /dev/shm
$ cat /etc/modprobe.d/blacklist-nouveau.conf
blacklist nouveau
options nouveau modeset=0
$ dkms status
nvidia/580.95.05, 6.8.0-60-generic, x86_64: installed
$ systemctl status nvidia-persistenced
Active: active (running)
$ docker info
 Cgroup Driver: systemd
 Cgroup Version: 2
 Runtimes: io.containerd.runc.v2 nvidia runc
 Default Runtime: runc
$ prime-select query
on-demand
$ ulimit -n
1024
$ ulimit -u
4096
""",
    "nccl-tests": """\
# nThread 1 nGpus 2 minBytes 1073741824 maxBytes 4294967296 step: 2(factor) warmup iters: 5 iters: 20
#
# Using devices
#  Rank  0 Group  0 Pid   4711 on  localhost device  0 [0000:1b:00] NVIDIA A100-SXM4-40GB
#  Rank  1 Group  0 Pid   4711 on  localhost device  1 [0000:43:00] NVIDIA A100-SXM4-40GB
hostname:4711:4711 [0] NCCL INFO Launch mode Parallel
#                                                     out-of-place                       in-place
#       size         count    type   redop     time   algbw   busbw  error     time   algbw   busbw  error
#        (B)    (elements)                     (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)
  1073741824     268435456   float     sum   8159.5  131.59  230.29    N/A   8176.5  131.32  229.81    N/A
  2147483648     536870912   float     sum    16215  132.44  231.76      0    16203  132.53  231.93      0
# Out of bounds values : 0 OK
# Avg bus bandwidth    : 231.02
#
""",
    "nvidia-smi -q": """\
    ECC Errors
        Volatile
            SRAM Correctable              : 0
            SRAM Uncorrectable Parity     : 0
            DRAM Uncorrectable            : 0
    Remapped Rows
        Correctable Error                 : 0
        Uncorrectable Error               : 0
        Pending                           : No
        Remapping Failure Occurred        : No
    Clocks Event Reasons
        HW Slowdown                       : Not Active
            HW Thermal Slowdown           : Not Active
            HW Power Brake Slowdown       : Not Active
        SW Thermal Slowdown               : Not Active
    Temperature
        GPU Current Temp                  : 41 C
        GPU T.Limit Temp                  : 44 C
        GPU Shutdown T.Limit Temp         : -8 C
    Fabric
        State                             : Completed
        Status                            : Success
    MIG Mode
        Current                           : Disabled
        Pending                           : Disabled
    Persistence Mode                      : Enabled
    GSP Firmware Version                  : 580.95.05
    GPU Reset Status
        Reset Required                    : No
        Drain and Reset Recommended       : No
""",
    "kernel log": """\
[    0.000000] Command line: BOOT_IMAGE=/vmlinuz ro quiet iommu=pt
[    1.1] pci 0000:00:1c.0: BAR 13: no space for [io size 0x1000]
[    1.1] pci 0000:01:00.0: BAR 6: can't assign [mem size 0x00080000 pref]: no space
[    5.0] nvidia: loading out-of-tree module taints kernel.
[    5.0] nvidia: module verification failed: signature and/or required key missing - tainting kernel
[    5.1] NVRM: loading NVIDIA UNIX Open Kernel Module for x86_64  580.95.05
[    6.0] nvidia-uvm: Loaded the UVM driver, major device number 511.
[    7.0] nvidia-persistenced: Started
Epoch 1: loss 0.31, 100% done in 90 s
""",
    "training": """\
Using device: cuda
WARNING: gradient checkpointing is slow
step 100 loss 2.1 lr 3e-4 mem 21.1GiB 3.2 it/s
step 200 loss 1.9 lr 3e-4 mem 21.1GiB 3.2 it/s
Saving checkpoint to /data/ckpt
retrying connection to wandb after 30 seconds
Training finished
""",
}


@pytest.mark.parametrize("words", HEALTHY.values(), ids=HEALTHY)
def test_no_cause_is_seen_in_what_works(words: str) -> None:
    causes = pipeline.judge(text(*words.splitlines())).causes

    assert [cause.finding.fault for cause in causes if cause.finding.variant != SIMILARITY] == []
