"""Secrets of every class in whatever the readers take over as free text: none of them is in the snapshot."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import msgspec
import pytest

from codeblue.faults import index
from codeblue.model.facts import Sightings
from codeblue.sources import texts
from codeblue.sources.live import view_of
from codeblue.sources.logs import Signatures
from codeblue.sources.probe_text import program
from codeblue.state import Pseudonyms
from tests.probe.loading import tree
from tests.probe.machines import KMSG, h200
from tests.redaction.design import Planted, design

ALL = Signatures((entry.id, entry.signatures) for entry in index.entries().values())
PLANTED = list(
    {(planted.kind, planted.text.replace(planted.secret, "")): planted for planted in design()}.values()
)
"""One of each text."""
ONE_LINE = [planted for planted in PLANTED if "\n" not in planted.text]
BARE = "hf_" + "aB3" * 12
HARVESTED = "no shape at all, and known"
START = "from codeblue_probe.agent import main"

TORCH = """
import sys
for line in open({path!r}, encoding="utf-8"):
    sys.stderr.write(line)
raise RuntimeError("cannot load with DB_PASSWORD=" + {password!r} + " at {known}")
"""


def lost(planted: list[Planted], content: str) -> list[Planted]:
    """Return those whose secret stands in a document."""
    return [one for one in planted if any(line in content for line in one.secret.split("\n") if line)]


def shipped(root: Path, environment: dict[str, str], **config: Any) -> list[dict[str, Any]]:
    """Return what the whole probe prints about a machine below a root folder."""
    text = program({"marker": "here:", "salt": "key"} | config)
    rooted = f"import codeblue_probe.files\ncodeblue_probe.files.ROOT = {str(root)!r}\n{START}"
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-B", "-"],
        input=text.replace(START, rooted),
        env={"PATH": "/usr/bin:/bin", "HOME": "/home/alice"} | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    lines = done.stdout.splitlines()
    return [json.loads(line[len("here:") :]) for line in lines if line.startswith("here:")]


def groups(planted: list[Planted], size: int) -> list[list[Planted]]:
    """Return the planted texts in groups."""
    return [planted[start : start + size] for start in range(0, len(planted), size)]


@pytest.mark.parametrize("group", groups(ONE_LINE, 80), ids=lambda group: group[0].kind)
def test_no_planted_secret_leaves_the_machine(tmp_path: Path, group: list[Planted]) -> None:
    root, site = tmp_path / "root", tmp_path / "site"
    kernel = [f"4,{n},{7000000 + n},-;NVRM: {one.text}\n" for n, one in enumerate(group, 901)]
    smi = "#!/bin/sh\ncat <<'END'\nFailed: " + group[0].text + "\nEND\nexit 9\n"
    h200(root)
    (root / "dev/kmsg").write_text(KMSG + "".join(kernel), encoding="utf-8")
    (root / "proc/cmdline").write_text(f"nvidia.x={BARE} iommu=pt\n", encoding="utf-8")
    (root / "etc/os-release").write_text(f'ID="{BARE}"\n', encoding="utf-8")
    (root / "sys/class/dmi/id/product_name").write_text(group[0].text, encoding="utf-8")
    tree(root, {"/usr/bin/nvidia-smi": smi, "/etc/modprobe.d/x.conf": f"options nvidia x={group[0].text}\n"})
    (root / "usr/bin/nvidia-smi").chmod(0o755)
    said = tmp_path / "said"
    said.write_text("".join(f"warning: {one.text}\n" for one in group[-20:]), encoding="utf-8")
    secret = group[0].secret
    torch = TORCH.format(path=str(said), password=secret, known=HARVESTED)
    package = {"torch/__init__.py": torch, "torch/version.py": "__version__ = '2.11.0'\ncuda = '13.0'\n"}
    tree(site, package)
    tree(root, {f"{site}/{name}": text for name, text in package.items()})
    named = [(f"TORCH_X{n}", one.text) for n, one in enumerate(group)]
    own = {"PYTHONPATH": str(site), "SERVICE_AUTH": HARVESTED, "NCCL_COMMENT": f"see {HARVESTED}"}

    documents = shipped(root, dict(named) | own, python=sys.executable, cwd=str(tmp_path))

    content = json.dumps(documents, ensure_ascii=False)
    sections = documents[-1]["sections"]
    assert lost(group, content) == []
    assert HARVESTED not in content
    assert BARE not in content
    assert "alice" not in content
    # The places were really read, so that the secrets had a way out.
    assert len(sections["kernel_log"]["lines"]) >= len(group)
    assert "secret-" in json.dumps(sections["torch_trial"])
    assert len(sections["environment"]["variables"]) >= len(group)
    assert "Failed:" in sections["nvidia_smi"]["words"]
    view = view_of(documents[-1], "here", ALL, 0.0)
    assert lost(group, msgspec.json.encode(view).decode()) == []


def test_no_planted_secret_of_a_log_is_kept(tmp_path: Path) -> None:
    log = tmp_path / "home" / "alice" / "job-7.log"
    log.parent.mkdir(parents=True)
    signatures = Signatures([])
    lines = [line for one in PLANTED for line in one.text.split("\n")]
    # Only the last five unknown errors are kept: five lines at a time.
    for start in range(0, len(lines), 5):
        group = lines[start : start + 5]
        log.write_text("".join(f"MyError: {line}\n" for line in group), encoding="utf-8")
        view = texts.read(str(log), signatures, Pseudonyms("key"))
        content = json.dumps(msgspec.to_builtins(view), ensure_ascii=False)
        assert len(view.section(Sightings).unrecognised_errors) == len(group)
        kept = [one for one in ONE_LINE if one.text in group]
        assert lost(kept, content) == []


def test_a_captured_value_is_hidden_as_in_its_line(tmp_path: Path) -> None:
    log = tmp_path / "home" / "alice" / "job.log"
    log.parent.mkdir(parents=True)
    token = "hf_" + "aB3" * 12
    long = "x" * 480 + " " + token
    log.write_text(
        f"node7:1:1 [0] NCCL WARN seen\nrefused password=hunter2 by node7 {long}\n", encoding="utf-8"
    )
    known = r"refused password=(?P<what>\S+) by (?P<peer>\S+)"
    signatures = Signatures([("refused", (_signature("refused", known),))])

    view = texts.read(str(log), signatures, Pseudonyms("key"))

    seen = view.section(Sightings).seen[0]
    hidden = Pseudonyms("key").pseudonym("secret", "hunter2")
    assert seen.values == {"what": hidden, "peer": Pseudonyms("key").pseudonym("host", "node7")}
    assert (hidden in seen.text, token[:6] in seen.text, len(seen.text)) == (True, False, 500)
    assert (seen.file.endswith("/job.log"), "alice" in seen.file, "alice" in view.name) == (
        True,
        False,
        False,
    )


def test_probe_and_host_give_one_pseudonym(tmp_path: Path) -> None:
    line = "ImportError: password=hunter2 for 10.1.2.3"
    environment = {"TORCH_X": line}

    [document] = shipped(h200(tmp_path / "root"), environment, until="plain")
    log = tmp_path / "x.log"
    log.write_text(line + "\n", encoding="utf-8")
    view = texts.read(str(log), Signatures([]), Pseudonyms("key"))

    [kept] = view.section(Sightings).unrecognised_errors
    assert document["sections"]["environment"]["variables"]["TORCH_X"] == kept
    assert "hunter2" not in kept


def _signature(anchor: str, pattern: str) -> Any:
    from codeblue.model.fault import Signature

    return Signature(anchor, pattern)
