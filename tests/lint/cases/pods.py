"""Pods: GPUs, shared memory, syntax, accepted findings."""

from tests.lint.case import clear, fires

POD = """
    apiVersion: v1
    kind: Pod
    metadata: {{name: x}}
    spec:
      containers:
      - name: main
        image: registry.example/train:1
        resources: {{{resources}}}
        volumeMounts:
        - {{name: shm, mountPath: /dev/shm}}
      volumes:
      - name: shm
        emptyDir: {{{empty}}}
"""
RIGHT = "limits: {nvidia.com/gpu: 2}"

CASES = (
    fires(
        "pod-shm-missing",
        "pod.yaml",
        """
        apiVersion: batch/v1
        kind: Job
        metadata: {name: x}
        spec:
          template:
            spec:
              containers:
              - name: main
                image: registry.example/train:1
                resources:
                  limits:
                    «nvidia.com/gpu»: 2
        """,
    ),
    clear("pod-shm-missing", "pod.yaml", POD.format(resources=RIGHT, empty="medium: Memory")),
    fires("pod-shm-on-disk", "pod.yaml", POD.format(resources=RIGHT, empty="medium: «memory»")),
    fires(
        "pod-shm-on-disk", "pod.yaml", POD.format(resources=RIGHT, empty="").replace("emptyDir", "«emptyDir»")
    ),
    clear("pod-shm-on-disk", "pod.yaml", POD.format(resources=RIGHT, empty="medium: Memory")),
    fires(
        "pod-gpu-request-invalid",
        "pod.yaml",
        POD.format(
            resources="limits: {nvidia.com/gpu: 2}, requests: {nvidia.com/gpu: «1»}", empty="medium: Memory"
        ),
        fixed=POD.format(
            resources="limits: {nvidia.com/gpu: 2}, requests: {nvidia.com/gpu: 2}", empty="medium: Memory"
        ),
    ),
    fires(
        "pod-gpu-request-invalid",
        "pod.yaml",
        POD.format(resources="limits: {nvidia.com/gpu: «0.5»}", empty="medium: Memory"),
    ),
    fires(
        "pod-gpu-request-invalid",
        "pod.yaml",
        POD.format(resources="requests: {«nvidia.com/gpu»: 1}", empty="medium: Memory"),
    ),
    clear("pod-gpu-request-invalid", "pod.yaml", POD.format(resources=RIGHT, empty="medium: Memory")),
    fires(
        "config-syntax-error",
        "pod.yaml",
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: x
           «labels»: {a: b}
        """,
    ),
    clear("config-syntax-error", "pod.yaml", "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\n"),
    fires(
        "suppression-unused",
        "pod.yaml",
        """
        apiVersion: v1
        kind: Pod
        «# codeblue: ignore[pod-shm-missing] one GPU, no workers
        metadata: {name: x}
        """,
    ),
    clear(
        "suppression-unused",
        "pod.yaml",
        POD.format(resources="limits: {nvidia.com/gpu: 0.5} ", empty="medium: Memory").replace(
            "0.5} }", "0.5} }  # codeblue: ignore[pod-gpu-request-invalid] our scheduler shares GPUs"
        ),
    ),
)
