"""A rule or a reader that fails is told, and costs nobody else anything."""

from collections.abc import Iterator

import pytest

from codeblue.lint import run
from codeblue.lint.rules.kubernetes import gpu_request
from codeblue.model.config.kubernetes import Pod
from codeblue.model.config.place import Source
from codeblue.model.facts import Driver
from codeblue.model.lint import Problem, Rule
from codeblue.model.snapshot import View
from codeblue.model.text import message
from codeblue.sources.config.kinds import Kind, kind_of
from tests.lint.cases.pods import POD

TEXT = POD.format(resources="limits: {nvidia.com/gpu: 0.5}", empty="medium: Memory")


def judged(against: run.Against = run.Against()) -> run.Judged:  # noqa: B008 - immutable
    source = Source("pod.yaml", TEXT)
    kind = kind_of(source)
    assert kind is not None
    return run.judge(source, kind, against)


def _fails(pod: Pod) -> Iterator[Problem]:
    yield Problem(place=pod.spec.place, message=message(pod.owner.name[99], "x"))


def test_a_rule_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = [Rule("pod-shm-missing", _fails, Pod, ()), *gpu_request.RULES]
    monkeypatch.setattr(run, "BY_PART", {Pod: rules})
    result = judged()

    assert result.broken == (("pod-shm-missing", "pod.yaml: IndexError('string index out of range')"),)
    assert [one.fault for one in result.findings if not one.pedantic] == ["pod-gpu-request-invalid"]


class _Failing(Kind):
    def read(self, source: Source) -> Iterator[object]:
        yield source.text[99]


def test_a_reader_that_fails_is_told() -> None:
    kind = _Failing("test", "", "", "", "config-syntax-error")
    result = run.judge(Source("x", ""), kind, run.Against())

    assert result.broken == (("reader of test", "x: IndexError('string index out of range')"),)


def _needs_a_driver(pod: Pod, driver: Driver) -> Iterator[Problem]:
    assert driver is not None
    yield Problem(place=pod.spec.place, message=message("x", "x"))


def test_a_rule_without_its_facts_is_skipped_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "BY_PART", {Pod: [Rule("pod-shm-missing", _needs_a_driver, Pod, (Driver,))]})

    assert judged().skipped == (("pod-shm-missing", "driver: --on not given"),)
    unread = judged(run.Against(machine=View(kind="probe", name="local")))
    assert unread.skipped == (("pod-shm-missing", "driver: not-attempted"),)
