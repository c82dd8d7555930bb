"""One run of trials: hear the probe to its end, judge beside earlier runs, report."""

from codeblue.cli import launching, numerics
from codeblue.cli.trial_history import beside_earlier, keep
from codeblue.cli.trying import Asked, Screen, judged, left_out, took
from codeblue.diagnose.measures import measures
from codeblue.model.diagnosis import Diagnosis
from codeblue.model.snapshot import Snapshot
from codeblue.pipeline import judge, read
from codeblue.sources.launch import Launched, Options
from codeblue.sources.site import Loaded
from codeblue.sources.target import Target


def heard(
    screen: Screen,
    where: Target,
    launched: tuple[Launched, ...],
    asked: Asked,
    look: Options,
    accepts: Loaded,
) -> Snapshot:
    """Return the whole snapshot, showing what comes on the way. Raises Unusable."""
    snapshot = None
    try:
        for snapshot in read(where, launched, (), look.salt, accepts):
            screen.so_far(snapshot, accepts.site.waive)
        assert snapshot is not None and snapshot.machine is not None
        return launching.beside(snapshot, asked, where, look)
    finally:
        screen.close()


def told(screen: Screen, snapshot: Snapshot, asked: Asked, accepts: Loaded) -> tuple[Snapshot, Diagnosis]:
    """Report; return what was judged, with earlier runs beside it, and the diagnosis."""
    assert snapshot.machine is not None
    found = measures(snapshot.machine)
    screen.draw(snapshot.machine)
    if not asked.small:
        snapshot = beside_earlier(snapshot, found)
        keep(snapshot, found)
    diagnosis = judged(judge(snapshot, accepts.site.waive), snapshot, asked)
    screen.against = numerics.against(snapshot)
    screen.tell(diagnosis, found, left_out(snapshot, asked), took(snapshot, asked))
    return snapshot, diagnosis
