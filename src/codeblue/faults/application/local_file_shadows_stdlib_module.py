"""
## What it means
A file of the job has the name of a standard library module, such as `random.py`, `select.py` or
`queue.py`, and lies where Python looks first. Every program part that imports the module, torch and
multiprocessing included, gets the job's file.

## Why it happens
Python puts the folder of the started script in front of the standard library. The error then appears
far away, inside a library: "partially initialized module", "cannot import name", or an attribute that
always existed.

## When it is not a fault
Modules that the interpreter has loaded before (`sys`, `time`) cannot be hidden, and a file inside a
package is imported under the package's name. While nothing fails it is only a risk. A folder called
`test` is common and harmless.

## What to do
Rename the file, and delete its compiled copy in `__pycache__`. Python 3.13 names the file in its
message. Check with `python -c "import random; print(random.__file__)"`, with the name of the module.
`python -P` starts without the script's folder on the path.

## How safe the fix is
Renaming is exactly undone. Change the imports of the job's own code along with it.
"""

from collections.abc import Iterator
from sys import stdlib_module_names

from codeblue.model.facts import Python, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

RARELY_IMPORTED = frozenset({"test", "turtle", "turtledemo", "this", "antigravity", "idlelib", "ensurepip"})

NAMES = (
    "abc|array|ast|base64|bisect|calendar|cmd|code|codecs|collections|copy|csv|ctypes|dataclasses|datetime|"
    "decimal|dis|email|enum|functools|glob|gzip|hashlib|heapq|html|http|inspect|io|json|keyword|linecache|"
    "locale|logging|math|numbers|operator|parser|pickle|platform|pprint|profile|queue|random|re|secrets|"
    "select|selectors|shutil|signal|socket|ssl|stat|statistics|string|struct|subprocess|tempfile|textwrap|"
    "threading|timeit|token|tokenize|trace|traceback|types|typing|uuid|warnings|weakref"
)


@fault(
    "local-file-shadows-stdlib-module",
    title=Text("A local file hides a module of the standard library", "本地文件挡住了标准库模块"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "torch-import-failed",
        "rank-raised-exception",
    ),
    references=(
        Reference(
            "What's new in Python 3.13: improved error messages",
            "https://docs.python.org/3/whatsnew/3.13.html#improved-error-messages",
            "2026-11-30",
        ),
        Reference(
            "Python tutorial: the module search path",
            "https://docs.python.org/3/tutorial/modules.html#the-module-search-path",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"(?:\bmy\b|own|local|named|called|file|script|project|working dir\w*|rename\w*|"
                r"same directory|cwd|workdir|\bls\b|自己|当前目录|文件|叫|命名|同名|改名|项目|"
                r"目录里).{0,40}\b(?:abc|array|ast|bisect|calendar|cmd|code|codecs|collections|copy|"
                r"csv|ctypes|dataclasses|datetime|email|enum|functools|glob|hashlib|html|http|inspect|"
                r"io|json|keyword|locale|logging|math|numbers|operator|parser|pickle|platform|profile|"
                r"queue|random|re|secrets|select|signal|site|socket|ssl|statistics|string|struct|"
                r"subprocess|symbol|tempfile|threading|time|timeit|token|tokenize|trace|traceback|"
                r"types|typing|utils|uuid|warnings)\.py\b|\b(?:abc|array|ast|bisect|calendar|cmd|code|"
                r"codecs|collections|copy|csv|ctypes|dataclasses|datetime|email|enum|functools|glob|"
                r"hashlib|html|http|inspect|io|json|keyword|locale|logging|math|numbers|operator|"
                r"parser|pickle|platform|profile|queue|random|re|secrets|select|signal|site|socket|"
                r"ssl|statistics|string|struct|subprocess|symbol|tempfile|threading|time|timeit|token|"
                r"tokenize|trace|traceback|types|typing|utils|uuid|"
                r"warnings)\.py\b.{0,30}(?:in the (?:same|working|current|project)|next to|rename|"
                r"同名|改名)",
                r"circular import|has no attribute|cannot import name|partially initialized|"
                r"AttributeError|ImportError|ModuleNotFoundError|TypeError|报错",
            ),
            none=(
                r"authorized_keys",
                r"\btorch\.py",
            ),
        ),
    ),
    signatures=(
        Signature(
            "same name as the standard library module",
            r"same name as the standard library module named '(?P<module>\w+)'",
        ),
        Signature(
            "partially initialized module '",
            rf"partially initialized module '(?P<module>{NAMES})' (?:has no attribute|\(most likely)",
            Certainty.LIKELY,
        ),
    ),
    remedy=Remedy(
        message("rename the local file", "给本地文件改名"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "rename the job's file that is called like the module in the message, and its imports",
                    "把任务里与报错模块同名的文件改名，并改掉相应的导入",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
)
def local_file_shadows_stdlib_module(python: Python, trial: TorchTrial | None = None) -> Iterator[Hit]:
    for name, path in python.shadows.items():
        if name not in stdlib_module_names or name in RARELY_IMPORTED:
            continue
        named = trial is not None and not trial.imported and f"'{name}'" in (trial.error or "")
        yield Hit(
            subject=f"python:{name}",
            summary=message(
                "{path} hides the standard module {name}",
                "{path} 挡住了标准库模块 {name}",
                path=path,
                name=name,
            ),
            because=cite(f"python.shadows[{name}]", *(("torch_trial.error",) if named else ())),
            kind=Kind.TROUBLE if named else Kind.RISK,
            severity=Severity.ERROR if named else Severity.WARNING,
            certainty=Certainty.CERTAIN if named else Certainty.LIKELY,
            remedy=_rename(path),
        )


def _rename(path: str) -> Remedy:
    why = message("another name no longer hides the module", "换个名字就不会再挡住标准库模块")
    return Remedy(
        message("rename {path}", "把 {path} 改名", path=path),
        (Step(Verb.FILE_RENAME, why, {"path": path}),),
        Automation.APPROVAL,
        Undo.EXACT,
    )
