"""Files to combinations: what pip and conda would install from what files ask for.

That pip takes the newest version of all its indexes together, and the local version before the plain one,
is documented in pip's user guide and PEP 440; which builds there are is in the tables.
"""

import pytest

from codeblue.matrix.from_manifest import Contradiction, combination
from codeblue.matrix.judge import judge
from codeblue.model.combination import Combination, Part
from codeblue.model.judgement import Verdict
from codeblue.model.manifest import Index, Manifest, Requirement, Said

PYTORCH = "https://download.pytorch.org/whl/"


def asked(*requirements: str, index: str = "", extra: str = "", conda: bool = False) -> Manifest:
    """Return a manifest of requirements as ``name==1.0``, with an index or an extra one."""
    parts = [one.partition(" ") for one in requirements]
    indexes = [Index(url=index, origin="r:1")] if index else []
    indexes += [Index(url=extra, origin="r:1", kind="extra-index")] if extra else []
    return Manifest(
        requirements=tuple(
            Requirement(name=name, specifier=rest, origin=f"r:{number}", conda=conda)
            for number, (name, _, rest) in enumerate(parts, start=1)
        ),
        indexes=tuple(indexes),
    )


def torch_of(manifest: Manifest, **besides: str) -> str | None:
    """Return the torch that would be installed."""
    known = Combination().having({name: Part(value, "--x") for name, value in besides.items()})
    found, _ = combination(manifest, known)
    return found.torch.value if found.torch else None


def test_the_index_of_a_variant_gives_that_variant() -> None:
    assert torch_of(asked("torch ==2.7.1", index=f"{PYTORCH}cu128")) == "2.7.1+cu128"


def test_a_mirror_of_that_index_is_recognised_by_its_last_folder() -> None:
    mirror = "https://mirrors.example.cn/pytorch-wheels/cu121/"

    assert torch_of(asked("torch ==2.3.1", index=mirror)) == "2.3.1+cu121"


def test_an_extra_index_wins_for_the_same_version() -> None:
    assert torch_of(asked("torch ==2.7.1", extra=f"{PYTORCH}cu118")) == "2.7.1+cu118"


def test_an_extra_index_loses_against_a_newer_version_on_pypi() -> None:
    # The extra index of cu118 ends with 2.7.1; a loose pin takes the newest of PyPI, with another CUDA.
    assert torch_of(asked("torch >=2.4", extra=f"{PYTORCH}cu118")) == "2.15.0+cu132"


def test_the_python_limits_what_pip_may_take() -> None:
    assert torch_of(asked("torch >=2.4"), python="3.10") == "2.14.1+cu130"
    assert torch_of(asked("torch"), python="3.8") == "2.4.1+cu121"


def test_a_pin_that_no_index_has_is_judged_as_it_stands() -> None:
    manifest = asked("torch ==2.7.1", index=f"{PYTORCH}cu121")
    found, _ = combination(manifest, Combination())

    assert found.torch == Part("2.7.1+cu121", "r:1", "torch")
    assert judge(found).verdict is Verdict.INCOMPATIBLE


def test_a_loose_torchaudio_ends_with_one_that_asks_for_nothing() -> None:
    # torchaudio 2.11.0 declares no torch at all, so pip takes it beside any older one.
    found, _ = combination(asked("torch ==2.7.1", "torchaudio"), Combination())

    assert found.torchaudio is not None
    assert found.torchaudio.value == "2.11.0"
    assert judge(found).verdict is Verdict.INCOMPATIBLE


def test_a_loose_torchvision_is_led_back_by_its_own_pin() -> None:
    found, _ = combination(asked("torch ==2.7.1", "torchvision >=0.20"), Combination())

    assert found.torchvision is not None
    assert found.torchvision.value == "0.22.1"


@pytest.mark.parametrize(
    ("requirements", "names"),
    [
        (("torch ==2.7.1", "torch ==2.6.0"), ("2.7.1", "2.6.0")),
        (("torch ==2.7.1", "torch >=2.8"), ("2.7.1", "2.8")),
        (("torch not-a-version",), ("not-a-version",)),
    ],
)
def test_contradictory_pins_are_one_line(requirements: tuple[str, ...], names: tuple[str, ...]) -> None:
    with pytest.raises(Contradiction) as raised:
        combination(asked(*requirements), Combination())

    assert all(name in raised.value.line.say("zh") for name in names)


