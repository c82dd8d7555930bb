"""Wishes, as JSON from standard input, planned and carried out; or the last run taken back."""

import json
import sys
from pathlib import Path

from codeblue.model.journal import Event
from codeblue.model.remedy import Verb
from tests.fix.executing import Bench


def main() -> None:
    """Do what the arguments say: ``apply`` or ``undo``, and the folder of the journal."""
    bench = Bench(Path(sys.argv[2]))
    if sys.argv[1] == "apply":
        result = bench.apply([(Verb(verb), args) for verb, args in json.load(sys.stdin)])
        assert result.event is Event.FIXED, result.why and result.why.say("en")
    else:
        for step, why in bench.executor.undo(bench.last()):
            said = "taken back" if why is None else why.say("en")
            print(f"{step.verb.value if step.verb else ''}: {said}")  # noqa: T201 - this is the answer


if __name__ == "__main__":
    main()
