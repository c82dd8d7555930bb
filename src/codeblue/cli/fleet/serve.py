"""``codeblue fleet serve``: the last run as an HTTP endpoint for Prometheus."""

from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import TYPE_CHECKING

import click

from codeblue.cli import options
from codeblue.cli.fleet import engines
from codeblue.cli.language import LANG, say
from codeblue.model.text import message
from codeblue.sources.target import Unusable

if TYPE_CHECKING:
    from codeblue.fleet.store import Store

KIND = "text/plain; version=0.0.4; charset=utf-8"


@click.command(
    "serve",
    help=say(
        "Serve the numbers of the last run at /metrics until it is ended.",
        "在 /metrics 提供最近一次运行的指标，直到被结束。",
    ),
)
@click.option(
    "--listen",
    default="127.0.0.1:9841",
    metavar="ADDRESS:PORT",
    show_default=True,
    help=say(
        "Where; other machines reach only what you name here.", "监听地址；其他机器只能访问此处指定的地址。"
    ),
)
@engines.stored
@options.lang
def command(listen: str, store: str | None) -> int:
    """Serve until interrupted."""
    host, _, port = listen.rpartition(":")
    kept = engines.store_at(store)
    kept.run("last")  # one line now rather than at the first request
    pages = Pages(kept)

    class Handler(BaseHTTPRequestHandler):
        """Answers GET /metrics, nothing else."""

        def do_GET(self) -> None:
            body = pages.metrics() if self.path == "/metrics" else b""
            self.send_response(200 if body else 404)
            self.send_header("Content-Type", KIND)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *arguments: object) -> None:
            """Say nothing: Prometheus asks every few seconds."""

    try:
        server = ThreadingHTTPServer((host or "127.0.0.1", int(port)), Handler)
    except (OSError, ValueError, OverflowError) as error:
        raise Unusable(
            message("--listen {listen}: {why}", "--listen {listen}：{why}", listen=listen, why=error)
        ) from None
    click.echo(say(f"serving http://{listen}/metrics", f"正在提供 http://{listen}/metrics"), err=True)
    with server:
        server.serve_forever()
    return 0


class Pages:
    """Judges a run once, however often it is asked for."""

    def __init__(self, store: "Store") -> None:
        self._store = store
        self._known: tuple[str, bytes] = ("", b"")

    def metrics(self) -> bytes:
        """Return the numbers of the last run."""
        from codeblue.cli.fleet.judging import judged
        from codeblue.fleet.shared import shared
        from codeblue.report.fleet import prometheus
        from codeblue.sources.site import Loaded

        run = self._store.run("last")
        if self._known[0] != run.id:
            nodes = judged(self._store, run, Loaded())
            self._known = (run.id, prometheus.render(run, nodes, shared(nodes), LANG).encode())
        return self._known[1]
