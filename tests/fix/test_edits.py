"""Edits keep every byte that is not theirs."""

import configparser
import difflib
import json
import sys
from typing import Any

import pytest
import yaml
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codeblue.model.plan import Refused
from codeblue.remedy.files.edits import edited, env_text, toml_text, tree

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CONTAINERD = """# containerd
version = 2

[plugins]
  [plugins."io.containerd.grpc.v1.cri"]
    sandbox_image = "pause:3.9" # pinned
    [plugins."io.containerd.grpc.v1.cri".containerd]
      default_runtime_name = "runc"
      snapshotters = [
        "overlayfs", # usual
        "native",
      ]
"""
CRI = 'plugins."io.containerd.grpc.v1.cri"'
DAEMON = """{
    "runtimes": {
        "nvidia": {"path": "nvidia-container-runtime", "runtimeArgs": []}
    }
}
"""
UNIT = """[Unit]
Description=x

[Service]
ExecStart=/bin/a \\
  --b
Environment=A=1

[Install]
WantedBy=y
"""
BASHRC = (
    "export X=1 # first\nif true; then\n  X=2\nfi\nX=3 prog\necho \"$(X=4)\" 'X=5'\n"
    "cat <<'EOF'\nX=6\nEOF\nexport Y=1 X='a b'\n"
)
POD = (
    "a: &anchor\n  b: 1 # one\n  c: [1, 2]\n\n# about d\nd:\n"
    "  - x\n  - y: 1\n    z: |\n      text\n\n      more\ne:\n"
)

CHANGES: list[tuple[str, str, str, str, Any, str, str]] = [
    (
        "json",
        DAEMON,
        "default-runtime",
        "set",
        "nvidia",
        "    }\n}",
        '    },\n    "default-runtime": "nvidia"\n}',
    ),
    ("json", DAEMON, "runtimes.nvidia.runtimeArgs", "add", "a", "[]", '["a"]'),
    ("json", DAEMON, "runtimes.nvidia.path", "remove", ..., '"path": "nvidia-container-runtime", ', ""),
    ("json", '{"a":1,"b":[1,2]}', "b", "remove", 2, "1,2", "1"),
    ("json", '{"a":1,"b":[1,2]}', "b", "add", 3, "1,2", "1,2,3"),
    ("json", '{"a":1,"b":2}', "a", "remove", ..., '"a":1,', ""),
    ("toml", CONTAINERD, f"{CRI}.containerd.default_runtime_name", "set", "nvidia", '"runc"', '"nvidia"'),
    ("toml", CONTAINERD, f"{CRI}.containerd.snapshotters", "remove", "native", '        "native",\n', ""),
    (
        "toml",
        CONTAINERD,
        f"{CRI}.containerd.snapshotters",
        "add",
        "z",
        '"native",\n',
        '"native",\n        "z",\n',
    ),
    ("toml", CONTAINERD, f"{CRI}.enable_cdi", "set", True, "# pinned\n", "# pinned\n    enable_cdi = true\n"),
    ("toml", CONTAINERD, "root", "set", "/r", "version = 2\n", 'version = 2\nroot = "/r"\n'),
    ("toml", "a = {b = 1}", "a.c", "set", 2, "{b = 1}", "{b = 1, c = 2}"),
    ("ini", UNIT, "Service.LimitMEMLOCK", "set", "infinity", "A=1\n", "A=1\nLimitMEMLOCK=infinity\n"),
    ("ini", UNIT, "Service.Environment", "add", "B=2", "A=1\n", "A=1\nEnvironment=B=2\n"),
    ("ini", UNIT, "Service.ExecStart", "remove", ..., "ExecStart=/bin/a \\\n  --b\n", ""),
    (
        "ini",
        "[global]\na = 1\n",
        "install.user",
        "set",
        False,
        "a = 1\n",
        "a = 1\n\n[install]\nuser = false\n",
    ),
    ("yaml", POD, "a.c", "add", 3, "[1, 2]", "[1, 2, 3]"),
    ("yaml", POD, "a.b", "set", 2, "b: 1", "b: 2"),
    ("yaml", POD, "a.n.m", "set", "v", "[1, 2]\n", '[1, 2]\n  n: {"m": "v"}\n'),
    ("yaml", POD, "d", "add", "q", "more\n", 'more\n  - "q"\n'),
    ("yaml", POD, "d", "remove", "x", "  - x\n", ""),
    ("yaml", POD, "d.1.y", "remove", ..., "y: 1\n    ", ""),
    ("yaml", POD, "d.1.z", "set", "s", "|\n      text\n\n      more", '"s"'),
    ("yaml", POD, "e", "set", [1], "e:", "e: [1]"),
    ("env", BASHRC, "X", "set", "9", "X='a b'", "X=9"),
    ("env", "A=1\n", "B", "set", "a b", "A=1\n", 'A=1\nB="a b"\n'),
    ("grub", 'A=1\nX="quiet $Y"\n', "X", "add", "iommu=pt", '$Y"', '$Y iommu=pt"'),
    ("grub", "X='quiet splash'\n", "X", "remove", "quiet", "quiet ", ""),
    ("grub", "X=quiet\n", "X", "add", "pci=realloc", "quiet", '"quiet pci=realloc"'),
    ("grub", 'X=""\n', "X", "add", "a=1", '""', '"a=1"'),
    ("lines", "/usr/lib\n", "", "add", "/opt/lib", "/usr/lib\n", "/usr/lib\n/opt/lib\n"),
    (
        "lines",
        "* soft  memlock 64\n",
        "* soft memlock",
        "set",
        "* soft memlock unlimited",
        "soft  memlock 64",
        "soft memlock unlimited",
    ),
    ("lines", "# a\n/x\n/y\n", "", "remove", "/x", "/x\n", ""),
    ("modprobe", "options nvidia A=1 B=2\n", "nvidia.A", "set", "5", "A=1", "A=5"),
    ("modprobe", "options nvidia A=1 B=2\n", "nvidia.A", "remove", ..., " A=1", ""),
    (
        "modprobe",
        "blacklist nouveau\n",
        "nvidia-uvm.c",
        "set",
        "1",
        "nouveau\n",
        "nouveau\noptions nvidia-uvm c=1\n",
    ),
    ("sysctl", "net/core/rmem_max=1\n", "net.core.rmem_max", "set", 9, "=1", "=9"),
    ("sysctl", "a.b = 1\n", "c.d", "set", "4096 87380", "1\n", "1\nc.d = 4096 87380\n"),
]


