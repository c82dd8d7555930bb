"""
## What it means
The memory of this GPU (HBM, GDDR or on-chip SRAM) returned data that its error correction could not
repair. The driver logs Xid 48 with 63, 64, 94 or 95 beside it, newer ones 171 (DRAM) or 172 (SRAM);
CUDA programs end with error 214, "uncorrectable ECC error encountered".
Xid 94 is contained: only the program that read the bad address was ended. Xid 95 and 140 are not:
every program on that GPU may hold wrong data.

## Why it happens
A cell or row of the memory is failing, rarely it was one particle strike. Heat and age make it more
likely. No program and no driver setting can cause it on healthy memory.

## When it is not a fault
Corrected (single-bit) errors are normal and are not counted here. One contained error whose row was
remapped by a reset needs no replacement. The counter read here starts at zero when the driver is loaded,
so it never speaks of last month.

## What to do
Take the GPU out of scheduling, restart the job from its last checkpoint elsewhere, and distrust
results written after an uncontained error. Reset the GPU when it is idle, or reboot: that applies the row
remap. Then read `nvidia-smi -q -d ECC,ROW_REMAPPER`. If errors return after the reset, if the remap
failed, or if the SRAM threshold flag is set, have the board replaced and keep the
output of `nvidia-bug-report.sh`.

## How safe the fix is
A reset ends everything that runs on the GPU, and on NVLink systems may need all GPUs of the node
idle. Nothing on disk changes.
"""

from collections.abc import Iterator

from codeblue.faults.hardware.xids import PREFIX, by_slot, cited, codes_of, gpu_names, gpus
from codeblue.model.facts import KernelLog, MemoryTrial, MemoryTried, Nvml
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import NotRead, was_read
from codeblue.model.text import Text, message

XIDS = (48, 94, 95, 140, 171, 172)
"""Uncorrectable memory errors; 63, 64 and 92 tell of repairs and corrected errors."""

