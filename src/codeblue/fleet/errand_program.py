"""Runs on a node, as text for ``python3 -I -S -B -``, Python 3.6: calls the node's own codeblue, and tells.

``ORDER`` is put in front of this text. The answer is JSON, in frames behind the marker.
"""

import base64
import json
import os
import shutil
import signal
import subprocess
import sys
import time
import zlib
from contextlib import suppress
from typing import Any

ORDER: "dict[str, Any]" = globals().get("ORDER", {})
PLACES = (
    "~/.local/bin/codeblue",
    "/usr/local/bin/codeblue",
    "/usr/bin/codeblue",
    "/opt/codeblue/bin/codeblue",
)
FRAME = 900
"""Characters of a line: launchers cut long ones."""
KEPT = 1 << 23
"""Bytes kept of what codeblue prints."""
TAKING_BACK = 20
"""Seconds in which a codeblue that was told to stop takes back what it has begun."""
LATE = "codeblue was not done in time, and was told to stop"
GOOD = ("fixed", "awaiting-reboot")


class Late(Exception):
    """Codeblue gave no answer in time, or none at all."""


def main() -> None:
    """Do what was ordered, and answer."""
    begun = time.time()
    try:
        words = codeblue()
        answer = (
            VERBS[ORDER["verb"]](words, begun + ORDER["seconds"]) if words else {"outcome": "no-codeblue"}
        )
    except Late:
        answer = {"outcome": "failed", "why": LATE}
    except OSError as error:
        answer = {"outcome": "no-codeblue", "why": str(error)}
    tell(json.dumps(answer))


def codeblue() -> "list[str] | None":
    """Return the words that start codeblue here, or None."""
    if ORDER["words"]:
        return list(ORDER["words"])
    found = [shutil.which("codeblue")] + [os.path.expanduser(place) for place in PLACES]
    return next(([path] for path in found if path and os.access(path, os.X_OK)), None)


def planned(words: "list[str]", until: float) -> "dict[str, Any]":
    """Look at the node anew and keep a plan here for later."""
    _, seen, _ = call([*words, "check", "--format", "json", "--next-boot"], until)
    path = plan_path()
    forget(path)
    os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)
    code, shown, said = call([*words, "fix", ORDER["fault"], "--plan", path, "--format", "json"], until)
    if code != 0:
        return {"outcome": "refused", "why": last(said)}
    with open(path, encoding="utf-8") as stream:
        plan = json.load(stream)
    refused = [row["why"] for row in json.loads(shown)["refused"]]
    if not plan["items"]:
        forget(path)
        there = json.dumps(ORDER["fault"]) in seen
        return {"outcome": "refused" if there else "nothing-to-do", "why": "; ".join(refused)}
    return {"plan": plan, "home": os.path.expanduser("~")}


def applied(words: "list[str]", until: float) -> "dict[str, Any]":
    """Carry the kept plan out, unless that was done before; say what the journal says of it."""
    path = plan_path()
    try:
        with open(path, encoding="utf-8") as stream:
            digest = json.load(stream)["digest"]
    except (OSError, ValueError, KeyError):
        return {"outcome": "refused", "why": "no plan is kept here; make it anew"}
    told = {"digest": digest}
    before = journal(words, until).get(digest)
    if before and before["outcome"] in GOOD:
        if before["outcome"] == "awaiting-reboot":
            call([*words, "check", "--format", "json"], until)  # the first one after a boot settles it
            before = journal(words, until).get(digest, before)
        return dict(told, **before)
    if ORDER["plans"] and digest not in ORDER["plans"]:
        return dict(told, outcome="refused", why="the plan kept here is not the one that was shown")
    told.update(drain())
    approvals = written(ORDER["approvals"].get(digest, []))
    argv = [*words, "fix", "--plan", path, "--apply", *(["--yes"] if ORDER["yes"] else [])]
    for approval in approvals:
        argv += ["--approval", approval]
    try:
        why = last(call(argv, until)[2])
    except Late:
        why = LATE
    finally:
        for approval in approvals:
            forget(approval)
    # A plan of which the journal knows nothing was not begun.
    told.update(outcome="refused", why=why)
    try:
        told.update(journal(words, time.time() + TAKING_BACK).get(digest, {}))
    except Late:
        told.update(outcome="failed")
    return dict(told, **undrain(told))


def undone(words: "list[str]", until: float) -> "dict[str, Any]":
    """Take back what stands of the plans that were carried out."""
    for digest, run in sorted(journal(words, until).items()):
        if digest in ORDER["plans"] and run["outcome"] in GOOD:
            code, _, said = call([*words, "undo", run["run"]], until)
            return {"digest": digest, "outcome": "taken-back" if code == 0 else "failed", "why": last(said)}
    return {"outcome": "nothing-to-do"}


VERBS = {"plan": planned, "apply": applied, "undo": undone}


