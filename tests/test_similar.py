"""Similarity of words: it orders and offers, and never blames."""

from codeblue import pipeline
from codeblue.diagnose.similar import SIMILARITY, similar, words
from codeblue.model.diagnosis import Overall
from codeblue.model.fault import Certainty
from tests.conftest import text

DOCUMENTS = {
    "shared-memory": ("shm too small for data loader workers", "共享内存太小"),
    "link-down": ("the network cable of the switch port",),
}


def test_the_entry_with_the_rarest_common_words_comes_first() -> None:
    assert [s.fault for s in similar("loader workers died: shm", DOCUMENTS, 3)] == ["shared-memory"]
    assert [s.fault for s in similar("容器的共享内存不够", DOCUMENTS, 3)] == ["shared-memory"]


def test_a_text_without_words_is_like_nothing() -> None:
    assert similar("-- 12 ==", DOCUMENTS, 3) == []
    assert similar("", DOCUMENTS, 3) == []


def test_hostile_words_are_words() -> None:
    assert similar('shm" OR 1=1; DROP TABLE entry; --', DOCUMENTS, 3)[0].fault == "shared-memory"


def test_chinese_words_are_pairs_of_characters() -> None:
    assert words("显存不足 OOM-kill x") == ["显存", "存不", "不足", "oom", "kill"]


def test_candidates_by_similarity_are_merely_possible() -> None:
    diagnosis = pipeline.judge(text("OddError: the wobble of a legacy conda channel alias and its cgroup"))

    assert diagnosis.verdict is Overall.UNKNOWN
    similar_ones = [c.finding for c in diagnosis.causes if c.finding.variant == SIMILARITY]
    assert similar_ones
    assert all(f.certainty is Certainty.POSSIBLE and f.remedy is None for f in similar_ones)


def test_nothing_is_offered_where_nobody_complains() -> None:
    assert pipeline.judge(text("NCCL uses the network between the nodes, firewall ports open")).causes == ()


def test_a_sure_cause_is_left_alone() -> None:
    diagnosis = pipeline.judge(text("CUDA error: no kernel image is available for execution on the device"))

    assert [c.finding.variant for c in diagnosis.causes] == [None]


RISK = (
    "docs/GPU.md:3: our machines have driver 470.82",
    "Last reviewed: 2022",
    "error: wrong wheel, the nodes run 570",
)
OLD = "NVIDIA Container Toolkit CLI version 1.14.0"


def test_nothing_is_guessed_beside_a_risk_that_the_text_speaks_of() -> None:
    diagnosis = pipeline.judge(text(*RISK))

    assert diagnosis.causes == ()
    assert [risk.fault for risk in diagnosis.risks] == ["document-version-stale"]


def test_an_old_version_in_passing_ends_no_search() -> None:
    diagnosis = pipeline.judge(
        text(OLD, "it fails: the wobble of a legacy conda channel alias and its cgroup")
    )

    assert "toolkit-below-safe-version" in [risk.fault for risk in diagnosis.risks]
    assert diagnosis.causes
