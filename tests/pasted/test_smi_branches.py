"""``nvidia-smi`` of many driver branches, from the oldest that people still paste to the newest."""

from typing import Any

import pytest

from codeblue.model.section import NotRead
from codeblue.sources.clues import Line
from codeblue.sources.pasted import sections


def read(text: str) -> dict[str, Any]:
    return sections([Line(line, "out.txt", n, False) for n, line in enumerate(text.splitlines(), start=1)])


GPU = """
Attached GPUs                                          : 1
GPU 00000000:01:00.0
    Product Name                                       : NVIDIA B200
"""
NOTE = "[Deprecated; will be removed in CUDA 14.0. Use {} instead]"
QUERY_610 = f"""
==============NVSMI LOG==============

Timestamp                                              : Sun Sep  6 08:21:38 2026
Driver Version                                         : 610.43.02 {NOTE.format("KMD Version")}
CUDA Version                                           : 13.3 {NOTE.format("CUDA UMD Version")}
KMD Version                                            : 610.43.02
CUDA UMD Version                                       : 13.3
{GPU}"""


@pytest.mark.parametrize("dropped", ["nothing", "KMD Version  ", "Driver Version  "])
def test_the_long_form_of_branch_610(dropped: str) -> None:
    told = read("\n".join(line for line in QUERY_610.splitlines() if not line.startswith(dropped)))

    assert told["driver"].module_version == "610.43.02"
    assert told["cuda"].driver_version == 13030
    assert told["nvml"].gpus["0"].name == "NVIDIA B200"


def test_a_version_that_is_no_version_stays_unread() -> None:
    told = read(QUERY_610.replace("610.43.02", "N/A").replace("13.3", "Not Found"))

    assert "driver" not in told
    assert "cuda" not in told


DOUBLE = """
==============NVSMI LOG==============

Driver Version                      : 418.40.04
CUDA Version                        : 10.1

Attached GPUs                       : 1
GPU 000052CE:00:00.0
    Product Name                    : Tesla V100-SXM2-16GB
    Ecc Mode
        Current                     : Enabled
    ECC Errors
        Volatile
            Single Bit
                Device Memory       : 7
                Total               : 7
            Double Bit
                Device Memory       : 2
                Total               : {total}
        Aggregate
            Double Bit
                Total               : 9
"""


def test_gpus_before_ampere_count_double_bit_errors() -> None:
    gpu = read(DOUBLE.format(total=2))["nvml"].gpus["0"]

    assert (gpu.ecc, gpu.ecc_uncorrected, gpu.pci) == (True, 2, "000052ce:00:00.0")


def test_errors_that_are_not_counted_stay_unread() -> None:
    with pytest.raises(NotRead):
        _ = read(DOUBLE.format(total="N/A"))["nvml"].gpus["0"].ecc_uncorrected


def test_a_banner_without_cuda_version() -> None:
    told = read(
        "| NVIDIA-SMI 390.87                 Driver Version: 390.87                    |\n"
        "|   0  GeForce GTX 108...  Off  | 00000000:04:00.0 Off |                  N/A |\n"
        "| 23%   28C    P8    15W / 250W |     10MiB / 11178MiB |      0%      Default |\n"
    )

    assert told["driver"].module_version == "390.87"
    assert told["nvml"].gpus["0"].memory_total == 11178 << 20
    assert "cuda" not in told


def test_a_banner_of_windows_says_nothing_of_persistence() -> None:
    gpu = read(
        "| NVIDIA-SMI 617.14                 KMD Version: 617.14        CUDA UMD Version: 13.4     |\n"
        "|   0  NVIDIA GeForce RTX 3050 ...  WDDM  |   00000000:01:00.0  On |                  N/A |\n"
        "| N/A   40C    P8              1W /   65W |    1070MiB /   4094MiB |     27%      Default |\n"
    )["nvml"].gpus["0"]

    assert gpu.temperature == 40
    with pytest.raises(NotRead):
        _ = gpu.persistence


@pytest.mark.parametrize(
    ("text", "driver", "cuda"),
    [
        ("DRIVER version      : 550.90.07\nCUDA Version        : 12.4\n", "550.90.07", 12040),
        (
            'DRIVER version      : Deprecated, see "KMD version" instead\n'
            "KMD version         : 610.43.02\nCUDA UMD version    : 13.3\n",
            "610.43.02",
            13030,
        ),
    ],
)
def test_the_list_of_versions(text: str, driver: str, cuda: int) -> None:
    told = read(f"NVIDIA-SMI version  : 1\nNVML version        : 1\n{text}")

    assert told["driver"].module_version == driver
    assert told["cuda"].driver_version == cuda


