#!/bin/sh
# Make .torch: an environment with a CPU build of torch, in which the tests run the trials.
set -eu
venv=${1:-.torch}
version=2.13.0
index=https://download.pytorch.org/whl/cpu

if "$venv/bin/python" -c 'import torch' 2>/dev/null; then
    exit 0
fi
"${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check "torch==$version+cpu" numpy ||
    "$venv/bin/python" -m pip install --quiet --disable-pip-version-check --index-url "$index" "torch==$version" numpy
