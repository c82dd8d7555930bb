"""The container toolkit, containerd, CDI."""

from codeblue.lint.run import Against
from codeblue.model.facts import Driver
from codeblue.model.snapshot import View
from tests.lint.case import clear, fires


def loaded(version: str) -> Against:
    """Return a machine with this driver."""
    return Against(machine=View(kind="probe", name="node", driver=Driver(module_version=version)))


CONFIG = "etc/nvidia-container-runtime/config.toml"
GOOD = """
    disable-require = false
    supported-driver-capabilities = "compat32,compute,display,graphics,ngx,utility,video"
    #swarm-resource = "DOCKER_RESOURCE_GPU"

    [nvidia-container-cli]
    environment = []
    ldconfig = "@/sbin/ldconfig.real"
    load-kmods = true
    no-cgroups = false

    [nvidia-container-runtime]
    log-level = "info"
    mode = "auto"
    runtimes = ["runc", "crun"]

    [nvidia-container-runtime.modes.cdi]
    annotation-prefixes = ["cdi.k8s.io/"]
    default-kind = "nvidia.com/gpu"
    spec-dirs = ["/etc/cdi", "/var/run/cdi"]

    [nvidia-container-runtime.modes.csv]
    mount-spec-path = "/etc/nvidia-container-runtime/host-files-for-container.d"

    [nvidia-container-runtime-hook]
    path = "nvidia-container-runtime-hook"
    skip-mode-detection = false

    [nvidia-ctk]
    path = "nvidia-ctk"
"""
OF_TOOLKIT = (
    "toolkit-config-invalid",
    "toolkit-config-key-unknown",
    "no-cgroups-true-with-rootful-engine",
    "toolkit-ldconfig-path-wrong",
)


def cli(line: str) -> str:
    """Return a file with one line in the table of the command."""
    return f"[nvidia-container-cli]\n{line}\n"


RUNTIME = "[nvidia-container-runtime]\n"
V2 = """
    version = 2
    [plugins."io.containerd.grpc.v1.cri".containerd]
      default_runtime_name = "nvidia"
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc]
        runtime_type = "io.containerd.runc.v2"
        [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.runc.options]
          SystemdCgroup = true
      [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia]
        runtime_type = "io.containerd.runc.v2"
        [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.nvidia.options]
          BinaryName = "/usr/bin/nvidia-container-runtime"
          SystemdCgroup = true
"""
OF_CONTAINERD = (
    "containerd-plugin-key-of-other-version",
    "containerd-runtime-undefined",
    "containerd-runtime-lacks-binary",
    "containerd-cri-disabled",
    "cgroup-driver-mismatch",
)
SPEC = """
    cdiVersion: "0.5.0"
    kind: nvidia.com/gpu
    devices:
    - name: {name}
      containerEdits:
        deviceNodes:
        - path: /dev/nvidia0
    containerEdits:
      mounts:
      - hostPath: /usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14
        containerPath: /usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14
        options: [ro, nosuid, nodev, bind]
"""

