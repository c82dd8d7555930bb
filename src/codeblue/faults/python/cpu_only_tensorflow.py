"""
## What it means
TensorFlow cannot use the GPU of this machine: either the distribution `tensorflow-cpu` is installed,
or TensorFlow found no CUDA libraries when it was loaded and said so. It then runs on the CPU.

## Why it happens
`pip install tensorflow` brings no CUDA: the libraries come with the extra `tensorflow[and-cuda]`. The
image or the requirements name `tensorflow-cpu`. Or CUDA is installed system-wide in another major
version than this TensorFlow was built for, or outside the loader's path. In spite of its words the line
often has nothing to do with the driver.

## When it is not a fault
On a machine without a GPU the line is a plain fact. Where TensorFlow is only a side package (Keras with
another backend, TensorBoard, data sets) and torch or JAX has the GPU, ignore it; a log that shows no
more than this line is therefore reported as a risk.

## What to do
Install `tensorflow[and-cuda]` in the job's interpreter; for `tensorflow-cpu` uninstall that first, since
both use one folder. Then `python -c "import tensorflow as tf; print(tf.config.list_physical_devices('GPU'))"`
must not be empty. If it is, start it with `TF_CPP_MIN_LOG_LEVEL=0`: the log names the library that
could not be loaded.

## How safe the fix is
The extra pins versions of the NVIDIA packages that torch in the same environment uses too; give each
framework an environment of its own. The old packages can be installed again.
"""

from collections.abc import Iterator

from codeblue.faults.python.framework_intent import gpu_unwanted, others_beside
from codeblue.faults.python.gpu_at_hand import gpu_at_hand, kept_out
from codeblue.faults.seen import seen_here
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
from codeblue.model.fault import Certainty, Hit, Kind, Reference, Severity, Signature, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.text import Text, message

ID = "cpu-only-tensorflow"
CPU, FULL = "tensorflow-cpu", "tensorflow"


@fault(
    ID,
    title=Text("TensorFlow is installed without CUDA", "安装的 TensorFlow 不带 CUDA"),
    layer=Layer.PYTHON,
    kind=Kind.RISK,
    severity=Severity.WARNING,
    references=(
        Reference("TensorFlow: install with pip", "https://www.tensorflow.org/install/pip", "2026-11-30"),
    ),
    signatures=(
        Signature(
            "Could not find cuda drivers",
            r"Could not find cuda drivers on your machine, GPU will not be used",
            Certainty.POSSIBLE,
        ),
    ),
    remedy=Remedy(
        message("install tensorflow[and-cuda]", "安装 tensorflow[and-cuda]"),
        (
            Step(
                Verb.INSTRUCT,
                message(
                    "in the interpreter of the job: pip uninstall tensorflow-cpu if it is there, "
                    'then pip install "tensorflow[and-cuda]"',
                    "用作业的解释器：如果装了 tensorflow-cpu 先卸载，"
                    '再执行 pip install "tensorflow[and-cuda]"',
                ),
            ),
        ),
        Automation.HUMAN,
        Undo.COMPENSATING,
    ),
    next_command="python -c \"import tensorflow as tf; print(tf.config.list_physical_devices('GPU'))\"",
)
def cpu_only_tensorflow(
    python: Python,
    torch: Torch | None,
    host: Host,
    container: Container | None,
    nodes: Nodes | None,
    pci: Pci | None = None,
    loader: Loader | None = None,
    environment: Environment | None = None,
    sightings: Sightings | None = None,
) -> Iterator[Hit]:
    name = next((name for name in (FULL, CPU) if name in python.distributions), None)
    seen = seen_here(ID, sightings, host)
    beside = others_beside(python, torch, FULL)
    if name is None or not (seen or (name == CPU and not beside)):
        return
    gpu = gpu_at_hand(host, pci, loader)
    if gpu is None or kept_out(container, nodes, host) or gpu_unwanted(environment):
        return
    yield Hit(
        subject=f"distribution:{name}",
        summary=message(
            "{name} {version} runs without CUDA, and the machine has an NVIDIA GPU",
            "{name} {version} 没有使用 CUDA，而机器上有 NVIDIA GPU",
            name=name,
            version=python.distributions[name].version,
        ),
        because=cite(f"python[{name}].version", gpu),
        kind=Kind.TROUBLE if seen and not beside else Kind.RISK,
        severity=Severity.ERROR if seen and not beside else Severity.NOTE,
        certainty=Certainty.POSSIBLE if beside else Certainty.LIKELY,
    )
