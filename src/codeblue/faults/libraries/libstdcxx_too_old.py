"""
## What it means
A compiled module needs a newer C++ runtime than the `libstdc++.so.6` that the process found first.
The import fails with "version `GLIBCXX_3.4.30' not found (required by ...)", or the same with
`CXXABI`. The path in front of the message is the file that is too old. If the file is hollow, an empty
shell of the library, the words are "undefined symbol: _ZTV..., version CXXABI_1.3" and name another file.

## Why it happens
Two copies compete. Either the system's is old (CentOS 7 ends at `GLIBCXX_3.4.19`) and the newer one
of the conda environment is not reached, since something else was loaded first or `LD_LIBRARY_PATH`
comes before it. Or the environment's is old and the module was compiled on this machine with the
system's newer compiler.

## When it is not a fault
A program prints this for a plug-in that it can do without; then only the plug-in is lost.

## What to do
List what the file offers: `strings FILE | grep GLIBCXX_ | sort -V | tail -1`. If the environment's copy
is newer, let it be found: drop the older folder from `LD_LIBRARY_PATH`, or start with
`LD_LIBRARY_PATH=$CONDA_PREFIX/lib`. If it is the environment's copy that is old, update it with
`conda install -c conda-forge 'libstdcxx-ng>=12'`, or rebuild the module with the environment's
compiler. The library is compatible backwards: the newer copy serves older programs as well.

## How safe the fix is
A path for one program concerns that program only. Do not overwrite the system's file: the package
manager itself may stop working.
"""

import re
from collections.abc import Iterator

from codeblue.faults.libraries.search_path import drop, folder
from codeblue.model.facts import Loader, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

COMPLAINT = re.compile(r"(\S*libstdc\+\+\.so\.6): version .((?:GLIBCXX|CXXABI)_[0-9.]+). not found")
HOLLOW = re.compile(r"undefined symbol: \w+, version ((?:GLIBCXX|CXXABI)_[0-9.]+)")
SONAME = "libstdc++.so.6"

NEWER = Remedy(
    message("let the process find the newer libstdc++", "让进程找到较新的 libstdc++"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "start with LD_LIBRARY_PATH=$CONDA_PREFIX/lib, or update libstdcxx-ng in the environment",
                "以 LD_LIBRARY_PATH=$CONDA_PREFIX/lib 启动，或在环境里更新 libstdcxx-ng",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.COMPENSATING,
)


@fault(
    "libstdcxx-too-old",
    title=Text("The C++ runtime library is older than a module needs", "C++ 运行库比模块要求的旧"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("torch-import-failed", "torch-cuda-unavailable"),
    references=(
        Reference(
            "GCC: ABI policy, versions of libstdc++",
            "https://gcc.gnu.org/onlinedocs/libstdc++/manual/abi.html",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"GLIBCXX_|CXXABI_|(?:old|older|system|outdated) libstdc\+\+|libstdc\+\+ (?:is|was|"
                r"too)|libstdc\+\+ ?(?:版本|太旧)",
                r"not found|too old|older|missing|找不到|太旧|缺少|版本低",
            )
        ),
    ),
    signatures=(
        Signature(
            "libstdc++.so.6: version",
            r"libstdc\+\+\.so\.6: version .(?P<version>(GLIBCXX|CXXABI)_[0-9.]+). not found",
        ),
        *(
            Signature(f"version {series}_", rf"undefined symbol: \w+, version (?P<version>{series}_[0-9.]+)")
            for series in ("GLIBCXX", "CXXABI")
        ),
        Signature("GLIBCXX_", r"version .GLIBCXX_[0-9.]+. not found"),
        Signature("CXXABI_", r"version .CXXABI_[0-9.]+. not found"),
        Signature("@GLIBCXX_", r"undefined reference to .*@GLIBCXX_\d", Certainty.LIKELY),
        Signature("@CXXABI_", r"undefined reference to .*@CXXABI_\d", Certainty.LIKELY),
    ),
    remedy=NEWER,
    next_command="python -c 'import sys; print(sys.prefix)'; ldconfig -p | grep 'libstdc++.so.6'",
)
def libstdcxx_too_old(loader: Loader, torch_trial: TorchTrial) -> Iterator[Hit]:
    if torch_trial.imported:
        return
    blamed = culprit(torch_trial.error or "", loader)
    if blamed is None:
        return
    path, needed, paths = blamed
    in_path = folder(path) in [entry.rstrip("/") for entry in loader.search_path]
    yield Hit(
        subject=f"library:{SONAME}",
        summary=message(
            "{path} does not offer {needed}, which torch or a module of it needs",
            "{path} 不提供 {needed}，而 torch 或它的模块需要它",
            path=path,
            needed=needed,
        ),
        because=cite("torch_trial.error", "loader.search_path", *paths),
        remedy=drop(folder(path), loader) if in_path else None,
    )


def culprit(error: str, loader: Loader) -> tuple[str, str, tuple[str, ...]] | None:
    """Return the library that is too old, what it lacks, and the facts that name it.

    Where the loader names a symbol and not the file, it is the copy that LD_LIBRARY_PATH puts in front.
    """
    found = COMPLAINT.search(error)
    if found is not None:
        return found[1], found[2], ()
    found = HOLLOW.search(error)
    row = loader.libraries.get(SONAME)
    if found is None or row is None or row.path is None or row.via != "LD_LIBRARY_PATH":
        return None
    return row.path, found[1], (f"loader[{SONAME}].path", f"loader[{SONAME}].via")
