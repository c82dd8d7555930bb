"""Launch lines: processes, tasks, GPUs, rendezvous."""

from codeblue.lint.run import Against
from codeblue.model.facts import Nvml
from codeblue.model.section import State
from codeblue.model.snapshot import View
from tests.lint.case import clear, fires

SBATCH = """
#!/bin/bash
#SBATCH --nodes={nodes}
#SBATCH --gres=gpu:{gpus}
#SBATCH --ntasks-per-node={tasks}
{lines}
"""

FOUR = Against(machine=View(kind="probe", name="node1", nvml=Nvml(state=State.READ, count=4)))


def _job(lines: str, *, nodes: int = 1, gpus: int = 8, tasks: int = 1) -> str:
    return SBATCH.format(lines=lines, nodes=nodes, gpus=gpus, tasks=tasks)


CASES = (
    fires(
        "more-ranks-than-gpus",
        "run.sh",
        "CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node «4» train.py\n",
    ),
    fires(
        "more-ranks-than-gpus",
        "run.sh",
        "export CUDA_VISIBLE_DEVICES=0,1,2,3\nN=8\naccelerate launch --num_processes «$N» train.py\n",
    ),
    fires(
        "more-ranks-than-gpus",
        "job.sbatch",
        _job('N=8\nARGS=(\n  --nnodes 1\n  --nproc_per_node $N\n)\ntorchrun «"${ARGS[@]}"» train.py', gpus=4),
    ),
    clear(
        "more-ranks-than-gpus",
        "job.sbatch",
        _job('N=8\nARGS="--nproc_per_node $N"\nif a; then N=2; fi\ntorchrun $ARGS train.py', gpus=4),
    ),
    fires("more-ranks-than-gpus", "job.sbatch", _job("torchrun «--nproc-per-node=8» train.py", gpus=4)),
    clear("more-ranks-than-gpus", "job.sbatch", _job("torchrun --nproc-per-node=8 train.py")),
    fires("more-ranks-than-gpus", "run.sh", "torchrun «--nproc-per-node=8» train.py\n", on=FOUR),
    clear("more-ranks-than-gpus", "run.sh", "torchrun --nproc-per-node=4 train.py\n", on=FOUR),
    clear("more-ranks-than-gpus", "job.sbatch", _job("torchrun --nproc-per-node=8 train.py"), on=FOUR),
    clear(
        "more-ranks-than-gpus",
        "run.sh",
        "CUDA_VISIBLE_DEVICES=0,1 torchrun --nproc_per_node=2 train.py\n"
        "CUDA_VISIBLE_DEVICES=0 echo torchrun --nproc_per_node=2\n",
    ),
    clear(
        "more-ranks-than-gpus",
        "run.sh",
        "CUDA_VISIBLE_DEVICES=0 torchrun --nproc_per_node=4 train.py --device cpu --backend gloo\n",
    ),
    fires(
        "slurm-task-count-mismatch",
        "job.sbatch",
        _job("«srun» torchrun --nproc_per_node=8 train.py", tasks=8),
        fixed=_job("srun torchrun --nproc_per_node=8 train.py", tasks=1),
    ),
    fires(
        "slurm-task-count-mismatch",
        "job.sbatch",
        _job(
            "«srun» --ntasks-per-node=4 python -m torch.distributed.run --nproc_per_node=4 train.py", gpus=4
        ),
    ),
    clear("slurm-task-count-mismatch", "job.sbatch", _job("srun torchrun --nproc_per_node=8 train.py")),
    clear("slurm-task-count-mismatch", "job.sbatch", _job("srun python train.py", tasks=8)),
    clear(
        "slurm-task-count-mismatch",
        "job.sbatch",
        _job("srun -N1 -n1 torchrun --nproc_per_node=8 train.py", tasks=8),
    ),
    fires(
        "rendezvous-port-in-use",
        "job.sbatch",
        _job("export MASTER_PORT=«29500»\nsrun python train.py", gpus=2),
    ),
    fires(
        "rendezvous-port-in-use",
        "job.sbatch",
        _job("torchrun --nproc_per_node=2 «--master_port=29500» train.py", gpus=2),
    ),
    clear(
        "rendezvous-port-in-use",
        "job.sbatch",
        _job("export MASTER_PORT=$((10000 + SLURM_JOB_ID % 20000))\ntorchrun --standalone train.py", gpus=2),
    ),
    clear("rendezvous-port-in-use", "job.sbatch", _job("export MASTER_PORT=29500\nsrun python train.py")),
    fires(
        "rendezvous-address-loopback",
        "job.sbatch",
        _job("export MASTER_ADDR=«localhost»\nsrun python train.py", nodes=2),
    ),
    fires(
        "rendezvous-address-loopback",
        "run.sh",
        "torchrun --nnodes=2 --nproc_per_node=8 --rdzv_endpoint «127.0.0.1:29500» train.py\n",
    ),
    clear(
        "rendezvous-address-loopback",
        "run.sh",
        "torchrun --nnodes=1 --nproc_per_node=8 --rdzv_endpoint localhost:29500 train.py\n",
    ),
    clear(
        "rendezvous-address-loopback",
        "job.sbatch",
        _job(
            'export MASTER_ADDR=$(scontrol show hostnames "$SLURM_JOB_NODELIST" | head -n 1)\n'
            "srun python train.py",
            nodes=2,
        ),
    ),
    fires(
        "cuda-visible-devices-hard-coded",
        "job.sbatch",
        _job("export «CUDA_VISIBLE_DEVICES»=4,5\nsrun python train.py", gpus=2),
    ),
    fires(
        "cuda-visible-devices-hard-coded",
        "job.sbatch",
        _job("«CUDA_VISIBLE_DEVICES»=0,1 python train.py", gpus=2),
    ),
    clear("cuda-visible-devices-hard-coded", "job.sbatch", _job("srun python train.py", gpus=2)),
    clear("cuda-visible-devices-hard-coded", "run.sh", "export CUDA_VISIBLE_DEVICES=4,5\npython train.py\n"),
    fires(
        "retired-command",
        "run.sh",
        "python -m «torch.distributed.launch» --nproc_per_node=2 --use_env train.py\n",
        fixed="torchrun --nproc_per_node=2 train.py\n",
    ),
    clear("retired-command", "run.sh", "python -m torch.distributed.run --nproc_per_node=2 train.py\n"),
)
