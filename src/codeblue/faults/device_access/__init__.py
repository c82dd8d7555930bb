"""Faults of this layer, one per file; one line each here."""

FAULTS = (
    "cgroup_device_access_denied",
    "cgroup_device_access_lost",
    "compute_mode_exclusive",
    "device_node_missing",
    "device_node_permissions",
    "device_node_stale",
    "mig_slice_not_selected",
    "playbook_sets_device_node_mode",
    "selinux_denies_gpu_devices",
    "udev_rule_ineffective",
    "unit_hides_gpus",
    "uvm_device_node_missing_in_container",
    "virtual_memory_limit_too_low",
)
