"""Text that no signature decides: the entries of the catalogue that speak of the most similar things.

Similarity of words is no evidence. It orders what is merely possible, and says where to look first.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import closing

from msgspec import Struct, structs

from codeblue.diagnose.diagnosis import next_steps
from codeblue.diagnose.evidence import quote
from codeblue.model.diagnosis import Diagnosis, Explained, Overall
from codeblue.model.entry import Entry
from codeblue.model.facts import Sightings, Told
from codeblue.model.fault import Certainty, Kind
from codeblue.model.finding import Finding
from codeblue.model.section import NotRead
from codeblue.model.snapshot import View
from codeblue.model.text import Message, Text

SIMILARITY = "similarity"
"""The variant of a finding that rests on similar words alone."""
BY_WORDS = Text("by similar words only, no evidence", "仅因用词相近，没有证据")
OFFERED = 3
"""Candidates, together with those that have evidence."""
LEAST = 12.0
"""BM25 score below which similar words are chance."""
WORD = re.compile(r"[a-z][a-z0-9_.]*[a-z0-9]|[\u3400-\u9fff]+")
LONGEST = 400
"""Words of a text that are asked for."""
COMPLAINT = re.compile(
    r"error|fail|cannot|can't|could not|couldn't|unable|denied|not found|no such|time(?:d )?[- ]?out|\bhang"
    r"|\bhung|stuck|\bstall|kill|crash|abort|refused|invalid|missing|unsupported|exceed|pending|slow|unknown|\bfalse\b"
    r"|no longer|not loaded|\bis not$|does ?n[o']t"
    r"|错误|失败|无法|不能|报错|卡住|超时|找不到|崩溃|拒绝|很慢|不到|没有",
    re.IGNORECASE,
)
"""Somebody or something says that it does not work."""
USUAL = re.compile(
    r"^Is [\w ]+: False$|could not collect|which is not on PATH|Defaulting to user installation"
    r"|(?:Future|Deprecation)Warning|\bdeprecated\b|async_io requires|sparse_attn requires"
    r"|initialize backend '(?:rocm|tpu)'|^(?:\([^()]*pid=\d+\) )?INFO\b",
    re.IGNORECASE,
)
"""Words of complaint that programs use although all is well."""

TABLE = "CREATE VIRTUAL TABLE entry USING fts5(id UNINDEXED, words, tokenize=\"unicode61 tokenchars '_.'\")"

Documents = Mapping[str, Iterable[str]]


class Similar(Struct, frozen=True):
    """One entry and how strongly the words of the text point at it (BM25, larger is more)."""

    fault: str
    score: float


def with_similar(
    diagnosis: Diagnosis, view: View, entries: Mapping[str, Entry], documents: Documents
) -> Diagnosis:
    """Return the undecided diagnosis of a text with candidates by similarity.

    ``documents`` are the texts that speak of each of the ``entries``.
    """
    try:
        sightings = view.section(Sightings)
    except NotRead:
        return diagnosis
    unusual = sightings.unusual
    if _settled(sightings, entries) or not any(_complains(told.text) for told in unusual):
        return diagnosis
    found = similar("\n".join(told.text for told in unusual), documents, len(documents))
    symptoms = [cause for cause in diagnosis.causes if entries[cause.finding.fault].symptom]
    seen = {cause.finding.fault for cause in symptoms}
    score = {one.fault: one.score for one in found}
    causes = sorted(
        (cause for cause in diagnosis.causes if cause not in symptoms),
        key=lambda cause: -score.get(cause.finding.fault, 0),
    )
    known = {cause.finding.fault for cause in (*diagnosis.causes, *diagnosis.consequences)}
    for one in found:
        entry = entries[one.fault]
        if len(causes) >= OFFERED or one.score < LEAST:
            break
        if _eligible(entry, seen, entries) and entry.id not in known:
            causes.append(Explained(_candidate(entry, view, unusual, documents[entry.id])))
    return _offering(diagnosis, causes, symptoms)


def _complains(line: str) -> bool:
    return COMPLAINT.search(line) is not None and USUAL.search(line) is None


def _settled(sightings: Sightings, entries: Mapping[str, Entry]) -> bool:
    """True if the words of the text together are something harmless: that is what it complains of."""
    return any(s.clue is not None and entries[s.fault].kind is Kind.HARMLESS for s in sightings.seen)


def _eligible(entry: Entry, symptoms: set[str], entries: Mapping[str, Entry]) -> bool:
    """True if the entry may be why; where symptoms were seen, it must explain one of them."""
    if entry.kind is not Kind.TROUBLE or entry.symptom:
        return False
    return not symptoms or bool(symptoms.intersection(_explained(entry, entries)))


def _explained(entry: Entry, entries: Mapping[str, Entry]) -> set[str]:
    reached: set[str] = set()
    todo = list(entry.explains)
    while todo:
        effect = todo.pop()
        if effect not in reached:
            reached.add(effect)
            todo += entries[effect].explains
    return reached


def _offering(diagnosis: Diagnosis, causes: list[Explained], symptoms: list[Explained]) -> Diagnosis:
    if not causes:
        return diagnosis
    names = tuple(cause.finding.fault for cause in causes)
    overall = Overall.TROUBLE if diagnosis.verdict is Overall.TROUBLE else Overall.UNKNOWN
    return structs.replace(
        diagnosis,
        verdict=overall,
        causes=tuple(causes),
        consequences=(*diagnosis.consequences, *(Explained(s.finding, names) for s in symptoms)),
        layer=None,
        next=next_steps(causes, Overall.UNKNOWN),
    )


def _candidate(entry: Entry, view: View, unusual: Sequence[Told], document: Iterable[str]) -> Finding:
    spoken = {word for part in document for word in words(part)}
    nearest = max(range(len(unusual)), key=lambda n: len(spoken.intersection(words(unusual[n].text))))
    return Finding(
        fault=entry.id,
        variant=SIMILARITY,
        layer=entry.layer,
        kind=entry.kind,
        subject="log",
        severity=entry.severity,
        certainty=Certainty.POSSIBLE,
        summary=Message(
            Text(f"{entry.title.en} ({BY_WORDS.en})", f"{entry.title.zh}（{BY_WORDS.zh}）"),
        ),
        explains=entry.explains,
        evidence=(quote(view, f"sightings.unusual[{nearest}].text"),),
        remedy=None,
        next_command=entry.next_command,
    )


def similar(text: str, documents: Documents, most: int) -> list[Similar]:
    """Return the entries of ``documents`` whose words are most like those of ``text``, best first."""
    asked = list(dict.fromkeys(words(text)))[:LONGEST]
    if not asked:
        return []
    # Most texts are decided without.
    import sqlite3

    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(TABLE)
        base.executemany("INSERT INTO entry VALUES (?, ?)", map(_row, documents.items()))
        query = " OR ".join(f'"{word}"' for word in asked)
        order = "SELECT id, -bm25(entry) FROM entry WHERE entry MATCH ? ORDER BY 2 DESC LIMIT ?"
        return [Similar(fault, score) for fault, score in base.execute(order, (query, most))]


def _row(document: tuple[str, Iterable[str]]) -> tuple[str, str]:
    fault, parts = document
    return fault, " ".join(word for part in parts for word in words(part))


def words(text: str) -> list[str]:
    """Return the words of a text: Latin ones whole, Chinese ones as pairs of characters."""
    found = []
    for word in WORD.findall(text.lower()):
        if word[0] >= "\u3400":
            found += [word[n : n + 2] for n in range(max(len(word) - 1, 1))]
        elif len(word) > 2:
            found.append(word)
    return found
