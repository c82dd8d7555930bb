"""libcuda-stub-loaded"""

from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

STUBS = "/usr/local/cuda/lib64/stubs"
LOADED = {"init": 34, "library": f"{STUBS}/libcuda.so"}
RESOLVED = {"path": f"{STUBS}/libcuda.so.1", "real": f"{STUBS}/libcuda.so", "via": "LD_LIBRARY_PATH"}


def test_fires_and_drops_only_the_stubs_folder() -> None:
    loader = {"libraries": {"libcuda.so.1": RESOLVED}, "search_path": ["/opt/lib", STUBS]}
    [finding] = judge("libcuda-stub-loaded", recording("h200-healthy", cuda=LOADED, loader=loader)).findings

    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "LD_LIBRARY_PATH", "value": "/opt/lib"}
    assert f"{STUBS}/libcuda.so.1" in finding.summary.say("en")
    assert finding.certainty == "certain"


def test_fires_on_a_link_in_a_system_folder_without_touching_that_folder() -> None:
    link = {"path": "/usr/lib/libcuda.so.1", "real": f"{STUBS}/libcuda.so", "via": "ldcache"}
    snapshot = recording("h200-healthy", cuda=LOADED, loader={"libraries": {"libcuda.so.1": link}})
    [finding] = judge("libcuda-stub-loaded", snapshot).findings

    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"path": "/usr/lib/libcuda.so.1"}


def test_fires_on_the_words_of_torch_and_numba() -> None:
    lines = ("RuntimeError: Error 34: CUDA driver is a stub library", "numba: CudaAPIError: [34] x")
    for line in lines:
        assert judge("libcuda-stub-loaded", text(line)).outcome is Outcome.FIRED


def test_clear_on_a_compiler_line_that_links_the_stub() -> None:
    line = f"nvcc -o a a.cu -L{STUBS} -lcuda"

    assert judge("libcuda-stub-loaded", text(line)).findings == ()


def test_clear_when_cuda_starts_although_a_stub_is_on_the_path() -> None:
    snapshot = recording("h200-healthy", loader={"search_path": [STUBS]})

    assert judge("libcuda-stub-loaded", snapshot).outcome is Outcome.CLEAR


def test_the_plain_name_alone_is_only_a_risk() -> None:
    plain = {"libraries": {"libcuda.so": {"path": f"{STUBS}/libcuda.so"}}, "search_path": [STUBS]}
    [finding] = judge("libcuda-stub-loaded", recording("h200-healthy", loader=plain)).findings

    assert (finding.kind, finding.certainty) == ("risk", "possible")


def test_fires_less_surely_when_cuda_was_not_called() -> None:
    loader = {"libraries": {"libcuda.so.1": RESOLVED}, "search_path": [STUBS]}
    snapshot = recording("h200-healthy", cuda={"state": "timeout"}, loader=loader)

    [finding] = judge("libcuda-stub-loaded", snapshot).findings

    assert (finding.subject, finding.certainty) == ("library:libcuda.so.1", "likely")


def test_claims_nothing_when_cuda_was_not_tried() -> None:
    verdict = judge("libcuda-stub-loaded", recording("h200-healthy", cuda={"state": "timeout"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cuda: timeout")
