"""
## What it means
The interpreter of an environment also searches the user's own site directory
(`~/.local/lib/python3.x/site-packages`), and packages there come before those of the environment. What
was installed and tested is not what is imported.

## Why it happens
Someone once ran `pip install --user`, or pip did so by itself because the system's directory was not
writable. A conda environment of the same Python version does not shut that directory out; a virtual
environment does unless it was made with system packages. The next environment then gets a foreign
numpy, torch or NVIDIA library.

## When it is not a fault
While everything imports and computes it is a risk only; codeblue names it as a cause when the import of
torch fails at the same time.

## What to do
Set `PYTHONNOUSERSITE=1` for the job: in the batch script, the service or the notebook's kernel. If the
job then misses a package, install it in the environment. Later remove the user's copies with `python -m
pip uninstall`.

## How safe the fix is
The variable affects only processes that have it, and unsetting takes it back. Removing packages from
the user site may break other programs of that user.
"""

from collections.abc import Iterator

from codeblue.model.facts import Python
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ISOLATED = ("venv", "conda")
HEAVY = ("torch", "torchvision", "torchaudio", "triton")

SHUT_OUT = Remedy(
    message("shut the user's site directory out", "不让解释器搜索用户 site 目录"),
    (
        Step(
            Verb.ENV_SET,
            message("the environment's own packages are found again", "这样找到的就是环境自己的包"),
            {"name": "PYTHONNOUSERSITE", "value": "1"},
        ),
    ),
    Automation.AUTOMATIC,
    Undo.EXACT,
)


@fault(
    "user-site-packages-shadow-env",
    title=Text(
        "Packages of the user's site directory hide those of the environment",
        "用户 site 目录里的包挡住了环境里的包",
    ),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    explains=(
        "torch-import-failed",
        "torch-torchvision-version-mismatch",
        "extension-abi-mismatch",
        "torch-cuda-unavailable",
        "cpu-only-torch-build",
        "numpy2-with-older-torch",
        "two-torch-installs-mixed",
        "build-lacks-gpu-arch",
    ),
    references=(
        Reference(
            "Python: site, PYTHONNOUSERSITE", "https://docs.python.org/3/library/site.html", "2026-11-30"
        ),
    ),
    clues=(
        Clue(
            all=(
                r"\.local/lib/python|~/\.local\b|\$HOME/\.local|user[- ]site|ENABLE_USER_SITE|"
                r"PYTHONNOUSERSITE|USER_SITE|用户目录|用户级",
                r"conda|envs/|\bvenv\b|virtualenv|environment|singularity|apptainer|container|"
                r"虚拟环境|环境",
                r"Error|wrong version|older|other version|undefined symbol|mismatch|instead of|"
                r"takes? precedence|shadow|imported from|\bFalse\b|报错|版本不对|优先",
            ),
            none=(
                r"Requirement already satisfied",
                r"not on PATH",
                r"Successfully installed",
            ),
        ),
    ),
    remedy=SHUT_OUT,
    next_command="PYTHONNOUSERSITE=1 python -c 'import torch; print(torch.__file__)'",
)
def user_site_packages_shadow_env(python: Python) -> Iterator[Hit]:
    if python.user_site is None or python.environment not in ISOLATED:
        return
    foreign = [name for name in python.distributions if _foreign(python, name, python.user_site)]
    if foreign:
        yield Hit(
            subject="python",
            summary=message(
                "{names} come from {folder}, not from the {kind} environment {prefix}",
                "{names} 来自 {folder}，而不是 {kind} 环境 {prefix}",
                names=", ".join(foreign),
                folder=python.user_site,
                kind=python.environment,
                prefix=python.prefix,
            ),
            because=cite("python.user_site", f"python[{foreign[0]}].location", "python.environment"),
            kind=Kind.RISK,
            certainty=Certainty.LIKELY,
        )


def _foreign(python: Python, name: str, user_site: str) -> bool:
    """A copy in the user site that hides another one, or a heavy package that only lies there."""
    if not python.distributions[name].location.startswith(user_site):
        return False
    return name in HEAVY or name.startswith("nvidia-") or name in python.duplicates
