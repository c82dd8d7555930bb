"""codeblue: from a broken GPU training environment to one that runs again."""

__version__ = "0.1.0"
