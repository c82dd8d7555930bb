"""extension-abi-mismatch"""

import pytest

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "extension-abi-mismatch"


@pytest.mark.parametrize(
    ("line", "subject"),
    [
        (
            "ImportError: /env/my_ops.cpython-312-x86_64-linux-gnu.so: undefined symbol: _ZN3c105ErrorE",
            "library:my_ops.cpython-312-x86_64-linux-gnu.so",
        ),
        (
            "OSError: /env/torchaudio/lib/libtorchaudio.so: undefined symbol: _ZNK2at6Tensor3fooE",
            "library:libtorchaudio.so",
        ),
        ("ImportError: /env/vllm/_C.abi3.so: undefined symbol: _ZTIN5torch8autogradE", "library:_C.abi3.so"),
        (
            "ImportError: flash_attn_2_cuda.cpython-312.so: undefined symbol",
            "library:flash_attn_2_cuda.cpython-312.so",
        ),
        ("ImportError: libtorch_cuda_cu.so: cannot open shared object file: No such file", "log"),
    ],
)
def test_fires_on_a_symbol_that_torch_lacks(line: str, subject: str) -> None:
    [finding] = judge(FAULT, text(line)).findings

    assert finding.subject == subject


@pytest.mark.parametrize(
    "line",
    [
        "ImportError: /env/torch/lib/libtorch_python.so: undefined symbol: _ZN2at3fooE",
        "ImportError: /env/torch/lib/libtorch_cuda.so: undefined symbol: ncclCommFoo",
        "ImportError: /env/_ssl.cpython-312.so: undefined symbol: EVP_foo",
    ],
)
def test_clear_on_symbols_of_others(line: str) -> None:
    assert judge(FAULT, text(line)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED


@pytest.mark.parametrize(
    "lines",
    [
        (
            "ImportError: /opt/v/torch/lib/libtorch_cuda.so: undefined symbol: ncclCommSplit",
            ">>> import torch",
            "# note: since I added flash-attn",
        )
    ],
)
def test_clear_on_what_looks_alike(lines: tuple[str, ...]) -> None:
    assert not judge(FAULT, text(*lines)).findings
