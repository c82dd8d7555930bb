"""Which nodes are repaired next, and when no other is touched. Decides only, does nothing."""

from collections.abc import Sequence
from enum import Enum

from codeblue.model.rollout import Pace, Stop


class Verdict(Enum):
    """What one node means for those after it."""

    HELPED = "helped"
    NOTHING = "nothing"
    """It did not have the fault: that shows nothing about the repair."""
    WAITING = "waiting"
    """A reboot has to show whether it helped: no canary is that, in a batch it is no failure."""
    FAILED = "failed"


class Rollout:
    """Hands out waves of nodes: canaries until enough of them were helped, then batches.

    The verdict on every node of a wave is told before the next wave is asked for.
    """

    def __init__(self, nodes: Sequence[str], pace: Pace) -> None:
        self._waiting = list(dict.fromkeys(nodes))
        self._pace = pace
        self._open: set[str] = set()
        self._size = self._failed = self._helped = self._row = 0
        self._canary = self._waits = False
        self.waves = 0
        """Waves that were handed out."""
        self.stopped: Stop | None = None

    @property
    def left(self) -> tuple[str, ...]:
        """The nodes that were not handed out."""
        return tuple(self._waiting)

    def wave(self) -> tuple[str, ...]:
        """Return the next nodes; none at the end, or if it was stopped."""
        if self._open:
            raise ValueError(f"no verdict on {len(self._open)} nodes")
        missing = self._pace.canary - self._helped
        size = missing if missing > 0 else self._pace.batch
        if self.stopped:
            return ()
        nodes, self._waiting = tuple(self._waiting[:size]), self._waiting[size:]
        self._open, self._size, self._failed = set(nodes), len(nodes), 0
        self._canary, self._waits = missing > 0, False
        self.waves += bool(nodes)
        return nodes

    def tell(self, node: str, verdict: Verdict) -> None:
        """Take the verdict on a node of this wave. Raises KeyError for another node."""
        self._open.remove(node)
        if verdict is Verdict.FAILED:
            self._failed += 1
            self._row += 1
        elif verdict is Verdict.HELPED:
            self._helped += 1
            self._row = 0
        self._waits = self._waits or verdict is Verdict.WAITING
        if self.stopped is None:
            self.stopped = self._reason()

    def _reason(self) -> Stop | None:
        if self._canary and (self._failed or self._waits):
            return Stop.CANARY
        if self._row >= self._pace.in_a_row:
            return Stop.ROW
        # Of the whole batch: those that are still at work may yet be helped, but can undo no failure.
        return Stop.SHARE if self._failed > self._pace.stop_above * self._size else None
