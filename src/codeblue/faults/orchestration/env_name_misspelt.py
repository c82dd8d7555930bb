"""
## What it means
Nobody complains of a variable that no program reads. A letter is missing, an S too few, the case is wrong:
the setting then simply does not exist, and the job behaves as if it had never been set.

## Why it happens
Names of variables are case-sensitive, and libraries look for one exact spelling: `CUDA_VISIBLE_DEVICES`
with S, `NCCL_SOCKET_IFNAME`, `PYTORCH_CUDA_ALLOC_CONF` without IG. Names are typed from memory or carried
over from command line options.

## When it is not a fault
A script may use a name of its own and translate it later. `http_proxy` is rightly written in lower case.
vLLM reports any unknown `VLLM_…`, also those that Kubernetes makes from a Service of that name.

## What to do
Copy the name from the documentation. Check what the process really has in `/proc/PID/environ`, and what the
library took from it (`NCCL_DEBUG=INFO` prints each variable that it uses).

## How safe the fix is
A corrected setting takes effect for the first time now, with everything it does: look at the value too.
codeblue sets the right name in the start file of the shell that has the misspelt one, and takes that one out;
both can be taken back exactly. A name in a manifest or an image is corrected there.
"""

from collections.abc import Iterator

from codeblue.model.facts import Environment
from codeblue.model.fault import (
    Certainty,
    Clue,
    Hit,
    Kind,
    Reference,
    Severity,
    Signature,
    cite,
    fault,
)
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

SPELLINGS = {
    "CUDA_VISIBLE_DEVICES": (
        "CUDA_VISIBLE_DEVICE CUDA_VISIBLE_DEVICS CUDA_VISIBLE_DEVIC CUDA_VISIBLE_DEVISES "
        "CUDA_VISIBLE_DEVIECES CUDA_VISIBLE_DEIVCES CUDA_VISIBLE_DEVCIES CUDA_VISIBLE_DEVIVES "
        "CUDA_VISIBLE_DEVICESS CUDA_VISIBLES_DEVICES CUDA_VISABLE_DEVICE CUDA_VISABLE_DEVICES "
        "CUDA_VISIABLE_DEVICES CUDA_VISIBILE_DEVICES CUDA_VISBLE_DEVICES CUDA_VISIBE_DEVICES "
        "CUDA_VISIBEL_DEVICES CUDA_DEVICE_VISIBLE CUDA_DEVICES_VISIBLE"
    ),
    "CUDA_LAUNCH_BLOCKING": "CUDA_LAUNCH_BLOCK CUDA_LAUCH_BLOCKING CUDA_LAUNCH_BLOKING CUDA_LANUCH_BLOCKING",
    "CUDA_DEVICE_ORDER": "CUDA_DEVICE_ODER CUDA_DEVICES_ORDER",
    "NVIDIA_VISIBLE_DEVICES": (
        "NVIDIA_VISIBLE_DEVICE NVIDIA_VISABLE_DEVICES NVIDIA_VISIABLE_DEVICES NVIDIA_VISBLE_DEVICES"
    ),
    "NVIDIA_DRIVER_CAPABILITIES": (
        "NVIDIA_DRIVER_CAPABILITY NVIDIA_DRIVERS_CAPABILITIES NVIDIA_DRIVER_CAPABLITIES "
        "NVIDIA_DRIVER_CAPABILITES"
    ),
    "NCCL_SOCKET_IFNAME": (
        "NCCL_SOCKET_IFNAM NCCL_SOCKET_IF_NAME NCCL_SOCKET_IFNAMES NCCL_SOCKETS_IFNAME "
        "NCCL_SOCKET_NAME NCCL_SOCK_IFNAME NCCL_IFNAME"
    ),
    "NCCL_P2P_DISABLE": "NCCL_P2P_DISABLED NCCL_DISABLE_P2P",
    "NCCL_IB_DISABLE": "NCCL_IB_DISABLED NCCL_DISABLE_IB",
    "NCCL_SHM_DISABLE": "NCCL_SHM_DISABLED NCCL_DISABLE_SHM",
    "NCCL_DEBUG": "NCCL_DEBUGS",
    "NCCL_IB_HCA": "NCCL_IB_HCAS",
    "NCCL_IB_GID_INDEX": "NCCL_IB_GID_INDX NCCL_IB_GIDINDEX",
    "NCCL_IB_TIMEOUT": "NCCL_IB_TIME_OUT",
    "GLOO_SOCKET_IFNAME": "GLOO_SOCKET_IFNAM GLOO_SOCKET_IF_NAME GLOO_IFNAME GLOO_SOCKET_NAME",
    "PYTORCH_CUDA_ALLOC_CONF": (
        "PYTORCH_CUDA_ALLOC_CONFIG PYTORCH_CUDA_ALLOC_CFG PYTORCH_CUDA_ALOC_CONF "
        "PYTORCH_CUDA_ALLOCATOR_CONF PYTORCH_CUDA_ALLOC_CONFS PYTORCH_ALLOC_CONFIG"
    ),
    "TORCH_CUDA_ARCH_LIST": "TORCH_CUDA_ARCHS_LIST TORCH_CUDA_ARCH_LISTS TORCH_CUDA_ARCHLIST",
    "LD_LIBRARY_PATH": "LD_LIBARY_PATH LD_LIBRAY_PATH LD_LIBRARY_PATHS LD_LIBRARIES_PATH",
    "HF_ENDPOINT": "HF_ENDPIONT HF_END_POINT HF_ENDPOINTS",
}
"""Spellings that were met, by the name that programs read."""

