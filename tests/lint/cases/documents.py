"""Documents: drivers, builds, architectures, images, commands, approvals, and the code inside."""

from datetime import date

from codeblue.lint.run import Against
from codeblue.model.facts import Driver
from codeblue.model.site import Approver, Expect, Site
from codeblue.model.snapshot import View
from tests.lint.case import clear, fires

IMPOSSIBLE, STALE, VACANT = "document-version-impossible", "document-version-stale", "approval-owner-vacant"
RETIRED, ENDED = "retired-command", "conda-channel-ended"
NODE = Against(
    machine=View(kind="probe", name="node1", driver=Driver(module_version="580.159.03")),
)
SITE = Against(
    site=Site(
        expect=Expect(driver="580", torch="2.11.*"),
        approver=[
            Approver(name="Ana Fox", risks=["reboot"], until=date(2020, 1, 31)),
            Approver(name="Bo Lin", risks=["reboot"], until=date(2999, 1, 31)),
        ],
    )
)

DRIVERS = (
    fires(IMPOSSIBLE, "README.md", "CUDA 12.4 requires driver «470.57.02 or newer.\n"),
    fires(IMPOSSIBLE, "README.md", "CUDA 12.8 要求驱动 ≥ «470.57.02。\n"),
    fires(IMPOSSIBLE, "docs/setup.rst", "Set-up\n======\n\n``CUDA 13.0`` needs at least driver «570.26.\n"),
    fires(
        IMPOSSIBLE,
        "matrix.md",
        """
        | CUDA | Minimum driver |
        |------|----------------|
        | 11.8 | 450.80.02 |
        | **12.4** | >= «470.57.02 |
        """,
    ),
    fires(
        IMPOSSIBLE,
        "matrix.md",
        """
        | CUDA version | Minimum driver (Linux) | Windows |
        |--|--|--|
        | CUDA 12.4 | >=«470.57.02 | >=551.61 |
        | CUDA 12.4 | >=550.54.14 | >=551.61 |
        """,
    ),
    fires(
        IMPOSSIBLE,
        "matrix.html",
        """
        <table><tr><th>CUDA</th><th>驱动</th></tr>
        <tr><td>12.4</td><td>&ge; «470.57.02</td></tr>
        </table>
        """,
    ),
    clear(
        IMPOSSIBLE,
        "README.md",
        """
        CUDA 12.4 requires driver 525.60.13 or newer, and CUDA 11.8 requires 450.80.02 or newer.

        CUDA 12.4 needs driver 550.54.14 for all of its features.

        On Windows, CUDA 11.8 requires driver 452.39.

        With cuda-compat, CUDA 12.4 needs only driver 470.57.02 on data-center GPUs.

        CUDA 12.4 does not run on driver 470.57.02.

        # Changelog

        CUDA 12.4 requires driver 470.57.02 or newer.
        """,
    ),
    fires(IMPOSSIBLE, "README.md", "The image works with driver «585.48.01 only.\n"),
    clear(
        IMPOSSIBLE,
        "README.md",
        "Jetson has driver 540.4.0, Windows driver 528.33, ours is driver 580.95.05.\n",
    ),
    fires(IMPOSSIBLE, "README.md", "Get «CUDA toolkit 12.7 first.\n"),
    clear(
        IMPOSSIBLE, "README.md", "nvidia-smi prints CUDA Version: 12.7 here. Get CUDA toolkit 12.8.1 first.\n"
    ),
    fires(STALE, "README.md", "Install driver «535.288.01 on every node.\n"),
    fires(STALE, "安装.md", "请在每个节点上安装驱动 «535.288.01。\n"),
    fires(STALE, "README.md", "We recommend driver «580.95.05.\n"),
    clear(STALE, "a.md", "See https://download.nvidia.com/XFree86/Linux-x86_64/580.95.05/README/faq.html\n"),
    fires(STALE, "wiki.md", "All nodes run driver «535.288.01.\n"),
    fires(STALE, "wiki.md", "所有节点目前使用驱动 «535.288.01。\n"),
    clear(STALE, "wiki.md", "All nodes run driver 580.159.03. Until 2025 all nodes ran driver 535.288.01.\n"),
    clear(
        STALE,
        "README.md",
        """
        Install driver 535.288.01 or newer. Install driver 580.159.03.

        Tested with driver 535.288.01: use it where you like.
        """,
    ),
    fires(STALE, "README.md", "Install NVIDIA Container Toolkit «1.17.3 on the hosts.\n"),
    clear(
        STALE,
        "README.md",
        """
        Install NVIDIA Container Toolkit 1.14.0 or later.

        As of NVIDIA Container Toolkit 1.18.0, the recommended way is CDI.
        """,
    ),
    fires(STALE, "README.md", "All nodes run driver «535.309.01.\n", on=NODE),
    fires(STALE, "README.md", "集群当前的驱动版本为 «535.309.01。\n", on=NODE),
    fires(STALE, "README.md", "The job needs driver >= «595.71.05.\n", on=NODE),
    clear(
        STALE, "README.md", "All nodes run driver 580.159.03. The job needs driver >= 525.60.13.\n", on=NODE
    ),
    fires(STALE, "README.md", "Our nodes run driver «535.309.01 with PyTorch «2.9.\n", on=SITE),
    clear(STALE, "README.md", "Our nodes run driver 580.159.03 with PyTorch 2.11.0+cu130.\n", on=SITE),
)
BUILDS = (
    fires(IMPOSSIBLE, "README.md", "We use torch «2.1.0+cu128 here.\n"),
    fires(IMPOSSIBLE, "README.md", "Install with pip: PyTorch 2.1 + CUDA «12.8.\n"),
    clear(
        IMPOSSIBLE, "README.md", "We use torch 2.7.1+cu128 here. Install with pip: PyTorch 2.7 + CUDA 12.8.\n"
    ),
    clear(IMPOSSIBLE, "README.md", "The vendor's image has PyTorch 2.10 with CUDA 12.9.\n"),
    fires(IMPOSSIBLE, "README.md", "Needed: torch 2.7.0 and torchvision «0.20.0.\n"),
    fires(
        IMPOSSIBLE,
        "README.md",
        """
        | torch | torchaudio |
        | --- | --- |
        | 2.7.0 | 2.7.0 |
        | 2.7.0 | «2.6.0 |
        """,
    ),
    clear(
        IMPOSSIBLE,
        "README.md",
        "Needed: torch 2.7.0 and torchvision 0.22. Or torch>=2.7 with torchvision>=0.20.\n",
    ),
    fires(
        IMPOSSIBLE, "README.md", "The file «torch-2.7.0+cu121-cp312-cp312-linux_x86_64.whl is on the share.\n"
    ),
    fires(
        IMPOSSIBLE,
        "README.md",
        """
        ```bash
        pip install https://x.example/«torch-2.1.0+cu121-cp313-cp313-linux_x86_64.whl
        ```
        """,
    ),
    clear(
        IMPOSSIBLE, "README.md", "The file torch-2.7.0+cu128-cp312-cp312-linux_x86_64.whl is on the share.\n"
    ),
    fires("cuda-index-does-not-exist", "README.md", "Wheels: <b>download.pytorch.org/whl/«cu125</b>\n"),
    clear(
        "cuda-index-does-not-exist", "README.md", "Wheels: download.pytorch.org/whl/cu128 or .../whl/cu113\n"
    ),
    fires(IMPOSSIBLE, "README.md", "Get cuDNN «9.12 for CUDA 11.8.\n"),
    clear(IMPOSSIBLE, "README.md", "Get cuDNN 9.12 for CUDA 12.8 or cuDNN 8.9 for CUDA 11.8.\n"),
)
ARCHITECTURES = (
    fires(IMPOSSIBLE, "README.md", "RTX 4090 is «sm_86 and A100 is sm_80.\n"),
    fires(IMPOSSIBLE, "README.md", "Set TORCH_CUDA_ARCH_LIST for your card: H100 («sm_80), A100 (sm_80).\n"),
    fires(IMPOSSIBLE, "README.md", "Code for sm_80 (A100), «sm_86 (RTX 4090) is in it.\n"),
    fires(IMPOSSIBLE, "说明.md", "RTX 3090 的«计算能力为 8.9。\n"),
    fires(
        IMPOSSIBLE,
        "README.md",
        """
        | GPU | Compute capability |
        |---|---|
        | RTX 4090 | «8.6 |
        | RTX 30 series | 8.6 |
        """,
    ),
    fires(
        IMPOSSIBLE,
        "README.md",
        """
        | Card | Architecture | SM | Needed capability |
        |---|---|---|---|
        | RTX 3090, RTX 3080 | Ampere | sm_«89 | |
        | A100, RTX 3090 | Ampere | 80 | |
        | RTX 4090 | Ada | | 7.5 |
        """,
    ),
    clear(
        IMPOSSIBLE,
        "README.md",
        """
        RTX 4090 is sm_89. Ampere (sm_80, sm_86) and Hopper (sm_90) are built in.

        Volta (7.0 on servers; Jetson Xavier is sm_72). Code for sm_80 also runs on an RTX 3090.

        Ampere (compute capability 8.0 or newer). H100 runs code for sm_90a.
        """,
    ),
    fires(IMPOSSIBLE, "README.md", "Blackwell GPUs require CUDA «12.4 at least.\n"),
    clear(
        IMPOSSIBLE,
        "README.md",
        "Blackwell GPUs require CUDA 12.8. Hopper GPUs require CUDA 11.8; CUDA 12.4 is used on H100.\n",
    ),
)
IMAGES = (
    fires(
        IMPOSSIBLE,
        "README.md",
        "Try `docker run --gpus all «nvidia/cuda:12.7.0-base-ubuntu22.04 nvidia-smi`.\n",
    ),
    fires(IMPOSSIBLE, "README.md", "```yaml\nimage: «nvidia/cuda:12.4-base\n```\n"),
    fires(
        IMPOSSIBLE,
        "README.md",
        "Use «nvcr.io/nvidia/pytorch:24.13-py3 or «nvcr.io/nvidia/pytorch:24.01 here.\n",
    ),
    clear(
        IMPOSSIBLE,
        "README.md",
        "nvcr.io/nvidia/pytorch:24.01-py3, nvidia/cuda:12.4.1-base-ubuntu22.04, nvidia/cuda:11.0-base\n",
    ),
)
COMMANDS = (
    fires(
        RETIRED,
        "README.md",
        """
        1. Start it:
           ```bash
           «nvidia-docker run --rm x
           ```
        """,
        fixed="""
        1. Start it:
           ```bash
           docker run --gpus all --rm x
           ```
        """,
    ),
    fires(RETIRED, "run.sh", "«nvidia-docker run --rm x\n", fixed="docker run --gpus all --rm x\n"),
    fires(
        RETIRED,
        "guide.rst",
        """
        Guide
        =====

        .. code-block:: console

           $ curl -fsSL «https://nvidia.github.io/nvidia-docker/gpgkey | sudo apt-key add -
           OK nvidia-docker run
        """,
    ),
    fires(
        RETIRED,
        "guide.html",
        "<pre><code>sudo apt-key adv --fetch-keys "
        "«https://developer.download.nvidia.com/compute/cuda/repos/ubuntu2004/x86_64/7fa2af80.pub</code></pre>\n",
    ),
    clear(
        RETIRED,
        "README.md",
        """
        ```bash
        docker run --gpus all x
        curl -fsSL https://nvidia.github.io/libnvidia-container/gpgkey
        sudo apt-key del 7fa2af80
        apt-key add https://developer.download.nvidia.com/compute/machine-learning/repos/x/7fa2af80.pub
        torchrun train.py
        ```

        Do not use the old wrapper any more:

        ```bash
        nvidia-docker run x
        ```
        """,
    ),
    fires(ENDED, "README.md", "```\nconda install «pytorch torchvision -c pytorch -c nvidia\n```\n"),
    fires(ENDED, "setup.sh", "conda install «pytorch==2.7.1 -c pytorch\n"),
    clear(
        ENDED,
        "README.md",
        """
        ```bash
        conda install pytorch==2.5.1 torchvision -c pytorch
        conda install pytorch cudatoolkit=11.3 -c pytorch
        conda install pytorch-gpu -c conda-forge
        ```
        """,
    ),
)
INSIDE = (
    fires(
        "env-name-misspelt",
        "README.md",
        """
        Apply this:

        - the pod

          ```yaml
          apiVersion: v1
          kind: Pod
          metadata: {name: x}
          spec:
            containers:
            - name: main
              image: registry.example/train:1
              env:
              - name: «NCCL_SOKET_IFNAME
                value: eth0
          ```
        """,
    ),
    clear("env-name-misspelt", "README.md", "```yaml\napiVersion: v1\nkind: Pod\nspec:\n  ...\n```\n"),
    clear("env-name-misspelt", "README.md", "```yaml\napiVersion: v1\nkind: Pod\n spec: x\n```\n"),
)
APPROVALS = (
    fires(VACANT, "policy.md", "Approved by: «TBD\n"),
    fires(
        VACANT, "policy.md", "| Change | Approver |\n|---|---|\n| driver | «vacant |\n| kernel | Bo Lin |\n"
    ),
    fires(VACANT, "policy.md", "| 项目 | 内容 |\n|---|---|\n| 审批人 | «空缺 |\n"),
    fires(VACANT, "policy.md", "Approved by: «Ana Fox\n", on=SITE),
    clear(VACANT, "policy.md", "Approved by: Bo Lin\n\nThe approver: see below. 审批人：张三\n", on=SITE),
    fires(
        VACANT,
        "codeblue.toml",
        """
        [[waive]]
        fault = "driver-below-safe-version"
        reason = "held for the run"
        owner = "Bo Lin"
        «expires = 2020-03-31

        [[waive]]
        fault = "image-tag-mutable"
        reason = "test cluster"
        «owner = "Ana Fox"
        expires = 2999-03-31

        [[approver]]
        name = "Ana Fox"
        risks = ["reboot"]
        «until = 2020-01-31
        """,
    ),
    clear(
        VACANT,
        "codeblue.toml",
        """
        [[waive]]
        fault = "driver-below-safe-version"
        reason = "held for the run"
        owner = "Bo Lin"
        expires = 2999-03-31

        [[approver]]
        name = "Bo Lin"
        risks = ["reboot"]
        until = 2999-01-31
        """,
    ),
    fires("config-syntax-error", "codeblue.toml", "[expect]\ngpus = «\n"),
    fires("config-syntax-error", "codeblue.toml", "[expect]\n«gpu_count = 8\n"),
)
CASES = (*DRIVERS, *BUILDS, *ARCHITECTURES, *IMAGES, *COMMANDS, *INSIDE, *APPROVALS)
