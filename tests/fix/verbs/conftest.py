"""Private machines, and the table of what was killed where."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fix.verbs.crashes import Trial, everywhere
from tests.fix.verbs.machine import Here, Machine

_rows: list[str] = []


@pytest.fixture
def here(tmp_path: Path) -> Here:
    """This machine; the home of its user is the test's own folder."""
    return Here(tmp_path, {"HOME": str(tmp_path)})


@pytest.fixture
def machine(tmp_path: Path) -> Iterator[Machine]:
    """A private copy of this machine."""
    machine = Machine(tmp_path)
    yield machine
    machine.end()


def survives(trial: Trial) -> None:
    """Kill the verb everywhere, and add its row to the table."""
    _rows.append(everywhere(trial))


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Print the table."""
    if _rows:
        terminalreporter.section("verbs that were killed")
        for row in sorted(_rows):
            terminalreporter.line(row)
