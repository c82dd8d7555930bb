"""Docker's daemon.json."""

from tests.lint.case import clear, fires

GOOD = """
    {
      "default-runtime": "nvidia",
      "runtimes": {"nvidia": {"path": "/usr/bin/nvidia-container-runtime", "runtimeArgs": []}},
      "exec-opts": ["native.cgroupdriver=systemd"],
      "log-driver": "json-file",
      "log-opts": {"max-size": "100m", "max-file": "5"},
      "default-shm-size": "8G",
      "default-ulimits": {"memlock": {"Name": "memlock", "Hard": -1, "Soft": -1}},
      "features": {"cdi": true, "buildkit": true},
      "cdi-spec-dirs": ["/etc/cdi", "/var/run/cdi"],
      "registry-mirrors": ["https://mirror.example"],
      "insecure-registries": ["10.0.0.1:5000"],
      "default-address-pools": [{"base": "10.10.0.0/16", "size": 24}],
      "node-generic-resources": ["NVIDIA-GPU=GPU-45cbf7b3"],
      "storage-driver": "overlay2",
      "data-root": "/data/docker",
      "dns": ["8.8.8.8"],
      "hosts": ["unix:///var/run/docker.sock", "tcp://127.0.0.1:2375"],
      "mtu": 1450,
      "live-restore": true,
      "proxies": {"http-proxy": "http://proxy.example:3128"}
    }
"""


def daemon(text: str) -> str:
    """Return a file that is right but for one line; its logs have an end."""
    return f'{{"log-driver": "journald", {text}}}\n'


CASES = (
    *(
        clear(fault, "etc/docker/daemon.json", GOOD)
        for fault in (
            "docker-runtime-undefined",
            "docker-runtime-path-wrong",
            "docker-logs-unbounded",
            "docker-daemon-unprotected",
            "daemon-json-invalid",
            "config-key-repeated",
        )
    ),
    fires(
        "docker-runtime-undefined",
        "etc/docker/daemon.json",
        '{"default-runtime": «"nvidia"», "runtimes": {"other": {"path": "x"}}}\n',
    ),
    clear(
        "docker-runtime-undefined",
        "daemon.json",
        """
        {
        \t"default-runtime": "nvidia",
        \t"runtimes": {"nvidia": {"path": "nvidia-container-runtime"}}
        }
        """,
    ),
    clear("docker-runtime-undefined", "daemon.json", daemon('"default-runtime": "io.containerd.kata.v2"')),
    fires(
        "docker-runtime-path-wrong",
        "daemon.json",
        daemon('"runtimes": {"nvidia": {"path": «"/usr/bin/nvidia-container-runtime-hook"»}}'),
        fixed=daemon('"runtimes": {"nvidia": {"path": "/usr/bin/nvidia-container-runtime"}}'),
    ),
    fires(
        "docker-runtime-path-wrong",
        "daemon.json",
        daemon('"runtimes": {"nvidia": {"path": «"bin/nvidia-container-runtime"»}}'),
    ),
    fires(
        "daemon-json-invalid",
        "daemon.json",
        """
        {
          "default-runtime": "runc"«,»
        }
        """,
        fixed="""
        {
          "default-runtime": "runc"
        }
        """,
    ),
    clear("daemon-json-invalid", "daemon.json", "{}\n"),
    fires(
        "daemon-json-invalid",
        "daemon.json",
        daemon('«"defualt-runtime"»: "runc"'),
        fixed=daemon('"default-runtime": "runc"'),
    ),
    fires("daemon-json-invalid", "daemon.json", daemon('«"Debug"»: true'), fixed=daemon('"debug": true')),
    fires("daemon-json-invalid", "daemon.json", daemon('«"nonsense"»: true')),
    fires("daemon-json-invalid", "daemon.json", daemon('«"graph"»: "/data"')),
    fires("daemon-json-invalid", "daemon.json", daemon('"mtu": «"1450"»'), fixed=daemon('"mtu": 1450')),
    fires("daemon-json-invalid", "daemon.json", daemon('"debug": «"true"»'), fixed=daemon('"debug": true')),
    fires(
        "daemon-json-invalid",
        "daemon.json",
        daemon('"log-opts": {"max-file": «3»}'),
        fixed=daemon('"log-opts": {"max-file": "3"}'),
    ),
    fires(
        "daemon-json-invalid",
        "daemon.json",
        daemon('"insecure-registries": «"10.0.0.1:5000"»'),
        fixed=daemon('"insecure-registries": ["10.0.0.1:5000"]'),
    ),
    fires("daemon-json-invalid", "daemon.json", daemon('"default-shm-size": «8000000000»')),
    fires("daemon-json-invalid", "daemon.json", daemon('"default-shm-size": «"8x"»')),
    fires("daemon-json-invalid", "daemon.json", daemon('"runtimes": {"nvidia": «"/usr/bin/x"»}')),
    fires("daemon-json-invalid", "daemon.json", daemon('"runtimes": {«"nvidia"»: {}}')),
    fires("daemon-json-invalid", "daemon.json", daemon('"runtimes": {«"runc"»: {"path": "runc"}}')),
    fires(
        "daemon-json-invalid",
        "daemon.json",
        daemon('"runtimes": {"nvidia": {"path": "nvidia-container-runtime", "runtimeArgs": «"--x"»}}'),
    ),
    fires("daemon-json-invalid", "daemon.json", daemon('"exec-opts": [«"native.cgroupdriver=systmd"»]')),
    fires(
        "daemon-json-invalid",
        "daemon.json",
        daemon('"features": {"cdi": «"true"»}'),
        fixed=daemon('"features": {"cdi": true}'),
    ),
    fires(
        "config-key-repeated",
        "daemon.json",
        daemon('"runtimes": {}, «"runtimes"»: {"nvidia": {"path": "nvidia-container-runtime"}}'),
    ),
    fires("docker-logs-unbounded", "daemon.json", '{"log-driver": «"json-file"»}\n'),
    fires("docker-logs-unbounded", "daemon.json", '«{"debug": true}\n'),
    fires("docker-daemon-unprotected", "daemon.json", daemon('"hosts": [«"tcp://0.0.0.0:2375"»]')),
    clear(
        "docker-daemon-unprotected",
        "daemon.json",
        daemon('"hosts": ["tcp://0.0.0.0:2376"], "tlsverify": true'),
    ),
)