def edit(kind: str, text: str, at: str, mode: str, value: Any) -> str:
    """Return the edited text."""
    return edited("/f", text.encode(), kind, at, mode, tree.ABSENT if value is ... else value).decode()


WITH_ENDS = [(*row, "\n") for row in CHANGES] + [
    (*row, "\r\n") for row in CHANGES if row[0] not in ("yaml", "env") and "\\\n" not in row[1]
]
"""To a shell, in a continued line and in a text block of YAML the carriage return belongs to the text."""


@pytest.mark.parametrize(("kind", "text", "at", "mode", "value", "old", "new", "ends"), WITH_ENDS)
def test_only_the_wanted_place_changes(
    kind: str, text: str, at: str, mode: str, value: Any, old: str, new: str, ends: str
) -> None:
    text, old, new = (part.replace("\n", ends) for part in (text, old, new))
    assert text.count(old) >= 1
    done = edit(kind, text, at, mode, value)
    assert done == text.replace(old, new, 1)
    assert edit(kind, done, at, mode, value) == done


@pytest.mark.parametrize(
    ("kind", "text", "at", "mode", "value", "word"),
    [
        ("json", '{"a": 1,\n "a": 2}', "a", "set", 3, "lines 1 and 2"),
        ("json", '{"a": 1,\n}', "a", "set", 3, "line 2, column 1"),
        ("json", "[" * 5000, "a", "set", 3, "line 1"),
        ("json", '{"a": NaN}', "a", "set", 3, "column 7"),
        ("json", '{"a": 1}', "a.b", "set", 3, "not a table"),
        ("json", '{"a": [1]}', "a.7", "set", 3, "1 elements"),
        ("json", '{"a": 1}', "a", "add", 3, "not a list"),
        ("json", '{"a": 1}', "a..b", "set", 3, "no path"),
        ("json", "{}", "a", "merge", 3, "no such edit"),
        ("toml", "a = 1\na = 2\n", "a", "set", 3, "not TOML"),
        ("toml", "[[t]]\nx = 1\n", "t.y", "set", 3, "elements"),
        ("toml", "", "a", "set", None, "null"),
        ("yaml", "a: &x {b: 1}\nc: *x\n", "a.b", "set", 2, "touch more"),
        ("yaml", "a: 1\n---\na: 2\n", "a", "set", 3, "2 documents"),
        ("yaml", "a: 1\na: 2\n", "a", "set", 3, "stands twice"),
        ("yaml", "a: !Own 1\n", "b", "set", 3, "tags"),
        ("yaml", "a:\n b: 1\n  c: 1\n", "b", "set", 3, "line 3"),
        ("ini", "[s]\nk=1\nk=2\n", "s.k", "set", "3", "2 times"),
        ("ini", "words\n", "s.k", "set", "3", "line 1"),
        ("ini", "", "s.k", "set", "a\nb", "one line"),
        ("env", "", "A B", "set", "1", "no name"),
        ("env", "", "A", "set", "$(x)", "by hand"),
        ("env", "cat <<EOF\nA=1\n", "B", "set", "1", "touch more"),
        ("grub", 'X="a"b\n', "X", "add", "c", "several parts"),
        ("grub", 'X="a"\n', "X", "add", 'c" d', "not one word"),
        ("lines", "a b\na c\n", "a", "set", "a d", "2 lines"),
        ("lines", "", "", "add", "a\nb", "one line"),
        ("modprobe", "", "nvidia", "set", "1", "two parts"),
        ("modprobe", "", "nvidia.a", "set", "1 2", "one word"),
        ("sysctl", "", "a.b", "set", "1\n", "one value"),
    ],
)
def test_what_cannot_be_done_safely_is_refused(
    kind: str, text: str, at: str, mode: str, value: Any, word: str
) -> None:
    with pytest.raises(Refused) as caught:
        edit(kind, text, at, mode, value)
    assert word in caught.value.line.say("en")
    assert "/f：" in caught.value.line.say("zh")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ('{"a": [1, 2, ],}\n', '{"a": [1, 2 ]}\n'),
        ('{\n  "a": ",]",\n}', '{\n  "a": ",]"\n}'),
        ('{"a": "\\\\",}', '{"a": "\\\\"}'),
        ('{"a": 1}', '{"a": 1}'),
    ],
)
def test_commas_before_closing_brackets_go(old: str, new: str) -> None:
    assert edited("x", old.encode(), "json", "", "mend", tree.ABSENT).decode() == new


