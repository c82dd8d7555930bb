"""Launch scripts: variables and exit codes."""

from tests.lint.case import clear, fires

CASES = (
    fires(
        "env-set-after-launch",
        "run.sh",
        "python train.py --epochs 3 «CUDA_VISIBLE_DEVICES=0»\n",
        fixed="CUDA_VISIBLE_DEVICES=0 python train.py --epochs 3\n",
    ),
    fires(
        "env-set-after-launch",
        "run.sh",
        "torchrun --nproc_per_node=2 train.py\nexport «NCCL_DEBUG»=INFO\n",
    ),
    clear(
        "env-set-after-launch",
        "run.sh",
        "mpirun -np 2 -x NCCL_DEBUG=INFO python train.py\n"
        "CUDA_VISIBLE_DEVICES=0 python train.py model.CUDA=0\n",
    ),
    clear(
        "env-set-after-launch",
        "run.sh",
        "python prepare.py\nexport NCCL_DEBUG=INFO\npython train.py\n",
    ),
    fires(
        "env-set-after-launch",
        "run.sh",
        "torchrun --nproc_per_node=2 train.py\n«ulimit» -l unlimited\n",
    ),
    clear("env-set-after-launch", "run.sh", "ulimit -l unlimited\ntorchrun --nproc_per_node=2 train.py\n"),
    fires(
        "library-path-overwritten",
        "run.sh",
        "export «LD_LIBRARY_PATH»=/usr/local/cuda/lib64:LD_LIBRARY_PATH\n",
        fixed="export LD_LIBRARY_PATH=/usr/local/cuda/lib64:$LD_LIBRARY_PATH\n",
    ),
    fires("library-path-overwritten", "run.sh", "export «LD_LIBRARY_PATH»=/usr/local/cuda/lib64\n"),
    clear(
        "library-path-overwritten",
        "run.sh",
        "export LD_LIBRARY_PATH=/opt/lib:$LD_LIBRARY_PATH\nLD_LIBRARY_PATH=/opt/lib ./a\nPATH=/a:/PATH\n",
    ),
    fires("lock-file-race", "run.sh", '[ -e "/tmp/gpu.lock" ] && exit 1\ntouch «/tmp/gpu.lock»\n'),
    clear("lock-file-race", "run.sh", "exec 9>/tmp/gpu.lock\nflock -n 9 || exit 1\n"),
    fires(
        "env-not-exported",
        "run.sh",
        "«NCCL_DEBUG»=INFO\npython train.py\n",
        fixed="export NCCL_DEBUG=INFO\npython train.py\n",
    ),
    clear("env-not-exported", "run.sh", "NCCL_DEBUG=INFO\nexport NCCL_DEBUG\npython train.py\n"),
    clear("env-not-exported", "run.sh", "set -a\nNCCL_DEBUG=INFO\npython train.py\n"),
    clear(
        "env-not-exported",
        "run.sh",
        "MASTER_PORT=29501\nWORLD_SIZE=8\ntorchrun --nproc_per_node=8 train.py\n"
        "NCCL_DEBUG=INFO python x.py\n",
    ),
    clear("env-not-exported", "run.sh", "MASTER_PORT=29501\npython train.py --port ${MASTER_PORT}\n"),
    fires(
        "shell-assignment-malformed",
        "run.sh",
        "export «NCCL_DEBUG» = INFO\npython train.py\n",
        fixed="export NCCL_DEBUG=INFO\npython train.py\n",
    ),
    fires("shell-assignment-malformed", "run.sh", "«LR» = 3\n", fixed="LR=3\n"),
    fires(
        "shell-assignment-malformed",
        "run.sh",
        "export «NCCL_DEBUG» INFO\n",
        fixed="export NCCL_DEBUG=INFO\n",
    ),
    fires(
        "shell-assignment-malformed",
        "run.sh",
        "«set» NCCL_DEBUG=INFO\n",
        fixed="export NCCL_DEBUG=INFO\n",
    ),
    fires(
        "shell-assignment-malformed",
        "run.sh",
        "CUDA_VISIBLE_DEVICES=«0,» 1, 2 python train.py\n",
        fixed="CUDA_VISIBLE_DEVICES=0,1,2 python train.py\n",
        also=("cuda-visible-devices-names-absent-gpu",),
    ),
    fires(
        "shell-assignment-malformed",
        "run.sh",
        "export CUDA_VISIBLE_DEVICES=«0,» 1\n",
        fixed="export CUDA_VISIBLE_DEVICES=0,1\n",
        also=("cuda-visible-devices-names-absent-gpu",),
    ),
    clear(
        "shell-assignment-malformed",
        "run.sh",
        'A=1\nB=2\nexport A B\n[ "$A" = "$B" ]\nset -- x=1\nCUDA_VISIBLE_DEVICES=0,1 python train.py\n',
    ),
    fires(
        "exit-code-lost-in-pipe",
        "run.sh",
        "set -e\n«torchrun» --nproc_per_node=2 train.py 2>&1 | tee log\n",
    ),
    fires("exit-code-lost-in-pipe", "run.sh", "«python» train.py | tee log\n"),
    fires(
        "exit-code-lost-in-pipe",
        ".github/workflows/test.yml",
        """
        on: push
        jobs:
          test:
            runs-on: ubuntu-latest
            steps:
              - run: «python» -m pytest tests | tee log
        """,
    ),
    clear(
        "exit-code-lost-in-pipe",
        ".github/workflows/test.yml",
        """
        on: push
        jobs:
          test:
            runs-on: ubuntu-latest
            defaults: {run: {shell: bash}}
            steps:
              - run: python -m pytest tests | tee log
        """,
    ),
    clear("exit-code-lost-in-pipe", "run.sh", "set -euo pipefail\npython train.py | tee log\n"),
    clear("exit-code-lost-in-pipe", "run.sh", "python train.py | tee log\nexit ${PIPESTATUS[0]}\n"),
    clear(
        "exit-code-lost-in-pipe", "Jenkinsfile", "node { sh 'set -o pipefail; python train.py | tee log' }\n"
    ),
    fires(
        "setup-continues-after-failure",
        "run.sh",
        "«apt-get» install -y nvidia-driver-570\nmodprobe nvidia\npython train.py\n",
    ),
    clear(
        "setup-continues-after-failure",
        "run.sh",
        "set -e\napt-get install -y nvidia-driver-570\nmodprobe nvidia\npython train.py\n",
    ),
    clear("setup-continues-after-failure", "run.sh", "modprobe nvidia || exit 1\npython train.py\n"),
)
