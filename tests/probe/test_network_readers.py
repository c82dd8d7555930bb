"""network and clock."""

from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead
from tests.probe.loading import VERSIONS, interpreters, section, tree

NO_FOUR = "reader._four = lambda name: name == 'eth0'"


def node(root: Path) -> Path:
    """Write a node with one InfiniBand adapter, a bond, and a tunnel that somebody named."""
    net, rdma = "/sys/class/net", "/sys/class/infiniband/mlx5_0"
    return tree(
        root,
        {
            f"{net}/lo/operstate": "unknown\n",
            f"{net}/lo/type": "772\n",
            f"{net}/lo/mtu": "65536\n",
            f"{net}/eth0/operstate": "up\n",
            f"{net}/eth0/type": "1\n",
            f"{net}/eth0/mtu": "9000\n",
            f"{net}/eth0/speed": "100000\n",
            f"{net}/eth0/device/vendor": "0x15b3\n",
            f"{net}/ib0/operstate": "down\n",
            f"{net}/ib0/type": "32\n",
            f"{net}/ib0/mtu": "2044\n",
            f"{net}/ib0/speed": "-1\n",
            f"{net}/secret-lab/operstate": "up\n",
            f"{net}/secret-lab/type": "65534\n",
            f"{net}/secret-lab/mtu": "1420\n",
            f"{net}/bonding_masters": "bond0\n",
            "/proc/net/if_inet6": "0000 01 80 10 80 lo\nfe80 02 40 20 80 eth0\n2001 05 40 00 80 secret-lab\n",
            f"{rdma}/device/driver": "->../../../../bus/pci/drivers/mlx5_core",
            f"{rdma}/device/numa_node": "1\n",
            f"{rdma}/fw_ver": "28.42.1000\n",
            f"{rdma}/ports/1/state": "4: ACTIVE\n",
            f"{rdma}/ports/1/link_layer": "InfiniBand\n",
            f"{rdma}/ports/1/rate": "400 Gb/sec (4X NDR)\n",
            f"{rdma}/node_guid": "0000:1111:2222:3333\n",
            "/dev/infiniband/uverbs0": "",
            "/sys/module/nvidia_peermem/version": "580.159.04\n",
        },
    )


@pytest.mark.parametrize("version", VERSIONS)
def test_a_node_with_infiniband(version: str, tmp_path: Path) -> None:
    python = interpreters().get(version)
    if python is None:
        pytest.skip(f"no CPython {version} at hand")

    network = section(facts.Network, node(tmp_path), python=python, before=NO_FOUR)

    assert set(network.interfaces) == {"lo", "eth0", "ib0", "other-1"}
    eth0, ib0 = network.interfaces["eth0"], network.interfaces["ib0"]
    assert (eth0.kind, eth0.physical, eth0.state, eth0.speed, eth0.mtu) == (
        "ethernet",
        True,
        "up",
        100000,
        9000,
    )
    assert (eth0.ipv4, eth0.ipv6) == (True, False)
    assert (ib0.kind, ib0.physical, ib0.speed, ib0.ipv4) == ("infiniband", False, None, False)
    assert network.interfaces["other-1"].ipv6
    device = network.rdma["mlx5_0"]
    assert (device.driver, device.firmware, device.numa) == ("mlx5_core", "28.42.1000", 1)
    port = device.ports["1"]
    assert (port.state, port.link_layer, port.rate) == ("active", "infiniband", "400 Gb/sec (4X NDR)")
    assert network.rdma_nodes == ["uverbs0"]
    assert network.peermem == "nvidia_peermem"


@pytest.mark.parametrize(
    "name", ["eno1", "enp65s0f0np0", "ens1f1", "eth0.100", "ibp12s0", "bond0", "br-0123456789ab"]
)
def test_given_names_are_kept(name: str, tmp_path: Path) -> None:
    root = tree(tmp_path, {f"/sys/class/net/{name}/operstate": "up\n", f"/sys/class/net/{name}/type": "1\n"})

    assert list(section(facts.Network, root, before=NO_FOUR).interfaces) == [name]


@pytest.mark.parametrize("name", ["enx0a1b2c3d4e5f", "wg-alice", "lobby", "eth0-office"])
def test_names_that_tell_more_are_replaced(name: str, tmp_path: Path) -> None:
    root = tree(tmp_path, {f"/sys/class/net/{name}/operstate": "up\n"})

    assert list(section(facts.Network, root, before=NO_FOUR).interfaces) == ["other-1"]


def test_a_machine_without_rdma(tmp_path: Path) -> None:
    network = section(facts.Network, tmp_path)

    assert (network.interfaces, network.rdma, network.rdma_nodes, network.peermem) == ({}, {}, [], None)


def test_an_address_that_could_not_be_asked_for_stays_unread(tmp_path: Path) -> None:
    network = section(facts.Network, node(tmp_path), before="reader._four = lambda name: None")

    with pytest.raises(NotRead):
        assert network.interfaces["eth0"].ipv4


def test_this_machine() -> None:
    network = section(facts.Network, "")

    assert not network.unread
    assert network.interfaces["lo"].kind == "loopback"
    assert network.interfaces["lo"].ipv4
    assert not network.interfaces["lo"].physical


@pytest.mark.parametrize("version", VERSIONS)
def test_the_clock_is_asked_and_the_daemons_are_found(version: str, tmp_path: Path) -> None:
    python = interpreters().get(version)
    if python is None:
        pytest.skip(f"no CPython {version} at hand")
    root = tree(tmp_path, {"/proc/1/comm": "systemd\n", "/proc/9/comm": "systemd-timesyn\n"})

    clock = section(facts.Clock, root, python=python)

    assert clock.daemons == ["systemd-timesyncd"]
    assert clock.estimated_error >= 0
    assert isinstance(clock.synchronised, bool)


def test_the_kernels_words_decide_and_a_refusal_leaves_them_unread(tmp_path: Path) -> None:
    answer = "reader._kernel = lambda: type('T', (), {'status': %d, 'esterror': 1500})()"
    refusal = "def no():\n    raise PermissionError(1, 'no')\nreader._kernel = no"

    assert section(facts.Clock, tmp_path, before=answer % 0x2001).synchronised
    loose = section(facts.Clock, tmp_path, before=answer % 0x41)
    assert (loose.synchronised, loose.estimated_error) == (False, 0.0015)
    assert section(facts.Clock, tmp_path, before=refusal).unread["synchronised"] == "denied"
