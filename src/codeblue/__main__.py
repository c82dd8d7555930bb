"""``python -m codeblue``: judge the interpreter that runs this module."""

from codeblue.cli.main import main

main()
