"""Small programs that fail in a known way; their standard error is the log of the experiment."""

from textwrap import dedent

PROGRAMS = {
    "ordinal": "import torch; torch.cuda.set_device(5)",
    "oom-own": """
        import torch
        kept = [torch.empty(40 << 30, dtype=torch.uint8, device="cuda") for _ in range(8)]
    """,
    "oom-other": 'import torch; torch.empty(40 << 30, dtype=torch.uint8, device="cuda")',
    "hog": """
        import sys, torch
        kept = torch.empty(120 << 30, dtype=torch.uint8, device="cuda")
        print("holding", flush=True)
        sys.stdin.read()
    """,
    "burner": """
        import sys, threading, torch
        left, right = (torch.randn(8192, 8192, device="cuda", dtype=torch.bfloat16) for _ in range(2))
        out = left @ right
        torch.cuda.synchronize()
        print("burning", flush=True)
        threading.Thread(target=lambda: (sys.stdin.read(), __import__("os")._exit(0)), daemon=True).start()
        while True:
            for _ in range(50):
                torch.mm(left, right, out=out)
            torch.cuda.synchronize()
    """,
    "fraction": """
        import torch
        torch.cuda.set_per_process_memory_fraction(0.01)
        torch.empty(40 << 30, dtype=torch.uint8, device="cuda")
    """,
    "loader": """
        import torch
        class Images(torch.utils.data.Dataset):
            def __len__(self): return 64
            def __getitem__(self, n): return torch.zeros(3, 224, 224)
        for batch in torch.utils.data.DataLoader(Images(), batch_size=16, num_workers=2): pass
    """,
    "index": """
        import torch
        table = torch.nn.Embedding(10, 4).cuda()
        print(table(torch.tensor([3, 99], device="cuda")))
    """,
    "illegal": """
        import cupy
        kernel = cupy.RawKernel('extern "C" __global__ void k(int* p) { p[(size_t)1 << 36] = 1; }', "k")
        kernel((1,), (32,), (cupy.zeros(4, dtype=cupy.int32),))
        cupy.cuda.Device().synchronize()
    """,
    "segfault": "import ctypes, faulthandler; faulthandler.enable(); ctypes.string_at(0)",
    "port": """
        import socket, torch.distributed as dist
        taken = socket.socket(); taken.bind(("127.0.0.1", 0)); taken.listen()
        address = f"tcp://127.0.0.1:{taken.getsockname()[1]}"
        dist.init_process_group("gloo", init_method=address, rank=0, world_size=1)
    """,
    "fork": """
        import multiprocessing, torch
        torch.zeros(1, device="cuda")
        def work(): torch.zeros(1, device="cuda")
        child = multiprocessing.get_context("fork").Process(target=work)
        child.start(); child.join()
    """,
    "cpu-tensor": """
        import torch
        torch.nn.Linear(4, 4).cuda()(torch.zeros(1, 4))
    """,
    "conv": """
        import torch
        print(torch.nn.Conv2d(3, 8, 3).cuda()(torch.zeros(2, 3, 32, 32, device="cuda")).shape)
    """,
}

OTHER_ARCHITECTURE = """
#include <cstdio>
__global__ void nothing() {}
int main() {
    nothing<<<1, 1>>>();
    cudaError_t error = cudaDeviceSynchronize();
    if (error == cudaSuccess) error = cudaGetLastError();
    if (error != cudaSuccess) std::fprintf(stderr, "CUDA error: %s\\n", cudaGetErrorString(error));
    return error;
}
"""


def program(name: str) -> str:
    """Return the text of a workload."""
    return dedent(PROGRAMS[name]).strip()
