"""Whether a diagnosis leaves open what is wrong."""

from collections.abc import Mapping

from codeblue.model.diagnosis import Diagnosis, Overall
from codeblue.model.entry import Entry
from codeblue.model.fault import Certainty


def undecided(diagnosis: Diagnosis, entries: Mapping[str, Entry]) -> bool:
    """True if no cause is more than possible, or what was seen is only a symptom.

    A text that as a whole speaks of a risk is decided: a guess would stand before what is known. A risk that
    one line proves, such as an old version, is not what the text is about.
    """
    whole = any(risk.certainty is Certainty.LIKELY for risk in diagnosis.risks)
    if diagnosis.verdict is Overall.RISK and whole:
        return False
    sure = [c.finding for c in diagnosis.causes if c.finding.certainty is not Certainty.POSSIBLE]
    return all(entries[finding.fault].symptom for finding in sure)
