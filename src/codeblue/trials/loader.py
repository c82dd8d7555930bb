"""The input side of a job: processors, shared memory, file systems, the DataLoader."""

from codeblue_trials import feeding, processors, storage
from codeblue_trials.bench import words
from codeblue_trials.crowd import Failed, alone

WINDOW, SMALL_WINDOW = 0.5, 0.15
"""Seconds of each measurement."""
CROWD_PATIENCE = 10.0


def run(bench, order):
    """Tell ``processors``, ``shm``, ``storage`` by name, ``feeds`` by data set and workers, ``crowd``."""
    window = SMALL_WINDOW if bench.small else WINDOW
    row = processors.settled(order)
    row["torch_threads"] = bench.threads
    bench.tell(small=bench.small, processors=row)
    try:
        row.update(processors.delivered(row, window))
    except Failed as why:
        row["error"] = str(why)
    bench.tell(processors=row, shm=storage.shared_memory(bench.small))
    usable = processors.usable(row)
    feed(bench, usable, window)
    crowd(bench, row, window)
    places(bench, order)


def feed(bench, usable, window):
    """Tell what a DataLoader feeds."""
    feeds = {"decode": {}, "memory": {}}
    counts = feeding.counts(usable)
    for kind, rows in feeds.items():
        for workers in counts if kind == "decode" else (0, counts[-1]):
            rows[str(workers)] = feeding.fed(bench, kind, workers, window)
            bench.tell(feeds=feeds)
    if bench.on_gpu and "samples_per_second" in feeds["memory"][str(counts[-1])]:
        feeds["pinned"] = {str(counts[-1]): feeding.pinned(bench, counts[-1], window)}
        bench.tell(feeds=feeds)


def crowd(bench, row, window):
    """Tell what processes with many threads each compute beside each other."""
    try:
        found = alone(lambda: processors.crowded(row, window), CROWD_PATIENCE)
    except Failed as why:
        found = {"error": str(why)}
    if found:
        bench.tell(crowd=found)


def places(bench, order):
    """Tell what the file systems do."""
    rows = {}
    for name, path in storage.places(order).items():
        try:
            rows[name] = storage.tried(name, path, bench.small)
        except Exception as error:  # one place must not hide the others
            rows[name] = {"error": words(error)}
        bench.tell(storage=rows)
