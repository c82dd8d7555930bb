"""Fake root folders of whole machines."""

from pathlib import Path

from tests.probe.loading import tree

MEMORY = "MemTotal:       16384 kB\nMemFree:        1 kB\n"
NVIDIA = "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  580.159.04  Release Build  (builder@)\n"
INFORMATION = """Model: \t\t NVIDIA H200
IRQ:   \t\t 41
GPU UUID: \t GPU-00000000-1111-2222-3333-444455556666
Device Minor: \t 0
GPU Firmware: \t 580.159.04
GPU Excluded:\t No
"""
KMSG = """6,0,0,-;Linux version 6.8.0
4,900,7000000,-;NVRM: Xid (PCI:0000:3b:00): 79, pid=1234, name=python, GPU has fallen off the bus.
 SUBSYSTEM=pci
"""


def h200(root: Path) -> Path:
    """Write a virtual machine with one H200, driver 580 and systemd's control groups."""
    return tree(
        root,
        {
            "/proc/cpuinfo": "processor : 0\nflags : fpu hypervisor\n",
            "/proc/meminfo": MEMORY,
            "/proc/uptime": "500.25 900.0\n",
            "/proc/cmdline": "root=/dev/vda quiet iommu=pt modprob.blacklist=nouveau password=secret\n",
            "/proc/version": "Linux",
            "/proc/sys/kernel/random/boot_id": "11111111-2222-3333-4444-555555555555\n",
            "/proc/modules": "nvidia_uvm 1830912 0 - Live 0x0 (O)\n"
            "nvidia 14299136 20 nvidia_uvm, Live 0x0 (O)\n"
            "ext4 1000 1 - Live 0x0\n",
            "/proc/driver/nvidia/version": NVIDIA,
            "/proc/driver/nvidia/params": 'ModifyDeviceFiles: 1\nDeviceFileMode: 438\nRegistryDwords: ""\n',
            "/proc/driver/nvidia/gpus/0000:00:06.0/information": INFORMATION,
            "/proc/self/mounts": "/dev/vda / ext4 rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n",
            "/proc/self/mountinfo": "27 1 254:0 / / rw,relatime - ext4 /dev/vda rw\n",
            "/proc/self/cgroup": "0::/user.slice/job\n",
            "/proc/self/ns/pid": "->pid:[4026531836]",
            "/proc/self/ns/uts": "->uts:[4026531838]",
            "/proc/1/comm": "systemd\n",
            "/proc/1/cgroup": "0::/init.scope\n",
            "/proc/77/comm": "nvidia-persiste\n",
            "/sys/bus/pci/devices/0000:00:06.0/class": "0x030200\n",
            "/sys/bus/pci/devices/0000:00:06.0/vendor": "0x10de\n",
            "/sys/bus/pci/devices/0000:00:06.0/device": "0x2335\n",
            "/sys/bus/pci/devices/0000:00:06.0/driver": "->../../../bus/pci/drivers/nvidia",
            "/sys/bus/pci/devices/0000:00:06.0/current_link_width": "16\n",
            "/sys/bus/pci/devices/0000:00:06.0/current_link_speed": "32.0 GT/s PCIe\n",
            "/sys/bus/pci/devices/0000:00:06.0/config": b"\xde\x10\x35\x23rest",
            "/sys/class/dmi/id/sys_vendor": "QEMU\n",
            "/sys/class/dmi/id/product_name": "Standard PC (Q35 + ICH9, 2009)\n",
            "/sys/firmware/acpi/tables": "",
            "/sys/module/nvidia/version": "580.159.04\n",
            "/sys/fs/cgroup/cgroup.controllers": "memory pids\n",
            "/sys/fs/cgroup/user.slice/memory.max": "8589934592\n",
            "/sys/fs/cgroup/user.slice/memory.current": "4096\n",
            "/sys/fs/cgroup/user.slice/memory.events": "low 0\noom 3\noom_kill 2\n",
            "/sys/fs/cgroup/user.slice/job/memory.max": "max\n",
            "/sys/fs/cgroup/user.slice/job/pids.max": "512\n",
            "/etc/os-release": 'ID=ubuntu\nVERSION_ID="24.04"\n',
            "/usr/lib/x86_64-linux-gnu/libcuda.so.580.159.04": "elf",
            "/usr/lib/x86_64-linux-gnu/libcuda.so.1": "->libcuda.so.580.159.04",
            "/usr/lib/x86_64-linux-gnu/libnvidia-ml.so.1": "->libnvidia-ml.so.570.86.15",
            "/lib": "->usr/lib",
            "/dev/kmsg": KMSG,
            "/dev/shm/.keep": "",
            "/tmp/.keep": "",
            "/srv/train/.keep": "",
        },
    )
