#!/bin/sh
# Make .ray: an environment with Ray, in which the tests run a cluster of several raylets.
set -eu
venv=${1:-.ray}
version=2.60.0

if "$venv/bin/python" -c 'import ray' 2>/dev/null; then
    exit 0
fi
"${PYTHON:-python3}" -m venv "$venv"
"$venv/bin/python" -m pip install --quiet --disable-pip-version-check "ray==$version"
