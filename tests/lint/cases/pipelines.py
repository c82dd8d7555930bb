"""Definitions of continuous integration."""

from tests.lint.case import clear, fires

WORKFLOW = """
on: push
jobs:
  {name}:
    runs-on: {runner}
    timeout-minutes: 30
    {more}
    steps:
      - name: test
        run: |
          {run}
"""
GITHUB = ".github/workflows/gpu.yml"


def _workflow(
    run: str, *, runner: str = "[self-hosted, gpu]", more: str = "env: {A: b}", name: str = "test"
) -> str:
    return WORKFLOW.format(run=run, runner=runner, more=more, name=name)


CASES = (
    fires(
        "ci-container-without-gpu",
        GITHUB,
        _workflow("pytest", more="«container»: {image: pytorch/pytorch@sha256:" + "0" * 64 + "}"),
    ),
    clear(
        "ci-container-without-gpu",
        GITHUB,
        _workflow(
            "pytest", more="container: {image: pytorch/pytorch@sha256:" + "0" * 64 + ", options: --gpus all}"
        ),
    ),
    clear(
        "ci-container-without-gpu",
        GITHUB,
        _workflow(
            "pytest", runner="ubuntu-latest", more="container: {image: python@sha256:" + "0" * 64 + "}"
        ),
    ),
    fires("ci-runner-without-gpu", GITHUB, _workflow("«nvidia-smi» -L", runner="ubuntu-latest")),
    clear("ci-runner-without-gpu", GITHUB, _workflow("nvidia-smi || true", runner="ubuntu-22.04")),
    clear("ci-runner-without-gpu", GITHUB, _workflow("nvidia-smi -L")),
    fires(
        "ci-runner-without-gpu",
        ".gitlab-ci.yml",
        "test:\n  image: nvidia/cuda@sha256:"
        + "0" * 64
        + "\n  script:\n    - pip list\n    - «nvidia-smi»\n",
    ),
    clear(
        "ci-runner-without-gpu",
        ".gitlab-ci.yml",
        ".gpu:\n  tags: [gpu]\ntest:\n  extends: .gpu\n  image: nvidia/cuda@sha256:"
        + "0" * 64
        + "\n  script:\n    - nvidia-smi\n",
    ),
    fires(
        "ci-gpu-job-may-fail",
        GITHUB,
        _workflow("pytest tests", more="continue-on-error: «true»"),
        fixed=_workflow("pytest tests", more="continue-on-error: false"),
    ),
    fires(
        "ci-gpu-job-may-fail",
        ".gitlab-ci.yml",
        "test:\n  tags: [a100]\n  allow_failure: «true»\n  script: pytest tests\n",
    ),
    clear(
        "ci-gpu-job-may-fail",
        GITHUB,
        _workflow("pytest", runner="ubuntu-latest", more="continue-on-error: true"),
    ),
    clear("ci-gpu-job-may-fail", GITHUB, _workflow("pytest tests")),
    fires(
        "ci-gpu-job-without-timeout",
        GITHUB,
        _workflow("pytest", name="«test»").replace("    timeout-minutes: 30\n", ""),
    ),
    clear("ci-gpu-job-without-timeout", GITHUB, _workflow("pytest")),
    fires(
        "ci-without-gpu-test",
        GITHUB,
        _workflow(
            "pip install torch --index-url https://download.pytorch.org/whl/cu128",
            runner="ubuntu-latest",
            name="«test»",
        ),
    ),
    clear("ci-without-gpu-test", GITHUB, _workflow("pip install torch --index-url https://x/whl/cu128")),
    fires(
        "ci-secret-printed",
        GITHUB,
        _workflow('echo «"token $HF_TOKEN"»'),
    ),
    fires(
        "ci-secret-printed",
        "ci/Jenkinsfile",
        "pipeline {\n  // sh 'echo $A_TOKEN'\n  stages { sh '''\n    set -x\n    echo «$HF_TOKEN»''' }\n}\n",
    ),
    fires(
        "ci-secret-printed",
        "jobs/train/config.xml",
        """
        <?xml version='1.1' encoding='UTF-8'?>
        <project>
          <builders>
            <hudson.tasks.Shell>
              <command>test 1 &lt; 2 &amp;&amp; echo «$HF_TOKEN»
        echo &quot;x&quot; &amp;&amp; echo «$HF_TOKEN»</command>
            </hudson.tasks.Shell>
          </builders>
        </project>
        """,
    ),
    clear(
        "ci-secret-printed",
        GITHUB,
        _workflow('echo "$HF_TOKEN" | docker login -p -; echo "${HF_TOKEN:+set} $MAX_TOKENS ${TOKENIZER}"'),
    ),
    fires(
        "config-syntax-error",
        "jobs/train/config.xml",
        "<project><hudson.tasks.Shell></«project>\n",
    ),
    fires(
        "config-syntax-error",
        "jobs/train/config.xml",
        '<!DOCTYPE project [«<!ENTITY a "b">]>\n<project><hudson.tasks.Shell/>&a;</project>\n',
    ),
)
