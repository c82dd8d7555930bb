"""Hollow copies first on LD_LIBRARY_PATH do not disturb wheels, which find their own by DT_RPATH"""

import pytest

from codeblue.pipeline import judge
from tests.conftest import recording

FOLDER = "/opt/hollow"
SITE = "/opt/torch/.venv/lib/python3.12/site-packages/nvidia"
OWN = {
    "libnvJitLink.so.13": f"{SITE}/cu13/lib/libnvJitLink.so.13",
    "libcublasLt.so.13": f"{SITE}/cu13/lib/libcublasLt.so.13",
    "libcudnn.so.9": f"{SITE}/cudnn/lib/libcudnn.so.9",
}


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("mapped", [True, False], ids=["mapped", "not mapped"])
def test_a_hollow_copy_that_nobody_uses_gives_neither_trouble_nor_risk(name: str, mapped: bool) -> None:
    other = f"{FOLDER}/{name}"
    row = {"path": other, "real": other, "via": "LD_LIBRARY_PATH", "size": 9000, "elf": "ok", "version": None}
    loader = {"shadowed": {name: other}, "search_path": [FOLDER], "libraries": {name: row}}
    trial = {"libraries": {name: OWN[name]} if mapped else {}}

    diagnosis = judge(recording("h200-healthy", loader=loader, torch_trial=trial))

    assert (diagnosis.causes, diagnosis.risks, diagnosis.broken) == ((), (), ())
