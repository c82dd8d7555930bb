"""image-files-unreadable-for-non-root"""

import pytest

from codeblue import pipeline
from codeblue.model.finding import Outcome
from tests.conftest import judge, recording, text

FAULT = "image-files-unreadable-for-non-root"
SAID = (
    (
        "exec: /app/.venv/bin/python: no such file or directory",
        "$ ls -l /app/.venv/bin/python",
        "lrwxrwxrwx 1 root root 66 python -> /root/.local/share/uv/python/cpython-3.12/bin/python3.12",
        "# note: docker run --user 1000:1000",
    ),
    ("bash: /opt/tool/bin/train: /root/miniconda3/bin/python: bad interpreter: Permission denied",),
    ("PermissionError: [Errno 13] Permission denied: '/opt/venv/bin/python3'",),
    (
        "# note: singularity 以普通用户运行，镜像里的 python 装在 /root/miniconda3 下，报找不到解释器",
        "python: No such file or directory",
    ),
    (
        "error: Failed to query Python interpreter",
        (
            "  Caused by: failed to canonicalize path `/app/.venv/bin/python3`: Permission denied (os "
            "error 13)"
        ),
    ),
    (
        (
            "# note: entrypoint says file not found for everybody but root; the venv links into /root "
            "which has mode 700"
        ),
        "standard_init_linux.go: exec user process caused: no such file or directory",
    ),
)
OTHERS = (
    (
        "exec /usr/bin/python3: exec format error",
        "# note: runAsUser 1000, /root/.local",
    ),
    (
        "PermissionError: [Errno 13] Permission denied: '/.cache'",
        "# note: docker run --user 1000",
    ),
    (
        "# note: conda is installed in /root/miniconda3",
        "ImportError: libcudnn.so.9: cannot open shared object file: No such file or directory",
    ),
    ("FileNotFoundError: [Errno 2] No such file or directory: '/root/data/train.json'",),
)


@pytest.mark.parametrize("lines", SAID)
def test_fires_and_is_the_first_cause(lines: tuple[str, ...]) -> None:
    assert pipeline.judge(text(*lines)).causes[0].finding.fault == FAULT


@pytest.mark.parametrize("lines", OTHERS)
def test_clear_on_what_only_looks_alike(lines: tuple[str, ...]) -> None:
    assert judge(FAULT, text(*lines)).outcome is Outcome.CLEAR


def test_claims_nothing_without_a_text() -> None:
    snapshot = recording("h200-healthy", sightings={"state": "not-attempted"})

    assert judge(FAULT, snapshot).outcome is Outcome.SKIPPED
