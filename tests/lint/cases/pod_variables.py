"""Variables in pods: who gets them, in which order, with which value."""

from tests.lint.case import clear, fires
from tests.lint.cases.manifest import controlled, env, pod

INIT = "initContainers:\n- name: prepare\n  image: registry.example/tools:1\n  env:\n"
TWO = "limits: {nvidia.com/gpu: 2}"
NONE = "limits: {cpu: 1}"


def _init(name: str) -> str:
    return f"{INIT}  - name: {name}\n    value: eth0\n"


CASES = (
    fires(
        "env-only-in-init-container",
        "pod.yaml",
        pod(before=_init("«NCCL_SOCKET_IFNAME»"), env=env("A", "b")),
        fixed=pod(
            before=_init("NCCL_SOCKET_IFNAME"),
            env='- name: NCCL_SOCKET_IFNAME\n  value: "eth0"\n' + env("A", "b"),
        ),
    ),
    fires("env-only-in-init-container", "pod.yaml", pod(before=_init("«NCCL_SOCKET_IFNAME»"))),
    clear(
        "env-only-in-init-container",
        "pod.yaml",
        pod(before=_init("NCCL_SOCKET_IFNAME"), env=env("NCCL_SOCKET_IFNAME", "eth0")),
    ),
    clear("env-only-in-init-container", "pod.yaml", pod(before=_init("DOWNLOAD_FROM"))),
    clear(
        "env-only-in-init-container",
        "pod.yaml",
        pod(before=_init("NCCL_SOCKET_IFNAME"), container="envFrom: [{configMapRef: {name: nccl}}]"),
    ),
    clear(
        "env-only-in-init-container",
        "pod.yaml",
        pod(before=_init("NCCL_SOCKET_IFNAME") + "  restartPolicy: Always\n"),
    ),
    fires(
        "env-reference-undefined",
        "pod.yaml",
        pod(env=env("URL", "«tcp://$(HOST):29500»") + env("HOST", "trainer-0")),
    ),
    fires("env-reference-undefined", "pod.yaml", pod(env=env("NAME", "«$(hostname)»"))),
    clear(
        "env-reference-undefined",
        "pod.yaml",
        pod(
            env=env("HOST", "trainer-0")
            + env("URL", "tcp://$(HOST):29500")
            + env("LATER", "$$(Z)")
            + env("Z", "x")
        ),
    ),
    clear("env-reference-undefined", "pod.yaml", pod(env=env("LEADER", "$(LWS_LEADER_ADDRESS)"))),
    fires("env-name-defined-twice", "pod.yaml", pod(env=env("A", '"1"') + env("B", "x") + env("«A»", '"2"'))),
    clear("env-name-defined-twice", "pod.yaml", pod(env=env("A", '"1"') + env("B", '"1"'))),
    fires(
        "secret-in-configuration",
        "pod.yaml",
        pod(env=env("DATABASE_PASSWORD", "«Tr0ub4dor&3-horse»")),
    ),
    clear(
        "secret-in-configuration",
        "pod.yaml",
        pod(
            env=env("DATABASE_PASSWORD", "<your-password>")
            + env("GRAFANA_PASSWORD", "changeme")
            + env("PRIVATE_KEY", "/keys/id_rsa")
            + env("MAX_TOKENS", '"131072000"')
        ),
    ),
    fires("cuda-visible-devices-empty", "pod.yaml", pod(env=env("CUDA_VISIBLE_DEVICES", '«""»'))),
    clear(
        "cuda-visible-devices-empty", "pod.yaml", pod(env=env("CUDA_VISIBLE_DEVICES", '""'), resources=NONE)
    ),
    fires(
        "cuda-visible-devices-names-absent-gpu", "pod.yaml", pod(env=env("CUDA_VISIBLE_DEVICES", '«"2,3"»'))
    ),
    clear("cuda-visible-devices-names-absent-gpu", "pod.yaml", pod(env=env("CUDA_VISIBLE_DEVICES", '"0,1"'))),
    fires(
        "unrequested-gpu-visible-via-image-env",
        "pod.yaml",
        pod(env=env("«NVIDIA_VISIBLE_DEVICES»", "all")),
    ),
    fires(
        "unrequested-gpu-visible-via-image-env",
        "pod.yaml",
        pod(env=env("«NVIDIA_VISIBLE_DEVICES»", "all"), resources=NONE),
    ),
    clear(
        "unrequested-gpu-visible-via-image-env",
        "pod.yaml",
        pod(env=env("NVIDIA_VISIBLE_DEVICES", "void"), resources=NONE),
    ),
    clear(
        "unrequested-gpu-visible-via-image-env",
        "ds.yaml",
        controlled("DaemonSet", env=env("NVIDIA_VISIBLE_DEVICES", "all"), resources=NONE),
    ),
    fires(
        "nvidia-driver-capabilities-lack-compute",
        "pod.yaml",
        pod(env=env("NVIDIA_DRIVER_CAPABILITIES", "«video,utility»")),
        fixed=pod(env=env("NVIDIA_DRIVER_CAPABILITIES", '"compute,utility,video"')),
    ),
    clear(
        "nvidia-driver-capabilities-lack-compute",
        "pod.yaml",
        pod(env=env("NVIDIA_DRIVER_CAPABILITIES", "compute,utility")),
    ),
)
