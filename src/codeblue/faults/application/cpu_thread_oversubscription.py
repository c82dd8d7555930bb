"""
## What it means
OpenMP, MKL, OpenBLAS and OpenCV open one thread for each core they can see. With eight ranks, or thirty
data loader workers, on a host with 128 cores that makes thousands of threads. They fight for the cores,
spin in barriers, and the GPUs wait.

## Why it happens
`OMP_NUM_THREADS` is not set. torchrun sets it to 1, but plain `python`, mp.spawn, Ray actors, mpirun and
inference servers do not. In a container the libraries often see the host's cores although the CPU limit
(`cpu.max`) is a few.

## When it is not a fault
High load alone is fine as long as the GPUs are busy. A job with one process may use all cores.

## What to do
Count threads: `ls /proc/PID/task | wc -l`; `nr_throttled` in `cpu.stat` grows when a container exceeds its
limit. Set the variables before Python starts. `codeblue trial loader` compares
both ways; measure with 1, 2, 4, 8 threads: more is seldom better.

## How safe the fix is
Only speed and the last bits of CPU sums change. Too few threads slow preprocessing and CPU optimizers
(ZeRO-Offload).
"""

from collections.abc import Iterator

from codeblue.faults.feeding import tried, usable
from codeblue.model.facts import LoaderTrial, Sightings
from codeblue.model.fault import Certainty, Clue, Hit, Kind, Reference, Severity, cite, fault
from codeblue.model.layers import Layer
from codeblue.model.remedy import Automation, Remedy, Step, Undo, Verb
from codeblue.model.section import was_read
from codeblue.model.text import Text, message

GAIN = 1.5
"""How much more processes must do with one thread each to call their threads too many."""


REMEDY = Remedy(
    message("share the cores out among the processes", "把核数分给各进程"),
    (
        Step(
            Verb.INSTRUCT,
            message(
                "export OMP_NUM_THREADS=<cores of the job divided by its processes> (also MKL_NUM"
                "_THREADS), call cv2.setNumThreads(0) in workers, and keep num_workers below the "
                "cores",
                "export OMP_NUM_THREADS=<作业的核数除以进程数>（MKL_NUM_THREADS 同理），"
                "在 worker 里调用 cv2.setNumThreads(0)，num_workers 不要超过核数",
            ),
        ),
    ),
    Automation.HUMAN,
    Undo.NONE,
)


