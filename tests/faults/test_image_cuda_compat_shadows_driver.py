"""image-cuda-compat-shadows-driver"""

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import joined, judge, recording, text

COMPAT = "/usr/local/cuda-12.8/compat"
LOADED = {"init": 803, "library": f"{COMPAT}/libcuda.so.570.86.10"}


def test_fires_and_drops_the_compat_folder() -> None:
    row = {"path": "/usr/local/cuda/compat/libcuda.so.1", "via": "LD_LIBRARY_PATH"}
    loader = {"libraries": {"libcuda.so.1": row}, "search_path": ["/usr/local/cuda/compat/", "/opt/lib"]}
    [finding] = judge(
        "image-cuda-compat-shadows-driver", recording("h200-healthy", cuda=LOADED, loader=loader)
    ).findings

    assert finding.certainty == "certain"
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "LD_LIBRARY_PATH", "value": "/opt/lib"}


def test_fires_on_the_words_but_is_not_certain() -> None:
    [finding] = judge(
        "image-cuda-compat-shadows-driver",
        text("Error 803: system has unsupported display driver / cuda driver combination"),
    ).findings

    assert finding.certainty != "certain"


IN_FRONT = {
    "libraries": {"libcuda.so.1": {"path": f"{COMPAT}/libcuda.so.1", "via": "LD_LIBRARY_PATH"}},
    "search_path": [COMPAT],
}


def test_fires_with_a_remedy_on_the_words_when_cuda_was_not_called() -> None:
    machine = recording("h200-healthy", cuda={"state": "timeout"}, loader=IN_FRONT)
    words = text("Error 803: system has unsupported display driver / cuda driver combination")

    [finding] = judge("image-cuda-compat-shadows-driver", joined(machine, words)).findings

    assert finding.certainty == "likely"
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "LD_LIBRARY_PATH"}


def test_fires_without_a_remedy_when_the_loader_was_not_read() -> None:
    snapshot = recording("h200-healthy", cuda=LOADED, loader={"state": "error"})

    assert judge("image-cuda-compat-shadows-driver", snapshot).outcome is Outcome.FIRED


def test_clear_when_the_compat_library_works_or_fails_otherwise() -> None:
    for code in (0, 100, 804):
        snapshot = recording("h200-healthy", cuda=LOADED | {"init": code})

        assert judge("image-cuda-compat-shadows-driver", snapshot).outcome is Outcome.CLEAR


def test_clear_when_the_library_is_the_drivers_own() -> None:
    snapshot = recording("h200-healthy", cuda={"init": 803})

    assert judge("image-cuda-compat-shadows-driver", snapshot).outcome is Outcome.CLEAR


def test_claims_nothing_when_cuda_was_not_tried() -> None:
    verdict = judge("image-cuda-compat-shadows-driver", recording("h200-healthy", cuda={"state": "busy"}))

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "cuda: busy")


def test_comes_first_where_the_path_names_the_compat_folder() -> None:
    words = text(
        "RuntimeError: Error 803: system has unsupported display driver / cuda driver combination",
        "LD_LIBRARY_PATH=/usr/local/cuda-12.4/compat:/usr/local/lib",
        "container: docker",
    )

    assert pipeline.judge(words).causes[0].finding.fault == "image-cuda-compat-shadows-driver"
