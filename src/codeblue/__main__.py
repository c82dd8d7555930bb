"""``python -m codeblue``: judge the interpreter that runs this module."""

import os
import sys

# ``-m`` puts the working directory first, which is the job's: a queue.py or select.py there
# must be a finding, not break us. Kept only where codeblue itself lies in it.
HOME = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
if sys.path[0] in ("", os.getcwd()) and os.getcwd() != HOME:
    del sys.path[0]

from codeblue.cli.main import main  # noqa: E402 - after the path is in order

main()
