"""Compose files: reservations, keys, values, access to GPUs, memory."""

from tests.lint.case import clear, fires

GPU = """
    services:
      train:
        image: registry.example/train:1
        deploy:
          resources:
            reservations:
              devices:
                - {device}
"""
BLOCK = """
    services:
      train:
        image: registry.example/train:1
        deploy:
          resources:
            reservations:
              devices:
                - {first}driver: nvidia
                  count: 1
"""
RIGHT = "{driver: nvidia, count: all, capabilities: [gpu]}"
SERVICE = """
    services:
      train:
        image: {image}
        {more}
"""
ASKING = "nvcr.io/nvidia/pytorch:25.06-py3"

CASES = (
    fires(
        "device-reservation-invalid",
        "compose.yaml",
        BLOCK.format(first="«"),
        fixed=BLOCK.format(first="capabilities: [gpu]\n                  "),
    ),
    fires(
        "device-reservation-invalid",
        "docker-compose.gpu.yml",
        GPU.format(device="{driver: nvidia, «count»: 1, device_ids: ['0'], capabilities: [gpu]}"),
    ),
    fires(
        "device-reservation-invalid",
        "compose.yaml",
        GPU.format(device="{driver: nvidia, count: «some», capabilities: [gpu]}"),
    ),
    fires(
        "device-reservation-invalid",
        "compose.yaml",
        GPU.format(device="{driver: nvidia, capabilities: «gpu»}"),
        fixed=GPU.format(device="{driver: nvidia, capabilities: [gpu]}"),
    ),
    fires(
        "device-reservation-invalid",
        "compose.yaml",
        GPU.format(device="{driver: «NVIDIA», capabilities: [gpu]}"),
        fixed=GPU.format(device="{driver: nvidia, capabilities: [gpu]}"),
    ),
    clear("device-reservation-invalid", "compose.yaml", GPU.format(device=RIGHT)),
    clear(
        "device-reservation-invalid", "compose.yaml", SERVICE.format(image="a.example/b:1", more="gpus: all")
    ),
    clear(
        "device-reservation-invalid",
        "compose.yaml",
        GPU.format(device="{driver: cdi, device_ids: [nvidia.com/gpu=all], capabilities: [gpu]}"),
    ),
    fires(
        "manifest-field-misplaced",
        "compose.yaml",
        """
        services:
          train:
            image: registry.example/train:1
            deploy:
              resources:
                limits:
                  «devices»: [{driver: nvidia, capabilities: [gpu]}]
              «shm_size»: 8gb
            «resources»: {}
        """,
    ),
    fires(
        "manifest-field-misplaced",
        "compose.yaml",
        """
        services:
          train:
            image: registry.example/train:1
            environment:
              - «NCCL_DEBUG»: INFO
        """,
    ),
    clear(
        "manifest-field-misplaced",
        "compose.yaml",
        """
        x-gpu: &gpu
          gpus: all
          shm_size: 8gb
        services:
          train:
            <<: *gpu
            image: registry.example/train:1
            x-note: ours
            environment: {NCCL_DEBUG: INFO}
            deploy: {replicas: 1, resources: {limits: {cpus: '2'}}}
        """,
    ),
    fires(
        "env-value-quotes-literal",
        "compose.yaml",
        SERVICE.format(image="a.example/b:1", more='environment: [«NVIDIA_VISIBLE_DEVICES="all"»]'),
    ),
    clear(
        "env-value-quotes-literal",
        "compose.yaml",
        SERVICE.format(
            image="a.example/b:1", more="environment: ['NVIDIA_VISIBLE_DEVICES=all', APP_TITLE=\"x\"]"
        ),
    ),
    fires(
        "container-started-without-nvidia-runtime",
        "compose.yaml",
        SERVICE.format(image="«vllm/vllm-openai:v0.9.1»", more="ipc: host"),
    ),
    clear(
        "container-started-without-nvidia-runtime",
        "compose.yaml",
        SERVICE.format(image="vllm/vllm-openai:v0.9.1", more="gpus: all"),
    ),
    clear(
        "container-started-without-nvidia-runtime",
        "compose.yaml",
        SERVICE.format(image="registry.example/llm:1.2-rocm-gpu", more="devices: [/dev/kfd, /dev/dri]"),
    ),
    clear(
        "container-started-without-nvidia-runtime",
        "compose.yaml",
        SERVICE.format(image="nvidia/cuda:12.8.1-base-ubuntu22.04", more="command: nvcc --version"),
    ),
    fires(
        "nvidia-visible-devices-none",
        "compose.yaml",
        """
        services:
          train:
            image: registry.example/train:1
            runtime: nvidia
            environment:
              - NVIDIA_VISIBLE_DEVICES=«none»
        """,
    ),
    clear(
        "nvidia-visible-devices-none",
        "compose.yaml",
        SERVICE.format(
            image="a.example/b:1", more="{runtime: nvidia, environment: {NVIDIA_VISIBLE_DEVICES: all}}"
        )
        .replace("{runtime: nvidia, ", "runtime: nvidia\n        ")
        .replace("}}", "}"),
    ),
    fires(
        "nvidia-env-vars-missing-in-image",
        "compose.yaml",
        SERVICE.format(image="python:3.12-slim", more="runtime: «nvidia»"),
    ),
    clear(
        "nvidia-env-vars-missing-in-image",
        "compose.yaml",
        SERVICE.format(image="nvidia/cuda:12.8.1-base-ubuntu22.04", more="runtime: nvidia"),
    ),
    fires(
        "cuda-visible-devices-names-absent-gpu",
        "compose.yaml",
        """
        services:
          base:
            image: registry.example/train:1
            environment:
              CUDA_VISIBLE_DEVICES: «"2"»
          train:
            extends: {service: base}
            gpus:
              - device_ids: ["2"]
        """,
    ),
    clear(
        "cuda-visible-devices-names-absent-gpu",
        "compose.yaml",
        """
        services:
          train:
            image: registry.example/train:1
            environment: {CUDA_VISIBLE_DEVICES: "0"}
            gpus:
              - device_ids: ["2"]
        """,
    ),
    fires(
        "cdi-device-name-malformed",
        "compose.yaml",
        SERVICE.format(image="a.example/b:1", more="devices: [«nvidia.com/gpu:all»]"),
        fixed=SERVICE.format(image="a.example/b:1", more="devices: [nvidia.com/gpu=all]"),
    ),
    clear(
        "cdi-device-name-malformed",
        "compose.yaml",
        SERVICE.format(image="a.example/b:1", more='devices: ["nvidia.com/gpu=all", /dev/fuse:/dev/fuse]'),
    ),
    fires(
        "shm-too-small",
        "compose.yaml",
        SERVICE.format(image="a.example/b:1", more="shm_size: «16»"),
    ),
    fires(
        "shm-too-small",
        "compose.yaml",
        SERVICE.format(
            image="a.example/b:1", more="gpus: «all»\n        command: torchrun --nproc-per-node 8 t.py"
        ),
    ),
    clear(
        "shm-too-small",
        "compose.yaml",
        SERVICE.format(
            image="a.example/b:1",
            more="gpus: all\n        shm_size: 16gb\n        command: torchrun --nproc-per-node 8 t.py",
        ),
    ),
    clear("shm-too-small", "compose.yaml", SERVICE.format(image=ASKING, more="gpus: all\n        ipc: host")),
    fires(
        "memlock-limit-too-low",
        "compose.yaml",
        SERVICE.format(image="a.example/b:1", more="devices: [«/dev/infiniband:/dev/infiniband»]"),
    ),
    fires(
        "memlock-limit-too-low",
        "compose.yaml",
        SERVICE.format(
            image="a.example/b:1", more="devices: [/dev/infiniband]\n        ulimits: {memlock: «65536»}"
        ),
    ),
    clear(
        "memlock-limit-too-low",
        "compose.yaml",
        SERVICE.format(
            image="a.example/b:1",
            more="devices: [/dev/infiniband]\n        ulimits: {memlock: {soft: -1, hard: -1}}",
        ),
    ),
    fires(
        "nvidia-driver-capabilities-lack-compute",
        "compose.yaml",
        SERVICE.format(
            image="nvidia/cuda:12.8.1-base-ubuntu22.04",
            more="gpus: all\n        environment: [NVIDIA_DRIVER_CAPABILITIES=«video,utility»]",
        ),
        fixed=SERVICE.format(
            image="nvidia/cuda:12.8.1-base-ubuntu22.04",
            more="gpus: all\n        environment: [NVIDIA_DRIVER_CAPABILITIES=compute,video,utility]",
        ),
    ),
    clear(
        "nvidia-driver-capabilities-lack-compute",
        "compose.yaml",
        SERVICE.format(
            image="registry.example/transcoder:1",
            more="gpus: all\n        environment: [NVIDIA_DRIVER_CAPABILITIES=video,utility]",
        ),
    ),
    fires(
        "config-syntax-error",
        "compose.yaml",
        """
        services:
          train:
            image: registry.example/train:1
             «gpus»: all
        """,
    ),
)