@pytest.mark.parametrize("text", ['{"a": 1,,}', '{"a" 1,}', '{"a": 1, "a": 2,}', "[1,", "<html>"])
def test_more_than_commas_is_not_mended(text: str) -> None:
    with pytest.raises(Refused):
        edited("x", text.encode(), "json", "", "mend", tree.ABSENT)
    with pytest.raises(Refused, match="there is no such edit"):
        edited("x", b"a: 1\n", "yaml", "a", "mend", 1)


def test_every_assignment_of_a_variable_goes() -> None:
    done = edit("env", BASHRC, "X", "remove", ...)
    assert done == (
        "if true; then\n  :\nfi\nX=3 prog\necho \"$(X=4)\" 'X=5'\ncat <<'EOF'\nX=6\nEOF\nexport Y=1 \n"
    )


def test_a_text_that_refers_to_itself_many_times_is_compared_quickly() -> None:
    rows = ["a0: &a0 [x]"] + [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 30)]
    done = edit("yaml", "\n".join(rows) + "\n", "new", "set", 1)
    assert done.endswith("new: 1\n")


NAMES = st.text('abz_-. "\\é', min_size=1, max_size=4)
SCALARS = (
    st.none() | st.booleans() | st.integers(-9, 9**20) | st.floats(allow_nan=False, allow_infinity=False)
)
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=6)
TREES = st.recursive(
    SCALARS | TEXTS,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(NAMES, inner, max_size=3),
    max_leaves=12,
)
TABLES = st.dictionaries(NAMES, TREES, max_size=4)
PATHS = st.lists(NAMES, min_size=1, max_size=3)
MODES = st.sampled_from(["set", "add", "remove", "drop"])


def at(path: list[str]) -> str:
    """Write a path."""
    return ".".join(json.dumps(part) for part in path)


def outcome(kind: str, text: str, path: list[str], mode: str, value: Any, load: Any) -> None:
    """Edit, and compare with the change made to the parsed tree; a refusal is an answer."""
    old = load(text)
    given_value = tree.ABSENT if mode == "drop" else value
    mode = "remove" if mode == "drop" else mode
    try:
        new = tree.changed(old, tuple(path), mode, given_value)
        done = edited("/f", text.encode(), kind, at(path), mode, given_value).decode()
    except Refused:
        return
    assert tree.same(load(done), new)
    if tree.same(old, new):
        assert done == text