RESET = Remedy(
    message("drain the GPU and reset it", "排空该 GPU 上的任务并复位"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "stop every program on the GPU, then run `nvidia-smi --gpu-reset -i N` as root, or reboot",
                "停止该 GPU 上的所有程序，再以 root 运行 `nvidia-smi --gpu-reset -i N`，或重启机器",
            ),
        ),
        Step(
            Verb.INSTRUCT,
            message(
                "if errors come back after the reset, have the board replaced",
                "如果复位后错误再次出现，请更换板卡",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "gpu-memory-ecc-fault",
    title=Text("GPU memory has errors that ECC cannot correct", "GPU 显存出现 ECC 无法纠正的错误"),
    layer=Layer.HARDWARE,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=(
        "gpu-kernel-failed",
        "row-remap-pending",
        "gpu-reset-required",
        "gpu-xid-error",
        "nvidia-smi-failed",
        "cuda-init-failed",
        "torch-cuda-unavailable",
    ),
    references=(
        Reference(
            "NVIDIA GPU memory error management",
            "https://docs.nvidia.com/deploy/a100-gpu-mem-error-mgmt/index.html",
            "2026-11-30",
        ),
        Reference("NVIDIA Xid errors", "https://docs.nvidia.com/deploy/xid-errors/index.html", "2026-11-30"),
    ),
    signatures=(
        Signature("NVRM: Xid", PREFIX + r"(48|94|95|140|171|172)\b", subject="gpu:{pci}"),
        Signature("uncorrectable ECC error", r"uncorrectable ECC error (was )?encountered"),
        Signature("CUDA_ERROR_ECC_UNCORRECTABLE", "CUDA_ERROR_ECC_UNCORRECTABLE"),
        Signature("cudaErrorECCUncorrectable", "cudaErrorECCUncorrectable"),
    ),
    clues=(
        Clue(
            all=(
                r"(?:Uncorrectable|Uncorrectable Parity|Uncorrectable SEC-DED|Uncorr\. ECC|Double Bit"
                r"|DBE)\b *[:|] *[1-9]\d*|uncorrectable (?:ECC |memory )?errors?\b.{0,30}(?:count|rise"
                r"|grow|climb|increas|encounter|detect|found|seen|report)|uncorrectable ECC error\b"
                "|double[- ]bit (?:ECC )?errors?|不可纠正|无法纠正|双比特",
                r"\bECC\b|dcgmi|\bHBM|Xid|memory test|GPU memory|显存",
            ),
            none=(r"volatile.{0,20}\b0 *$",),
        ),
        Clue(
            all=(
                r"\bECC\b.{0,12}(?:errors?|counters?|counts?) .{0,30}(?:\bon\b|rise|grow|climb|increas"
                "|detected|keep|again)|ECC.{0,6}(?:错误|报错|计数)|bad (?:VRAM|memory|HBM)"
                "|显存.{0,6}(?:坏|故障|损坏)|faulty (?:VRAM|memory|HBM)",
                r"\bRMA|replaced?\b|draine?d\b|Xid|retired page|illegal|garbage|NaN|corrupt|更换|返修"
                "|换卡|报修|illegal memory|CUDA error|报错",
            ),
            none=("correctable errors? are|disable ECC|ECC off|NVRM: Xid",),
        ),
    ),
    remedy=RESET,
    next_command="nvidia-smi -q -d ECC,ROW_REMAPPER",
)
def gpu_memory_ecc_fault(
    kernel_log: KernelLog | None = None, nvml: Nvml | None = None, *, memory_trial: MemoryTrial | None = None
) -> Iterator[Hit]:
    yield from _tried(memory_trial)
    logged = by_slot(kernel_log, XIDS)
    names = gpu_names(nvml)
    for slot, seen in logged.items():
        gpu = names.get(slot, slot)
        yield Hit(
            subject=f"gpu:{gpu}",
            summary=message(
                "GPU {gpu} reported uncorrectable memory errors in this boot (Xid {codes})",
                "GPU {gpu} 在本次启动中报告了无法纠正的显存错误（Xid {codes}）",
                gpu=gpu,
                codes=codes_of(seen),
            ),
            because=cited(seen),
        )
    told = {names.get(slot) for slot in logged}
    for index, row in gpus(nvml).items():
        if row.ecc_uncorrected > 0 and index not in told:
            yield counted(index, row.ecc_uncorrected)


def counted(index: str, errors: int) -> Hit:
    """A counter says that it happened, but not when, nor whether it was contained."""
    return Hit(
        subject=f"gpu:{index}",
        certainty=Certainty.LIKELY,
        summary=message(
            "GPU {gpu} counted {errors} uncorrectable memory errors since its driver was loaded",
            "自驱动加载以来，GPU {gpu} 记录了 {errors} 次无法纠正的显存错误",
            gpu=index,
            errors=errors,
        ),
        because=cite(f"nvml[{index}].ecc_uncorrected"),
    )


def _tried(trial: MemoryTrial | None) -> Iterator[Hit]:
    """Yield the GPUs whose memory lost values that had just been written, or counted errors meanwhile."""
    for index, row in trial.devices.items() if trial else ():
        wrong = row.pattern.wrong if was_read(row, "pattern") and row.pattern.error is None else 0
        counted = _uncorrected_meanwhile(row)
        if wrong:
            yield Hit(
                subject=f"gpu:{index}",
                summary=message(
                    "the memory of GPU {gpu} gave back {wrong} values other than were written",
                    "GPU {gpu} 的显存读回的值有 {wrong} 个与写入的不同",
                    gpu=index,
                    wrong=wrong,
                ),
                because=cite(
                    f"memory_trial[{index}].pattern.wrong", f"memory_trial[{index}].pattern.offsets"
                ),
            )
        elif counted:
            yield Hit(
                subject=f"gpu:{index}",
                summary=message(
                    "GPU {gpu} counted {errors} uncorrectable memory errors during the trial",
                    "测试期间 GPU {gpu} 记录了 {errors} 次无法纠正的显存错误",
                    gpu=index,
                    errors=counted,
                ),
                because=cite(f"memory_trial[{index}].errors_after.uncorrected"),
            )


def _uncorrected_meanwhile(row: MemoryTried) -> int:
    try:
        return row.errors_after.uncorrected - row.errors_before.uncorrected
    except NotRead:
        return 0
