"""``env``, ``export`` and ``NAME=value`` lines: the variables that GPU software reads."""

import re
from collections.abc import Iterator, Sequence

from codeblue.model.facts import Environment
from codeblue.model.section import Section
from codeblue.sources.clues import Line
from codeblue.sources.pasted.transcript import command

WANTED = re.compile(
    r"(?:CUDA_|NVIDIA_|NCCL_|TORCH|PYTORCH_|CUBLAS|CUDNN|OMP_|MKL_|KMP_|GOMP_|XLA_|TF_|JAX_|GLOO_|RAY_)\w*$"
    r"|SLURM_(?:JOB_ID|PROCID|LOCALID|STEP_GPUS|JOB_GPUS|GPUS\w*|NTASKS\w*)$"
    r"|(?:HF_HUB_OFFLINE|LD_LIBRARY_PATH|LD_PRELOAD|CONDA_PREFIX|CONDA_DEFAULT_ENV|VIRTUAL_ENV)$"
    r"|PYTHON(?:PATH|HOME|NOUSERSITE|SAFEPATH)$"
    r"|(?:RANK|WORLD_SIZE|LOCAL_RANK|LOCAL_WORLD_SIZE|MASTER_ADDR|MASTER_PORT)$"
)
"""The probe's list; a test holds the two together."""
UNWANTED = re.compile(r"TOKEN|KEY|SECRET|PASSW|AUTH|CREDENTIAL|RAY_ADDRESS|TF_CONFIG")
SET = re.compile(r"^(?:declare -x |export |setenv )?([A-Z][A-Z0-9_]{1,60})=(.*)$")
BEFORE = re.compile(r"^((?:[A-Z][A-Z0-9_]{1,60}=(?:\"[^\"]*\"|'[^']*'|[^\s;&|]*) +)+)\S")
EACH = re.compile(r"([A-Z][A-Z0-9_]{1,60})=(\"[^\"]*\"|'[^']*'|[^\s;&|]*)")
LONGEST = 1000


def read(lines: Sequence[Line]) -> Iterator[Section]:
    """Yield the variables that are set; the others may be set as well."""
    variables: dict[str, str] = {}
    source = ""
    for line in lines:
        for name, value in _set(line):
            variables[name] = value
            source = source or line.place
    if variables:
        yield Environment(variables=variables, source=source)


def chosen(name: str) -> bool:
    """True if the variable is one that GPU software reads and that holds no secret."""
    return WANTED.match(name) is not None and UNWANTED.search(name) is None


def _set(line: Line) -> Iterator[tuple[str, str]]:
    typed = command(line)
    text = typed if typed is not None else line.text.strip()
    if before := BEFORE.match(text) if typed is not None else None:
        pairs = [found.groups() for found in EACH.finditer(before.group(1))]
    elif found := SET.match(text):
        pairs = [found.groups()]
    else:
        return
    for name, value in pairs:
        plain = value.strip().strip("\"'")
        if chosen(name) and "$" not in plain:
            yield name, plain[:LONGEST]