@settings(max_examples=250, deadline=None)
@given(data=TABLES, path=PATHS, mode=MODES, value=TREES, indent=st.sampled_from([None, 1, 2, "\t"]))
def test_any_json(data: Any, path: list[str], mode: str, value: Any, indent: Any) -> None:
    text = json.dumps(data, indent=indent, ensure_ascii=False)
    outcome("json", text, path, mode, value, json.loads)
    where = next(iter(data), None)
    if where is not None:
        done = edit("json", text, at([where]), "set", value)
        assert json.loads(done) == {**data, where: value}


@settings(max_examples=250, deadline=None)
@given(data=TABLES, path=PATHS, mode=MODES, value=TREES, flow=st.sampled_from([True, False, None]))
@example(data={"a": [{"b": 1}]}, path=["a", "0", "b"], mode="drop", value=None, flow=False)
def test_any_yaml(data: Any, path: list[str], mode: str, value: Any, flow: bool | None) -> None:
    text = yaml.safe_dump(data, default_flow_style=flow, allow_unicode=True)
    outcome("yaml", text, path, mode, value, yaml.safe_load)


def _toml(data: dict[str, Any], prefix: tuple[str, ...] = ()) -> str:
    """Write a tree as tables, the way people write them."""
    plain = {name: item for name, item in data.items() if not isinstance(item, dict)}
    rows = [f"{toml_text.key(name)} = {toml_text.dumped(item)} # why" for name, item in plain.items()]
    for name, item in data.items():
        if isinstance(item, dict):
            rows += [
                "",
                f"[{'.'.join(toml_text.key(part) for part in (*prefix, name))}]",
                _toml(item, (*prefix, name)),
            ]
    return "\n".join(rows) + "\n"


@settings(max_examples=250, deadline=None)
@given(data=TABLES, path=PATHS, mode=MODES, value=TREES)
def test_any_toml(data: Any, path: list[str], mode: str, value: Any) -> None:
    try:
        text = _toml(data)
        tomllib.loads(text)
    except (Refused, tomllib.TOMLDecodeError):
        return  # it holds a null
    outcome("toml", text, path, mode, value, tomllib.loads)


KEYS = st.sampled_from(["Aa", "Bb", "Cc"])
LINES = ["[One]", "[Two]", "", "# note", "; note", "Aa=1", "Bb = 2", "Aa = x y"]


@settings(max_examples=200, deadline=None)
@given(
    rows=st.lists(st.sampled_from(LINES), max_size=9),
    section=st.sampled_from(["One", "Two", "Three"]),
    key=KEYS,
    value=st.sampled_from(["1", "a b", "%h/x"]),
)
def test_any_ini(rows: list[str], section: str, key: str, value: str) -> None:
    text = "\n".join(["[One]", *rows]) + "\n"
    try:
        done = edit("ini", text, f"{section}.{key}", "set", value)
    except Refused:
        return
    parser = configparser.RawConfigParser(strict=False)
    parser.read_string(done)
    assert parser.get(section, key) == value
    matcher = difflib.SequenceMatcher(None, text.splitlines(), done.splitlines(), autojunk=False)
    gone = [
        text.splitlines()[a:b] for what, a, b, _, _ in matcher.get_opcodes() if what in ("replace", "delete")
    ]
    assert len(gone) <= 1 and all(len(lines) == 1 and lines[0].startswith(key) for lines in gone)


SHELL = st.sampled_from(
    ["export A=1", "A='x y'", "B=$(echo A=5)", "if true; then", "  A=2", "fi", "A=3 true", "# A=4", "",
     "cat <<E\nA=9\nE", 'C="A=1"', "export B=1 A=7", "f() { A=6; }", "A=1; B=2"]
)  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(rows=st.lists(SHELL, max_size=7), value=st.sampled_from(["1", "a b", ""]), remove=st.booleans())
def test_any_start_file(rows: list[str], value: str, remove: bool) -> None:
    text = "\n".join(rows) + "\n"
    try:
        done = edit("env", text, "A", "remove" if remove else "set", ... if remove else value)
    except Refused:
        return
    wanted = "" if value == "" else f'"{value}"' if " " in value else value
    got = env_text.parse(done)
    assert got == {name: old for name, old in env_text.parse(text).items() if name != "A"} | (
        {} if remove else {"A": wanted}
    )