def test_conda_of_the_official_channel_is_told_by_pytorch_cuda() -> None:
    manifest = asked("torch ==2.4.1", "pytorch-cuda =12.4", conda=True)

    assert torch_of(manifest) == "2.4.1+cu124"


def test_conda_without_a_cuda_leaves_the_build_open() -> None:
    found, _ = combination(asked("torch ==2.4.1", conda=True), Combination(gpus=(Part("A100", "--gpu"),)))

    assert judge(found).verdict is Verdict.UNKNOWN


def test_conda_forge_tells_the_cuda_by_cuda_version() -> None:
    driver = Combination(driver=Part("470.82.01", "--driver"))
    found, _ = combination(asked("torch ==2.5.1", "cuda-version =12.6", conda=True), driver)

    assert found.torch_cuda is not None
    assert judge(found.over(driver)).verdict is Verdict.INCOMPATIBLE


def test_a_wheel_is_told_by_its_name() -> None:
    url = f"{PYTORCH}cu124/torch-2.5.1%2Bcu124-cp311-cp311-linux_x86_64.whl"
    manifest = Manifest(requirements=(Requirement(name="torch", origin="r:1", url=url),))

    assert torch_of(manifest) == "2.5.1+cu124"


def test_an_extension_for_another_torch_is_told_by_its_name() -> None:
    wheel = "flash_attn-2.7.4+cu12torch2.5cxx11abiFALSE-cp311-cp311-linux_x86_64.whl"
    extension = Requirement(name="flash-attn", origin="r:2", url=f"https://example.org/{wheel}")
    torch = Requirement(name="torch", specifier="==2.7.1", origin="r:1")
    found, _ = combination(Manifest(requirements=(torch, extension)), Combination())

    [wrong] = [one for one in judge(found).judgements if one.rule == "extension-fits-torch"]
    assert wrong.text.values["wrong"] == "torch 2.5, cxx11abiFALSE"


def test_a_pinned_library_that_the_wheel_pins_otherwise_is_a_conflict() -> None:
    found, _ = combination(asked("torch ==2.7.1", "nvidia-nccl-cu12 ==2.21.5"), Combination())

    assert [one.rule for one in judge(found).judgements if one.answer.value == "no"] == ["nccl-pin"]


@pytest.mark.parametrize(
    ("image", "part", "value"),
    [
        ("nvidia/cuda:12.8.1-cudnn-runtime-ubuntu22.04", "cuda", "12.8"),
        ("nvidia/cuda:12.8.1-cudnn-runtime-ubuntu22.04", "glibc", "2.35"),
        ("docker.io/pytorch/pytorch:2.7.1-cuda12.8-cudnn9-runtime", "torch", "2.7.1+cu128"),
        ("python:3.11-slim-bookworm", "python", "3.11"),
        ("python:3.11-slim-bookworm", "glibc", "2.36"),
        ("python:3.12-alpine3.20", "glibc", "musl"),
        ("centos:7", "glibc", "2.17"),
        ("rockylinux/rockylinux:8", "glibc", "2.28"),
        ("ubuntu:20.04", "glibc", "2.31"),
    ],
)
def test_an_image_is_told_by_its_name(image: str, part: str, value: str) -> None:
    found, _ = combination(Manifest(image=Said(value=image, origin="Dockerfile:1")), Combination())

    assert getattr(found, part).value == value


def test_an_image_of_nobody_says_nothing() -> None:
    found, _ = combination(
        Manifest(image=Said(value="example.org/team/trainer:7", origin="d:1")), Combination()
    )

    assert list(found.parts()) == []


def test_options_hide_what_files_say() -> None:
    found, _ = combination(
        Manifest(python=Said(value="3.11", origin="p:1")), Combination(python=Part("3.9", "--python"))
    )

    assert found.python == Part("3.9", "--python")
