"""NCCL's own log becomes facts."""

import pytest

from codeblue.sources import nccl_log

HEAD = "gpu7:90:90 [0] NCCL INFO "


def said(*words: str) -> list[str]:
    return [HEAD + one for one in words]


@pytest.mark.parametrize(
    ("words", "way"),
    [
        ("Channel 00/0 : 0[0] -> 1[1] via P2P/CUMEM", "P2P/CUMEM"),
        ("Channel 03/0 : 3[3] -> 2[2] via P2P/IPC/read", "P2P/IPC/read"),
        ("Channel 01 : 1[1] -> 0[0] via SHM/direct/direct", "SHM/direct/direct"),
        ("Channel 00/0 : 8[0] -> 0[0] [receive] via NET/IB/0(1)/GDRDMA", "NET/IB/GDRDMA"),
        ("Channel 00/0 : 0[0] -> 8[0] [send] via NET/IB/3", "NET/IB"),
        ("Channel 02/0 : 0[5f000] -> 1[60000] [send] via NET/Socket/0", "NET/Socket"),
        ("Channel 02/0 : 0[0] -> 1[0] [send] via NET/AWS Libfabric/1/GDRDMA", "NET/AWS Libfabric/GDRDMA"),
    ],
)
def test_ways_are_counted_without_the_numbers_of_devices(words: str, way: str) -> None:
    assert nccl_log.read(said(words, words)).transports == {way: 2}


def test_version_network_and_variables() -> None:
    log = nccl_log.read(
        said(
            "NCCL version 2.21.5+cuda12.4",
            "NCCL_IB_HCA set by environment to mlx5_0,mlx5_1",
            "NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/RoCE [RO]; OOB eth0:198.51.100.7<0>",
            "Using network IB",
            "NCCL_P2P_LEVEL set by environment to LOC.",
        )
    )

    assert (log.version, log.network) == ("2.21.5", "IB")
    assert log.interfaces == ["mlx5_0:1/IB", "mlx5_1:1/RoCE"]
    assert log.variables == {"NCCL_IB_HCA": "mlx5_0,mlx5_1", "NCCL_P2P_LEVEL": "LOC"}


def test_lines_of_launchers_and_warnings() -> None:
    log = nccl_log.read(
        [
            "[1,0]<stdout>:" + HEAD + "Channel 00/0 : 0[0] -> 1[1] via P2P/IPC",
            " 3: " + HEAD + "Channel 00/0 : 1[1] -> 0[0] via P2P/IPC",
            "[2026-12-01 10:00:00] gpu7:9:9 [0] net.cc:1 NCCL WARN connect to 198.51.100.9<51234> failed",
            "training goes on via SHM",
        ]
    )

    assert log.transports == {"P2P/IPC": 2}
    assert log.warnings == ["connect to ADDRESS failed"]


def test_what_is_shared_names_no_host_and_no_address() -> None:
    words = f"{HEAD}Bootstrap : Using eth0:198.51.100.7<0>\nRuntimeError: fe80::1:2:3%eth0<0> is gone\n"

    assert nccl_log.shared(words) == [
        "NCCL INFO Bootstrap : Using eth0:ADDRESS",
        "RuntimeError: ADDRESS is gone",
    ]


def test_hostile_lines_are_bounded() -> None:
    many = [HEAD + f"NCCL_X{number} set by environment to {'y' * 999}" for number in range(999)]
    log = nccl_log.read([*many, HEAD + "Using network " + "z" * 9999, "NCCL WARN " + "w" * 9999])

    assert len(log.variables) == nccl_log.MANY
    assert max(map(len, [*log.variables.values(), *log.warnings, log.network or ""])) <= nccl_log.LONG


def test_a_section_has_facts_in_place_of_words() -> None:
    raw = {
        "devices": {},
        "words": HEAD + "Using network IB\n",
        "again": {"devices": {}, "words": HEAD + "Using network Socket\n"},
    }
    told = nccl_log.told(raw)

    assert "words" not in told and "words" not in told["again"]
    assert (told["log"]["network"], told["again"]["log"]["network"]) == ("IB", "Socket")
