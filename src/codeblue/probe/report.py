"""What a reader hands back: facts, and for every missing one the reason."""

import errno


class Absent(Exception):
    """Looked, and the whole section is not there. ``str()`` says what was looked for."""


class Unread(Exception):
    """Could not look. ``state`` is denied, timeout, error, unsupported, busy or not-attempted."""

    def __init__(self, state, reason):
        super().__init__(reason)
        self.state = state


class Report:
    """Facts of one section with their sources."""

    def __init__(self, source):
        self.source = source
        self.facts = {}
        self.unread = {}
        self.sources = {}

    def put(self, field, value, source=None):
        """Record a fact; None means looked and not there."""
        self.facts[field] = value
        if source:
            self.sources[field] = source

    def attempt(self, field, function, source=None):
        """Record what ``function()`` returns, or why it could not be read.

        A missing file is absent (None); every other failure leaves the fact unread.
        """
        try:
            self.put(field, function(), source)
        except FileNotFoundError:
            self.put(field, None, source)
        except Exception as error:  # guarded here once, so that no reader needs its own net
            self.unread[field] = state_of(error)

    def document(self):
        """Return the section as plain data."""
        section = dict(self.facts, state="read", source=self.source)
        if self.unread:
            section["unread"] = self.unread
        if self.sources:
            section["sources"] = self.sources
        return section


def state_of(error):
    """Return the fact state that an exception stands for."""
    if isinstance(error, Unread):
        return error.state
    if isinstance(error, OSError) and error.errno in (errno.EACCES, errno.EPERM):
        return "denied"
    return "error"


def failed(error):
    """Return the section of a reader that raised."""
    if isinstance(error, (Absent, FileNotFoundError)):
        return {"state": "absent", "reason": str(error)}
    reason = "%s: %s" % (type(error).__name__, error)
    return {"state": state_of(error), "reason": reason[:300]}
