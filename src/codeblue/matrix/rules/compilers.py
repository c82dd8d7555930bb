"""Can this CUDA toolkit compile for the GPU?"""

from collections.abc import Iterator

from codeblue.knowledge.tables import by_key
from codeblue.knowledge.versions import older, parts
from codeblue.matrix.cited import cited
from codeblue.matrix.devices import Device, device
from codeblue.model.combination import Combination
from codeblue.model.judgement import Answer, Judgement
from codeblue.model.text import message


def toolkit_knows_gpu(asked: Combination) -> Iterator[Judgement]:
    """Judge each GPU against the range of toolkits that compile for it."""
    if asked.cuda is None:
        return
    for part in asked.gpus:
        gpu = device(part)
        if gpu is not None:
            yield _judged(".".join(map(str, parts(asked.cuda.value)[:2])), gpu)


def _judged(cuda: str, gpu: Device) -> Judgement:
    late = gpu.last_cuda is not None and older(gpu.last_cuda, cuda)
    early = older(cuda, gpu.min_cuda)
    values = {
        "cuda": cuda,
        "gpu": gpu.name,
        "cc": gpu.cc,
        "first": gpu.min_cuda,
        "last": gpu.last_cuda or "",
    }
    if late:
        text = message(
            "CUDA {cuda} compiles no code for the {gpu} ({cc}) any more; {last} is the last that does",
            "CUDA {cuda} 已不能为 {gpu}（{cc}）编译代码；最后一个支持的版本是 {last}",
            **values,
        )
    elif early:
        text = message(
            "CUDA {cuda} is older than the {gpu} ({cc}); {first} is the first that compiles for it",
            "CUDA {cuda} 早于 {gpu}（{cc}）；最早支持它的版本是 {first}",
            **values,
        )
    else:
        text = message(
            "CUDA {cuda} compiles for the {gpu} ({cc})", "CUDA {cuda} 可为 {gpu}（{cc}）编译", **values
        )
    return Judgement(
        rule="toolkit-compiles-for-gpu",
        answer=Answer.NO if late or early else Answer.YES,
        parts=("cuda", "gpus"),
        text=text,
        sources=cited("cuda_toolkits", cuda, by_key("cuda_toolkits", "version").get(cuda)) + gpu.sources,
    )
