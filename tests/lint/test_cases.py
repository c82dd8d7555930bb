"""Every rule fires at the right place, stays clear beside it, and fixes nothing but its fault."""

from pathlib import Path

import pytest

from codeblue.lint import fixing
from codeblue.lint.known import FAULTS, RULES
from tests.lint.case import Case, judged
from tests.lint.cases import CASES

FIRING = [case for case in CASES if case.places]
CLEAR = [case for case in CASES if not case.places]


def _name(case: Case) -> str:
    return f"{case.fault}-{CASES.index(case)}"


@pytest.mark.parametrize("case", FIRING, ids=_name)
def test_it_fires_at_its_place(case: Case) -> None:
    findings = judged(case).findings

    assert tuple((f.place.line, f.place.column) for f in findings if f.fault == case.fault) == case.places
    assert {f.fault for f in findings if not f.pedantic} - {case.fault} == set(case.also)
    for lang in ("en", "zh"):
        assert all(f.message.say(lang).isprintable() for f in findings)


@pytest.mark.parametrize("case", CLEAR, ids=_name)
def test_it_stays_clear(case: Case) -> None:
    result = judged(case)

    assert case.fault not in {f.fault for f in result.findings}
    assert {f.fault for f in result.findings if not f.pedantic} == set(case.also)


@pytest.mark.parametrize("case", [case for case in FIRING if case.fixed is not None], ids=_name)
def test_its_fix_changes_only_the_fault(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(case.name)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(case.text, encoding="utf-8")

    [change] = fixing.fixed(judged(case).findings, case.against, unsafe=True)

    assert change.refused is None
    assert change.after.decode() == case.fixed


@pytest.mark.parametrize("fault", sorted(FAULTS))
def test_every_fault_has_cases(fault: str) -> None:
    """At least one file in which it is found, and one beside it that is right."""
    assert [case for case in FIRING if case.fault == fault]
    assert [case for case in CLEAR if case.fault == fault]


def test_every_rule_fires_in_a_case() -> None:
    """No rule is registered that no file shows at work."""
    shown = {case.fault for case in FIRING}
    assert {rule.fault for rule in RULES} <= shown
