"""The engine: four outcomes, quoted evidence, absent is not unread."""

from collections.abc import Iterator

import msgspec
import pytest

from codeblue.diagnose.engine import _merge, assemble, evaluate
from codeblue.diagnose.evidence import quote
from codeblue.faults import index
from codeblue.model.facts import Driver, Nodes, Sightings
from codeblue.model.fault import Certainty, Fault, Hit, Kind, Severity, cite
from codeblue.model.finding import Evidence, Outcome, Verdict
from codeblue.model.layers import Layer
from codeblue.model.section import UNREAD, NotRead, Unread
from codeblue.model.snapshot import Snapshot
from codeblue.model.text import Text, message
from tests.conftest import joined, judge, recording, text
from tests.test_rank import finding


def rule(check: object) -> Fault:
    """Return a fault around a check, as the decorator would."""
    return Fault(
        id="some-fault",
        title=Text("some fault", "某故障"),
        layer=Layer.DRIVER,
        kind=Kind.TROUBLE,
        severity=Severity.ERROR,
        check=check,  # type: ignore[arg-type]
    )


def run(check: object, snapshot: Snapshot) -> Verdict:
    """Return the verdict of one check."""
    [verdict] = evaluate([rule(check)], assemble(snapshot))
    return verdict


def hit(*paths: str) -> Hit:
    """Return a hit that cites these paths."""
    return Hit(subject="driver", summary=message("x", "某"), because=cite(*paths))


def needs_driver(driver: Driver) -> Iterator[Hit]:
    """Fire whenever the driver section is there."""
    yield hit("driver.module_version")


def hears_of_absence(driver: Driver | None) -> Iterator[Hit]:
    """Fire only if the driver is absent."""
    if driver is None:
        yield hit("driver.state")


def test_evidence_is_quoted_with_value_and_source() -> None:
    [finding] = run(needs_driver, recording("h200-healthy")).findings

    [evidence] = finding.evidence
    assert evidence.value == "580.159.04"
    assert evidence.source == "/proc/driver/nvidia/version"


def test_a_needed_section_that_is_absent_clears_the_rule() -> None:
    absent = recording("h200-healthy", driver={"state": "absent"})

    assert run(needs_driver, absent).outcome is Outcome.CLEAR
    assert run(hears_of_absence, absent).outcome is Outcome.FIRED


@pytest.mark.parametrize("state", ["denied", "timeout", "error", "unsupported", "busy", "not-attempted"])
def test_a_section_that_could_not_be_read_skips_the_rule(state: str) -> None:
    unread = recording("h200-healthy", driver={"state": state})

    for check in (needs_driver, hears_of_absence):
        verdict = run(check, unread)
        assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, f"driver: {state}")


def test_a_field_that_could_not_be_read_skips_the_rule_with_its_own_reason() -> None:
    def check(driver: Driver) -> Iterator[Hit]:
        if driver.params:
            yield hit("driver.params")

    unread = recording("h200-healthy", driver={"params": ..., "unread": {"params": "denied"}})

    assert run(check, unread).reason == "driver.params: denied"


def test_a_field_of_a_row_that_could_not_be_read_skips_the_rule() -> None:
    def check(nodes: Nodes) -> Iterator[Hit]:
        if nodes.nodes["/dev/nvidia0"].open_rw == "EACCES":
            yield hit("nodes[/dev/nvidia0].open_rw")

    unread = recording("h200-healthy", nodes={"nodes": {"/dev/nvidia0": {"open_rw": ...}}})

    assert run(check, unread).outcome is Outcome.SKIPPED


def test_a_rule_that_fails_is_broken_and_says_how() -> None:
    def check(driver: Driver) -> Iterator[Hit]:
        yield hit("driver.module_version")
        raise ZeroDivisionError("oops")

    verdict = run(check, recording("h200-healthy"))

    assert verdict.outcome is Outcome.BROKEN
    assert "oops" in verdict.reason


@pytest.mark.parametrize("path", ["driver.nothing", "nowhere.x", "driver[0000:99:00.0].model"])
def test_evidence_cannot_be_invented(path: str) -> None:
    def check(driver: Driver) -> Iterator[Hit]:
        yield hit(path)

    assert run(check, recording("h200-healthy")).outcome is Outcome.BROKEN


def test_a_finding_without_evidence_cannot_be_built() -> None:
    def check(driver: Driver) -> Iterator[Hit]:
        yield hit()

    assert run(check, recording("h200-healthy")).outcome is Outcome.BROKEN


