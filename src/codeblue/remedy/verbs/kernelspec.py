"""KERNELSPEC_PYTHON: the interpreter that a Jupyter kernel starts."""

import os
from collections.abc import Iterable, Sequence

from codeblue.model.plan import Args
from codeblue.remedy.files.edits import json_text
from codeblue.remedy.files.place import real
from codeblue.remedy.files.refusals import refused
from codeblue.remedy.verbs.file_edit import edit, given
from codeblue.remedy.verbs.filing import FileVerb, Wanted


class KernelspecPython(FileVerb):
    """Arguments: ``path`` of a kernel.json, ``python``, an absolute path."""

    def files(self, args: Args) -> Sequence[Wanted]:
        """Return the file with another first word of its command."""
        python = given(args, "python")
        if not os.path.isabs(python) or not os.access(python, os.X_OK):
            raise refused(
                "{python}: there is no such program; give the path of an interpreter",
                "{python}：没有这个可执行程序；请给出解释器的路径",
                python=python,
            )
        one = edit(given(args, "path"), "json", "argv.0", "set", python)
        command = json_text.parse(one.new.decode()).get("argv")
        if one.old is None or not isinstance(command, list):
            raise refused(
                "{path}: this is no kernel of Jupyter; list them: jupyter kernelspec list",
                "{path}：这不是 Jupyter 内核；可用 jupyter kernelspec list 列出",
                path=one.path,
            )
        return [one]

    def places(self, args: Args) -> Iterable[str]:
        """Return the file."""
        return [real(given(args, "path"))]
