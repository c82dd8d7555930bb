"""
## What it means
A cuDNN from elsewhere, named in `LD_LIBRARY_PATH`, is loaded instead of the one that came with torch,
or together with parts of it. cuDNN is split into several libraries that open each other by name; as
soon as two of them are of different versions a symbol is missing, or torch refuses to go on with
"cuDNN version incompatibility".

## Why it happens
A cluster module, a `.bashrc` line for another framework or a CUDA toolkit with an unpacked cuDNN puts a
folder with `libcudnn*.so` on `LD_LIBRARY_PATH`. Wheels of torch find their first cuDNN library by a
path of their own, but libraries that are opened later follow `LD_LIBRARY_PATH`.

## When it is not a fault
The folder may be on the path and the wheel's copy still be the one that is mapped; then nothing is
wrong. If another copy is mapped and everything works it is told as a risk only: a later update of
either side may break it, and results may differ from machines without that path.

## What to do
Start the job with that folder dropped from `LD_LIBRARY_PATH`, or `env -u LD_LIBRARY_PATH python ...`
as a test. Unload the module for jobs that use wheels. To see what is mapped:
`grep cudnn /proc/PID/maps` while the job runs.

## How safe the fix is
Only processes started afterwards are concerned. A program that really needs the other cuDNN must get
its path by itself, in its own wrapper.
"""

from collections.abc import Iterator

from codeblue.faults.libraries.shadowed_library import shadow
from codeblue.model.facts import Loader, TorchTrial
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, Signature, fault
from codeblue.model.layers import Layer
from codeblue.model.text import Text


@fault(
    "cudnn-shadowed",
    title=Text("Another cuDNN hides the one that torch brings", "另一份 cuDNN 挡住了 torch 自带的 cuDNN"),
    layer=Layer.LIBRARIES,
    kind=Kind.TROUBLE,
    severity=Severity.ERROR,
    explains=("cudnn-version-mismatch", "torch-import-failed", "gpu-kernel-failed"),
    references=(
        Reference(
            "PyTorch: undefined symbol with a system cuDNN on the path",
            "https://github.com/pytorch/pytorch/issues/119989",
            "2026-11-30",
        ),
        Reference(
            "PyTorch: cuDNN version incompatibility with LD_LIBRARY_PATH set",
            "https://github.com/pytorch/pytorch/issues/80637",
            "2026-11-30",
        ),
    ),
    clues=(
        Clue(
            all=(
                r"cudnn version (?:incompat|mismatch)|Loaded runtime CuDNN|but linked against|"
                r"SUBLIBRARY_VERSION_MISMATCH|CUDNN_STATUS_(?:NOT_INITIALIZED|EXECUTION_FAILED|"
                r"INTERNAL_ERROR|VERSION_MISMATCH|BAD_PARAM|NOT_SUPPORTED)|(?:FIND|"
                r"GET) was unable to find an engine|libcudnn\S*: undefined symbol|"
                r"cudnn.{0,30}(?:older|wrong|old version|旧版)|cudnn_\w+.*(?:undefined|not defined)",
                r"module load|modulefile|\blmod\b|LD_LIBRARY_PATH|/usr/(?:local/cuda|lib)\S*libcudnn|"
                r"apt.{0,20}(?:libcudnn|cudnn)|dpkg.{0,20}cudnn|libcudnn\d+ +\d|system(?:'s|"
                r"-wide)? cudnn|系统(?:的|里的)? ?cudnn|cluster|older cudnn",
            ),
            none=(
                r"conda (?:install|list|put)",
                r"=> not found",
                r"cannot open shared",
            ),
        ),
    ),
    signatures=(
        Signature(
            "Could not load library libcudnn",
            r"Could not load library libcudnn\w*\.so[0-9.]*\. Error: /\S+: undefined symbol",
            Certainty.LIKELY,
        ),
        Signature(
            "contains incompatible version of cudnn",
            r"LD_LIBRARY_PATH contains incompatible version of cudnn",
            Certainty.LIKELY,
        ),
        Signature(
            "but linked against (",
            r"cuDNN version incompatibility: .*compiled +against \([0-9, ]+\) but linked against \(",
            Certainty.POSSIBLE,
        ),
        Signature(
            "libcudnn",
            r"/(?:usr|opt)/\S*/libcudnn\w*\.so[0-9.]*: (?:undefined symbol|"
            r"version .* not (?:found|defined))",
            Certainty.LIKELY,
        ),
    ),
    next_command="echo $LD_LIBRARY_PATH; env -u LD_LIBRARY_PATH python -c "
    "'import torch; print(torch.backends.cudnn.version())'",
)
def cudnn_shadowed(loader: Loader, torch_trial: TorchTrial) -> Iterator[Hit]:
    yield from shadow("cudnn", loader, torch_trial)
