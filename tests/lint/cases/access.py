"""sshd, Jupyter, limits, variables, packages."""

from tests.lint.case import clear, fires

SSHD = """
    Include /etc/ssh/sshd_config.d/*.conf
    Port 22
    permitrootlogin no
    AuthorizedKeysFile .ssh/authorized_keys %h/.ssh/more /etc/ssh/keys/%u
    AcceptEnv LANG LC_*
    AllowTcpForwarding yes
    UsePAM yes
    ClientAliveInterval 60
    Subsystem sftp /usr/lib/openssh/sftp-server
    Match User guest
        AllowTcpForwarding no
"""
OF_SSHD = (
    "sshd-config-key-unknown",
    "authorized-keys-wrong-path",
    "port-forwarding-disabled",
    "memlock-limit-too-low",
)
JUPYTER = "home/a/.jupyter/jupyter_server_config.py"
LIMITS = """
    # <domain> <type> <item> <value>
    *     -     memlock  unlimited
    @gpu  hard  nofile   1048576
    root  soft  core     0
    *     -     nproc    unlimited
    ftp   -
"""
APT = """
    // Automatically upgrade packages from these (origin:archive) pairs
    Unattended-Upgrade::Allowed-Origins {
        "${distro_id}:${distro_codename}";
        "${distro_id}:${distro_codename}-security";
    };
    Unattended-Upgrade::Package-Blacklist {
        "nvidia";
        "libnvidia";
    };
    Unattended-Upgrade::Automatic-Reboot "false"; # comment
"""
OF_JUPYTER = ("jupyter-open-without-password", "jupyter-option-ignored", "jupyter-not-listening-outside")

