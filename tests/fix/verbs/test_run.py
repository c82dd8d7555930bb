"""The runner of programs"""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from codeblue.model.plan import Refused
from codeblue.remedy import run
from codeblue.remedy.run import Failed


def test_a_missing_program_names_its_package() -> None:
    with pytest.raises(Refused) as refused:
        run.change(("no-such-program",), "some-package")

    assert refused.value.line.say("en") == "no-such-program is not installed here (package some-package)"
    assert refused.value.line.say("zh") == "本机没有安装 no-such-program（软件包 some-package）"


def test_words_stay_words(tmp_path: Path) -> None:
    ran = run.ask(("printf", "%s", f"$(touch {tmp_path}/pwned); a\nb"))

    assert ran.out == f"$(touch {tmp_path}/pwned); a\nb"
    assert not list(tmp_path.iterdir())


def test_what_does_not_end_is_ended_with_all_it_started(tmp_path: Path) -> None:
    script = f"sleep 1000 & echo $! > {tmp_path}/pid; wait"
    begin = time.monotonic()
    with pytest.raises(Failed, match=r"did not end within 0\.5 s"):
        run.change(("sh", "-c", script), seconds=0.5)

    assert time.monotonic() - begin < 30
    pid = int((tmp_path / "pid").read_text(encoding="ascii"))
    deadline = time.monotonic() + 20
    while _runs(pid) and time.monotonic() < deadline:
        time.sleep(0.01)
    assert not _runs(pid)


def _runs(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(") ")[2][0]
    except (FileNotFoundError, ProcessLookupError):
        return False
    return state != "Z"


def test_a_late_answer_is_none() -> None:
    with pytest.raises(Refused, match="did not end"):
        run.ask(("sleep", "10"), seconds=0.2)


def test_output_without_end_stays_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "MOST", 1 << 20)
    code = "for _ in range(400): print('x' * 100_000)\nimport time; time.sleep(0.6); print('the end')"
    ran = run.ask((sys.executable, "-u", "-c", code))

    assert ran.code == 0 and len(ran.out) <= 1 << 20
    assert ran.out.endswith("the end\n")


def test_the_reason_is_one_line_without_secrets(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_TOKEN", "hf_0123456789")
    words = "first\nno https://me:secret@example.org/simple with hf_0123456789\n\n"
    with pytest.raises(Failed) as failed:
        run.change(("sh", "-c", 'printf %s "$1" >&2; exit 3', "sh", words))

    assert failed.value.line.say("en") == "sh: no https://***@example.org/simple with ***"


def test_programs_speak_plain_english_and_do_not_inherit_the_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    monkeypatch.setenv("LD_LIBRARY_PATH", "/nowhere")
    monkeypatch.setenv("PATH", "/usr/bin")
    rows = run.told(("env",)).splitlines()

    assert "LC_ALL=C" in rows and "PATH=/usr/bin:/usr/local/sbin:/usr/sbin:/sbin" in rows
    assert not any(row.startswith("LD_LIBRARY_PATH=") for row in rows)


def test_a_folder_that_is_gone_stops_nothing(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    start = "import os, sys; os.chdir(sys.argv[1]); os.rmdir(sys.argv[1])\n"
    code = start + "from codeblue.remedy import run; print(run.told(('pwd',)), end='')"
    done = subprocess.run(
        [sys.executable, "-c", code, str(gone)], capture_output=True, text=True, env=_environment()
    )

    assert done.stdout == "/\n", done.stderr


def test_a_program_at_work_outlives_us(tmp_path: Path) -> None:
    """A package manager must not die of a broken pipe because we were killed."""
    script = f"echo $PPID; touch {tmp_path}/begun; sleep 0.5; echo on; echo on >&2; touch {tmp_path}/ended"
    code = f"from codeblue.remedy import run; run.change(('sh', '-c', {script!r}))"
    child = subprocess.Popen([sys.executable, "-c", code], env=_environment())
    _appears(tmp_path / "begun")
    child.send_signal(signal.SIGKILL)
    child.wait()

    _appears(tmp_path / "ended")


def _environment() -> dict[str, str]:
    return os.environ | {"PYTHONPATH": str(Path(run.__file__).parents[2])}


def _appears(path: Path) -> None:
    deadline = time.monotonic() + 20
    while not path.exists():
        assert time.monotonic() < deadline, path.name
        time.sleep(0.01)
