"""The last gate on the command line: a secret in the input is refused, not passed on."""

from pathlib import Path

from tests.test_cli import Run, changed

TOKEN = "hf_" + "aB3" * 12


def test_a_snapshot_that_holds_a_secret_is_not_written(tmp_path: Path) -> None:
    run = Run(tmp_path / "state")
    environment = {"variables": {"CUDA_VISIBLE_DEVICES": TOKEN}, "source": "environment"}
    target, out = changed(tmp_path, environment=environment), tmp_path / "out.json"

    for arguments in (["-o", str(out)], []):
        done = run("snapshot", target, *arguments, code=2)
        assert (done.stdout, done.stderr.count("\n"), TOKEN in done.stderr) == ("", 1, False)
        assert "views[0].environment.variables.CUDA_VISIBLE_DEVICES" in done.stderr
    assert not out.exists()


def test_a_report_that_holds_a_secret_is_not_written(tmp_path: Path) -> None:
    run, out = Run(tmp_path / "state"), tmp_path / "report"
    target = changed(tmp_path, cuda={"state": "timeout", "reason": f"no answer to {TOKEN}"})

    for form in ("json", "markdown", "terminal"):
        done = run("check", target, "--format", form, "-o", str(out), code=2)
        assert "Hugging Face token" in done.stderr
        assert TOKEN not in done.stderr
    assert not out.exists()
