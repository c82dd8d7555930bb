"""Every verb that codeblue can carry out."""

from codeblue.model.remedy import Verb
from codeblue.remedy.actions import Action
from codeblue.remedy.verbs import of_files, system

ACTIONS: dict[Verb, Action] = {**of_files.OF_FILES, **system.ACTIONS}
