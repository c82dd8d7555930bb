"""The header of Slurm scripts."""

from tests.lint.case import clear, fires

TWICE = "#!/bin/bash\n#SBATCH --nodes=1\n"

CASES = (
    fires(
        "sbatch-directive-ignored",
        "job.sh",
        TWICE + "module load cuda\n#SBATCH «--mem=64G»\nhostname\n",
    ),
    fires(
        "sbatch-directive-ignored",
        "job.sh",
        TWICE + "«#sbatch» --mem=64G\nhostname\n",
        fixed=TWICE + "#SBATCH --mem=64G\nhostname\n",
    ),
    fires(
        "sbatch-directive-ignored",
        "job.sh",
        TWICE + "«#SABTCH» --mem=64G\nhostname\n",
        fixed=TWICE + "#SBATCH --mem=64G\nhostname\n",
    ),
    fires("sbatch-directive-ignored", "job.sh", TWICE + "«# SBATCH» --mem=64G\nhostname\n"),
    fires("sbatch-directive-ignored", "job.sh", TWICE + "#SBATCH «--output=$HOME/%j.out»\nhostname\n"),
    clear(
        "sbatch-directive-ignored",
        "job.sh",
        TWICE + "\n# a remark\n##SBATCH --mem=64G\n#SBATCH --output=%x-%j.out\nhostname\n",
    ),
    clear(
        "sbatch-directive-ignored",
        "submit.sh",
        "#!/bin/bash\nsbatch <<EOF\n#!/bin/bash\n#SBATCH --mem=64G\npython train.py\nEOF\n",
    ),
    fires(
        "sbatch-option-unknown",
        "job.sh",
        TWICE + "#SBATCH «--ntask-per-node»=8\nhostname\n",
        fixed=TWICE + "#SBATCH --ntasks-per-node=8\nhostname\n",
    ),
    clear(
        "sbatch-option-unknown",
        "job.sh",
        TWICE
        + "#SBATCH --ntasks-per-nod=8\n#SBATCH -c 4\n#SBATCH --container-image=a/b:1\n#SBATCH -N2\nls\n",
    ),
    fires(
        "slurm-gpu-not-requested",
        "job.sh",
        "#!/bin/bash\n#SBATCH «--nodes=1»\ntorchrun --nproc_per_node=4 train.py\n",
    ),
    clear(
        "slurm-gpu-not-requested", "job.sh", TWICE + "#SBATCH -G 4\ntorchrun --nproc_per_node=4 train.py\n"
    ),
    clear(
        "slurm-gpu-not-requested",
        "job.sh",
        TWICE + "#SBATCH --exclusive\ntorchrun --nproc_per_node=4 train.py\n",
    ),
    fires(
        "srun-cpus-not-inherited",
        "job.sh",
        TWICE + "#SBATCH -c 16\n«srun» -n 2 python train.py\n",
        fixed=TWICE + '#SBATCH -c 16\nsrun --cpus-per-task="$SLURM_CPUS_PER_TASK" -n 2 python train.py\n',
    ),
    clear(
        "srun-cpus-not-inherited",
        "job.sh",
        TWICE + "#SBATCH -c 16\nexport SRUN_CPUS_PER_TASK=$SLURM_CPUS_PER_TASK\nsrun python train.py\n",
    ),
    clear(
        "srun-cpus-not-inherited",
        "job.sh",
        TWICE + "#SBATCH -c 16\nsrun -c 8 python train.py\nsrun hostname\npython train.py\n",
    ),
    fires(
        "slurm-log-folder-missing",
        "job.sh",
        TWICE + "#SBATCH «-o ./logs/%j.out»\nmkdir -p logs\nhostname\n",
    ),
    clear("slurm-log-folder-missing", "job.sh", TWICE + "#SBATCH -o logs/%j.out\nmkdir -p out\nhostname\n"),
    fires(
        "slurm-log-overwritten",
        "job.sh",
        TWICE + "#SBATCH «--output=train.log»\nhostname\n",
        fixed=TWICE + "#SBATCH --output=train-%j.log\nhostname\n",
    ),
    fires(
        "slurm-log-overwritten",
        "job.sh",
        TWICE + "#SBATCH --array=0-3\n#SBATCH «-o %x.log»\nhostname\n",
        fixed=TWICE + "#SBATCH --array=0-3\n#SBATCH -o %x-%A_%a.log\nhostname\n",
    ),
    clear("slurm-log-overwritten", "job.sh", TWICE + "#SBATCH --output=%x-%j.log\nhostname\n"),
    clear(
        "slurm-log-overwritten",
        "job.sh",
        TWICE + "#SBATCH --output=train.log\n#SBATCH --open-mode=append\nhostname\n",
    ),
)
