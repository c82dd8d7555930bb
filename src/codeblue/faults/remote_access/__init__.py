"""Faults of this layer, one per file; one line each here."""

FAULTS = (
    "authorized_keys_bad_ownership_or_mode",
    "authorized_keys_wrong_path",
    "container_port_not_published",
    "docker_host_is_remote_vm",
    "jupyter_not_listening_outside",
    "jupyter_open_without_password",
    "jupyter_option_ignored",
    "port_forwarding_disabled",
    "ssh_session_loses_container_env",
    "sshd_config_key_unknown",
    "sudo_drops_environment",
)
