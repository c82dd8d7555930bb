"""A pod cannot repair its node, nor take a repair back: that is said before anything is looked for."""

from pathlib import Path

import pytest

from tests.fleet.cli import codeblue

WORDS = {
    "en": "a pod has its own files, not those of its node: reach the nodes by --ssh",
    "zh": "Pod 有自己的文件系统，无法修复节点：请用 --ssh 访问节点",
}


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("verb", [("fix", "numerics-changed-by-environment"), ("undo", "last")])
def test_kubernetes_is_refused_with_one_line(tmp_path: Path, verb: tuple[str, ...], lang: str) -> None:
    done = codeblue("--lang", lang, "fleet", *verb, "--kubernetes", XDG_STATE_HOME=str(tmp_path))

    assert (done.code, done.text) == (2, "")
    assert done.words.splitlines()[-1].endswith(WORDS[lang])
    assert len(done.words.splitlines()) == 1
    assert not any(tmp_path.iterdir())