CASES = (
    *(clear(fault, "etc/ssh/sshd_config", SSHD) for fault in OF_SSHD),
    fires(
        "sshd-config-key-unknown",
        "etc/ssh/sshd_config",
        "Port 22\n«PermitRotLogin» no\n",
        fixed="Port 22\nPermitRootLogin no\n",
    ),
    fires(
        "authorized-keys-wrong-path",
        "etc/ssh/sshd_config.d/keys.conf",
        "AuthorizedKeysFile «~/.ssh/authorized_keys\n",
        fixed="AuthorizedKeysFile %h/.ssh/authorized_keys\n",
    ),
    fires("port-forwarding-disabled", "etc/ssh/sshd_config", "«AllowTcpForwarding» no\n"),
    fires("memlock-limit-too-low", "etc/ssh/sshd_config", "UsePAM «no\n"),
    clear("jupyter-open-without-password", JUPYTER, "c.ServerApp.ip = '0.0.0.0'\nc.ServerApp.port = 8888\n"),
    clear(
        "jupyter-open-without-password",
        JUPYTER,
        "c = get_config()\nc.ServerApp.ip = '*'\nc.ServerApp.token = ''\nc.ServerApp.password = 'argon2:x'\n",
    ),
    clear("jupyter-open-without-password", JUPYTER, "c.ServerApp.ip = '127.0.0.1'\nc.ServerApp.token = ''\n"),
    fires(
        "jupyter-open-without-password",
        JUPYTER,
        "c.ServerApp.ip = '0.0.0.0'\nc.ServerApp.port = int(PORT)\nc.ServerApp.token = «''\n",
    ),
    fires(
        "jupyter-open-without-password",
        "jupyter_server_config.json",
        '{"ServerApp": {"ip": "*", "token": «""», "password": ""}}\n',
    ),
    fires(
        "jupyter-option-ignored",
        JUPYTER,
        "«c.NotebookApp.port» = 9999\n",
        fixed="c.ServerApp.port = 9999\n",
    ),
    clear("jupyter-option-ignored", "jupyter_notebook_config.py", "c.NotebookApp.port = 9999\n"),
    fires("jupyter-not-listening-outside", JUPYTER, "c.ServerApp.ip = «'localhost'\n"),
    clear("jupyter-not-listening-outside", JUPYTER, "c.ServerApp.ip = '0.0.0.0'\n"),
    fires("config-syntax-error", JUPYTER, "c.ServerApp.port = 1\nc.ServerApp.ip = «'0.0.0.0\n"),
    *(
        clear(fault, "etc/security/limits.conf", LIMITS)
        for fault in ("limits-line-invalid", "limits-nofile-unlimited", "memlock-limit-too-low")
    ),
    fires("limits-line-invalid", "etc/security/limits.d/gpu.conf", "* - «memloc» unlimited\n"),
    fires("limits-line-invalid", "etc/security/limits.d/gpu.conf", "* «both» memlock unlimited\n"),
    fires("limits-line-invalid", "etc/security/limits.d/gpu.conf", "* - memlock «64GB»\n"),
    fires("limits-line-invalid", "etc/security/limits.d/gpu.conf", "«*» memlock unlimited\n"),
    fires(
        "limits-nofile-unlimited",
        "etc/security/limits.conf",
        "* hard nofile «unlimited\n",
        fixed="* hard nofile 1048576\n",
    ),
    fires(
        "memlock-limit-too-low",
        "etc/security/limits.conf",
        "* soft memlock «64\n",
        fixed="* soft memlock unlimited\n",
    ),
    clear("env-file-syntax", ".env", "# comment\nNCCL_DEBUG=INFO\nEMPTY=\nURL=http://x/?a=b c\n"),
    fires("env-file-syntax", "train.env", "NCCL_DEBUG« = »INFO\n", fixed="NCCL_DEBUG=INFO\n"),
    fires("env-file-syntax", ".env", "«export »NCCL_DEBUG=INFO\n", fixed="NCCL_DEBUG=INFO\n"),
    fires("env-file-syntax", ".env", 'NCCL_SOCKET_IFNAME=«"eth0"\n'),
    fires("env-name-misspelt", ".env", "«NCCL_SOKET_IFNAME»=eth0\n", fixed="NCCL_SOCKET_IFNAME=eth0\n"),
    clear("driver-packages-upgrade-unattended", "etc/apt/apt.conf.d/50unattended-upgrades", APT),
    fires(
        "driver-packages-upgrade-unattended",
        "etc/apt/apt.conf.d/50unattended-upgrades",
        APT.replace('"nvidia";', "")
        .replace('"libnvidia";', "")
        .replace('        "${distro_id}:${distro_codename}";', '        «"${distro_id}:${distro_codename}";'),
    ),
    clear("config-syntax-error", "etc/apt/apt.conf.d/99x", "Acquire { https::Verify-Peer false }\n"),
    fires("config-syntax-error", "etc/apt/apt.conf.d/20auto-upgrades", 'APT::Periodic::Enable «"1"\n'),
    fires(
        "config-syntax-error",
        "etc/apt/apt.conf.d/50unattended-upgrades",
        'Unattended-Upgrade::X «{\n  "a";\n',
    ),
    clear(
        "conda-mirror-lacks-nvidia-channel",
        ".condarc",
        """
        channels: [defaults, conda-forge, nvidia]
        channel_alias: https://mirror.example/anaconda/cloud
        custom_channels:
          nvidia: https://conda.anaconda.org
        """,
    ),
    clear("conda-mirror-lacks-nvidia-channel", ".condarc", "channels: [nvidia, conda-forge]\n"),
    fires(
        "conda-mirror-lacks-nvidia-channel",
        ".condarc",
        """
        channels:
        - pytorch
        - «nvidia
        channel_alias: https://mirror.example/anaconda/cloud
        """,
    ),
    clear(
        "extra-index-url-prefers-cpu-wheel",
        "pip.conf",
        "[global]\nindex-url = https://mirror.example/simple\nextra-index-url = https://download.pytorch.org/whl/cu128\n",
    ),
    fires(
        "extra-index-url-prefers-cpu-wheel",
        "etc/pip.conf",
        "[global]\nextra-index-url =\n    https://mirror.example/simple\n    «https://download.pytorch.org/whl/cpu\n",
    ),
    fires("config-syntax-error", "pip.conf", "«index-url https://mirror.example/simple\n[global]\n"),
)
