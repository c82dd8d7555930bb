"""Whether a text shows a fault on the machine that is judged."""

from codeblue.model.facts import Host, Sightings
from codeblue.model.section import was_read


def seen_here(fault: str, sightings: Sightings | None, host: Host | None) -> bool:
    """True if a line of this fault was seen that does not come from another machine."""
    here = (None, host.hostname) if host and was_read(host, "hostname") else (None,)
    return any(s.fault == fault and s.host in here for s in sightings.seen) if sightings else False
