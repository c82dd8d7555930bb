"""What a trial works with: torch, its device, a clock, and a way to tell what is known so far."""

import time


class Bench:
    """One worker's place: ``device`` is ``cuda:N`` or ``cpu``; ``small`` asks for sizes that take a moment.

    ``tell(**facts)`` adds facts to the row of the trial at work; what was told survives a crash.
    """

    def __init__(self, torch, settings, tell):
        self.torch = torch
        self.device = torch.device(settings["device"])
        self.index = int(settings.get("index", 0))
        self.rank = int(settings.get("rank", 0))
        self.world = int(settings.get("world", 1))
        self.pci = settings.get("pci")
        self.threads = settings.get("own_threads")
        """Threads that torch took before it was told how many."""
        self.small = bool(settings.get("small"))
        self.on_gpu = self.device.type == "cuda"
        self.tell = tell

    def wait(self):
        """Wait until the device has done what it was given."""
        if self.on_gpu:
            self.torch.cuda.synchronize(self.device)

    def seconds(self, work, repeats):
        """Return how long ``repeats`` calls of ``work()`` take by the device's own clock, if it has one."""
        if not self.on_gpu:
            started = time.perf_counter()
            for _ in range(repeats):
                work()
            return time.perf_counter() - started
        begin, end = (self.torch.cuda.Event(enable_timing=True) for _ in range(2))
        begin.record(self.torch.cuda.current_stream(self.device))
        for _ in range(repeats):
            work()
        end.record(self.torch.cuda.current_stream(self.device))
        end.synchronize()
        return begin.elapsed_time(end) / 1000.0

    def batches(self, work, window, batch=0.05):
        """Return the seconds of one call in each of the batches that fill ``window`` seconds.

        ``batch`` is about how long one of them takes; at least two are run.
        """
        once = max(1e-7, self.seconds(work, 1))
        repeats = max(1, int(batch / once))
        until = time.perf_counter() + window
        times = []
        while len(times) < 2 or time.perf_counter() < until:
            times.append(self.seconds(work, repeats) / repeats)
        return times

    def generator(self, seed):
        """Return a source of random numbers on the device; of one seed all GPUs of a kind draw the same."""
        source = self.torch.Generator(device=self.device)
        source.manual_seed(seed)
        return source

    def free_bytes(self):
        """Return how many bytes of the device's memory are free."""
        if self.on_gpu:
            return self.torch.cuda.mem_get_info(self.device)[0]
        return 1 << 30

    def forget(self):
        """Give memory that is not used any more back to the device."""
        if self.on_gpu:
            self.torch.cuda.empty_cache()


def median(values):
    """Return the middle value, or the mean of the two in the middle."""
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def words(error):
    """Return an error in one line of at most 500 characters."""
    return one_line("%s: %s" % (type(error).__name__, error))


def one_line(text):
    """Return a text in one line of at most 500 characters; what is no Unicode (file names) becomes ``?``."""
    return " ".join(text.encode("utf-8", "replace").decode("utf-8").split())[:500]
