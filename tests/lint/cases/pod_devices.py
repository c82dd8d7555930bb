"""GPUs, adapters and shared memory of pods, and rights that they do not need."""

from tests.lint.case import clear, fires
from tests.lint.cases.manifest import controlled, env, pod

NONE = "limits: {cpu: 1}"
SHM = "emptyDir: {medium: Memory, sizeLimit: 8Gi}"
BLOCK = """
apiVersion: v1
kind: Pod
metadata: {name: x}
spec:
  restartPolicy: Never
  containers:
  - name: main
    image: registry.example/train:1
    resources:
"""
LOCK = "    securityContext:\n      capabilities:\n        add: [IPC_LOCK]\n"
RDMA = "limits: {nvidia.com/gpu: 1, rdma/hca_shared_devices_a: 1}"
INIT = (
    "initContainers:\n- name: prepare\n  image: registry.example/tools:1\n"
    "  resources: {limits: {nvidia.com/gpu: 1}}\n"
)

CASES = (
    fires(
        "pod-gpu-request-invalid",
        "pod.yaml",
        f"{BLOCK}      requests:\n        cpu: 1\n        «nvidia.com/gpu»: 1\n",
        fixed=f"{BLOCK}      limits:\n        nvidia.com/gpu: 1\n"
        "      requests:\n        cpu: 1\n        nvidia.com/gpu: 1\n",
    ),
    clear("pod-gpu-request-invalid", "pod.yaml", pod(resources="limits: {nvidia.com/gpu: $GPUS}")),
    clear("pod-gpu-request-invalid", "pod.yaml", pod(resources="limits: {nvidia.com/gpu: }")),
    fires(
        "gpu-only-in-init-container",
        "pod.yaml",
        pod(
            before=INIT.replace("nvidia.com/gpu", "«nvidia.com/gpu»"),
            resources=NONE,
            container="command: [torchrun, train.py]",
        ),
    ),
    clear(
        "gpu-only-in-init-container",
        "pod.yaml",
        pod(before=INIT, resources=NONE, container="command: [sleep, '1']"),
    ),
    clear(
        "gpu-only-in-init-container", "pod.yaml", pod(before=INIT, container="command: [torchrun, train.py]")
    ),
    fires(
        "gpu-not-requested",
        "pod.yaml",
        pod(resources=NONE, image="nvcr.io/nvidia/pytorch:25.01-py3").replace("image:", "«image»:"),
    ),
    clear("gpu-not-requested", "pod.yaml", pod(image="nvcr.io/nvidia/pytorch:25.01-py3")),
    clear(
        "gpu-not-requested",
        "pod.yaml",
        pod(
            resources="claims: [{name: gpu}]",
            image="nvcr.io/nvidia/pytorch:25.01-py3",
            after="resourceClaims:\n- {name: gpu, resourceClaimTemplateName: one}\n",
        ),
    ),
    clear(
        "pod-shm-missing",
        "ray.yaml",
        "apiVersion: ray.io/v1\nkind: RayCluster\nmetadata: {name: x}\nspec:\n  headGroupSpec:\n"
        "    template: {spec: {containers: [{name: x, resources: {limits: {nvidia.com/gpu: 2}}}]}}\n",
    ),
    fires("pod-shm-missing", "pod.yaml", f"{BLOCK}      limits: {{«nvidia.com/gpu»: 1}}\n"),
    fires(
        "pod-shm-exceeds-memory-limit",
        "pod.yaml",
        pod(resources="limits: {nvidia.com/gpu: 2, memory: 8000M}").replace("8Gi", "«8Gi»"),
    ),
    clear(
        "pod-shm-exceeds-memory-limit", "pod.yaml", pod(resources="limits: {nvidia.com/gpu: 2, memory: 64G}")
    ),
    fires("memory-volume-unlimited", "pod.yaml", pod().replace(SHM, "«emptyDir»: {medium: Memory}")),
    clear("memory-volume-unlimited", "pod.yaml", pod()),
    fires(
        "mig-profile-unknown",
        "pod.yaml",
        pod(resources="limits: {«nvidia.com/mig-1g.12GB»: 1}"),
        fixed=pod(resources="limits: {nvidia.com/mig-1g.12gb: 1}"),
    ),
    fires("mig-profile-unknown", "pod.yaml", pod(resources="limits: {«nvidia.com/mig-1g.99gb»: 1}")),
    clear("mig-profile-unknown", "pod.yaml", pod(resources="limits: {nvidia.com/mig-1g.10gb.me: 1}")),
    clear("mig-profile-unknown", "pod.yaml", pod(resources="limits: {nvidia.com/mig-7g.141gb: 1}")),
    fires(
        "memlock-limit-too-low",
        "pod.yaml",
        f"{BLOCK}      limits: {{nvidia.com/gpu: 1, «rdma/hca_shared_devices_a»: 1}}\n",
        fixed=f"{BLOCK}      limits: {{nvidia.com/gpu: 1, rdma/hca_shared_devices_a: 1}}\n".replace(
            "    resources:", f"{LOCK}    resources:"
        ),
    ),
    clear(
        "memlock-limit-too-low",
        "pod.yaml",
        pod(resources=RDMA, container="securityContext: {capabilities: {add: [CAP_IPC_LOCK]}}"),
    ),
    clear(
        "memlock-limit-too-low",
        "pod.yaml",
        pod(resources="limits: {nvidia.com/gpu: 1, vpc.amazonaws.com/efa: 1}"),
    ),
    clear(
        "memlock-limit-too-low",
        "pod.yaml",
        pod(resources=RDMA, container="securityContext: {privileged: true}"),
    ),
    fires(
        "nccl-transport-disabled-by-env",
        "pod.yaml",
        pod(
            resources=RDMA,
            container="securityContext: {capabilities: {add: [IPC_LOCK]}}",
            env=env("«NCCL_IB_DISABLE»", '«"1"»'),
        ),
    ),
    fires("rdma-device-not-mounted-in-container", "pod.yaml", pod(env=env("«NCCL_IB_HCA»", "mlx5"))),
    clear(
        "rdma-device-not-mounted-in-container",
        "pod.yaml",
        pod(env=env("NCCL_IB_HCA", "mlx5"), after="- name: ib\n  hostPath: {path: /dev/infiniband}\n"),
    ),
    clear(
        "rdma-device-not-mounted-in-container",
        "job.yaml",
        controlled(
            "Job", labels="annotations: {k8s.v1.cni.cncf.io/networks: ib0}", env=env("NCCL_IB_HCA", "mlx5")
        ),
    ),
    fires("pod-rights-unneeded", "pod.yaml", pod(spec="«hostIPC»: true")),
    fires(
        "pod-rights-unneeded",
        "pod.yaml",
        pod(spec="«hostPID»: true", container="securityContext: {«privileged»: true}"),
    ),
    clear(
        "pod-rights-unneeded",
        "pod.yaml",
        pod(spec="hostIPC: false", container="securityContext: {privileged: false}"),
    ),
    clear(
        "pod-rights-unneeded",
        "ds.yaml",
        controlled("DaemonSet", spec="hostIPC: true", container="securityContext: {privileged: true}"),
    ),
)