RIGHT = {wrong: right for right, spellings in SPELLINGS.items() for wrong in spellings.split()}

PLACES = ("LD_LIBRARY_PATH", "HF_ENDPOINT")
"""Their values are joined with others, or may hold a password: a person writes them."""
LOWER = {
    "cuda_": "visible_devices|launch_blocking|device_order",
    "nccl_": "socket_ifname|debug|(?:p2p|ib|shm)_disable",
}
"""Names in the wrong case, by their beginning; the right case is that of the upper-case name."""


MISTAKE = (
    r"\btypos?\b|misspel\w*|mis-spel|spelling|\bspel(?:led|t)\b|wrong(?:ly)? (?:case|name|named|spelled)"
    r"|lower-?case|upper-?case|capital|case[- ]sensitive"
    r"|拼错|拼写|写错|写成|少写|多写|大小写|小写"
)
VARIABLE = (
    r"environment variable|env(?:ironment)? ?vars?|\benv\b|CUDA_|NCCL_|NVIDIA_|PYTORCH_|GLOO_|VLLM_"
    r"|HF_[A-Z]|export |环境变量|变量名"
)
WITHOUT_EFFECT = (
    r"ignor\w+|no effect|not (?:read|picked|recogni[sz]ed|hono|work|set|seen|known)\w*|still|doesn.t"
    r"|nothing (?:changed|happens)|instead of|should be"
    r"|不生效|没生效|未生效|没有生效|不起作用|没作用|没用|无效|被忽略|应为|应该是"
)


def _misspelt(prefix: str) -> str:
    return "|".join(wrong for wrong in RIGHT if wrong.startswith(prefix))


def _assigned(prefix: str) -> Signature:
    """Return a signature for lines that assign to a misspelt name with the prefix."""
    return Signature(prefix, rf"\b(?P<name>{_misspelt(prefix)})\b['\"]?\]?\s*[=:]")


