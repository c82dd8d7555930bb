"""Units of systemd, Slurm."""

from codeblue.lint.run import Against
from codeblue.model.facts import Host
from codeblue.model.snapshot import View
from tests.lint.case import clear, fires

NODE = Against(machine=View(kind="probe", name="node", host=Host(memory_bytes=64 << 30)))

UNIT = "etc/systemd/system/train.service"
GOOD = """
    [Unit]
    Description=Inference with vLLM
    After=network-online.target nvidia-persistenced.service
    StartLimitIntervalSec=0

    [Service]
    Environment="NCCL_DEBUG_SUBSYS=INIT NET" CUDA_VISIBLE_DEVICES=0,1
    Environment=HF_HOME=/data/hf
    EnvironmentFile=-/etc/default/train
    ExecStartPre=-/bin/sh -c 'docker rm -f vllm > /dev/null 2>&1 || true'
    ExecStart=/usr/bin/docker run --rm --gpus all \\
      # a comment
      --name vllm "a && b" ${ARGS} --port 8000
    LimitMEMLOCK=infinity
    LimitNOFILE=1048576
    DeviceAllow=char-nvidia* rw
    DevicePolicy=closed
    Restart=on-failure
    X-Ours=1

    [Install]
    WantedBy=multi-user.target
"""


def service(line: str, *, install: bool = True) -> str:
    """Return a unit with one line of a service that uses GPUs."""
    end = "\n[Install]\nWantedBy=multi-user.target\n" if install else ""
    return f"[Unit]\nDescription=GPU worker\n\n[Service]\nExecStart=/usr/bin/worker\n{line}\n{end}"


OF_UNITS = (
    "unit-key-unknown",
    "unit-exec-uses-shell-syntax",
    "unit-environment-not-expanded",
    "unit-environment-split",
    "unit-hides-gpus",
    "memlock-limit-too-low",
    "service-not-enabled-at-boot",
)
SLURM = """
    ClusterName=gpu
    SlurmctldHost=head(10.0.0.1)
    GresTypes=gpu
    ProctrackType=proctrack/cgroup
    TaskPlugin=task/cgroup,task/affinity
    SelectType=select/cons_tres
    NodeName=n[01-04] CPUs=128 RealMemory=1000000 \\
      Gres=gpu:h100:8 State=UNKNOWN # eight each
    PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
GRES = """
    AutoDetect=off
    NodeName=n[01-04] Name=gpu Type=h100 File=/dev/nvidia[0-7] Cores=0-63
