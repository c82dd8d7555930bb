"""Which faults lint can find."""

from codeblue.lint.comments import UNUSED
from codeblue.lint.rules import RULES
from codeblue.sources.config.kinds import KINDS

FAULTS = frozenset({UNUSED, *(rule.fault for rule in RULES), *(kind.fault for kind in KINDS)})
"""Their names."""
