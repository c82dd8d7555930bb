"""What public documents, issues and release notes say of combinations, judged by the matrix.

Each case names the document that the expectation comes from; none comes from the tables.
"""

import pytest

from codeblue.model.judgement import Verdict
from tests.matrix.case_files import FILES, Case, cases, is_right, judged

CASES = [case for file in FILES for case in cases(file)]


def name(case: Case) -> str:
    """Return a readable name for the test report."""
    return " ".join(f"{key}={one.value[:24]}" for key, one in case.asked.parts())


@pytest.mark.parametrize("case", CASES, ids=name)
def test_the_verdict_and_the_rule_behind_it(case: Case) -> None:
    answer = judged(case)

    said = [(one.rule, one.answer.value, one.text.say("en")) for one in answer.judgements]
    assert is_right(case, answer), (case.url, answer.verdict, said)


def test_there_are_many_cases_and_each_has_its_document() -> None:
    assert len(CASES) >= 150
    assert all(case.title and case.url.startswith("https://") for case in CASES)
    assert {case.expect for case in CASES} == set(Verdict)
    assert len({case.url for case in CASES}) >= 100
