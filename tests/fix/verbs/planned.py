"""Wishes, as JSON from standard input, planned and carried out or written as a script; or taken back."""

import json
import sys
from pathlib import Path

from codeblue.model.journal import Event
from codeblue.model.remedy import Verb
from codeblue.remedy.render import rendered
from tests.fix.executing import Bench, Wish


def main() -> None:
    """Do what the arguments say: ``apply``, ``render`` or ``undo``, and the folder of the journal."""
    bench = Bench(Path(sys.argv[2]))
    if sys.argv[1] == "render":
        made, _ = bench.planned(_wishes())
        print(rendered(made, "sh", "en"))  # noqa: T201 - this is the answer
    elif sys.argv[1] == "apply":
        result = bench.apply(_wishes())
        assert result.event is Event.FIXED, result.why and result.why.say("en")
    else:
        for step, why in bench.executor.undo(bench.last()):
            said = "taken back" if why is None else why.say("en")
            print(f"{step.verb.value if step.verb else ''}: {said}")  # noqa: T201 - this is the answer


def _wishes() -> list[Wish]:
    return [(Verb(verb), args) for verb, args in json.load(sys.stdin)]


if __name__ == "__main__":
    main()
