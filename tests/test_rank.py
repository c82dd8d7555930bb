"""Ranking: causes explain, consequences are explained, risks bite only when a symptom was seen."""

from codeblue.diagnose.rank import rank
from codeblue.model.fault import Certainty, Kind, Severity
from codeblue.model.finding import Evidence, Finding
from codeblue.model.layers import Layer
from codeblue.model.text import message

GRAPH = {"root": ("middle",), "middle": ("symptom",), "symptom": (), "small-shm": ("symptom",)}


def finding(
    fault: str,
    layer: Layer = Layer.DRIVER,
    certainty: Certainty = Certainty.CERTAIN,
    kind: Kind = Kind.TROUBLE,
    subject: str = "driver",
    host: str | None = None,
) -> Finding:
    """Return a finding with what ranking looks at."""
    return Finding(
        fault=fault,
        variant=None,
        layer=layer,
        kind=kind,
        subject=subject,
        severity=Severity.ERROR,
        certainty=certainty,
        summary=message("x", "某"),
        explains=GRAPH.get(fault, ()),
        evidence=(Evidence("a.b", 1, "s"),),
        remedy=None,
        host=host,
    )


def names(*findings: Finding) -> tuple[list[str], list[str]]:
    """Return the names of causes and consequences."""
    causes, consequences = rank(list(findings), GRAPH)
    return [c.finding.fault for c in causes], [c.finding.fault for c in consequences]


def test_a_cause_explains_across_a_fault_that_was_not_seen() -> None:
    assert names(finding("symptom"), finding("root")) == (["root"], ["symptom"])


def test_a_symptom_that_nothing_explains_is_the_cause() -> None:
    assert names(finding("symptom")) == (["symptom"], [])


def test_certainty_comes_before_depth() -> None:
    deep = finding("other", Layer.HARDWARE, Certainty.POSSIBLE)
    high = finding("another", Layer.APPLICATION, Certainty.CERTAIN)

    assert names(deep, high)[0] == ["another", "other"]


def test_the_lower_layer_comes_first_among_equals() -> None:
    assert names(finding("b", Layer.PYTHON), finding("a", Layer.DRIVER))[0] == ["a", "b"]


def test_a_risk_alone_is_no_cause() -> None:
    assert names(finding("small-shm", kind=Kind.RISK)) == ([], [])


def test_a_risk_becomes_the_cause_of_a_symptom_it_explains() -> None:
    causes, _ = rank([finding("small-shm", kind=Kind.RISK), finding("symptom")], GRAPH)

    assert [(c.finding.fault, c.finding.kind) for c in causes] == [("small-shm", Kind.TROUBLE)]


def test_a_harmless_line_is_never_a_cause() -> None:
    assert names(finding("noise", kind=Kind.HARMLESS)) == ([], [])


def test_another_gpu_explains_nothing_of_this_one() -> None:
    assert names(finding("root", subject="gpu:0"), finding("symptom", subject="gpu:1"))[0] == [
        "root",
        "symptom",
    ]


def test_another_host_explains_nothing_of_this_one() -> None:
    assert names(finding("root", host="host-a"), finding("symptom", host="host-b"))[0] == ["root", "symptom"]
    assert names(finding("root", host="host-a"), finding("symptom"))[0] == ["root"]


def test_a_gpu_named_by_its_address_may_be_the_one_named_by_its_number() -> None:
    assert names(finding("root", subject="gpu:0000:3b:00"), finding("symptom", subject="gpu:0"))[0] == [
        "root"
    ]


def test_a_fault_of_one_rank_explains_what_the_others_report() -> None:
    assert names(finding("root", subject="rank:1"), finding("symptom", subject="rank:0"))[0] == ["root"]
