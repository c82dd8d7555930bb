"""Flags of torch that change numbers, and the value that each has where nobody has touched it."""

from collections.abc import Iterator
from typing import NamedTuple

from codeblue.model.facts.trials.numerics import NumericsTried
from codeblue.model.text import Text

UNSET = ("none", "ieee")
"""Values of the newer flags of precision that ask for nothing less than float32."""


class Setting(NamedTuple):
    """Flags of one meaning; releases and functions have their own names for it."""

    names: tuple[str, ...]
    usual: tuple[str, ...]
    effect: Text


NARROW = Text("float32 products may use narrower types", "float32 矩阵乘可以用更窄的类型计算")

SETTINGS = (
    Setting(
        (
            "get_float32_matmul_precision",
            "cuda.matmul.allow_tf32",
            "cuda.matmul.fp32_precision",
            "mkldnn.matmul.fp32_precision",
            "fp32_precision",
        ),
        ("highest", "False", *UNSET),
        NARROW,
    ),
    Setting(
        ("mkldnn.allow_tf32", "mkldnn.conv.fp32_precision", "mkldnn.fp32_precision"),
        ("False", *UNSET),
        Text(
            "float32 convolutions on the processor may use narrower types",
            "处理器上的 float32 卷积可以用更窄的类型计算",
        ),
    ),
    Setting(
        ("cudnn.allow_tf32",),
        ("True",),
        Text(
            "float32 convolutions on the GPU do not use TF32, unlike elsewhere",
            "GPU 上的 float32 卷积不使用 TF32，与别处不同",
        ),
    ),
    Setting(
        ("cudnn.benchmark",),
        ("False",),
        Text(
            "cuDNN chooses its algorithms by the clock: another start may choose others",
            "cuDNN 靠计时挑选算法：换一次启动可能选到别的算法",
        ),
    ),
    Setting(
        ("cudnn.enabled",),
        ("True",),
        Text("convolutions do not use cuDNN", "卷积不使用 cuDNN"),
    ),
    Setting(
        ("mkldnn.enabled",),
        ("True",),
        Text("the processor does not use oneDNN", "处理器不使用 oneDNN"),
    ),
    Setting(
        ("cuda.matmul.allow_fp16_accumulation",),
        ("False",),
        Text("float16 products are summed in float16", "float16 乘积用 float16 累加"),
    ),
    Setting(
        (
            "cuda.matmul.allow_fp16_reduced_precision_reduction",
            "cuda.matmul.allow_bf16_reduced_precision_reduction",
        ),
        ("True",),
        Text(
            "partial sums of half precision stay exact, unlike elsewhere",
            "半精度的部分和保持精确，与别处不同",
        ),
    ),
    Setting(
        ("get_default_dtype",),
        ("torch.float32",),
        Text("new tensors have another type than float32", "新张量的类型不是 float32"),
    ),
    Setting(
        ("is_autocast_enabled",),
        ("False",),
        Text("autocast is on from the start", "autocast 一启动就打开"),
    ),
    Setting(
        ("flush_denormal",),
        ("False",),
        Text("the processor turns the smallest numbers into zero", "处理器把极小的数当作零"),
    ),
)
"""A flag that makes results repeatable changes numbers too, but nobody minds."""


def unusual(device: NumericsTried) -> Iterator[tuple[str, str, Text]]:
    """Yield name, value and effect of each flag that somebody has set before the job's first line.

    One for each meaning. A flag whose value torch refuses to tell, since old and new names were mixed,
    is no evidence.
    """
    for setting in SETTINGS:
        for name in setting.names:
            value = device.flags.get(name)
            if value is not None and value not in setting.usual and not value.endswith("Error"):
                yield name, value, setting.effect
                break
