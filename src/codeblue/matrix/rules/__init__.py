"""The rules of the matrix, each a pure function of a combination."""

from collections.abc import Callable, Iterator

from codeblue.matrix.rules import (
    companions,
    compilers,
    container,
    cuda_libraries,
    driver_carries_cuda,
    driver_drives_gpu,
    extensions,
    gpu_code,
    interpreter,
    known_bad,
    support,
    torch_build,
)
from codeblue.model.combination import Combination
from codeblue.model.judgement import Judgement

Rule = Callable[[Combination], Iterator[Judgement]]

RULES: tuple[Rule, ...] = (
    torch_build.torch_build,
    torch_build.build_uses_gpus,
    driver_drives_gpu.driver_drives_gpu,
    driver_drives_gpu.kernel_modules,
    driver_carries_cuda.driver_carries_cuda,
    gpu_code.build_has_gpu_code,
    compilers.toolkit_knows_gpu,
    compilers.nvcc_builds_extensions,
    interpreter.python_has_wheel,
    interpreter.glibc_is_new_enough,
    companions.torchvision_fits,
    companions.torchaudio_fits,
    companions.triton_fits,
    cuda_libraries.cudnn_fits,
    cuda_libraries.nccl_fits,
    cuda_libraries.tensorrt_fits,
    extensions.extensions_fit,
    container.requirement_of_image,
    container.toolkit_is_safe,
    support.driver_is_supported,
    known_bad.known_bad,
)
