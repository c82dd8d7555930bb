"""conda's environments, settings, channels on disk and caches."""

import json
from pathlib import Path

from tests.lint.case import clear, fires

REHASHED, SYNC = "conda-package-rehashed", "pip-mirror-out-of-sync"
WITHDRAWN, ENDED = "conda-meta-package-withdrawn", "conda-channel-ended"
CPU, MIRROR, MIXED = (
    "conda-solver-picked-cpu-build",
    "conda-mirror-lacks-nvidia-channel",
    "conda-channels-mixed",
)

FOLDER = Path(__file__).parent.parent / "channel" / "linux-64"
"""Two small files that stand for packages."""
INDEX = str(FOLDER / "repodata.json")
RECORD = str(FOLDER / "alpha-1.0-0" / "info" / "repodata_record.json")
SHA256 = "ec517941d12e3bdeef2c0733879a78ab9765655ff3bd7cb37f27837967933ee2"
MD5 = "ac4600c4e036f635c60bb032ce4f734f"


def index(alpha: str, beta: str, more: str = "") -> str:
    """Return an index with what it promises of both packages."""
    return (
        '{"info": {}, "packages": {«BETA"beta-1.0-0.tar.bz2": {' + beta + "}}, "
        '"packages.conda": {«ALPHA"alpha-1.0-0.conda": {' + alpha + "}" + more + "}}\n"
    )


ALPHA = '"size": 14, "sha256": "' + SHA256 + '"'
BETA = '"size": 15, "md5": "' + MD5 + '"'


def marked(text: str, *names: str) -> str:
    """Return the index with marks at the packages that are meant."""
    for name in ("ALPHA", "BETA"):
        text = text.replace(f"«{name}", "«" if name in names else "")
    return text


CASES = (
    fires(
        WITHDRAWN,
        "env-gpu.yaml",
        """
        channels:
          - conda-forge
        dependencies:
          - «cudatoolkit=12.1
        """,
    ),
    clear(
        WITHDRAWN,
        "environment.yml",
        """
        channels: [pytorch, nvidia]
        dependencies: [pytorch=2.5.1, pytorch-cuda=12.4, "cudatoolkit<12"]
        """,
    ),
    fires(
        ENDED,
        "environment.yml",
        """
        channels:
          - pytorch
          - nvidia
        dependencies:
          - «pytorch
          - pytorch-cuda=12.4
        """,
    ),
    fires(
        ENDED,
        "environment.yml",
        """
        channels:
          - conda-forge
        dependencies:
          - «pytorch::pytorch>=2.7
        """,
    ),
    clear(
        ENDED,
        "environment.yml",
        """
        channels:
          - conda-forge
          - pytorch
        dependencies:
          - pytorch=2.7
        """,
    ),
    clear(ENDED, "environment.yml", "channels: [pytorch]\ndependencies: [pytorch, cudatoolkit=11.3]\n"),
    fires(
        CPU,
        "environment.yml",
        """
        channels: [pytorch]
        dependencies:
          - pytorch=2.1.0
          - «cudatoolkit=11.8
        """,
    ),
    clear(CPU, "environment.yml", "channels: [pytorch]\ndependencies: [pytorch=1.12.1, cudatoolkit=11.3]\n"),
    clear(
        CPU, "environment.yml", "channels: [conda-forge]\ndependencies: [pytorch=2.1.0, cudatoolkit=11.8]\n"
    ),
    fires(
        MIRROR,
        "environment.yml",
        """
        channels:
          - «https://mirrors.tuna.tsinghua.edu.cn/anaconda/cloud/nvidia
          - https://conda.anaconda.org/nvidia
        dependencies: [cuda-toolkit]
        """,
    ),
    fires(
        MIRROR,
        ".condarc",
        """
        custom_channels:
          nvidia: «https://mirrors.tuna.tsinghua.edu.cn/anaconda/cloud
        """,
    ),
    clear(
        MIRROR,
        ".condarc",
        """
        channel_alias: https://mirrors.tuna.tsinghua.edu.cn/anaconda/cloud
        channels: [nvidia, conda-forge]
        custom_channels:
          nvidia: https://conda.anaconda.org
        """,
    ),
    fires(MIXED, "environment.yml", "channels: [conda-forge, «defaults]\ndependencies: [numpy]\n"),
    clear(MIXED, "environment.yml", "channels: [conda-forge, nodefaults]\ndependencies: [numpy]\n"),
    fires(REHASHED, INDEX, marked(index(ALPHA.replace("14", "9"), BETA), "ALPHA")),
    fires(REHASHED, INDEX, marked(index(ALPHA, BETA.replace(MD5, "0" * 32)), "BETA")),
    clear(REHASHED, INDEX, marked(index(ALPHA, BETA))),
    fires(SYNC, INDEX, marked(index(ALPHA, BETA, ', «"gamma-2-0.conda": {"size": 1}'))),
    clear(SYNC, INDEX, marked(index(ALPHA, BETA))),
    clear(SYNC, "noarch/repodata.json", marked(index(ALPHA, BETA))),
    fires(REHASHED, RECORD, '{«"fn": "alpha-1.0-0.conda", "size": 14, "sha256": "' + "0" * 64 + '"}\n'),
    clear(REHASHED, RECORD, json.dumps({"fn": "alpha-1.0-0.conda", "size": 14, "sha256": SHA256}) + "\n"),
    clear(REHASHED, RECORD, json.dumps({"fn": "../../beta-1.0-0.conda", "size": 1}) + "\n"),
)