@fault(
    "cpu-thread-oversubscription",
    title=Text("Each process starts as many threads as the host has cores", "每个进程都按主机核数开线程"),
    layer=Layer.APPLICATION,
    kind=Kind.TROUBLE,
    severity=Severity.WARNING,
    explains=("process-limit-too-low", "data-loader-does-not-scale"),
    references=(
        Reference(
            "PyTorch: CPU threading",
            "https://docs.pytorch.org/docs/stable/notes/cpu_threading_torchscript_inference.html",
            "2026-12-01",
        ),
        Reference(
            "pytorch/pytorch#22260: OMP_NUM_THREADS with several processes",
            "https://github.com/pytorch/pytorch/issues/22260",
            "2026-12-01",
        ),
    ),
    clues=(
        Clue(
            all=(
                "OMP_NUM_THREADS|MKL_NUM_THREADS|OPENBLAS_NUM_THREADS|[sg]et_num_threads"
                r"|set_num_interop|\bOMP\b|openmp|\bthreads?\b|线程",
                r"oversubscri\w*|over-subscri\w*|overcommit\w*|too many threads"
                r"|(?:number of )?threads? (?:explod\w*|per (?:worker|process|rank|core|gpu))"
                "|(?:as many|one) threads?.{0,30}(?:core|cpu)|(?:each|every) (?:worker|process"
                r"|rank|replica|actor)\w*.{0,50}threads?|threads?.{0,50}(?:each|every"
                "|per) (?:worker|process|rank|replica|actor)|threads?.{0,30}(?:all|number of"
                "|as many|equal to).{0,12}(?:cores|cpus)|load (?:average )?(?:of |is |was |goes "
                r"|at )?.{0,12}[1-9]\d{2,}|[1-9]\d{2,} threads|(?:hundreds|thousands) of threads"
                r"|get_num_threads\(\)\D{0,12}\d{2,}|context switch\w*|thrash\w*|\bcontention\b"
                r"|CPU.{0,16}(?:[4-9]\d{2}|\d{4,}) ?%|线程(?:数)?.{0,6}(?:过多|太多|爆炸|超)|(?:每个"
                r"|各) ?(?:进程|worker|rank).{0,16}线程|all (?:the |of the )?(?:\d+ )?(?:host )?cores"
                "|超额订阅|争抢|抢占.{0,4}(?:CPU|核)|负载(?:很|过|特别)?高",
                r"\bslow\w*|halv\w*|(?:step|data|iteration|iter|load)[_ ]?time|time per (?:step"
                r"|batch|iteration)|low (?:gpu )?util\w*|(?:gpu|util\w*).{0,20}(?:low|idle"
                r"|starv\w*|drop\w*|wait\w*)|\bfaster\b|speed\w*|performance|bottleneck|\bhours\b"
                "|throughput|takes? .{0,15}(?:min|hour|long)|很慢|变慢|太慢|更慢|慢了|缓慢"
                "|利用率.{0,4}低|变快|快了|性能",
            ),
            none=(
                "Setting OMP_NUM_THREADS environment variable|--oversubscribe|OverSubscribe="
                "|Resource temporarily unavailable|can't start new thread|pthread_create"
                r"|\bnproc\b[^_]",
            ),
        ),
        Clue(
            all=(
                r"(?:OMP|MKL|OPENBLAS)_NUM_THREADS|[sg]et_num_threads|cv2\.setNumThreads|torch"
                "|data ?loader",
                r"too many threads|threads? explod\w*|threads?.{0,20}explosion|oversubscri\w*"
                r"|over-subscri\w*|线程.{0,6}(?:过多|太多|爆炸)|超额订阅",
            ),
            none=(
                "Setting OMP_NUM_THREADS environment variable|--oversubscribe|OverSubscribe="
                r"|OVERSUBSCRIBE|MemoryScaling|oversubscri\w* (?:gpu|memory|vram)|(?:gpu"
                "|memory) oversubscri|Resource temporarily unavailable|can't start new thread"
                r"|pthread_create|\bnproc\b[^_]",
            ),
        ),
        Clue(
            all=(
                r"(?:OMP|MKL|OPENBLAS)_NUM_THREADS ?= ?\d+|set_num_threads\(\d+\)|(?:set\w*"
                r"|limit\w*|with|reduc\w*|low\w*) (?:the )?(?:OMP_NUM_THREADS|MKL_NUM_THREADS"
                "|number of threads|thread count)|(?:设置|限制|设为|设成).{0,20}(?:OMP_NUM_THREADS|线程数)",
                r"\b(?:fix\w*|solve[sd]?|help(?:s|ed)|resolve[sd]?|faster|speeds? up|sped up"
                "|times? as fast|back to normal|much better)|恢复|解决|变快|快了|正常",
                r"\bslow\w*|stuck|hang\w*|hung|load|\bcpu\b|data ?loader|workers?\b|卡住|很慢|变慢|太慢|负载",
            ),
            none=(
                "Setting OMP_NUM_THREADS environment variable for each process to be 1"
                r"|\bnproc\b[^_]|libgomp.*TLS|pthread_create",
            ),
        ),
        Clue(
            all=(
                "(?:OMP|MKL|OPENBLAS)_NUM_THREADS|[sg]et_num_threads",
                r"load (?:average)?:? ?.{0,12}[1-9]\d{2,}|ps -eLf|\bnlwp\b|Threads:\s+[1-9]\d{2,}"
                r"|\d+ (?:data ?loader )?workers.{0,24}\d+ cores"
                r"|\d+ cores.{0,24}\d+ (?:data ?loader )?workers|线程数|负载.{0,8}[1-9]\d{2,}",
                r"data[_ ]?time|step[_ ]?time|it/s|samples/s|img/s|gpu util\w*|gpu.{0,12}\d+ ?%"
                r"|利用率|tokens/s|throughput|OMP_NUM_THREADS ?= ?\d+.{0,40}(?:->|=>|→)|吞吐|每步|耗时",
            ),
            none=(
                "Setting OMP_NUM_THREADS environment variable|Resource temporarily unavailable"
                "|can't start new thread|pthread_create",
            ),
        ),
        Clue(
            all=(
                r"每个.{0,10}(?:开|起|启动|创建)了? ?\d{2,}.{0,14}线程|(?:each"
                r"|every) .{0,40}\d{2,} (?:\w+ )?threads",
                r"GPU.{0,10}(?:空闲|闲着|利用率|\bidle|\bwait|starv)|负载|\bload (?:average|of|is)"
                r"|\bload \d{3}|很慢|变慢|\bslow",
            ),
            none=(
                "Setting OMP_NUM_THREADS environment variable|Resource temporarily unavailable"
                "|can't start new thread|pthread_create",
            ),
        ),
    ),
    remedy=REMEDY,
    next_command="nproc; for p in $(pgrep -f train); do echo $p $(ls /proc/$p/task "
    "| wc -l); done; cat /sys/fs/cgroup/cpu.max /sys/fs/cgroup/cpu.stat",
)
def cpu_thread_oversubscription(
    sightings: Sightings | None = None, *, loader_trial: LoaderTrial | None = None
) -> Iterator[Hit]:
    found = tried(loader_trial)
    if found is None or found.row.small or not was_read(found.row, "crowd"):
        return
    crowd, processors = found.row.crowd, found.row.processors
    if crowd.error is not None or crowd.per_second_single < GAIN * crowd.per_second:
        return
    # Without a variable and a quota each process opens one thread for each processor, on any machine.
    if crowd.threads < 2 * usable(processors) and not processors.variables:
        return
    if crowd.threads * crowd.processes > 2 * usable(processors):
        where = f"{found.path}.crowd"
        yield Hit(
            subject="cpus",
            kind=Kind.RISK,
            certainty=Certainty.LIKELY,
            summary=message(
                "{processes} processes with {threads} threads each do {many} products a second on {cpus} "
                "processors, with one thread each {single}",
                "{processes} 个进程各开 {threads} 个线程，在 {cpus} 个处理器上每秒完成 {many} 次乘积；"
                "各用一个线程时为 {single} 次",
                processes=crowd.processes,
                threads=crowd.threads,
                cpus=f"{usable(processors):g}",
                many=f"{crowd.per_second:.0f}",
                single=f"{crowd.per_second_single:.0f}",
            ),
            because=cite(
                f"{where}.threads", f"{where}.processes", f"{where}.per_second", f"{where}.per_second_single"
            ),
        )
