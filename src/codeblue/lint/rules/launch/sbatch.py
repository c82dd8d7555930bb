"""Does Slurm read the header of a script as its author meant it?"""

import posixpath
import re
from collections.abc import Iterator
from difflib import get_close_matches

from codeblue.lint.rule import rule
from codeblue.lint.rules.launch.header import GPUS, OPTIONS, asked, first_line, header, long, number, value
from codeblue.lint.rules.launch.launchers import launches
from codeblue.model.config.place import Place
from codeblue.model.config.shell import Directive, Script
from codeblue.model.fault import Certainty, Severity
from codeblue.model.lint import Edit, Fix, Problem
from codeblue.model.text import Message, message

MISSPELT = re.compile(r"^#(?!SBATCH\b)((?i:sbatch)|S[BATCH]{4,6})(?=[ \t]+--?[a-zA-Z])", re.MULTILINE)
SPACED = re.compile(r"^#[ \t]+SBATCH(?=[ \t]+--?[a-zA-Z])", re.MULTILINE)


@rule("sbatch-directive-ignored")
def directives_come_first(script: Script) -> Iterator[Problem]:
    """Slurm stops reading at the first line that is no comment."""
    # A script that writes other scripts has their headers in it.
    if not script.whole or not header(script) or "<<" in script.source.text:
        return
    end = first_line(script)
    for one in script.directives:
        if one.program == "SBATCH" and one.place.line > end:
            yield Problem(
                place=one.place,
                message=message(
                    "Slurm reads no #SBATCH behind the first command (line {line})",
                    "Slurm 不会读取第一条命令（第 {line} 行）之后的 #SBATCH",
                    line=end,
                ),
                variant="behind",
            )


@rule("sbatch-directive-ignored")
def directives_are_spelt_right(script: Script) -> Iterator[Problem]:
    """``#sbatch`` and ``#SABTCH`` are comments."""
    yield from _comments(script, MISSPELT, Certainty.LIKELY)


@rule("sbatch-directive-ignored", pedantic=True)
def directives_have_no_blank(script: Script) -> Iterator[Problem]:
    """``# SBATCH`` is a comment, often on purpose."""
    yield from _comments(script, SPACED, Certainty.POSSIBLE)


def _comments(script: Script, pattern: re.Pattern[str], certainty: Certainty) -> Iterator[Problem]:
    if not header(script):
        return
    end = first_line(script)
    for found in pattern.finditer(script.source.text):
        place = script.source.place(*found.span())
        if place.line < end:
            yield Problem(
                place=place,
                message=message(
                    "{text} is a comment for Slurm; only #SBATCH counts",
                    "对 Slurm 来说 {text} 只是注释；只有 #SBATCH 才有效",
                    text=found[0],
                ),
                certainty=certainty,
                variant="spelling",
                fix=Fix(message("write #SBATCH", "改为 #SBATCH"), (Edit(place, "#SBATCH"),)),
            )


@rule("sbatch-directive-ignored")
def directives_have_no_variables(script: Script) -> Iterator[Problem]:
    """No shell has seen these lines when Slurm reads them."""
    for one in header(script):
        if re.search(r"\$\{?\w", value(one)) and script.whole:
            yield Problem(
                place=one.place,
                message=message(
                    "Slurm fills in no variables here: it takes {value} as it is written",
                    "Slurm 不会在这里展开变量：{value} 会被原样使用",
                    value=value(one),
                ),
                certainty=Certainty.LIKELY,
                variant="variable",
            )


@rule("sbatch-option-unknown")
def options_exist(script: Script) -> Iterator[Problem]:
    """An option that ``sbatch`` does not know, near one that it knows."""
    for one in header(script):
        name = long(one)
        if name in OPTIONS or not name.startswith("--") or any(known.startswith(name) for known in OPTIONS):
            continue
        near = get_close_matches(name, OPTIONS, 1, 0.88)
        if near:
            yield _unknown(one, near[0])


def _unknown(one: Directive, right: str) -> Problem:
    place = Place(one.place.line, one.place.column, one.place.line, one.place.column + len(one.option))
    return Problem(
        place=place,
        message=message(
            "sbatch has no {option}; {right} is meant, and the job is refused",
            "sbatch 没有 {option} 选项；应为 {right}，作业会被拒绝",
            option=one.option,
            right=right,
        ),
        certainty=Certainty.LIKELY,
        fix=Fix(message("write {right}", "改为 {right}", right=right), (Edit(place, right),)),
    )


