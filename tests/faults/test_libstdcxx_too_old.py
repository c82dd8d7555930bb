"""libstdcxx-too-old"""

from codeblue.model.finding import Outcome
from codeblue.pipeline import judge as diagnose
from tests.conftest import judge, recording, text

ERROR = (
    "ImportError: /opt/old/lib/libstdc++.so.6: version `GLIBCXX_3.4.29' not found "
    "(required by /env/torch/lib/libtorch_cpu.so)"
)
FAILED = {"imported": False, "error": ERROR}


def test_fires_and_drops_the_older_folder_from_the_path() -> None:
    loader = {"search_path": ["/opt/old/lib", "/opt/new/lib"]}
    snapshot = recording("h200-healthy", loader=loader, torch_trial=FAILED)
    [finding] = judge("libstdcxx-too-old", snapshot).findings

    assert finding.summary.values == {"path": "/opt/old/lib/libstdc++.so.6", "needed": "GLIBCXX_3.4.29"}
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "LD_LIBRARY_PATH", "value": "/opt/new/lib"}


def test_fires_without_touching_the_path_when_the_folder_is_not_on_it() -> None:
    [finding] = judge("libstdcxx-too-old", recording("h200-healthy", torch_trial=FAILED)).findings

    assert finding.remedy is not None
    assert finding.remedy.automation == "human"


def test_fires_on_the_words() -> None:
    for line in (ERROR, ERROR.replace("GLIBCXX_3.4.29", "CXXABI_1.3.13")):
        assert judge("libstdcxx-too-old", text(line)).outcome is Outcome.FIRED


HOLLOW = (
    "ImportError: /env/lib/libx_host.so.3: undefined symbol: _ZTVN10__cxxabiv117__class_type_infoE, "
    "version CXXABI_1.3"
)
IN_FRONT = {
    "libraries": {"libstdc++.so.6": {"path": "/opt/shell/libstdc++.so.6", "via": "LD_LIBRARY_PATH"}},
    "search_path": ["/opt/shell", "/opt/new/lib"],
}


def test_fires_on_a_hollow_copy_in_front_and_names_it() -> None:
    trial = {"imported": False, "error": HOLLOW}
    snapshot = recording("h200-healthy", loader=IN_FRONT, torch_trial=trial)
    [finding] = judge("libstdcxx-too-old", snapshot).findings

    assert finding.summary.values == {"path": "/opt/shell/libstdc++.so.6", "needed": "CXXABI_1.3"}
    assert finding.remedy is not None
    assert finding.remedy.steps[0].args == {"name": "LD_LIBRARY_PATH", "value": "/opt/new/lib"}


def test_fires_as_the_only_cause_of_the_failed_import() -> None:
    trial = {"imported": False, "error": HOLLOW, "available": ..., "count": ..., "devices": ...}
    diagnosis = diagnose(recording("h200-healthy", loader=IN_FRONT, torch_trial=trial))

    assert [c.finding.fault for c in diagnosis.causes] == ["libstdcxx-too-old"]
    assert [c.finding.fault for c in diagnosis.consequences] == ["torch-import-failed"]


def test_fires_on_the_words_about_a_hollow_copy() -> None:
    for line in (HOLLOW, "x.so: undefined symbol: _ZNSt3fooEv, version GLIBCXX_3.4.30"):
        assert judge("libstdcxx-too-old", text(line)).outcome is Outcome.FIRED


def test_clear_on_a_missing_symbol_of_another_library() -> None:
    line = "x.so: undefined symbol: __nvJitLinkCreate_12_9, version libnvJitLink.so.12"

    assert judge("libstdcxx-too-old", text(line)).findings == ()


def test_clear_when_the_copy_is_the_systems_own() -> None:
    snapshot = recording("h200-healthy", torch_trial={"imported": False, "error": HOLLOW})

    assert judge("libstdcxx-too-old", snapshot).outcome is Outcome.CLEAR


def test_clear_on_a_complaint_about_the_c_library() -> None:
    line = "/lib64/libc.so.6: version `GLIBC_2.28' not found (required by /lib64/libstdc++.so.6)"

    assert judge("libstdcxx-too-old", text(line)).findings == ()


def test_clear_when_torch_imports() -> None:
    assert judge("libstdcxx-too-old", recording("h200-healthy")).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_trial() -> None:
    snapshot = recording("h200-healthy", torch_trial={"state": "timeout"})

    assert judge("libstdcxx-too-old", snapshot).reason == "torch_trial: timeout"