@fault(
    "env-name-misspelt",
    title=Text("An environment variable is misspelt", "环境变量名写错了"),
    layer=Layer.ORCHESTRATION,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "nccl-socket-ifname-wrong",
        "ranks-share-one-gpu",
        "gpu-memory-held-by-other-process",
        "torch-cuda-unavailable",
    ),
    references=(
        Reference(
            "NVIDIA: CUDA environment variables",
            "https://docs.nvidia.com/cuda/cuda-c-programming-guide/index.html#cuda-environment-variables",
            "2026-12-01",
        ),
        Reference(
            "NCCL: environment variables",
            "https://docs.nvidia.com/deeplearning/nccl/user-guide/docs/env.html",
            "2026-12-01",
        ),
    ),
    signatures=(
        *map(_assigned, ("CUDA_", "NVIDIA_", "NCCL_", "GLOO_", "PYTORCH_", "TORCH_CUDA", "LD_LIB", "HF_END")),
        Signature("CUDA_VISIBLE-", r"\bCUDA_VISIBLE-DEVICES?\b"),
        Signature(
            "CUDA_VIS",
            rf"(?:\$\{{?|\bname: ['\"]?)(?P<name>{_misspelt('CUDA_VIS')})\b",
            Certainty.LIKELY,
        ),
        Signature(
            "MASTER_",
            r"\bexport (?P<name>MASTER_ADDRESS|MASTER_ADRR|MASTER_ADR|MASTER_PORTS)\s*=",
            Certainty.LIKELY,
        ),
        *(
            Signature(
                anchor,
                rf"(?:export |setenv |environ\[['\"]|-e |--env[ =]|name: )(?P<name>{anchor}(?:{names}))\b",
            )
            for anchor, names in LOWER.items()
        ),
        Signature("cuda_visible_devices=", r"^(?:\$ )?(?P<name>cuda_visible_devices)=[\d\"',]+ +\S"),
        Signature("Cuda_", r"\b(?P<name>Cuda_[Vv]isible_[Dd]evices)\b"),
        Signature(
            "Unknown vLLM environment variable",
            r"Unknown vLLM environment variable detected: (?P<name>VLLM_\w+)",
            Certainty.POSSIBLE,
        ),
    ),
    clues=(Clue(all=(MISTAKE, VARIABLE, WITHOUT_EFFECT)),),
    remedy=Remedy(
        message("write the variable's name as its reader spells it", "按读取方的拼写改正变量名"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "correct the name in the manifest, script or image, start the process anew, and look at "
                    "its environment: tr '\\0' '\\n' < /proc/PID/environ",
                    "在清单、脚本或镜像里改正名字，重新启动进程，并查看它的环境："
                    "tr '\\0' '\\n' < /proc/PID/environ",
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.EXACT,
    ),
    next_command="env | grep -iE 'cuda|nvidia|nccl|gloo|torch|master|hf_' | sort",
)
def env_name_misspelt(environment: Environment) -> Iterator[Hit]:
    variables = environment.variables
    for name in variables:
        right = RIGHT.get(name)
        # With the right name beside it nothing is lost.
        if right and right not in variables:
            yield Hit(
                subject=f"env:{name}",
                kind=Kind.RISK,
                severity=Severity.WARNING,
                summary=message(
                    "{name} is set, but programs read {right}",
                    "设置了 {name}，而程序读取的是 {right}",
                    name=name,
                    right=right,
                ),
                because=cite(f"environment[{name}]"),
                remedy=_renamed(name, right, variables[name])
                if right not in PLACES and variables[name]
                else None,
            )


def _renamed(wrong: str, right: str, value: str) -> Remedy:
    return Remedy(
        message("set {right} to the value of the misspelt name", "把拼错的变量的值赋给 {right}", right=right),
        (
            Step(
                Verb.ENV_SET,
                message("new shells have the name that programs read", "新的 shell 里有程序读取的名字"),
                {"name": right, "value": value, "beside": wrong},
            ),
            Step(
                Verb.ENV_UNSET,
                message("nobody reads the misspelt name", "拼错的名字没有程序读取"),
                {"name": wrong, "absent": "ok"},
            ),
        ),
        Automation.APPROVAL,
        Undo.EXACT,
    )