"""
OF_SLURM = (
    "slurm-config-key-unknown",
    "slurm-cgroup-devices-not-constrained",
    "slurm-gres-conf-wrong",
    "slurm-processes-not-tracked",
)

CASES = (
    *(clear(fault, UNIT, GOOD) for fault in OF_UNITS),
    fires(
        "unit-key-unknown",
        UNIT,
        service("«Restrat»=always"),
        fixed=service("Restart=always"),
    ),
    fires("unit-key-unknown", UNIT, service("«WantedBy»=multi-user.target")),
    fires(
        "unit-key-unknown",
        "etc/systemd/system/slurmd.service.d/limits.conf",
        "[Service]\nLimitMEMLOCK=infinity\n\n«[Instal]»\nWantedBy=multi-user.target\n",
        fixed="[Service]\nLimitMEMLOCK=infinity\n\n[Install]\nWantedBy=multi-user.target\n",
    ),
    fires(
        "unit-exec-uses-shell-syntax", UNIT, service("ExecStartPre=«/bin/modprobe nvidia_uvm && /bin/true")
    ),
    fires(
        "unit-exec-uses-shell-syntax", UNIT, service("ExecStartPost=«/usr/bin/nvidia-smi -L > /var/log/gpus")
    ),
    fires("unit-exec-uses-shell-syntax", UNIT, service("ExecStop=«/bin/kill $(cat /run/x.pid)")),
    clear("unit-exec-uses-shell-syntax", UNIT, service('ExecStartPre=/bin/bash -lc "a && b > c"')),
    clear("unit-exec-uses-shell-syntax", UNIT, service("ExecStartPre=/bin/a ; /bin/b")),
    fires("unit-environment-not-expanded", UNIT, service("Environment=«PATH=/opt/conda/bin:$PATH")),
    fires(
        "unit-environment-not-expanded",
        UNIT,
        service('Environment=«"LD_LIBRARY_PATH=/usr/local/cuda/lib64:${LD_LIBRARY_PATH}"'),
    ),
    fires("unit-environment-split", UNIT, service("Environment=«NCCL_DEBUG_SUBSYS=INIT NET")),
    fires("unit-hides-gpus", UNIT, service("«PrivateDevices»=yes")),
    fires("unit-hides-gpus", UNIT, service("«DevicePolicy»=closed")),
    fires("unit-hides-gpus", UNIT, service("«DeviceAllow»=/dev/null rw")),
    fires("unit-hides-gpus", UNIT, service("«ProtectKernelModules»=yes")),
    clear(
        "unit-hides-gpus",
        "lib/systemd/system/resolver.service",
        "[Unit]\nDescription=Names\n[Service]\nExecStart=/usr/bin/resolver\nPrivateDevices=yes\n",
    ),
    fires(
        "memlock-limit-too-low",
        UNIT,
        service("LimitMEMLOCK=«unlimited"),
        fixed=service("LimitMEMLOCK=infinity"),
    ),
    fires("service-not-enabled-at-boot", UNIT, "«" + service("Type=simple", install=False)),
    fires("config-syntax-error", UNIT, "[Service]\nExecStart=/bin/true\n«junk\n"),
    fires("config-syntax-error", UNIT, "«Type=simple\n[Service]\n"),
    fires(
        "env-name-misspelt",
        UNIT,
        service('Environment="«NCCL_SOKET_IFNAME»=eth0"'),
        fixed=service('Environment="NCCL_SOCKET_IFNAME=eth0"'),
    ),
    *(clear(fault, "slurm.conf", SLURM) for fault in OF_SLURM),
    *(clear(fault, "gres.conf", GRES) for fault in OF_SLURM),
    clear(
        "slurm-cgroup-devices-not-constrained", "cgroup.conf", "ConstrainCores=yes\nConstrainDevices=yes\n"
    ),
    fires(
        "slurm-config-key-unknown",
        "slurm.conf",
        "«ProctrackTyp»=proctrack/cgroup\nNodeName=a «RealMemry»=100\n",
        fixed="ProctrackType=proctrack/cgroup\nNodeName=a RealMemory=100\n",
    ),
    fires(
        "slurm-cgroup-devices-not-constrained",
        "cgroup.conf",
        "ConstrainCores=yes\nConstrainDevices=«no»\n",
        fixed="ConstrainCores=yes\nConstrainDevices=yes\n",
    ),
    fires(
        "slurm-cgroup-devices-not-constrained",
        "cgroup.conf",
        "CgroupPlugin=autodetect\n«ConstrainCores»=yes\n",
    ),
    fires("slurm-cgroup-devices-not-constrained", "slurm.conf", "GresTypes=gpu\nTaskPlugin=«task/affinity\n"),
    clear(
        "slurm-cgroup-devices-not-constrained", "slurm.conf", "TaskPlugin=task/affinity\nNodeName=a CPUs=2\n"
    ),
    fires(
        "slurm-processes-not-tracked",
        "slurm.conf",
        "GresTypes=gpu\nTaskPlugin=task/cgroup\nProctrackType=«proctrack/linuxproc\n",
        fixed="GresTypes=gpu\nTaskPlugin=task/cgroup\nProctrackType=proctrack/cgroup\n",
    ),
    fires(
        "slurm-node-memory-overstated",
        "slurm.conf",
        "NodeName=a CPUs=8 RealMemory=«70000\n",
        fixed="NodeName=a CPUs=8 RealMemory=65536\n",
        on=NODE,
    ),
    clear("slurm-node-memory-overstated", "slurm.conf", "NodeName=a CPUs=8 RealMemory=65000\n", on=NODE),
    clear("slurm-node-memory-overstated", "slurm.conf", SLURM),
    fires("slurm-gres-conf-wrong", "slurm.conf", "TaskPlugin=task/cgroup\nNodeName=a «Gres»=gpu:8\n"),
    fires(
        "slurm-gres-conf-wrong",
        "gres.conf",
        "Name=gpu File=«/dev/nvidia[7-0]\n",
        fixed="Name=gpu File=/dev/nvidia[0-7]\n",
    ),
)
