"""The endpoint, read by a Prometheus of its own."""

import json
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

import pytest

from benchmarks.synthetic import replies, run_of
from codeblue.fleet.store import Store
from tests.fleet.private import CODEBLUE, Daemons, free_ports, until

pytestmark = pytest.mark.skipif(
    shutil.which("prometheus") is None, reason="prometheus and promtool of Debian's package prometheus"
)
CONFIG = """
global: {{scrape_interval: 1s}}
scrape_configs: [{{job_name: codeblue, static_configs: [{{targets: ["127.0.0.1:{port}"]}}]}}]
"""


class Site(NamedTuple):
    """A store with a run over 60 nodes, one of them with a fault; its endpoint, and who reads it."""

    folder: Path
    endpoint: str
    prometheus: str


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Both programs on ports and with folders of their own."""
    folder = tmp_path_factory.mktemp("site")
    run, store = run_of(60), Store(folder / "store")
    store.begin(run)
    list(store.add(run, replies(run)))
    own, port = free_ports(2)
    config = folder / "prometheus.yml"
    config.write_text(CONFIG.format(port=own), encoding="utf-8")
    daemons = Daemons(folder)
    at = f"127.0.0.1:{own}"
    daemons.start("serve", *CODEBLUE, "fleet", "serve", "--store", str(folder / "store"), "--listen", at)
    daemons.start(
        "prometheus",
        "prometheus",
        f"--config.file={config}",
        f"--storage.tsdb.path={folder / 'data'}",
        f"--web.listen-address=127.0.0.1:{port}",
    )
    yield Site(folder, f"http://{at}/metrics", f"http://127.0.0.1:{port}")
    daemons.end()


def got(address: str) -> bytes:
    """Return what is there; nothing as long as nobody listens."""
    try:
        with urllib.request.urlopen(address, timeout=10) as answer:  # noqa: S310 - our own daemons
            body: bytes = answer.read()
            return body
    except OSError:
        return b""


def asked(site: Site, expression: str) -> list[dict[str, Any]]:
    """Return what Prometheus knows."""
    body = got(f"{site.prometheus}/api/v1/query?query={quote(expression)}")
    rows: list[dict[str, Any]] = json.loads(body)["data"]["result"] if body else []
    return rows


def test_prometheus_reads_the_last_run(site: Site) -> None:
    until(lambda: asked(site, "codeblue_fleet_nodes"))

    states = {row["metric"]["state"]: row["value"][1] for row in asked(site, "codeblue_fleet_nodes")}
    assert states.pop("answered") == "60" and set(states.values()) == {"0"}
    [fault] = asked(site, 'codeblue_fleet_fault_nodes{role="cause"}')
    assert (fault["metric"]["fault"], fault["value"][1]) == ("device-node-permissions", "1")
    assert [row["value"][1] for row in asked(site, "up")] == ["1"]


def test_its_own_linter_has_nothing_to_say(site: Site) -> None:
    text = until(lambda: got(site.endpoint))

    done = subprocess.run(["promtool", "check", "metrics"], input=text, capture_output=True, check=False)

    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")


def test_a_later_run_takes_its_place(site: Site) -> None:
    until(lambda: got(site.endpoint))
    run, store = run_of(3, "20271201T000000-0002"), Store(site.folder / "store")
    store.begin(run)
    list(store.add(run, replies(run, faults=False)))

    text = until(lambda: b'state="answered"} 3\n' in (body := got(site.endpoint)) and body)

    assert b"codeblue_fleet_fault_nodes{" not in text
