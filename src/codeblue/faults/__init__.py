"""The catalogue: everything codeblue can say, one fault per file, one line each in its layer.

A fault with a check is a module; one that is known by its log line alone, or by a rule of lint, is a
Markdown file with metadata in front. ``make index`` builds ``index.json`` from the lists of the layers.
"""

LAYERS = (
    "hardware",
    "driver",
    "device_access",
    "container",
    "libraries",
    "python",
    "framework",
    "communication",
    "orchestration",
    "application",
    "network",
    "remote_access",
    "harmless",
)
"""Folders, from the ground up; what looks like trouble and is none stands apart."""
