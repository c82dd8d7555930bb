"""
## What it means
The CUDA plugin of JAX is installed, but in another version than `jaxlib`. JAX compares the two at
import and skips the plugin with a RuntimeWarning; the program then runs on the CPU, or stops in the
middle of loading when the old plugin is half used.

## Why it happens
A later `pip install` raised `jax` and `jaxlib` (flax, optax, orbax and many others require "jax, any
newer") and left `jax-cuda12-plugin` and `jax-cuda12-pjrt` behind. Images of a vendor bring a plugin of
their own build, which the releases on the package index do not fit. A lock file names only `jax`.

## When it is not a fault
Parts after the dotted numbers (`.dev…`, `+cuda12`) do not count. ROCm plugins have versions of their
own and are not compared. Beside torch or another framework JAX may be unused: without the warning
this is a risk, not trouble.

## What to do
Install all four in one version and in one command: `pip install -U "jax[cuda12]==X"` (or cuda13). To stay
with the plugin that is there, name its version as X. Then `python -c 'import jax; print(jax.devices())'`
must list `CudaDevice`. Put the extra, not plain `jax`, into the requirements.

## How safe the fix is
Only packages of this environment change, and the old versions can be installed again. A new jaxlib may
also bring newer NVIDIA packages, which torch in the same environment shares.
"""

import re
from collections.abc import Iterator

from msgspec import UnsetType

from codeblue.faults.python.framework_intent import gpu_unwanted, others_beside
from codeblue.faults.python.gpu_at_hand import gpu_at_hand, kept_out
from codeblue.faults.seen import seen_here
from codeblue.faults.told import symptoms
from codeblue.knowledge.versions import older
from codeblue.model.facts import (
    Container,
    Environment,
    Host,
    Loader,
    Nodes,
    Pci,
    Python,
    Sightings,
    Torch,
)
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Text, message

ID = "jax-plugin-version-mismatch"
PLUGIN = re.compile(r"jax-(?P<extra>cuda\d+)-plugin$")
NUMBERS = re.compile(r"\d+(?:\.\d+)*")


