"""What the ``#SBATCH`` lines of a script ask for."""

import re
from collections.abc import Iterator

from codeblue.model.config.shell import Command, Directive, Script

SHORT = {
    "-N": "--nodes", "-n": "--ntasks", "-o": "--output", "-e": "--error", "-G": "--gpus", "-p": "--partition",
    "-t": "--time", "-J": "--job-name", "-c": "--cpus-per-task", "-a": "--array", "-A": "--account",
    "-w": "--nodelist", "-D": "--chdir",
}  # fmt: skip
OPTIONS = frozenset(
    """
    --account --acctg-freq --array --batch --bb --bbf --begin --chdir --cluster-constraint --clusters
    --comment --constraint --container --container-id --contiguous --core-spec --cores-per-socket
    --cpu-freq --cpus-per-gpu --cpus-per-task --deadline --delay-boot --dependency --distribution
    --error --exclude --exclusive --export --export-file --extra --extra-node-info --get-user-env --gid
    --gpu-bind --gpu-freq --gpus --gpus-per-node --gpus-per-socket --gpus-per-task --gres --gres-flags
    --help --hint --hold --ignore-pbs --input --job-name --kill-on-invalid-dep --licenses --mail-type
    --mail-user --mcs-label --mem --mem-bind --mem-per-cpu --mem-per-gpu --mincpus --network --nice
    --no-kill --no-requeue --nodefile --nodelist --nodes --ntasks --ntasks-per-core --ntasks-per-gpu
    --ntasks-per-node --ntasks-per-socket --oom-kill-step --open-mode --output --overcommit
    --oversubscribe --parsable --partition --power --prefer --priority --profile --propagate --qos
    --quiet --reboot --requeue --reservation --resv-ports --segment --signal --sockets-per-node
    --spread-job --stepmgr --switches --test-only --thread-spec --threads-per-core --time --time-min
    --tmp --tres-bind --tres-per-task --uid --usage --use-min-nodes --verbose --version --wait
    --wait-all-nodes --wckey --wrap
    """.split()  # noqa: SIM905 - a list of a hundred strings cannot be read
)
"""Long options of ``sbatch``, as its manual lists them."""
GPUS = ("--gres", "--gpus", "--gpus-per-node", "--gpus-per-socket", "--gpus-per-task", "--tres-per-task")
EACH = re.compile(r"gpu(?::[\w.-]+)?:(\d+)(?:\(|$)|^(?:[\w.-]+:)?(\d+)$")
SMALLEST = 4
"""GPUs of the smallest usual node; a job on one node that asks for fewer shares it."""


def header(script: Script) -> tuple[Directive, ...]:
    """Return the directives that Slurm reads: those before the first line that is no comment."""
    end = first_line(script)
    return tuple(one for one in script.directives if one.program == "SBATCH" and one.place.line < end)


def first_line(script: Script) -> int:
    """Return the number of the first line that is neither empty nor a comment."""
    for number, line in enumerate(script.source.text.split("\n"), start=1):
        if line.strip() and not line.lstrip().startswith("#"):
            return script.source.point(0)[0] + number - 1
    return 1 << 30


def long(directive: Directive) -> str:
    """Return the long name of an option, also where it is abbreviated."""
    name = (
        SHORT.get(directive.option[:2], directive.option) if directive.option[1] != "-" else directive.option
    )
    if name in OPTIONS:
        return name
    meant = [one for one in OPTIONS if one.startswith(name)]
    return meant[0] if len(meant) == 1 else name


def asked(script: Script, *names: str) -> Directive | None:
    """Return the last directive of one of these options."""
    return next((one for one in reversed(header(script)) if long(one) in names), None)


def number(script: Script, name: str) -> int | None:
    """Return the number that an option gives; None if it is not given, or is none."""
    found = asked(script, name)
    text = value(found) if found else ""
    return int(text) if text.isdigit() and len(text) < 6 else None


def value(directive: Directive) -> str:
    """Return its value, also of ``-N2``."""
    glued = directive.option[2:] if directive.option[1] != "-" else ""
    return glued or directive.value


def gpus_per_node(script: Script) -> tuple[Directive, int] | None:
    """Return how many GPUs a node gives to the job, and where that stands; None if it does not say."""
    for one in _gpu_lines(script):
        found = EACH.search(value(one).split(",")[0])
        if found is not None and (long(one) in ("--gres", "--gpus-per-node") or _one_node(script)):
            return one, int(found[1] or found[2])
    return None


def _gpu_lines(script: Script) -> Iterator[Directive]:
    yield from (one for one in header(script) if long(one) in ("--gres", "--gpus-per-node", "--gpus"))


def _one_node(script: Script) -> bool:
    return number(script, "--nodes") == 1


def tasks_per_node(script: Script, srun: Command) -> tuple[Directive | None, int] | None:
    """Return how many tasks ``srun`` starts on a node, by its own options or by the header."""
    for names in (("--ntasks-per-node",), ("-n", "--ntasks"), ("-N", "--nodes")):
        if srun.has(*names):
            text = srun.value("--ntasks-per-node")
            return (None, int(text)) if text.isdigit() else None
    if any(word.text[:2] in ("-n", "-N") and word.text[2:] for word in srun.arguments):
        return None
    found = asked(script, "--ntasks-per-node")
    if found is not None:
        return (found, int(value(found))) if value(found).isdigit() else None
    found = asked(script, "--ntasks")
    if found is not None and value(found).isdigit() and (nodes := number(script, "--nodes") or 1):
        return found, int(value(found)) // nodes
    return None
