"""Lines of healthy output that hold words of complaint: ``Pending : No``, ``Is debug build: False``."""

import re

ORDINARY = re.compile(
    "|".join(
        (
            # collect_env and lscpu
            r"(?:Is debug build|Is XPU available|Is XNNPACK available) *: (?:True|False)$",
            r"(?:ROCM used to build PyTorch|HIP runtime version|MIOpen runtime version) *: N/A$",
            r"(?:GCC|Clang|CMake) version *: Could not collect$",
            r"\[(?:conda|pip3?)\] Could not collect$",
            r"(?:Caching allocator config|ROCM Version|Neuron SDK Version) *: (?:N/A|Could not collect)$",
            r"Vulnerability [\w ./-]+: ",
            r"Flags: +fpu ",
            r"- Build settings: ",
            # nvidia-smi -q -x and -q
            r"</?\w+>$",
            r"<\w+>(?:N/A|No|None|Enabled|Disabled|Not Active|-?\d[\w. /%]*)</\w+>$",
            r"[A-Z][\w /()#.-]{1,60} : "
            r"(?:N/A|No|None|Enabled|Disabled|Not Active|Not Supported|-?\d[\d.]* ?\w{0,4})$",
            r"(?:ECC Errors|Retired Pages|Remapped Rows|Clocks (?:Event|Throttle) Reasons)$",
            r"(?:Single|Double) Bit ECC$",
            # nvidia-smi topo
            r"(?:X|SYS|NODE|PHB|PXB|PIX|NV#|OK|CNS|GNS|TNS|NS|U) += [A-Z]",
            # nccl-tests
            r"#$|# *(?:nThread \d|Using devices$|Rank +\d+ .*\bPid +\d|size +count +type|\(B\) +\(elements\)"
            r"|out-of-place +in-place|Out of bounds values *: 0 OK|Avg bus bandwidth|Collective test [sc]"
            r"|nccl-tests version|Reducing maxBytes)",
            r"\d+ +\d+ +[a-z]\w{1,15}(?: +[a-z]\w{1,15})?(?: +-?\d+)?(?: +\d[\d.]*){3} +(?:0|N/A)(?: |$)",
            # ls, /proc/driver/nvidia/params
            r"ls: cannot access '?/dev/(?:dri|infiniband)\S*: No such file or directory$",
            r"(?!\w*(?:Error|Exception))[A-Z][a-z]+[A-Z]\w{3,40}: \d{1,12}$",
        )
    )
)


def ordinary(text: str) -> bool:
    """True if a program prints the line when nothing is wrong."""
    return ORDINARY.match(text.strip()) is not None
