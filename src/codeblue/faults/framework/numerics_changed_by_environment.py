"""
## What it means
An environment variable, or a flag of torch that is set before the job's first line, changes the
arithmetic of float32 on the GPU. Nothing fails; results or speed
differ from the same job elsewhere, and the code does not show why.

## Why it happens
`NVIDIA_TF32_OVERRIDE=0` forbids TF32 in all NVIDIA libraries, whatever the program asks for: results
are more exact, matrix products and convolutions much slower. `NVIDIA_TF32_OVERRIDE=1` forces it on: on an
H200 the error of a float32 product grew from 8e-7 to 3e-4. `TORCH_ALLOW_TF32_CUBLAS_OVERRIDE=1` does
the opposite for torch: float32 matrix products use TF32 with ten bits of mantissa although torch's
default is full precision. NVIDIA's own PyTorch images set it. `CUBLAS_EMULATE_SINGLE_PRECISION` and
`CUBLAS_EMULATE_DOUBLE_PRECISION` let cuBLAS compute with narrower types in several steps.
Flags such as `cuda.matmul.allow_tf32` or `cudnn.benchmark` are set by a `sitecustomize`, a `.pth` file or a
plugin; `codeblue trial numerics` reads them as the interpreter starts.

## When it is not a fault
Mostly it is intended, and training usually does not care. `CUBLAS_WORKSPACE_CONFIG` is no such
variable: it makes results repeatable and is left alone here.

## What to do
If two machines disagree in the third digit, or one is several times slower with float32, compare these
variables first. Say the precision in the code (`torch.set_float32_matmul_precision`) and unset the
variable, so that the choice travels with the job.

## How safe the fix is
Unsetting changes results within the rounding of TF32 or speed, for this process alone. A run that is to
be compared with earlier ones should keep what it had.
"""

from collections.abc import Iterator

from codeblue.model.facts import Environment, NumericsTrial, NumericsTried
from codeblue.model.fault import Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.numerics.settings import NARROW, unusual
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

