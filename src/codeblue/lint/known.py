"""Which faults lint can find. Imports every rule: for those who build the index, and for tests."""

from codeblue.lint.comments import UNUSED
from codeblue.lint.rules import every
from codeblue.sources.config.kinds import KINDS

RULES = tuple(every())
FAULTS = frozenset({UNUSED, *(rule.fault for rule in RULES), *(kind.fault for kind in KINDS)})
"""Their names."""