def journal(words: "list[str]", until: float) -> "dict[str, dict[str, Any]]":
    """Return by the digest of a plan its last run: name, outcome, and why."""
    code, shown, _ = call([*words, "journal", "--format", "json"], until)
    runs: dict[str, dict[str, Any]] = {}
    for record in json.loads(shown)["records"] if code in (0, 3) else []:
        run = runs.setdefault(record["run"], {"run": record["run"], "plan": "", "events": [], "why": ""})
        run["plan"] = record.get("plan") or run["plan"]
        run["events"].append(record["event"])
        if record["event"] in ("failed", "not-fixed") and record.get("note"):
            run["why"] = record["note"]
    return {
        run["plan"]: {"run": run["run"], "why": run["why"], "outcome": outcome(run["events"])}
        for run in runs.values()
    }


def outcome(events: "list[str]") -> str:
    """Return what became of a run of codeblue's journal."""
    verdicts = [event for event in events if event in ("fixed", "not-fixed", "awaiting-reboot")]
    back = [event for event in events if event in ("back", "back-failed", "half-done")]
    if "back-failed" in back or "half-done" in back or "end" not in events:
        return "failed"
    if back or verdicts[-1:] == ["not-fixed"]:
        return "taken-back"
    return verdicts[-1] if verdicts else "taken-back"


def drain() -> "dict[str, Any]":
    """Let Slurm start nothing more here, if that was asked for and nobody else has done it."""
    reason, node = ORDER["drain"], os.environ.get("SLURMD_NODENAME", "")
    if not reason or not node:
        return {}
    state, _ = standing(node)
    if "DRAIN" in state:
        return {}
    words = ["scontrol", "update", "NodeName=" + node, "State=DRAIN", "Reason=" + reason]
    code, _, said = call(words, time.time() + TAKING_BACK)
    return {"drained": True} if code == 0 else {"note": "not drained: " + last(said)}


def undrain(told: "dict[str, Any]") -> "dict[str, Any]":
    """Give the node back if this run has drained it, the reason is still ours, and the repair has helped."""
    node = os.environ.get("SLURMD_NODENAME", "")
    if not told.get("drained") or told["outcome"] not in ("fixed", "taken-back", "refused"):
        return {}
    state, reason = standing(node)
    if "DRAIN" not in state or reason != ORDER["drain"]:
        return {"drained": False}
    code, _, said = call(
        ["scontrol", "update", "NodeName=" + node, "State=UNDRAIN"], time.time() + TAKING_BACK
    )
    return {"drained": code != 0, "note": last(said)}


def standing(node: str) -> "tuple[str, str]":
    """Return a node's state and reason as Slurm tells them."""
    _, shown, _ = call(["scontrol", "show", "node", node], time.time() + TAKING_BACK)
    lines = [line.strip() for line in shown.splitlines()]
    state = next((line for line in lines if line.startswith("State=")), "").split(" ")[0]
    reason = next((line[len("Reason=") :] for line in lines if line.startswith("Reason=")), "")
    return state, reason.rsplit(" [", 1)[0]


def call(argv: "list[str]", until: float) -> "tuple[int, str, str]":
    """Run a program without a shell; return its exit code and what it said. Raises Late, OSError."""
    child = subprocess.Popen(  # noqa: S603 - our own words, or those that the user gave for codeblue
        argv,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=dict(os.environ, LC_ALL="C.UTF-8"),
        start_new_session=True,
    )
    try:
        shown, said = child.communicate(timeout=max(0.1, until - time.time()))
    except subprocess.TimeoutExpired:
        stop(child)
        raise Late() from None
    return child.returncode, shown[:KEPT].decode("utf-8", "replace"), said[-4096:].decode("utf-8", "replace")


def stop(child: "subprocess.Popen[bytes]") -> None:
    """Tell a program to stop, so that it takes back what it has begun; kill it if it does not."""
    child.send_signal(signal.SIGTERM)
    try:
        child.communicate(timeout=TAKING_BACK)
    except subprocess.TimeoutExpired:
        os.killpg(child.pid, signal.SIGKILL)


def plan_path() -> str:
    """Return where the plan of this run is kept here."""
    base = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")
    return os.path.join(base, "codeblue", "fleet", ORDER["run"] + "-" + ORDER["fault"] + ".json")


def written(texts: "list[str]") -> "list[str]":
    """Write approvals beside the plan and return their paths."""
    paths = []
    for number, text in enumerate(texts):
        paths.append(f"{plan_path()}.{number}.toml")
        with open(paths[-1], "w", encoding="utf-8") as stream:
            stream.write(text)
    return paths


def forget(path: str) -> None:
    """Remove a file, if it is there."""
    with suppress(FileNotFoundError):
        os.unlink(path)


def last(text: str) -> str:
    """Return the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return lines[-1][:1000] if lines else ""


def tell(text: str) -> None:
    """Print the answer in frames."""
    packed = base64.b64encode(zlib.compress(text.encode("utf-8"), 6)).decode("ascii")
    parts = [packed[start : start + FRAME] for start in range(0, len(packed), FRAME)]
    for number, part in enumerate(parts, 1):
        sys.stdout.write("\n{}{}/{}:{}\n".format(ORDER["marker"], number, len(parts), part))
    sys.stdout.flush()


if ORDER:
    main()