@fault(
    ID,
    title=Text("JAX's CUDA plugin and jaxlib have different versions", "JAX 的 CUDA 插件与 jaxlib 版本不同"),
    layer=Layer.PYTHON,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cpu-only-jaxlib",),
    references=(
        Reference(
            "JAX: how jaxlib compares the plugin's version",
            "https://github.com/jax-ml/jax/blob/main/jaxlib/plugin_support.py",
            "2026-11-30",
        ),
        Reference("JAX: installation", "https://docs.jax.dev/en/latest/installation.html", "2026-11-30"),
    ),
    clues=(
        Clue(
            all=(
                r"\bjax",
                r"jax[-_]cuda1\d[-_](?:plugin|pjrt)|cuda plugin",
                r"not compatible|incompatible|mismatch|different version|不兼容|不一致",
            )
        ),
    ),
    signatures=(
        Signature(
            "not compatible with the installed jaxlib version",
            r"JAX plugin \S*cuda\S* version (?P<plugin>\S+) is installed, but it is not compatible "
            r"with the installed jaxlib version (?P<jaxlib>[^, ]+)",
        ),
        Signature(
            "PJRT", r"[Mm]ismatched PJRT plugin|PJRT API version.*(?:mismatch|incompatible)", Certainty.LIKELY
        ),
        Signature("this version of jax requires", r"jaxlib is version \S+, but this version of jax requires"),
        Signature("incompatible with jax", r"jaxlib version \S+ is newer than and incompatible with jax"),
    ),
    remedy=Remedy(
        message("install jax, jaxlib and the plugin in one version", "把 jax、jaxlib 和插件装成同一版本"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    'pip install -U "jax[cuda12]" (or cuda13), in the interpreter of the job',
                    '用作业的解释器执行 pip install -U "jax[cuda12]"（或 cuda13）',
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="python -m pip list | grep -i jax; python -c 'import jax; print(jax.devices())'",
)
def jax_plugin_version_mismatch(
    python: Python,
    torch: Torch | Unread | None = UNREAD,
    host: Host | Unread = UNREAD,
    container: Container | Unread | None = UNREAD,
    nodes: Nodes | Unread | None = UNREAD,
    pci: Pci | None = None,
    loader: Loader | None = None,
    environment: Environment | None = None,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    mismatch = _mismatch(python)
    if mismatch is None:
        return
    if not was_read(python, "executable"):
        yield from _by_list(python, mismatch, symptoms(sightings, ID, "cpu-only-jaxlib"))
        return
    if isinstance(torch, UnsetType) or isinstance(host, UnsetType):
        return
    if isinstance(container, UnsetType) or isinstance(nodes, UnsetType):
        return
    gpu = gpu_at_hand(host, pci, loader)
    if gpu is None or kept_out(container, nodes, host) or gpu_unwanted(environment):
        return
    trouble = seen_here(ID, sightings, host) or not others_beside(python, torch, mismatch)
    version, jaxlib = python.distributions[mismatch].version, python.distributions["jaxlib"].version
    yield Hit(
        subject=f"distribution:{mismatch}",
        summary=message(
            "{plugin} is {version}, jaxlib is {jaxlib}: JAX will not use the plugin",
            "{plugin} 的版本是 {version}，jaxlib 是 {jaxlib}：JAX 不会使用该插件",
            plugin=mismatch,
            version=version,
            jaxlib=jaxlib,
        ),
        because=cite(f"python[{mismatch}].version", "python[jaxlib].version", gpu),
        kind=Kind.TROUBLE if trouble else Kind.RISK,
        severity=Severity.ERROR if trouble else Severity.WARNING,
        certainty=Certainty.LIKELY if trouble else Certainty.CERTAIN,
        remedy=_together(python, PLUGIN.sub(r"\g<extra>", mismatch), jaxlib),
    )


def _by_list(python: Python, mismatch: str, seen: list[str]) -> Iterator[Hit]:
    """Judge a list of packages, which does not say whether JAX is what the GPU is for."""
    version, jaxlib = python.distributions[mismatch].version, python.distributions["jaxlib"].version
    yield Hit(
        subject=f"distribution:{mismatch}",
        summary=message(
            "{plugin} is {version}, jaxlib is {jaxlib}: JAX will not use the plugin",
            "{plugin} 的版本是 {version}，jaxlib 是 {jaxlib}：JAX 不会使用该插件",
            plugin=mismatch,
            version=version,
            jaxlib=jaxlib,
        ),
        because=cite(f"python[{mismatch}].version", "python[jaxlib].version", *seen),
        kind=Kind.TROUBLE if seen else Kind.RISK,
        severity=Severity.ERROR if seen else Severity.WARNING,
        certainty=Certainty.LIKELY,
    )


def _mismatch(python: Python) -> str | None:
    """Return the plugin that does not fit; None if there is none, or another one fits."""
    jaxlib = python.distributions.get("jaxlib")
    plugins = [name for name in python.distributions if PLUGIN.match(name)]
    if jaxlib is None or not plugins:
        return None
    versions = [python.distributions[name].version for name in plugins]
    if not all(NUMBERS.match(version) for version in (jaxlib.version, *versions)):
        return None
    fits = [not older(v, jaxlib.version) and not older(jaxlib.version, v) for v in versions]
    return None if any(fits) else plugins[0]


def _together(python: Python, extra: str, jaxlib: str) -> Remedy:
    found = NUMBERS.match(jaxlib)
    requirement = f"jax[{extra}]=={found.group() if found else jaxlib}"
    why = message("brings jaxlib, the plugin and its library in one version", "让 jaxlib、插件及其库版本一致")
    step = Step(Verb.PIP_INSTALL, why, {"python": python.executable, "requirement": requirement})
    return Remedy(
        message("install {requirement}", "安装 {requirement}", requirement=requirement),
        (step,),
        Automation.APPROVAL,
        Undo.COMPENSATING,
    )
