"""
## What it means
Products of float32 matrices, or float32 convolutions, came out with the precision of a narrower type: an
error of 3e-4 is that of TF32, 2e-3 that of bfloat16, where float32 has 1e-6. No flag of torch allows so much.
Nothing fails. Training mostly converges all the same; comparisons with other machines, solvers, small
differences of large numbers and evaluation at the third digit do not survive it.

## Why it happens
`NVIDIA_TF32_OVERRIDE=1` switches TF32 on below torch, in cuBLAS and cuDNN: torch still says that it is off.
Emulation in cuBLAS, a patched operator, a plugin that replaces kernels, or a compiler that was told to be
fast do the same.

## When it is not a fault
TF32 that the program asks for (`torch.set_float32_matmul_precision("high")`), and TF32 in convolutions on
the GPU, which torch allows by default, are not reported. Many trainings do not care.

## What to do
Look at the environment variables of the job first, then at what replaces operators: `python -X importtime -c
"import torch"` shows what is loaded beside torch. Run `codeblue trial numerics` without it to see the
error fall.

## How safe the fix is
Exact float32 products are several times slower on GPUs with tensor cores. Results change within the
rounding of TF32.
"""

from collections.abc import Iterator

from codeblue.model.facts import GpuTrial, NumericsTrial
from codeblue.model.fault import Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.numerics.precision import REDUCED, WRONG, place, reduced, used
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import UNREAD, Unread, was_read
from codeblue.model.text import Message, Text, message

LOOK = Remedy(
    message("find what makes float32 narrower", "找出让 float32 变窄的原因"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "start the job without variables such as NVIDIA_TF32_OVERRIDE and CUBLAS_EMULATE_*, then "
                "without plugins, until `codeblue trial numerics` shows 1e-6 again",
                "依次去掉 NVIDIA_TF32_OVERRIDE、CUBLAS_EMULATE_* 之类的变量和各种插件，"
                "直到 `codeblue trial numerics` 的误差回到 1e-6",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "float32-precision-reduced",
    title=Text("float32 is computed with less precision than asked for", "float32 的计算精度低于程序要求"),
    layer=Layer.FRAMEWORK,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    symptom=True,
    explains=("environment-computes-differently", "training-canary-diverged"),
    references=(
        Reference(
            "PyTorch: CUDA semantics, TensorFloat-32",
            "https://docs.pytorch.org/docs/stable/notes/cuda.html",
            "2026-12-01",
        ),
    ),
    remedy=LOOK,
    next_command="env | grep -E 'TF32|CUBLAS|CUDNN|TORCH'; python -c 'import torch, sys; print(sys.modules)'",
)
def float32_precision_reduced(
    numerics_trial: NumericsTrial | Unread | None = UNREAD, gpu_trial: GpuTrial | Unread | None = UNREAD
) -> Iterator[Hit]:
    told: set[str] = set()
    for index, device in numerics_trial.devices.items() if isinstance(numerics_trial, NumericsTrial) else ():
        names = list(reduced(device))
        if names:
            told.add(place(index, device))
            row = device.operations[names[0]]
            yield Hit(
                subject=place(index, device),
                summary=_summary(place(index, device), names[0], row.relative_error, used(names[0], row)),
                because=cite(
                    *(f"numerics_trial[{index}].operations[{name}].relative_error" for name in names)
                ),
            )
    for index, tried in gpu_trial.devices.items() if isinstance(gpu_trial, GpuTrial) else ():
        product = tried.products.get("fp32") if was_read(tried, "products") else None
        if product is None or product.error is not None or f"gpu:{index}" in told:
            continue
        if REDUCED < product.relative_error < WRONG["fp32"]:
            yield Hit(
                subject=f"gpu:{index}",
                summary=_summary(f"gpu:{index}", "matmul/fp32", product.relative_error, None),
                because=cite(f"gpu_trial[{index}].products[fp32].relative_error"),
            )


def _summary(where: str, name: str, error: float, narrower: str | None) -> Message:
    like = (f", like {narrower}", f"，相当于 {narrower}") if narrower else ("", "")
    return message(
        f"{{where}}: {{name}} has an error of {{error}}{like[0]}, and no flag of torch allows that",
        f"{{where}}：{{name}} 的误差为 {{error}}{like[1]}，而 torch 没有任何标志允许这么低的精度",
        where=where,
        name=name,
        error=f"{error:.1e}",
    )
