"""``docker run`` in scripts, and the options that many choose knowingly."""

from tests.lint.case import clear, fires

CASES = (
    fires(
        "docker-gpus-option-unquoted",
        "run.sh",
        'docker run --rm --gpus «"device=0,1"» registry.example/train:1 python t.py\n',
        fixed="docker run --rm --gpus '\"device=0,1\"' registry.example/train:1 python t.py\n",
    ),
    fires(
        "docker-gpus-option-unquoted",
        "run.sh",
        "sudo docker run «--gpus=device=0,$SECOND» registry.example/train:1\n",
        fixed='sudo docker run --gpus="\\"device=0,$SECOND\\"" registry.example/train:1\n',
    ),
    clear("docker-gpus-option-unquoted", "run.sh", "docker run --gpus '\"device=0,1\"' a.example/b:1\n"),
    clear("docker-gpus-option-unquoted", "run.sh", "docker run --gpus device=0 a.example/b:1\n"),
    fires(
        "container-started-without-nvidia-runtime",
        "run.sh",
        "docker run -it --rm registry.example/train:1 «--gpus» all\n",
    ),
    fires(
        "container-started-without-nvidia-runtime",
        "run.sh",
        "podman run -dv /data:/data «nvcr.io/nvidia/tritonserver:25.06-py3» tritonserver\n",
    ),
    clear(
        "container-started-without-nvidia-runtime",
        "run.sh",
        "docker run $OPTIONS nvcr.io/nvidia/tritonserver:25.06-py3 tritonserver\n",
    ),
    clear(
        "container-started-without-nvidia-runtime",
        "run.sh",
        "podman run --device nvidia.com/gpu=all nvcr.io/nvidia/tritonserver:25.06-py3 tritonserver\n",
    ),
    fires(
        "cuda-visible-devices-names-absent-gpu",
        "run.sh",
        "docker run --gpus device=3 -e «CUDA_VISIBLE_DEVICES=3» registry.example/train:1\n",
    ),
    clear(
        "cuda-visible-devices-names-absent-gpu",
        "run.sh",
        "docker run --gpus all -e CUDA_VISIBLE_DEVICES=3 registry.example/train:1\n",
    ),
    fires(
        "shm-too-small",
        "run.sh",
        "docker run --gpus «all» nvcr.io/nvidia/pytorch:25.06-py3 python t.py\n",
    ),
    clear(
        "shm-too-small",
        "run.sh",
        "docker run --gpus all --shm-size=16g nvcr.io/nvidia/pytorch:25.06-py3 python t.py\n",
    ),
    fires(
        "container-privileged",
        "run.sh",
        "docker run «--privileged» registry.example/train:1\n",
    ),
    clear("container-privileged", "run.sh", "docker run --cap-add IPC_LOCK registry.example/train:1\n"),
    fires(
        "docker-socket-mounted",
        "compose.yaml",
        """
        services:
          watch:
            image: registry.example/watch:1
            volumes:
              - «/var/run/docker.sock:/var/run/docker.sock:ro»
        """,
    ),
    clear("docker-socket-mounted", "run.sh", "docker run -v /run/user:/run/user registry.example/train:1\n"),
    fires(
        "logs-not-persistent",
        "run.sh",
        "docker run --rm --gpus all --ipc=host registry.example/train:1 «torchrun» t.py\n",
    ),
    clear(
        "logs-not-persistent",
        "run.sh",
        "docker run --rm --gpus all --ipc=host -v /data:/data registry.example/train:1 torchrun t.py\n",
    ),
    fires(
        "secret-in-configuration",
        "run.sh",
        "docker run -e «HF_TOKEN=hf_QdRtYhLpWmZxCvBnGjKsUaEoIq» registry.example/train:1\n",
    ),
    clear(
        "secret-in-configuration", "run.sh", 'docker run -e HF_TOKEN="$HF_TOKEN" registry.example/train:1\n'
    ),
)