CASES = (
    *(clear(fault, CONFIG, GOOD) for fault in OF_TOOLKIT),
    clear(
        "toolkit-config-invalid",
        "home/a/.config/nvidia-container-runtime/config.toml",
        cli("no-cgroups = true"),
    ),
    fires(
        "toolkit-config-invalid",
        CONFIG,
        """
        [nvidia-container-runtime]
        mode = «auto
        """,
    ),
    fires("toolkit-config-invalid", CONFIG, RUNTIME + 'mode = «"cdii"»\n'),
    fires("toolkit-config-invalid", CONFIG, cli('no-cgroups = «"false"»'), fixed=cli("no-cgroups = false")),
    fires(
        "toolkit-config-key-unknown",
        CONFIG,
        cli("«no_cgroups» = false"),
        fixed=cli("no-cgroups = false"),
    ),
    fires("toolkit-config-key-unknown", CONFIG, "«no-cgroups» = false\n" + RUNTIME),
    fires(
        "toolkit-config-key-unknown",
        CONFIG,
        '[«nvidia-container-runtim»]\nmode = "auto"\n',
        fixed=RUNTIME + 'mode = "auto"\n',
    ),
    fires(
        "no-cgroups-true-with-rootful-engine",
        CONFIG,
        cli("no-cgroups = «true»"),
        fixed=cli("no-cgroups = false"),
    ),
    fires(
        "toolkit-ldconfig-path-wrong",
        CONFIG,
        cli('ldconfig = «"/sbin/ldconfig"»'),
        fixed=cli('ldconfig = "@/sbin/ldconfig"'),
    ),
    fires("toolkit-ldconfig-path-wrong", CONFIG, cli('ldconfig = «"@ldconfig"»')),
    clear(
        "toolkit-ldconfig-path-wrong",
        CONFIG,
        "[features]\nallow-ldconfig-from-container = true\n" + cli('ldconfig = "/sbin/ldconfig"'),
    ),
    *(clear(fault, "etc/containerd/config.toml", V2) for fault in OF_CONTAINERD),
    *(
        clear(
            fault,
            "etc/containerd/config.toml",
            V2.replace("version = 2", "version = 3").replace(
                "io.containerd.grpc.v1.cri", "io.containerd.cri.v1.runtime"
            ),
        )
        for fault in OF_CONTAINERD
    ),
    clear("containerd-cri-disabled", "etc/containerd/config.toml", 'disabled_plugins = ["cri"]\n'),
    fires(
        "containerd-cri-disabled",
        "etc/containerd/config.toml",
        V2.replace("version = 2", 'version = 2\n    disabled_plugins = [«"io.containerd.grpc.v1.cri"»]'),
    ),
    fires(
        "containerd-plugin-key-of-other-version",
        "etc/containerd/config.toml",
        """
        version = 3
        [plugins.«"io.containerd.grpc.v1.cri"».containerd.runtimes.nvidia]
          runtime_type = "io.containerd.runc.v2"
        """,
    ),
    fires(
        "containerd-plugin-key-of-other-version",
        "etc/containerd/config.toml",
        """
        [plugins.«"io.containerd.grpc.v1.cri"».containerd]
          default_runtime_name = "nvidia"
        """,
    ),
    fires(
        "containerd-runtime-undefined",
        "etc/containerd/config.toml",
        """
        version = 2
        [plugins."io.containerd.grpc.v1.cri".containerd]
          default_runtime_name = «"nvidia"»
        """,
    ),
    fires(
        "containerd-runtime-lacks-binary",
        "etc/containerd/config.toml",
        """
        version = 2
        [plugins."io.containerd.grpc.v1.cri".containerd.runtimes.«nvidia»]
          runtime_type = "io.containerd.runc.v2"
        """,
    ),
    fires(
        "cgroup-driver-mismatch",
        "etc/containerd/config.toml",
        V2.replace(
            'nvidia-container-runtime"\n          SystemdCgroup = true', 'nvidia-container-runtime"'
        ).replace("runtimes.nvidia]", "runtimes.«nvidia»]"),
    ),
    clear("cdi-spec-invalid", "etc/cdi/nvidia.yaml", SPEC.format(name='"0"')),
    fires(
        "cdi-spec-invalid",
        "etc/cdi/nvidia.yaml",
        SPEC.format(name="«0»"),
        fixed=SPEC.format(name='"0"'),
    ),
    fires(
        "cdi-spec-invalid",
        "etc/cdi/nvidia.yaml",
        SPEC.format(name="all").replace("nvidia.com/gpu", "«nvidia»"),
    ),
    fires("cdi-spec-invalid", "etc/cdi/nvidia.json", '{«"cdiVersion": "0.5.0", "kind": "nvidia.com/gpu"}\n'),
    clear("cdi-spec-stale-after-driver-update", "etc/cdi/nvidia.yaml", SPEC.format(name="all")),
    fires(
        "cdi-spec-stale-after-driver-update",
        "etc/cdi/nvidia.yaml",
        SPEC.format(name="all").replace(
            "containerPath: /usr/lib/x86_64-linux-gnu/libcuda.so.550.54.14",
            "containerPath: «/usr/lib/libcuda.so.570.86.10»",
        ),
    ),
    fires(
        "cdi-spec-stale-after-driver-update",
        "etc/cdi/nvidia.yaml",
        SPEC.format(name="all").replace("hostPath: /", "hostPath: «/"),
        on=loaded("570.86.10"),
    ),
    clear(
        "cdi-spec-stale-after-driver-update",
        "etc/cdi/nvidia.yaml",
        SPEC.format(name="all"),
        on=loaded("550.54.14"),
    ),
)