@rule("slurm-gpu-not-requested", pedantic=True)
def gpus_are_asked_for(script: Script) -> Iterator[Problem]:
    """A script that starts one process a GPU asks Slurm for GPUs, or for whole nodes."""
    lines = header(script)
    wants = [one for one in launches(script) if one.tool in ("torchrun", "launch", "deepspeed")]
    if lines and wants and not asked(script, *GPUS, "--exclusive") and not wants[0].before.has(*GPUS):
        yield Problem(
            place=lines[0].place,
            message=message(
                "no GPU is asked for: unless the partition gives whole nodes, the job sees none",
                "没有申请 GPU：除非该分区按整节点分配，否则作业看不到任何 GPU",
            ),
            certainty=Certainty.POSSIBLE,
        )


@rule("srun-cpus-not-inherited", pedantic=True)
def steps_get_their_cpus(script: Script) -> Iterator[Problem]:
    """Since 22.05 ``srun`` wants its own ``--cpus-per-task``."""
    if not (number(script, "--cpus-per-task") or 1) > 1 or "SRUN_CPUS_PER_TASK" in script.source.text:
        return
    for one in launches(script):
        srun = one.before
        short = any(word.text.startswith("-c") for word in srun.arguments)
        if (
            srun.name == "srun"
            and not short
            and not srun.has("--cpus-per-task", "--cpus-per-gpu", "--export")
        ):
            yield Problem(
                place=srun.words[0].place,
                message=message(
                    "since Slurm 22.05 srun does not take over --cpus-per-task: each task may get one CPU",
                    "从 Slurm 22.05 起 srun 不继承 --cpus-per-task：每个任务可能只有一个 CPU",
                ),
                certainty=Certainty.POSSIBLE,
                fix=Fix(
                    message("ask for them again", "再次申请"),
                    (Edit(srun.words[0].place.end, ' --cpus-per-task="$SLURM_CPUS_PER_TASK"'),),
                ),
            )


@rule("slurm-log-folder-missing")
def log_folders_are_made_before(script: Script) -> Iterator[Problem]:
    """The folder of the log exists before the job starts; the script itself makes it too late."""
    made = {
        posixpath.normpath(word.text)
        for command in script.commands
        if command.name == "mkdir"
        for word in command.arguments
        if not word.text.startswith("-")
    }
    for one, folder in _log_folders(script):
        if posixpath.normpath(folder) in made:
            yield Problem(
                place=one.place,
                message=_too_late(folder),
                certainty=Certainty.LIKELY,
                variant="made-too-late",
            )


def _too_late(folder: str) -> Message:
    return message(
        "Slurm opens the log before the script makes {folder}: the first job ends at once, without any log",
        "Slurm 打开日志时脚本还没有创建 {folder}：第一次提交的作业会立即结束，也没有任何日志",
        folder=folder,
    )


def _log_folders(script: Script) -> Iterator[tuple[Directive, str]]:
    for one in header(script):
        folder = posixpath.dirname(value(one)) if long(one) in ("--output", "--error") else ""
        if folder and not re.search(r"[%$]|^/(?:dev|tmp)\b", folder):
            yield one, folder


@rule("slurm-log-overwritten")
def logs_of_an_array_differ(script: Script) -> Iterator[Problem]:
    """Tasks of an array do not write one file."""
    if asked(script, "--array"):
        yield from _same_log(script, re.compile(r"%\d*[aAjJ]"), Certainty.LIKELY, "array")


@rule("slurm-log-overwritten", pedantic=True)
def logs_of_runs_differ(script: Script) -> Iterator[Problem]:
    """The log of a run does not end with the next one."""
    if not asked(script, "--array"):
        yield from _same_log(script, re.compile("%"), Certainty.POSSIBLE, "run")


def _same_log(
    script: Script, differs: re.Pattern[str], certainty: Certainty, variant: str
) -> Iterator[Problem]:
    one = asked(script, "--output")
    if one is None or not value(one) or differs.search(value(one)) or value(one).startswith("/dev/"):
        return
    mode = asked(script, "--open-mode")
    if mode is None or value(mode) != "append":
        yield Problem(
            place=one.place,
            message=message(
                "every run writes {file} anew: put %j into its name",
                "每次运行都会重写 {file}：请在文件名中加入 %j",
                file=value(one),
            ),
            certainty=certainty,
            severity=Severity.WARNING if variant == "array" else Severity.NOTE,
            variant=variant,
            fix=_numbered(one, "%A_%a" if variant == "array" else "%j"),
        )


def _numbered(one: Directive, number: str) -> Fix | None:
    if one.value_place is None:
        return None
    stem, ending = posixpath.splitext(one.value)
    return Fix(
        message("put {number} into the name", "在文件名中加入 {number}", number=number),
        (Edit(one.value_place, f"{stem}-{number}{ending}"),),
    )


RULES = (
    directives_come_first,
    directives_are_spelt_right,
    directives_have_no_blank,
    directives_have_no_variables,
    options_exist,
    gpus_are_asked_for,
    steps_get_their_cpus,
    log_folders_are_made_before,
    logs_of_an_array_differ,
    logs_of_runs_differ,
)
