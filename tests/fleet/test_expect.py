"""What a healthy node has, as what a site expects."""

from pathlib import Path

from benchmarks.synthetic import replies, run_of
from codeblue.cli.fleet.judging import judged
from codeblue.fleet.store import Store
from codeblue.sources.site import load
from tests.fleet.cli import codeblue


def test_what_a_healthy_node_has_is_met_by_its_like_and_by_no_other(tmp_path: Path) -> None:
    store, run = Store(tmp_path), run_of(60)
    store.begin(run)
    list(store.add(run, replies(run)))
    file = tmp_path / "codeblue.toml"

    done = codeblue("fleet", "expect", "gpu00001", "--store", str(tmp_path), "-o", str(file))

    assert done.code == 0, done.words
    site = load(str(file), lambda: [])
    wanted = site.site.expect
    assert (wanted.gpus, wanted.gpu, wanted.driver, wanted.torch) == (
        1,
        "H200",
        "580.159.04",
        "2.11.0+cu130",
    )
    nodes = {node.node: node for node in judged(store, run, site)}
    assert [name for name, node in nodes.items() if node.verdict != "healthy"] == ["gpu00050"]
    file.write_text(file.read_text(encoding="utf-8").replace("gpus = 1", "gpus = 8"), encoding="utf-8")
    stricter = judged(store, run, load(str(file), lambda: []))
    assert all(node.verdict != "healthy" for node in stricter)


def test_a_sick_node_is_no_model(tmp_path: Path) -> None:
    store, run = Store(tmp_path), run_of(60)
    store.begin(run)
    list(store.add(run, replies(run)))

    sick = codeblue("fleet", "expect", "gpu00050", "--store", str(tmp_path))
    unknown = codeblue("fleet", "expect", "gpu99999", "--store", str(tmp_path))

    assert [(one.code, one.text, len(one.words.splitlines())) for one in (sick, unknown)] == [(2, "", 1)] * 2
