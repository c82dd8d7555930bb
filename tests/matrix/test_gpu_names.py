"""GPUs are found by what people write, and never by a name that is another card's."""

import pytest

from codeblue.knowledge import table
from codeblue.knowledge.gpu_names import matching, nearest


def names(text: str) -> list[str]:
    """Return the names of the GPUs that a text may mean."""
    return [row["name"] for row in matching(text)]


@pytest.mark.parametrize("row", table("gpus")["rows"], ids=lambda row: row["name"])
def test_every_name_and_alias_finds_its_own_row_alone(row: dict[str, object]) -> None:
    aliases = row.get("aliases", [])
    assert isinstance(aliases, list)
    for name in (row["name"], *aliases):
        assert matching(str(name)) == [row]
        assert matching(str(name).lower()) == [row]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("RTX 4090", "NVIDIA GeForce RTX 4090"),
        ("rtx4090", "NVIDIA GeForce RTX 4090"),
        ("4090", "NVIDIA GeForce RTX 4090"),
        ("4090D", "NVIDIA GeForce RTX 4090 D"),
        ("RTX 4060Ti", "NVIDIA GeForce RTX 4060 Ti"),
        ("4070 TiSuper", "NVIDIA GeForce RTX 4070 Ti SUPER"),
        ("GeForce RTX 3090 Ti", "NVIDIA GeForce RTX 3090 Ti"),
        ("H200", "NVIDIA H200"),
        ("nvidia h20", "NVIDIA H20"),
        ("A100 SXM 80 GB", "NVIDIA A100-SXM4-80GB"),
        ("RTX 6000 Ada", "NVIDIA RTX 6000 Ada Generation"),
        ("RTX 4000 Ada", "NVIDIA RTX 4000 Ada Generation"),
        ("Quadro RTX A6000", "NVIDIA RTX A6000"),
        ("Tesla A10", "NVIDIA A10"),
        ("V100S", "Tesla V100S-PCIE-32GB"),
        ("AGX Orin", "Orin"),
        ("2330", "NVIDIA H100 80GB HBM3"),
        ("10de:2330", "NVIDIA H100 80GB HBM3"),
        ("0x2e12", "NVIDIA GB10"),
        ("gtx1080ti", "NVIDIA GeForce GTX 1080 Ti"),
        ("Quadro RTX 5000", "Quadro RTX 5000"),
        ("Tesla K40", "Tesla K40m"),
        ("RTX 4090 Laptop GPU", "NVIDIA GeForce RTX 4090 Laptop GPU"),
        ("3080 Laptop", "NVIDIA GeForce RTX 3080 Laptop GPU"),
    ],
)
def test_a_text_that_means_one_gpu(text: str, expected: str) -> None:
    assert names(text) == [expected]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("H100", {"NVIDIA H100 80GB HBM3", "NVIDIA H100 PCIe", "NVIDIA H100 NVL"}),
        (
            "A100",
            {
                "NVIDIA A100-SXM4-40GB",
                "NVIDIA A100-SXM4-80GB",
                "NVIDIA A100-PCIE-40GB",
                "NVIDIA A100 80GB PCIe",
            },
        ),
        ("A100 PCIe", {"NVIDIA A100-PCIE-40GB", "NVIDIA A100 80GB PCIe"}),
        (
            "RTX 5000",
            {
                "NVIDIA RTX 5000 Ada Generation",
                "NVIDIA RTX PRO 5000 Blackwell",
                "NVIDIA RTX PRO 5000 72GB Blackwell",
                "Quadro RTX 5000",
                "NVIDIA RTX 5000 Ada Generation Laptop GPU",
            },
        ),
        ("A2000", {"NVIDIA RTX A2000", "NVIDIA RTX A2000 12GB"}),
        (
            "TITAN",
            {
                "NVIDIA TITAN V",
                "NVIDIA TITAN RTX",
                "NVIDIA TITAN Xp",
                "NVIDIA TITAN X (Pascal)",
                "NVIDIA GeForce GTX TITAN",
                "NVIDIA GeForce GTX TITAN X",
            },
        ),
        ("TITAN X", {"NVIDIA TITAN X (Pascal)", "NVIDIA GeForce GTX TITAN X"}),
        ("GTX 1060", {"NVIDIA GeForce GTX 1060 6GB", "NVIDIA GeForce GTX 1060 3GB"}),
        ("GH200", {"NVIDIA GH200 480GB", "NVIDIA GH200 144G HBM3e"}),
        ("10de:25b6", {"NVIDIA A2", "NVIDIA A16"}),
        ("sm_103", {"NVIDIA B300 SXM6 AC", "NVIDIA GB300"}),
        ("8.0", {row["name"] for row in table("gpus")["rows"] if row["cc"] == "8.0"}),
    ],
)
def test_a_text_that_means_several_gpus(text: str, expected: set[str]) -> None:
    found = names(text)

    assert set(found) == expected and len(found) == len(expected)


def test_rtx_6000_may_be_three_generations() -> None:
    assert {row["arch"] for row in matching("RTX 6000")} == {"Turing", "Ada", "Blackwell"}


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  ",
        "NVIDIA",
        "Tesla GPU",
        "RTX 3090 Laptop GPU",
        "Quadro RTX 4500",
        "RTX 9090",
        "ffff",
        "sm_999",
        "9.9",
    ],
)
def test_what_is_not_known_matches_nothing(text: str) -> None:
    assert matching(text) == []


def test_no_device_id_reads_like_a_model_number() -> None:
    rows = table("gpus")["rows"]
    words = {word for row in rows for word in row["name"].split()}

    assert not words & {device for row in rows for device in row.get("pci_ids") or ()}


def test_near_names_come_best_first() -> None:
    assert nearest("RTX 4091")[0].startswith("NVIDIA GeForce RTX 409")
    assert nearest("RTX 3090 Laptop GPU")[0].endswith("90 Laptop GPU")
    assert nearest("qwertyuiop") == []
    assert len(nearest("RTX", most=2)) <= 2
