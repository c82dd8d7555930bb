"""
## What it means
The process was ended by signal 11: native code read or wrote an address that is not mapped. Python
cannot catch this, so there is no traceback unless `faulthandler` is on.

## Why it happens
Nearly always two binaries that do not fit each other: an extension built against another version of
torch, of the C++ runtime or of NumPy; two copies of one CUDA library in a process; a library put in
front by `LD_LIBRARY_PATH` or `LD_PRELOAD`. Otherwise a bug in an extension, a stack that is too small,
or a file that was replaced or truncated while it was mapped.

## When it is not a fault
A crash while the interpreter shuts down, after the results were written, is ugly but loses nothing.
A `segfault` line in the kernel log may belong to an old run.

## What to do
Start again with `python -X faulthandler script.py`: the last Python line before the crash names the
extension. Then import the suspects one at a time in a fresh interpreter. `gdb -batch -ex run -ex bt
--args python script.py` shows the library in which it happens. Reinstall that package together with
the torch version that it was built for.

## How safe the fix is
Looking changes nothing. Reinstalling a package changes the environment: note the versions first.
"""

import re
from collections.abc import Iterator

from codeblue.model.facts import KernelLog, TorchTrial
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

CRASH = re.compile(
    r"([\w.:-]*(?:python|pt_|ray::|torch)[\w.:-]*)\[\d+\]: segfault at .* in "
    r"(lib(?:torch|c10|cu|nccl|nv)[\w+-]*\.so[0-9.]*)"
)
"""The kernel's line about a Python process that crashed in a library of torch or CUDA."""

SHOW_THE_LINE = Remedy(
    message("let Python say where it crashes", "让 Python 指出崩溃的位置"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "run with python -X faulthandler and read the last line of its output",
                "用 python -X faulthandler 运行，看输出的最后一行",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "process-segfault",
    title=Text("The process crashed in native code", "进程在本机代码中崩溃"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("torch-import-failed", "gpu-kernel-failed", "rank-hung"),
    references=(
        Reference(
            "Python: faulthandler",
            "https://docs.python.org/3/library/faulthandler.html",
            "2026-11-30",
        ),
    ),
    signatures=(
        Signature(
            "Segmentation fault", r"(?:^|Fatal Python error: |line \d+: +\d+ |Signal: |: )Segmentation fault"
        ),
        Signature("(SIGSEGV) received by PID", r"Signal 11 \(SIGSEGV\) received by PID (?P<pid>\d+)"),
        Signature("exitcode: -11", r"failed \(exitcode: -11\) local_rank: (?P<local_rank>\d+)"),
        Signature(
            "]: segfault at ",
            r"(?P<process>[\w.:-]*(?:python|pt_|ray::|torch)[\w.:-]*)\[(?P<pid>\d+)\]: segfault at ",
            certainty=Certainty.POSSIBLE,
        ),
        Signature("core dumped", "(?:[Ss]egmentation fault|[Ss]egfault|段错误).{0,20}core dumped"),
        Signature("核心已转储", "(?:[Ss]egmentation fault|[Ss]egfault|段错误).{0,20}核心已转储"),
        Signature("died with <Signals.SIGSEGV", r"died with <Signals\.SIGSEGV"),
        Signature("SIGSEGV", r"\bSIGSEGV\b", Certainty.LIKELY),
        Signature("exit", r"exit(?:ed with)? (?:status|code):? (?:-11|139)\b", Certainty.LIKELY),
    ),
    remedy=SHOW_THE_LINE,
    next_command="python -X faulthandler your_script.py",
)
def process_segfault(
    torch_trial: TorchTrial | None = None, kernel_log: KernelLog | None = None
) -> Iterator[Hit]:
    lines = kernel_log.lines if kernel_log else []
    crashed = [(n, found) for n, line in enumerate(lines) if (found := CRASH.search(line.text))]
    if torch_trial is None:
        yield from (_logged(found, n) for n, found in crashed[-1:])
    elif torch_trial.signal == "SIGSEGV":
        yield Hit(
            subject="torch",
            summary=message(
                "a process that only imports torch and runs one small kernel crashes with SIGSEGV",
                "仅仅导入 torch 并运行一个小内核，进程就以 SIGSEGV 崩溃",
            ),
            because=cite("torch_trial.signal", *(f"kernel_log.lines[{n}].text" for n, _ in crashed[-1:])),
        )


def _logged(found: re.Match[str], position: int) -> Hit:
    """An old line may be of any job of this boot."""
    return Hit(
        subject="torch",
        severity=Severity.WARNING,
        certainty=Certainty.POSSIBLE,
        summary=message(
            "{process} crashed with SIGSEGV in {library} during this boot",
            "{process} 在本次启动期间因 SIGSEGV 崩溃于 {library}",
            process=found[1],
            library=found[2],
        ),
        because=cite(f"kernel_log.lines[{position}].text"),
    )
