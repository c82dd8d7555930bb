"""libcuda-unversioned-missing"""

from codeblue.model.finding import Outcome
from tests.conftest import joined, judge, recording, text

PLAIN = {"libraries": {"libcuda.so": {"path": None, "real": None}}}
LINKER = "/usr/bin/ld: cannot find -lcuda: No such file or directory"


def test_fires_with_the_place_for_the_link_when_a_build_fails() -> None:
    snapshot = joined(recording("h200-healthy", loader=PLAIN), text(LINKER))
    [finding] = judge("libcuda-unversioned-missing", snapshot).findings

    assert finding.remedy is not None
    assert "/usr/local/nvidia/lib64/libcuda.so" in finding.remedy.steps[0].why.say("en")
    assert [e.source for e in finding.evidence if e.path.startswith("sightings")] == ["train.log:1"]


def test_fires_on_the_words_of_triton_and_the_loader() -> None:
    for line in (
        "AssertionError: libcuda.so cannot found!",
        "OSError: libcuda.so: cannot open shared object file: No such file or directory",
    ):
        assert judge("libcuda-unversioned-missing", text(line)).outcome is Outcome.FIRED


def test_clear_without_any_symptom() -> None:
    snapshot = recording("h200-healthy", loader=PLAIN)

    assert judge("libcuda-unversioned-missing", snapshot).outcome is Outcome.CLEAR


def test_clear_on_another_library() -> None:
    for line in ("ld: cannot find -lcudart", "OSError: libcuda.so.1: cannot open shared object file"):
        assert judge("libcuda-unversioned-missing", text(line)).findings == ()


def test_claims_nothing_when_the_loader_was_not_read() -> None:
    snapshot = recording("h200-healthy", loader={"state": "error"})

    assert judge("libcuda-unversioned-missing", snapshot).outcome is Outcome.SKIPPED
