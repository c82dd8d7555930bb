"""Faults of this layer, one per file; one line each here."""

FAULTS = (
    "allocator_config_invalid",
    "cuda_jit_cache_disabled",
    "debug_setting_left_on",
    "env_name_deprecated",
    "gpu_arch_dropped_from_wheels",
    "gpu_kernel_failed",
    "kernel_int32_offset_overflow",
    "numerics_changed_by_environment",
    "nvrtc_older_than_gpu",
    "ptx_jit_on_first_use",
    "safety_check_disabled_by_env",
    "tensorrt_engine_built_with_other_version",
    "torch_cuda_unavailable",
    "torch_import_failed",
    "triton_unsupported_on_old_gpu",
    "wsl_pinned_memory_limit",
)