def test_paths_lead_through_tables_lists_and_keys_with_dots() -> None:
    view = assemble(recording("h200-healthy"))

    assert quote(view, "pci[0000:00:06.0].driver").value == "nvidia"
    assert quote(view, "nvml.gpus[0].name").value == "NVIDIA H200"
    assert quote(view, "pci.nvidia_gpus[0]").value == "0000:00:06.0"
    assert quote(view, "nodes[/dev/nvidiactl].mode").source == "stat /dev/nvidiactl"


def test_quoting_an_unread_fact_says_so() -> None:
    view = assemble(recording("h200-healthy", driver={"state": "denied"}))

    with pytest.raises(NotRead, match=r"driver\.module_version: denied"):
        quote(view, "driver.module_version")


def test_the_texts_of_all_views_are_judged_together() -> None:
    both = joined(text("[rank1]: Assertion `srcIndex < srcSelectDimSize` failed."), text("all fine"))

    view = assemble(joined(recording("h200-healthy"), both))

    assert [sighting.rank for sighting in view.section(Sightings).seen] == [1]
    assert judge("index-out-of-range-on-gpu", both).findings[0].subject == "rank:1"


def alternatives(driver: Driver | None = None, nodes: Nodes | None = None) -> Iterator[Hit]:
    """Fire on either section."""
    if driver is not None and driver.module_version == "580.159.04":
        yield hit("driver.module_version")
    if nodes is not None and not nodes.nodes:
        yield hit("nodes.nodes")


def test_a_parameter_with_a_default_is_evidence_of_its_own() -> None:
    denied = recording("h200-healthy", nodes={"state": "denied"})

    assert run(alternatives, denied).outcome is Outcome.FIRED


def test_what_an_optional_section_would_have_said_is_not_ruled_out() -> None:
    neither = recording(
        "h200-healthy", driver={"state": "timeout"}, nodes={"nodes": {"/x": {"exists": True}}}
    )

    verdict = run(alternatives, neither)

    assert (verdict.outcome, verdict.reason) == (Outcome.SKIPPED, "driver: timeout")


def tells_apart(driver: Driver | Unread | None = UNREAD) -> Iterator[Hit]:
    """Fire on unread and on absent, each with a subject of its own."""
    if not isinstance(driver, Driver):
        subject = "unread" if isinstance(driver, Unread) else "absent"
        yield msgspec.structs.replace(hit("nodes.nodes"), subject=subject)


@pytest.mark.parametrize(("state", "subject"), [("timeout", "unread"), ("absent", "absent")])
def test_a_rule_can_tell_unread_from_absent_by_its_own_default(state: str, subject: str) -> None:
    verdict = run(tells_apart, recording("h200-healthy", driver={"state": state}))

    assert [finding.subject for finding in verdict.findings] == [subject]


def test_a_log_line_makes_a_risk_of_the_check_a_trouble() -> None:
    risk = finding("f", kind=Kind.RISK, certainty=Certainty.POSSIBLE)
    line = msgspec.structs.replace(finding("f"), evidence=(Evidence("sightings.seen[0].text", "x", "a:1"),))

    [merged] = _merge([line], [risk])

    assert (merged.kind, merged.certainty) == (Kind.TROUBLE, Certainty.CERTAIN)
    assert len(merged.evidence) == 2


def test_the_certainty_is_that_of_the_signature_that_matched() -> None:
    """Several signatures may share an anchor, and the surest of several lines counts."""
    perhaps = "CUDA error: CUBLAS_STATUS_NOT_INITIALIZED when calling `cublasCreate(handle)`"
    surely = "ggml_cuda: cudaMalloc failed: out of memory"

    for lines, certainty in (((perhaps,), Certainty.POSSIBLE), ((perhaps, surely), Certainty.CERTAIN)):
        [found] = judge("gpu-memory-exhausted", text(*lines)).findings
        assert found.certainty is certainty


def test_a_fault_whose_module_cannot_be_imported_is_broken_and_no_more() -> None:
    entry = msgspec.structs.replace(index.entries()["device-node-permissions"], place="driver/nowhere")

    [verdict] = evaluate([index.load(entry)], assemble(recording("h200-healthy")))

    assert verdict.outcome is Outcome.BROKEN
    assert "nowhere" in verdict.reason
