"""The same numbers as elsewhere: a fingerprint of what a job computes with, and a short training."""

import warnings

from codeblue_trials import numerics_operations, numerics_settings
from codeblue_trials.numerics_training import canary

SUITE = 1
"""Raised with every change of operations, inputs or training: only equal ones can be compared."""

THREADS = 4
"""Threads of the processor that computes exact results beside a GPU: others do the same for theirs."""

TF32_NEEDS = (8, 0)
"""Compute capability from which tensor cores take TF32."""


def run(bench, order):
    """Tell settings as the interpreter starts, then operations, streams of random numbers, a training."""
    torch = bench.torch
    warnings.simplefilter("ignore")  # torch warns of old names of flags, and of kernels that it does not take
    bench.tell(
        suite=SUITE,
        flags=numerics_settings.flags(torch),
        variables=numerics_settings.variables(),
        versions=numerics_settings.versions(torch, bench.device),
    )
    if bench.on_gpu:
        torch.set_num_threads(min(THREADS, torch.get_num_threads()))
    operations = {}
    chosen = list(numerics_operations.ORDINARY) + numerics_operations.attentions(torch)
    for name, row in numerics_operations.fingerprint(bench, chosen):
        operations[name] = row
    bench.tell(operations=operations, streams=dict(numerics_operations.streams(bench)))
    bench.tell(canary=canary(bench))
    if bench.on_gpu and torch.cuda.get_device_capability(bench.device) >= TF32_NEEDS:
        operations.update(allowed_tf32(bench))
        bench.tell(operations=operations)


def allowed_tf32(bench):
    """Return the products that may use TF32. Runs last: the flag cannot be put back in every release."""
    bench.torch.backends.cuda.matmul.allow_tf32 = True
    bench.torch.backends.cudnn.allow_tf32 = True
    return dict(numerics_operations.fingerprint(bench, numerics_operations.ORDINARY[:3], ("tf32",)))
