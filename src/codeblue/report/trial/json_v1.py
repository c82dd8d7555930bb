"""The JSON document of a trial: that of a diagnosis, and the measures."""

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import json

from codeblue.model.diagnosis import Diagnosis
from codeblue.model.measure import Measure
from codeblue.report import json_v1


def render(
    diagnosis: Diagnosis,
    measures: Sequence[Measure],
    left: Mapping[str, str],
    lang: str,
    against: dict[str, Any] | None = None,
) -> str:
    """Return the document; ``against`` is what numerics were compared with."""
    whole = document(diagnosis, measures, left, lang)
    if against is not None:
        whole["numerics_against"] = against
    return json.format(json.encode(whole), indent=2).decode() + "\n"


def document(
    diagnosis: Diagnosis, measures: Sequence[Measure], left: Mapping[str, str], lang: str
) -> dict[str, Any]:
    """Return the document as plain data; ``left`` are trials and devices that were not tried, and why."""
    told = {"measures": [_measure(one, lang) for one in measures], "not_tried": dict(left)}
    return json_v1.document(diagnosis, lang) | told


def _measure(measure: Measure, lang: str) -> dict[str, Any]:
    return {
        "trial": measure.trial,
        "subject": measure.subject,
        "key": measure.key,
        "name": measure.name.say(lang),
        "value": measure.value,
        "unit": measure.unit,
        "ceiling": measure.ceiling,
        "share": round(measure.share, 4) if measure.share is not None else None,
        "better": measure.better.value,
        "note": measure.note.say(lang) if measure.note else None,
    }
