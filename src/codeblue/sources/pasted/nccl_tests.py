"""nccl-tests (``all_reduce_perf`` and its siblings): which GPUs, how fast, how many wrong values.

The table has grown over the years: reduction and root are missing in old ones or for operations
without them, and where it now counts wrong values (``#wrong``) it once printed the largest ``error``.
"""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import CollectiveTest, CollectiveTests, RankGpu, Transfer
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.scan.whose import LABEL

OUTER = re.compile(r"^\([\w.-]{1,60}, rank=\d+, pid=\d+[^)]{0,60}\) ")
"""Label of a launcher that drives the one whose labels are known everywhere."""
BEGIN = re.compile(r"^#? ?nThread \d+ nGpus \d+ minBytes \d+")
PROGRAM = re.compile(
    r"\b((?:all_gather|all_reduce|alltoallv?|broadcast|gather|hypercube|reduce|reduce_scatter|scatter|sendrecv)"
    r"_perf)\b"
)
RANK = re.compile(
    r"^# *Rank +(\d{1,6}) +(?:Group +\d+ +)?Pid +\d+ on +(\S+) +device +(\d{1,4}) \[[0-9a-fA-FxX:.]+\] (.+)$"
)
HEADER = re.compile(r"^# +size +count +type\b")
ROW = re.compile(r"^ *(\d{1,18}) +\d{1,18} +[a-z]\w{1,15} +(?:([a-z]\w{1,15}) +)?(\S.*)$")
TOTAL = re.compile(r"^# *Out of bounds values *: *(\d{1,18}) (?:OK|FAILED)")
AVERAGE = re.compile(r"^# *Avg bus bandwidth *: *(\d[\d.e+]{0,15})\b")
TUNED = re.compile(
    r"\b(NCCL_(?:ALGO|PROTO|NTHREADS|BUFFSIZE|(?:MIN|MAX)_(?:P2P_)?(?:NCHANNELS|CTAS)|NVB_DISABLE))"
    r"(?:=| set by environment)"
)
PLACES = (4, 8)
"""Numbers of a row without root: time, algorithm and bus bandwidth, wrong; out-of-place, then in-place."""
RUNS = 64
ROWS = 512


class _Run:
    """One test while its lines are read."""

    def __init__(self, program: str | None) -> None:
        self.program = program
        self.counts = False
        self.machines: dict[str, int] = {}
        self.gpus: dict[str, RankGpu] = {}
        self.doubled = False
        self.transfers: list[Transfer] = []
        self.known: dict[str, object] = {}

    def take(self, text: str) -> None:
        """Read one line behind the first."""
        if rank := RANK.match(text):
            self._rank(rank)
        elif HEADER.match(text):
            self.counts = "#wrong" in text
        elif (row := ROW.match(text)) and len(self.transfers) < ROWS:
            self.transfers += _transfer(row, self.counts)
        elif total := TOTAL.match(text):
            self.known["wrong"] = int(total.group(1))
        elif average := AVERAGE.match(text):
            self.known |= {"average": number} if (number := _number(average.group(1))) is not None else {}

    def _rank(self, found: re.Match[str]) -> None:
        rank, host, device, name = found.groups()
        self.doubled = self.doubled or rank in self.gpus
        machine = self.machines.setdefault(host, len(self.machines))
        self.gpus[rank] = RankGpu(machine=machine, device=int(device), name=name.strip())

    def row(self) -> CollectiveTest:
        """Return what was read."""
        gpus = {} if self.doubled or not self.gpus else {"gpus": self.gpus}
        return CollectiveTest(program=self.program, transfers=self.transfers, **gpus, **self.known)  # type: ignore[arg-type]  # by field name


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the runs of the text; the output of several processes of one run may be mixed up."""
    runs: list[_Run] = []
    tuned: dict[str, None] = {}
    program: str | None = None
    source = ""
    for line in lines:
        text = _unlabelled(line.text)
        if named := PROGRAM.search(text):
            program = named.group(1)
        for variable in TUNED.findall(text) if "NCCL_" in text else ():
            tuned[variable] = None
        if BEGIN.match(text) and len(runs) < RUNS:
            runs.append(_Run(program))
            source = source or line.place
        elif runs:
            runs[-1].take(text)
    if runs:
        yield CollectiveTests(tests=[run.row() for run in runs], tuned=list(tuned), source=source)


def _unlabelled(text: str) -> str:
    """Return a line without what two launchers have put in front of it."""
    for _ in range(2):
        label = OUTER.match(text) or LABEL.match(text)
        if label is None or label.groupdict().get("srun"):
            break
        text = text[label.end() :]
    return text.removeprefix(" ") if text.startswith(" #") else text


def _transfer(row: re.Match[str], counts: bool) -> Iterator[Transfer]:
    """Yield what a row of the table says; nothing of a row with other columns, which is no such table."""
    size, reduction, rest = row.groups()
    cells = rest.split()
    cells = cells[1:] if len(cells) - 1 in PLACES and re.fullmatch(r"-?\d+", cells[0]) else cells
    if len(cells) not in PLACES:
        return
    speeds = [_number(cells[place]) for place in range(2, len(cells), 4)]
    wrong = [_number(cells[place]) for place in range(3, len(cells), 4)] if counts else []
    if any(speed is None for speed in speeds):
        return
    counted = [int(number) for number in wrong if number is not None]
    yield Transfer(
        size_bytes=int(size),
        reduction=None if reduction in (None, "none") else reduction,
        bus_bandwidth=max(speed for speed in speeds if speed is not None),
        wrong=max(counted) if counted else None,
    )


def _number(text: str) -> float | None:
    """Return a finite number; None for ``N/A``, ``nan`` and the like."""
    return float(text) if re.fullmatch(r"\d{1,18}(?:\.\d{1,9})?(?:e[+-]\d\d)?", text) else None