FIND = Remedy(
    message("find what sets the flag before the job does", "找出在任务之前设置该标志的东西"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "look at sitecustomize, usercustomize and the .pth files of this interpreter "
                "(`python -v -c 'import torch'` shows them), and at what patches torch when it is imported",
                "检查该解释器的 sitecustomize、usercustomize 和 .pth 文件"
                "（`python -v -c 'import torch'` 会列出），以及导入 torch 时给它打补丁的东西",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)
EFFECTS = {
    ("NVIDIA_TF32_OVERRIDE", "0"): Text(
        "TF32 is off in all NVIDIA libraries, float32 is exact and slow",
        "所有 NVIDIA 库都禁用 TF32，float32 精确但慢",
    ),
    ("NVIDIA_TF32_OVERRIDE", "1"): Text(
        "NVIDIA libraries compute float32 products in TF32, whatever the program asks for",
        "无论程序如何设置，NVIDIA 库都用 TF32 计算 float32 乘积",
    ),
    ("TORCH_ALLOW_TF32_CUBLAS_OVERRIDE", "1"): Text(
        "float32 matrix products use TF32 against torch's default",
        "float32 矩阵乘法使用 TF32，与 torch 的默认不同",
    ),
    ("CUBLAS_EMULATE_SINGLE_PRECISION", "1"): Text(
        "cuBLAS may emulate float32 with narrower types", "cuBLAS 可能用更窄的类型模拟 float32"
    ),
    ("CUBLAS_EMULATE_DOUBLE_PRECISION", "1"): Text(
        "cuBLAS may emulate float64 with narrower types", "cuBLAS 可能用更窄的类型模拟 float64"
    ),
}

OF_PROCESSOR = ("DNNL_DEFAULT_FPMATH_MODE", "ONEDNN_DEFAULT_FPMATH_MODE")
NARROWER = ("BF16", "F16", "TF32", "ANY")
"""https://uxlfoundation.github.io/oneDNN/dev_guide_attributes_fpmath_mode.html"""


KNOB = (
    r"NVIDIA_TF32_OVERRIDE|TORCH_ALLOW_TF32_CUBLAS_OVERRIDE|CUBLAS_EMULATE_\w+|allow_tf32|"
    r"set_float32_matmul_precision|"
    r"\bTF32\b|TensorFloat-?32|cudnn\.(?:benchmark|deterministic)|CUBLAS_WORKSPACE_CONFIG|"
    r"TF_ENABLE_ONEDNN_OPTS|"
    r"TF_CUDNN_DETERMINISTIC|TF_DETERMINISTIC_OPS|NVIDIA_DISABLE_TF32|allow_(?:fp16|"
    r"bf16)_reduced_precision|JAX_DEFAULT_MATMUL_PRECISION|"
    r"xla_gpu_enable_fast\w*|cuDNN (?:benchmark|autotun\w+|mode)"
)
OTHER_NUMBERS = (
    r"max\|[^|]*\||\b(?:abs|rel|max|mean)\w*[ _-]?(?:diff|err)\w*|FAIL tol|toleranc\w+|allclose|"
    r"assert_close|"
    r"different (?:results?|loss\w*|numbers?|outputs?|values?|logits|metrics?|accurac\w+)|"
    r"(?:results?|loss\w*|numbers|outputs?|values|logits|metrics|accuracy|curves?|sums?|"
    r"gradients?)\b.{0,30}(?:differ\w*|not (?:equal|match|agree|close|the same|reproduc\w*)|n.t (?:match|"
    r"agree|equal|reproduce)|deviat\w*|diverg\w*|worse|lower|drop\w*|off by|chang\w*)|"
    r"not (?:reproduc\w+|bit-?\w+|bitwise|numerically)|(?:less|lower|reduced|lost|losing) (?:precis\w+|"
    r"accura\w+)|"
    r"numerical(?:ly)? (?:differ\w*|error|mismatch|wrong|diff)|precision (?:loss|drop|error|problem)|"
    r"\d\.\d+e-0[1-6]\b|\b1e-[1-6]\b|"
    r"精度(?:下降|变|不|低|对不上|问题)|结果(?:不一致|不同|不一样|对不上|变了)|对不上|不一致|误差|复现不|无法复现|数值"
)
QUIET = r"TensorFloat32 tensor cores|Please use the new API settings|oneDNN custom operations are on"


@fault(
    "numerics-changed-by-environment",
    title=Text("An environment variable changes the numerics", "环境变量改变了数值精度"),
    layer=Layer.FRAMEWORK,
    kind=Kind.RISK,
    severity=Severity.NOTE,
    explains=(
        "float32-precision-reduced",
        "results-not-repeatable",
        "environment-computes-differently",
        "training-canary-diverged",
    ),
    references=(
        Reference(
            "PyTorch: CUDA semantics, TensorFloat-32",
            "https://docs.pytorch.org/docs/stable/notes/cuda.html",
            "2026-11-30",
        ),
        Reference(
            "cuBLAS: floating point emulation", "https://docs.nvidia.com/cuda/cublas/index.html", "2026-11-30"
        ),
    ),
    clues=(
        Clue(
            # The variable is set, and somebody compared.
            all=(
                r"\b(?:NVIDIA_TF32_OVERRIDE|ALLOW_TF32_CUBLAS_OVERRIDE|CUBLAS_EMULATE_\w+)\b['\x22]?[=: ]",
                r"(?:results?|loss\w*|numbers|outputs?|values|logits)\b.{0,30}(?:differ|deviat|diverg"
                r"|not equal|mismatch|wrong)|(?:differ\w*|wrong) (?:results?|loss|numbers|outputs?|values)"
                r"|(?:max|abs|rel).{0,12}(?:diff|err|out|ref).{0,12}[=:] ?\d|Mismatched elements|not close"
                r"|(?:结果|数值|精度|损失|输出).{0,12}(?:对不上|不一样|不一致|不同|有偏差|偏大|下降|变差)",
            ),
            none=(r"illegal memory|out of memory",),
            bites=True,
        ),
        Clue(
            all=(
                r"\bTF32|TF32_OVERRIDE|allow_tf32|cudnn\.(?:benchmark|deterministic|conv)|"
                r"float32_matmul_precision|CUBLAS_EMULATE|CUBLAS_WORKSPACE_CONFIG|"
                r"fp16_reduced_precision",
                r"(?:different|differing|wrong|changed?) (?:results?|loss|numbers|values|outputs?)|"
                r"(?:results?|loss|numbers|outputs?|values).{0,30}(?:differ|different|chang|deviat|"
                r"not equal|wrong|mismatch)|reproducib|"
                r"(?:results?|结果|数值).{0,12}(?:对不上|不一样|有偏差|偏大)|"
                r"accuracy|precision|tolerance|allclose|精度|"
                r"结果不(?:一致|同)|误差|复现",
            ),
            none=(
                r"illegal memory",
                r"out of memory",
                QUIET,
            ),
        ),
        Clue(all=(KNOB, OTHER_NUMBERS), none=(QUIET,)),
    ),
)
def numerics_changed_by_environment(
    environment: Environment, *, numerics_trial: NumericsTrial | None = None
) -> Iterator[Hit]:
    for (name, value), effect in EFFECTS.items():
        if environment.variables.get(name) == value:
            yield Hit(
                subject=f"env:{name}",
                summary=message(
                    f"{{name}}={{value}}: {effect.en}",
                    f"{{name}}={{value}}：{effect.zh}",
                    name=name,
                    value=value,
                ),
                because=cite(f"environment[{name}]"),
                remedy=_unset(name),
            )
    by_variable = environment.variables.get("TORCH_ALLOW_TF32_CUBLAS_OVERRIDE") == "1"
    devices = numerics_trial.devices if numerics_trial else {}
    for index, device in list(devices.items())[:1]:  # every GPU has the same interpreter
        if was_read(device, "flags"):
            yield from _flags(index, device, by_variable)
            yield from _of_processor(index, device)


def _flags(index: str, device: NumericsTried, by_variable: bool) -> Iterator[Hit]:
    """Yield the flags that were set before the job's first line; that of the variable has been told."""
    for name, value, effect in unusual(device):
        if by_variable and effect is NARROW:
            continue
        yield Hit(
            subject=f"flag:{name}",
            variant="flag",
            summary=message(
                f"torch starts with {{name}} = {{value}}: {effect.en}",
                f"torch 启动时 {{name}} = {{value}}：{effect.zh}",
                name=name,
                value=value,
            ),
            because=cite(f"numerics_trial[{index}].flags[{name}]"),
            remedy=FIND,
        )


def _of_processor(index: str, device: NumericsTried) -> Iterator[Hit]:
    for name in OF_PROCESSOR:
        value = device.variables.get(name, "")
        if value.upper() in NARROWER:
            yield Hit(
                subject=f"env:{name}",
                summary=message(
                    "{name}={value}: float32 products of the processor may use narrower types",
                    "{name}={value}：处理器上的 float32 乘积可能用更窄的类型计算",
                    name=name,
                    value=value,
                ),
                because=cite(f"numerics_trial[{index}].variables[{name}]"),
                remedy=_unset(name),
            )


def _unset(name: str) -> Remedy:
    why = message("the precision is then what the program asks for", "此后精度由程序自己决定")
    return Remedy(
        message("unset {name} if it is not intended", "如非有意，取消设置 {name}", name=name),
        (Step(Verb.ENV_UNSET, why, {"name": name}),),
        Automation.APPROVAL,
        Undo.EXACT,
    )