MATRIX = """\tGPU0\tGPU1\tGPU2\tmlx5_0\tCPU Affinity\tNUMA Affinity
GPU0\t X \tNV4\tSYS\tSYS\t24-31,56-63\t3
GPU1\tNV4\t X \tPHB\tSYS\t16-23,48-55\t2
GPU2\tSYS\tPHB\t X \tSYS\t8-15,40-47\t1
mlx5_0\tSYS\tSYS\tSYS\t X \t\t
"""


@pytest.mark.parametrize("text", [MATRIX, MATRIX.lstrip("\t"), MATRIX.expandtabs(8)])
def test_a_matrix_with_network_cards_and_without_its_first_tab(text: str) -> None:
    peers = read(text)["fabric"].peers

    assert {pair: peer.level for pair, peer in peers.items()} == {"0-2": "system", "1-2": "hostbridge"}


def test_the_matrix_behind_the_one_of_peer_access_is_read() -> None:
    access = " \tGPU0\tGPU1\tGPU2\n GPU0\tX\tOK\tNS\n GPU1\tOK\tX\tNS\n GPU2\tNS\tNS\tX\n\n"

    assert set(read(access + MATRIX)["fabric"].peers) == {"0-2", "1-2"}
    assert "fabric" not in read(access)


def test_a_matrix_that_is_cut_short_gives_what_it_has() -> None:
    assert set(read(MATRIX[: MATRIX.index("GPU1\tNV4")])["fabric"].peers) == {"0-2"}


def test_details_of_a_gpu_are_joined_with_the_list_but_not_with_another_gpu() -> None:
    listed = "GPU 0: NVIDIA B200 (UUID: GPU-0)\nGPU 1: NVIDIA B200 (UUID: GPU-1)\n"
    banner = (
        "|   0  NVIDIA B200                    On  |   00000000:07:00.0 Off |                    0 |\n"
        "| N/A   26C    P0            139W / 1000W |       0MiB / 183359MiB |      0%      Default |\n"
    )

    assert read(listed + QUERY_610)["nvml"].gpus["0"].pci == "00000000:01:00.0"
    other = read(banner + QUERY_610.replace("GPU 00000000:01", "GPU 00000000:65"))["nvml"].gpus["0"]
    assert (other.pci, other.temperature) == ("00000000:07:00.0", 26)


OF_EIGHT = QUERY_610.replace(": 1\n", ": 8\n")
XML_OF_EIGHT = """<nvidia_smi_log>
<driver_version>550.90.07</driver_version>
<attached_gpus>8</attached_gpus>
<gpu id="00000000:01:00.0">
<product_name>NVIDIA B200</product_name>
</gpu>
</nvidia_smi_log>
"""


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("$ nvidia-smi -q -i 3\n" + OF_EIGHT, "3"),
        ("root@node:~# nvidia-smi --id=3 -q\n" + OF_EIGHT, "3"),
        ("$ nvidia-smi -q -x -i 3\n" + XML_OF_EIGHT, "3"),
        ("$ nvidia-smi -q -i 00000000:01:00.0\n" + OF_EIGHT, "00000000:01:00.0"),
        (OF_EIGHT, "00000000:01:00.0"),
        (
            "|   5  NVIDIA B200                    On  |   00000000:01:00.0 Off |                    0 |\n"
            "| N/A   26C    P0            139W / 1000W |       0MiB / 183359MiB |      0%      Default |\n"
            + OF_EIGHT,
            "5",
        ),
    ],
)
def test_one_gpu_of_several_keeps_the_number_that_is_told(text: str, number: str) -> None:
    assert {key: gpu.name for key, gpu in read(text)["nvml"].gpus.items()} == {number: "NVIDIA B200"}


def test_the_machine_has_as_many_gpus_as_the_long_form_says() -> None:
    assert read(OF_EIGHT)["nvml"].count == 8
    with pytest.raises(NotRead):
        _ = read("$ nvidia-smi -q -i 3\n" + OF_EIGHT.replace("Attached", "Other"))["nvml"].count
