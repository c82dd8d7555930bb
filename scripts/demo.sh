#!/bin/sh
# From error to verdict to remedy to report: this machine, then an incident recorded in our lab.
set -u
codeblue=$1
here=$(dirname "$0")/..
incident=$here/tests/recordings/nvidiactl-0644.json
report=${TMPDIR:-/tmp}/codeblue-demo-report.md

step() { printf '\n==> %s\n\n' "$1"; }

step "this machine: codeblue check"
"$codeblue" check
code=$?
case $code in
    0 | 1 | 3) ;;
    *) exit "$code" ;;
esac

step "a recorded incident, torch says there is no GPU: codeblue check file:$incident"
"$codeblue" check "file:$incident"
code=$?
[ "$code" = 1 ] || { echo "expected a finding (exit code 1), got $code" >&2; exit 1; }

step "what to know about it: codeblue explain device-node-permissions"
"$codeblue" explain device-node-permissions || exit 1

step "the report for the ticket: codeblue check file:… --format markdown -o $report"
"$codeblue" check "file:$incident" --format markdown -o "$report"
[ -s "$report" ] || { echo "no report was written to $report" >&2; exit 1; }
sed -n 1,20p "$report"
printf '\nThe whole report is in %s\n' "$report"
