"""The catalogue: everything codeblue can say, one fault per file, one line each here.

A fault with a check is a module; one that is known by its log line alone is a Markdown
file with metadata in front. ``make index`` builds ``index.json`` from this list.
"""

CATALOGUE = (
    "hardware/bios_above_4g_decoding_disabled",
    "hardware/gpu_fallen_off_bus",
    "hardware/gpu_memory_ecc_fault",
    "hardware/gpu_overheating",
    "hardware/gpu_power_supply_inadequate",
    "hardware/gpu_reset_required",
    "hardware/gpu_xid_error",
    "hardware/no_nvidia_gpu",
    "hardware/pcie_link_width_reduced",
    "hardware/row_remap_failed",
    "hardware/row_remap_pending",
    "driver/vm_mmio_window_too_small",
    "device_access/device_node_permissions",
    "libraries/cuda_init_failed",
    "application/index_out_of_range_on_gpu",
)
