"""``codeblue/report/1``: one document that tells the project about a wrong verdict."""

from msgspec import json, to_builtins

from codeblue import __version__
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.snapshot import Snapshot
from codeblue.report import json_v1

SCHEMA = "codeblue/report/1"


def document(
    shared: Snapshot,
    again: Diagnosis,
    shown: Diagnosis,
    expected: tuple[str | None, str],
    lang: str,
) -> bytes:
    """Return the encoded document.

    ``again`` is the diagnosis of the snapshot as it is shared, ``shown`` that of the snapshot with the
    lines that stay behind, ``expected`` the fault, if it is one, and the user's words.
    """
    content = {
        "schema": SCHEMA,
        "codeblue": __version__,
        "expected": {"fault": expected[0], "words": expected[1]},
        "shown": {
            "verdict": shown.verdict.value,
            "layer": shown.layer.value if shown.layer else None,
            "causes": [cause.finding.fault for cause in shown.causes],
        },
        "diagnosis": json_v1.document(again, lang),
        "snapshot": to_builtins(shared),
    }
    return json.format(json.encode(content), indent=1) + b"\n"
