"""A baseline: the findings that were there when lint was introduced, so that only new ones are shown."""

from collections import Counter
from hashlib import sha256

import msgspec
from msgspec import Struct, structs

from codeblue.model.lint import Finding, Linted, Suppressed
from codeblue.model.text import Message, message
from codeblue.sources.config.files import load
from codeblue.sources.target import Unusable

SCHEMA = "codeblue/lint-baseline/1"


class Known(Struct, frozen=True, kw_only=True):
    """Findings of one fault in one line of one file; the line is told by its words, not by its number."""

    fault: str
    path: str
    line: str
    """Digest of the line without the blanks around it."""
    count: int


class Baseline(Struct, frozen=True, kw_only=True):
    """The file."""

    schema: str
    findings: list[Known]


def written(findings: tuple[Finding, ...]) -> bytes:
    """Return the baseline that accepts these findings."""
    counted = sorted(Counter(map(_key, findings)).items())
    known = [Known(fault=f, path=p, line=line, count=count) for (f, p, line), count in counted]
    content = Baseline(schema=SCHEMA, findings=known)
    return msgspec.json.format(msgspec.json.encode(content), indent=1) + b"\n"


def read(path: str) -> Baseline:
    """Return a baseline. Raises Unusable."""
    text = load(path).text
    try:
        found = msgspec.json.decode(text, type=Baseline)
    except msgspec.DecodeError as error:
        raise Unusable(_no_baseline(path, str(error))) from None
    if found.schema != SCHEMA:
        raise Unusable(_no_baseline(path, f"schema {found.schema}"))
    return found


def without(linted: Linted, baseline: Baseline) -> Linted:
    """Return the result without the findings of the baseline; they are told as accepted."""
    left = Counter({(one.fault, one.path, one.line): one.count for one in baseline.findings})
    kept: list[Finding] = []
    accepted: list[Suppressed] = []
    for finding in linted.findings:
        key = _key(finding)
        if left[key] > 0:
            left[key] -= 1
            accepted.append(Suppressed(finding, "baseline", ""))
        else:
            kept.append(finding)
    return structs.replace(linted, findings=tuple(kept), suppressed=(*linted.suppressed, *accepted))


def _key(finding: Finding) -> tuple[str, str, str]:
    digest = sha256(" ".join(finding.line.split()).encode()).hexdigest()[:16]
    return finding.fault, finding.path, digest


def _no_baseline(path: str, why: str) -> Message:
    return message(
        "{path}: not a baseline of codeblue lint ({why}); make one with --write-baseline",
        "{path}：不是 codeblue lint 的基线文件（{why}）；请用 --write-baseline 生成",
        path=path,
        why=why,
    )
