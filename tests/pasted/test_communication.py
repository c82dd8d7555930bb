"""Reports about communication, in many words: the fault behind each comes first."""

import pytest

from codeblue import pipeline
from tests.conftest import text

REPORTS = (
    (
        "firewall-blocks-nccl-ports",
        (
            "# note: two nodes, port 29500 opened, rendezvous works, then NCCL init hangs; "
            "with ufw disabled it works"
        ),
    ),
    (
        "firewall-blocks-nccl-ports",
        "# 两台机器多机训练卡在初始化，关掉防火墙就好了",
        "NCCL INFO Bootstrap : Using eth0:10.0.0.2<0>",
    ),
    (
        "hostname-resolves-to-loopback",
        (
            "# note: /etc/hosts maps the node's hostname to 127.0.1.1; gloo connectFullMesh "
            "failed with Connection refused"
        ),
    ),
    (
        "memlock-limit-too-low",
        "NCCL WARN Call to ibv_create_cq failed with error Cannot allocate memory",
        "$ ulimit -l",
        "64",
    ),
    (
        "nccl-socket-ifname-wrong",
        "[rank1]: RuntimeError: NCCL error: unhandled system error",
        "NCCL INFO Bootstrap : Using docker0:172.17.0.1<0>",
        "# note: on both nodes docker0 was picked",
    ),
    (
        "nccl-version-mismatch-between-nodes",
        "# note: node A has NCCL 2.18.3, node B 2.20.5; init hangs",
        "NCCL WARN Message truncated",
    ),
    (
        "peermem-module-not-loaded",
        ("# note: H100 nodes, all_reduce busbw only 12 GB/s over IB; lsmod shows no nvidia_peermem"),
    ),
    (
        "firewall-blocks-nccl-ports",
        (
            "# AWS security group only allows port 29500 between the two nodes; NCCL hangs "
            "after bootstrap, timeout"
        ),
    ),
    (
        "hostname-resolves-to-loopback",
        "# gloo 多机 Connection refused，hostname 解析成 127.0.0.1",
        (
            "RuntimeError: [../third_party/gloo/gloo/transport/tcp/pair.cc:799] connect "
            "[127.0.0.1]:33417: Connection refused"
        ),
    ),
    (
        "memlock-limit-too-low",
        "# inside the Slurm job `ulimit -l` is 64, on the login shell unlimited",
        "NCCL WARN Call to ibv_reg_mr failed",
    ),
    (
        "nccl-socket-ifname-wrong",
        "NCCL WARN Bootstrap : no socket interface found",
        "# NCCL_SOCKET_IFNAME=eth0 but the interface is called ens5 on the second host",
    ),
    (
        "nccl-version-mismatch-between-nodes",
        "# the two hosts run images of different age; nccl 2.14 here and 2.18 there; init fails",
        "ncclInternalError: Internal check failed.",
    ),
    (
        "peermem-module-not-loaded",
        "NCCL INFO Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/0",
        "# 两机带宽只有 10GB/s，nvidia_peermem 没有加载",
    ),
    (
        "firewall-blocks-nccl-ports",
        "NCCL WARN socketStartConnect: Connect to 10.0.0.3<43211> failed : No route to host",
        "# note: firewalld active",
    ),
    (
        "firewall-blocks-nccl-ports",
        (
            "# note: iptables on eth0 drops random ports; ncclCommInitRank hangs even "
            "between two processes of one host"
        ),
    ),
    (
        "hostname-resolves-to-loopback",
        (
            "# note: socket.gethostbyname(hostname) gives 127.0.1.1 on every node; "
            "init_process_group gloo times out"
        ),
    ),
    (
        "memlock-limit-too-low",
        "# mpirun 里 ulimit -l 只有 64，NCCL 走 IB 注册内存失败",
        "NCCL WARN Call to ibv_reg_mr failed",
    ),
    (
        "nccl-socket-ifname-wrong",
        ("# note: GLOO_SOCKET_IFNAME=eth0 works on host A, on host B the NIC is enp3s0; fails to connect"),
        (
            "RuntimeError: [enforce fail at device.cc:83] ifa != nullptr. Unable to find "
            "interface for: [0.0.1.1]"
        ),
    ),
    (
        "nccl-version-mismatch-between-nodes",
        "# 两台机器的 nvidia-nccl-cu12 版本不同，初始化报 invalid usage",
    ),
    (
        "peermem-module-not-loaded",
        ("# note: nv_peer_mem missing on one node; NCCL shows NET/IB without GDRDMA, bandwidth a quarter"),
    ),
    (
        "mig-enabled-without-instances",
        "$ nvidia-smi -L",
        "GPU 0: A100-SXM4-40GB (UUID: GPU-x)",
        "$ nvidia-smi mig -lgi",
        "No MIG devices found.",
        "RuntimeError: No CUDA GPUs are available",
        "gpu: A100",
    ),
    (
        "mig-enabled-without-instances",
        "# MIG is enabled on all A100s but nobody has created instances; torch sees no GPU",
        "RuntimeError: No CUDA GPUs are available",
    ),
)


@pytest.mark.parametrize(("cause", "lines"), [(cause, lines) for cause, *lines in REPORTS])
def test_names_the_cause_first(cause: str, lines: list[str]) -> None:
    causes = pipeline.judge(text(*lines)).causes

    assert causes
    assert (causes[0].finding.fault, causes[0].finding.variant) == (cause, None)
