"""Faults of this layer, one per file; one line each here."""

FAULTS = (
    "conda_mirror_lacks_nvidia_channel",
    "data_storage_slow",
    "hub_unreachable",
    "mirror_excludes_package",
    "network_storage_stall",
    "pip_mirror_out_of_sync",
    "proxy_body_size_limit",
    "proxy_drops_websocket_upgrade",
    "proxy_intercepts_local_traffic",
)
