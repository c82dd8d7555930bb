"""What trials reach against loops written by hand in the same minutes: ``python -m benchmarks.trial``.

Needs a GPU and an interpreter with torch (``--python``). Each round measures by hand, then by trial.
"""

import argparse
import json
import subprocess
import sys
import time
from statistics import median
from typing import Any

HAND = """
import json, time, torch
def best(work, flops, window=1.5):
    for _ in range(3): work()
    torch.cuda.synchronize()
    rates, until = [], time.time() + window
    while time.time() < until:
        a, b = torch.cuda.Event(True), torch.cuda.Event(True)
        a.record()
        for _ in range(20): work()
        b.record(); b.synchronize()
        rates.append(20 * flops / a.elapsed_time(b) / 1e9)
    return sorted(rates[len(rates) // 2:])[len(rates) // 4]
n = 8192
told = {}
for name, kind, tf32 in (("bf16", torch.bfloat16, 0), ("fp16", torch.float16, 0), ("tf32", torch.float32, 1),
                         ("fp32", torch.float32, 0)):
    torch.backends.cuda.matmul.allow_tf32 = bool(tf32)
    a, b = (torch.randn(n, n, device="cuda").to(kind) for _ in range(2))
    c = torch.empty_like(a)
    told[name + "-tflops"] = best(lambda: torch.mm(a, b, out=c), 2 * n ** 3)
    del a, b, c
    torch.cuda.empty_cache()
count = int(torch.cuda.mem_get_info()[0] * 0.42) // 4
a = torch.ones(count, device="cuda"); b = torch.empty_like(a)
told["copy-gbs"] = best(lambda: b.copy_(a), 8e3 * count, 0.8)
del a, b
torch.cuda.empty_cache()
size = 512 << 20
host = torch.ones(size, dtype=torch.uint8).pin_memory()
device = torch.empty(size, dtype=torch.uint8, device="cuda")
told["to-device-node0-gbs"] = best(lambda: device.copy_(host, non_blocking=True), 1e3 * size, 0.5)
told["from-device-node0-gbs"] = best(lambda: host.copy_(device, non_blocking=True), 1e3 * size, 0.5)
print(json.dumps(told))
"""


def main() -> None:
    """Print the share of the hand-run speed that the trial reached, and how long the trials take."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--python", default=sys.executable, help="interpreter with torch")
    parser.add_argument("--rounds", type=int, default=3)
    given = parser.parse_args()
    hand: dict[str, list[float]] = {}
    trial: dict[str, list[float]] = {}
    ratios: dict[str, list[float]] = {}
    for _ in range(given.rounds):
        by_hand = json.loads(_output([given.python, "-c", HAND]))
        by_trial = _trial(given.python)
        for key, speed in by_hand.items():
            hand.setdefault(key, []).append(speed)
            trial.setdefault(key, []).append(by_trial[key])
            ratios.setdefault(key, []).append(by_trial[key] / speed)
    print("measure | by hand | by trial | ratio, median | least")
    print("--- | --- | --- | --- | ---")
    for key, found in ratios.items():
        middle = (f"{median(hand[key]):.1f}", f"{median(trial[key]):.1f}", f"{median(found):.3f}")
        print(" | ".join((key, *middle, f"{min(found):.3f}")))
    started = time.monotonic()
    _output([sys.executable, "-m", "codeblue", "trial", "--on", f"python:{given.python}", "--format", "json"])
    print(f"\nall trials: {time.monotonic() - started:.1f} s")


def _trial(python: str) -> dict[str, float]:
    command = [sys.executable, "-m", "codeblue", "trial", "gpu", "memory", "--on", f"python:{python}"]
    told: dict[str, Any] = json.loads(_output([*command, "--format", "json"]))
    return {row["key"]: row["value"] for row in told["measures"] if row["subject"] == "gpu:0"}


def _output(command: list[str]) -> str:
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode not in (0, 1, 3):
        sys.exit(f"{command[0]} ended with {done.returncode}")
    return done.stdout


if __name__ == "__main__":
    main()
