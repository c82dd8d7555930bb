"""The program of the torch trial, run by the job's interpreter. It answers in Python literals.

It imports no module of its own: a local json.py must break the trial only if it breaks torch.
Each answer is one line, so that a crash leaves what was known before.
"""

PROGRAM = r"""
import faulthandler, sys, time
os = sys.modules["os"]
result = int(sys.argv[1])
faulthandler.enable()
faulthandler.register(int(sys.argv[2]))

def tell(**facts):
    sys.stderr.flush()  # before Python 3.9 a pipe is written in blocks, which a crash would lose
    os.write(result, (ascii(facts) + "\n").encode("ascii"))

def words(error):
    return "%s: %s" % (type(error).__name__, error)

def load():
    started = time.time()
    try:
        import torch
    except BaseException as error:
        tell(imported=False, error=words(error), import_seconds=round(time.time() - started, 4), end=True)
        os._exit(0)
    tell(imported=True, import_seconds=round(time.time() - started, 4))
    return torch

def library_facts(torch):
    tell(cuda=torch.version.cuda, hip=getattr(torch.version, "hip", None))
    flags = getattr(torch._C, "_cuda_getArchFlags", None)
    tell(arch_list=(flags() or "").split() if flags else [])
    try:
        tell(cudnn=torch.backends.cudnn.version())
    except Exception as error:
        sys.stderr.write(words(error) + "\n")
        tell(cudnn=None)

def kernel(torch, index):
    device = "cuda:%d" % index
    row = {"ok": False, "error": None}
    try:
        row["name"] = torch.cuda.get_device_name(index)
        row["capability"] = "%d.%d" % tuple(torch.cuda.get_device_capability(index))
        ones = torch.ones(64, 64, device=device)
        total = torch.mm(ones, ones) + ones
        torch.cuda.synchronize(index)
        total = float(total.sum().item())
        row["ok"] = total == 64 ** 3 + 64 ** 2
        if not row["ok"]:
            row["error"] = "wrong result: %r" % total
    except Exception as error:
        row["error"] = words(error)
    return row

def touch(torch, order):
    started = time.time()
    available = bool(torch.cuda.is_available())
    tell(available=available)
    count = torch.cuda.device_count()
    tell(count=count)
    if torch.version.cuda and "kernels" in order:
        torch.cuda.init()
        for index in range(count):
            if index not in order["skip"]:
                tell(device=index, row=kernel(torch, index))
        tell(kernel_seconds=round(time.time() - started, 4))

def mapped(wanted):
    paths = set()
    with open("/proc/self/maps") as maps:
        for line in maps:
            path = line.rstrip("\n").split(None, 5)[-1]
            name = path[path.rfind("/") + 1:]
            if path[:1] == "/" and ".so" in name and name.startswith(wanted):
                paths.add(path)
    return sorted(paths)

def main():
    torch = load()
    line = sys.stdin.readline()
    if not line:
        os._exit(0)
    order = eval(line, {"__builtins__": {}})
    error = None
    try:
        library_facts(torch)
        if "cuda" in order:
            touch(torch, order)
    except BaseException as failure:
        error = words(failure)
    tell(error=error, mapped=mapped(tuple(order["libraries"])), end=True)
    os._exit(0)

main()
"""
