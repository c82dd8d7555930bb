"""The verbs that change files, by name."""

from codeblue.model.remedy import Verb
from codeblue.remedy.actions import Action
from codeblue.remedy.verbs.env_file import EnvSet, EnvUnset
from codeblue.remedy.verbs.file_edit import FileEdit
from codeblue.remedy.verbs.file_mode import FILES, NODES, ModeVerb
from codeblue.remedy.verbs.file_owner import FileOwner
from codeblue.remedy.verbs.file_rename import FileRename
from codeblue.remedy.verbs.file_write import FileWrite
from codeblue.remedy.verbs.kernel_parameter import KernelParameter
from codeblue.remedy.verbs.kernelspec import KernelspecPython
from codeblue.remedy.verbs.limit import LimitRaise

OF_FILES: dict[Verb, Action] = {
    Verb.FILE_EDIT: FileEdit(),
    Verb.FILE_WRITE: FileWrite(),
    Verb.FILE_MODE: ModeVerb(FILES),
    Verb.FILE_OWNER: FileOwner(),
    Verb.FILE_RENAME: FileRename(),
    Verb.NODE_MODE: ModeVerb(NODES),
    Verb.ENV_SET: EnvSet(),
    Verb.ENV_UNSET: EnvUnset(),
    Verb.LIMIT_RAISE: LimitRaise(),
    Verb.KERNELSPEC_PYTHON: KernelspecPython(),
    Verb.KERNEL_PARAMETER: KernelParameter(),
}
