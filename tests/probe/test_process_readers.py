"""user, limits, filesystems, cgroup and environment."""

import os
import resource
import time
from pathlib import Path

import pytest

from codeblue.model import facts
from codeblue.model.section import NotRead
from tests.probe.loading import document, section, tree
from tests.probe.machines import h200


def test_groups_that_people_made_go_by_number() -> None:
    before = (
        "import collections, os\n"
        "entry = collections.namedtuple('entry', 'gr_name')\n"
        "names = {44: 'video', 1001: 'secret-project', 1002: 'docker'}\n"
        "reader.grp.getgrgid = lambda number: entry(names[number])\n"
        "os.getgroups = lambda: [44, 1001, 1002, 5000]\n"
        "os.getgid = lambda: 44\n"
    )

    assert section(facts.User, "", before=before).groups == {
        "video": 44,
        "group-1001": 1001,
        "docker": 1002,
        "5000": 5000,
    }


def test_the_user_is_judged_as_oneself_or_as_told() -> None:
    assert section(facts.User, "").judged_as == "self"
    assert section(facts.User, "", as_user=str(os.getuid())).judged_as == "--as-user"


def test_limits_are_those_of_the_process() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_CORE)
    before = f"reader.resource.setrlimit(reader.resource.RLIMIT_CORE, (0, {hard}))"
    limits = section(facts.Limits, "", before=before).limits

    assert limits["core"].soft == 0
    assert limits["core"].hard == (None if hard == resource.RLIM_INFINITY else hard)
    assert set(limits) >= {
        "address_space",
        "memlock",
        "files",
        "processes",
        "stack",
        "cpu_seconds",
        "file_size",
    }
    assert soft == resource.getrlimit(resource.RLIMIT_CORE)[0]


def test_a_file_system_is_known_by_the_longest_mount_point(tmp_path: Path) -> None:
    root = h200(tmp_path)
    mounts = "fs:/x /home/a\\040b nfs4 rw 0 0\ntmpfs /dev/shm tmpfs rw 0 0\n/dev/vda / ext4 rw 0 0\n"
    tree(root, {"/proc/self/mounts": mounts, "/home/a b/.keep": ""})
    found = section(facts.Filesystems, root, environment={"HOME": "/home/a b"}, cwd="/gone").filesystems

    assert {role: row.kind for role, row in found.items()} == {
        "/dev/shm": "tmpfs",
        "/tmp": "ext4",
        "/": "ext4",
        "home": "nfs4",
    }
    assert found["home"].writable
    assert found["home"].mode == f"{os.stat(root / 'home/a b').st_mode & 0o7777:04o}"


@pytest.mark.parametrize(
    ("configuration", "folder"),
    [
        ('{"data-root": "/srv/docker"}', "/srv/docker"),
        ('["data-root"]', "/var/lib/docker"),
        ("", "/var/lib/docker"),
    ],
)
def test_the_disks_of_docker_and_of_the_caches_are_looked_at(
    configuration: str, folder: str, tmp_path: Path
) -> None:
    mounts = f"/dev/vda / ext4 rw 0 0\n/dev/vdb {folder} xfs rw 0 0\n/dev/vdc /fast btrfs rw 0 0\n"
    root = tree(
        tmp_path,
        {
            "/proc/self/mounts": mounts,
            "/etc/docker/daemon.json": configuration,
            f"{folder}/.keep": "",
            "/var/.keep": "",
            "/fast/cache/.keep": "",
        },
    )

    found = section(facts.Filesystems, root, environment={"XDG_CACHE_HOME": "/fast/cache"}).filesystems

    assert {found[role].kind for role in ("/var",)} == {"ext4"}
    assert (found["docker"].kind, found["cache"].kind) == ("xfs", "btrfs")


def test_a_file_server_that_does_not_answer_spoils_only_its_own_row(tmp_path: Path) -> None:
    before = (
        "import time\n"
        "reader.PATIENCE = 0.2\n"
        "real = reader._filesystem\n"
        "def slow(path, mounts):\n"
        "    return time.sleep(60) if path == '/srv/train' else real(path, mounts)\n"
        "reader._filesystem = slow\n"
        "reader.os.kill = lambda pid, number: None\n"  # as in state D
    )
    settings = {"environment": {"HOME": "/tmp"}, "cwd": "/srv/train", "before": before}
    started = time.monotonic()
    found = section(facts.Filesystems, h200(tmp_path), **settings).filesystems

    assert time.monotonic() - started < 30
    assert found["home"].total > 0
    assert found["cwd"].kind == "ext4"
    with pytest.raises(NotRead):
        _ = found["cwd"].total


def test_the_smallest_limit_on_the_way_up_counts(tmp_path: Path) -> None:
    cgroup = section(facts.Cgroup, h200(tmp_path))

    assert (cgroup.version, cgroup.memory_max, cgroup.memory_current) == (2, 8 << 30, 4096)
    assert (cgroup.oom_kills, cgroup.pids_max) == (2, 512)
    assert cgroup.sources["memory_max"] == "/sys/fs/cgroup/user.slice/memory.max"
    assert cgroup.unread == {"device_rules": "unsupported"}


def test_in_a_container_the_mount_is_the_own_group(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            "/proc/self/cgroup": "0::/../../elsewhere\n",
            "/sys/fs/cgroup/cgroup.controllers": "memory\n",
            "/sys/fs/cgroup/memory.max": "1024\n",
            "/sys/elsewhere/memory.max": "99\n",
            "/sys/fs/cgroup/memory.events": "oom_kill 0\n",
        },
    )
    cgroup = section(facts.Cgroup, root)

    assert (cgroup.memory_max, cgroup.oom_kills, cgroup.memory_current) == (1024, 0, None)


def test_cgroup_v1_has_rules_for_devices_and_writes_no_limit_as_a_number(tmp_path: Path) -> None:
    root = tree(
        tmp_path,
        {
            "/proc/self/cgroup": "5:devices:/docker/1\n4:memory:/docker/1\n3:cpu,cpuacct:/docker/1\n",
            "/proc/self/mounts": "c /cg/mem cgroup rw,memory 0 0\nc /cg/dev cgroup rw,devices 0 0\n",
            "/cg/mem/memory.limit_in_bytes": "9223372036854771712\n",
            "/cg/mem/memory.usage_in_bytes": "77\n",
            "/cg/mem/memory.oom_control": "oom_kill_disable 0\nunder_oom 0\noom_kill 4\n",
            "/cg/dev/devices.list": "c 195:* rwm\n",
        },
    )
    cgroup = section(facts.Cgroup, root)

    assert (cgroup.version, cgroup.memory_max, cgroup.memory_current, cgroup.oom_kills) == (1, None, 77, 4)
    assert cgroup.device_rules == ["c 195:* rwm"]
    assert cgroup.unread == {"pids_max": "unsupported"}


def test_no_control_groups_are_absent(tmp_path: Path) -> None:
    assert section(facts.Cgroup, tree(tmp_path, {"/proc/self/mounts": "a / ext4 rw 0 0\n"})).state == "absent"


def test_only_variables_that_gpu_software_reads_and_no_secrets() -> None:
    wanted = {
        "CUDA_VISIBLE_DEVICES": "",
        "NCCL_DEBUG": "INFO",
        "SLURM_JOB_ID": "7",
        "SLURM_GPUS_ON_NODE": "8",
        "RANK": "0",
        "LD_LIBRARY_PATH": "/opt/lib",
    }
    other = {
        "NVIDIA_API_KEY": "x",
        "TORCH_HUB_TOKEN": "x",
        "SLURM_JOB_USER": "x",
        "RAY_ADDRESS": "x",
        "RANKING": "x",
        "AWS_SECRET_ACCESS_KEY": "x",
    }

    assert section(facts.Environment, "", environment={**wanted, **other}).variables == wanted


def test_a_long_value_is_cut() -> None:
    variables = section(facts.Environment, "", environment={"NVIDIA_REQUIRE_CUDA": "x" * 9000}).variables

    assert len(variables["NVIDIA_REQUIRE_CUDA"]) == 4096


def home(tmp_path: Path, passwd: str, group: str, keys: str = "ssh-ed25519 AAAA\n") -> Path:
    """Return a root folder with the home of this user."""
    root = tree(
        tmp_path,
        {
            "/etc/passwd": passwd.format(uid=os.getuid()),
            "/etc/group": group,
            "/home/me/.ssh/authorized_keys": keys,
        },
    )
    (root / "home/me/.ssh/authorized_keys").chmod(0o664)
    (root / "home/me/.ssh").chmod(0o700)
    (root / "home/me").chmod(0o750)
    return root


IN_HOME = "reader._home = lambda uid: '/home/me'"


def test_what_sshd_judges_has_mode_and_owner(tmp_path: Path) -> None:
    root = home(tmp_path, "me:x:{uid}:7:::\n", "mine:x:7:\n")

    login = section(facts.Login, root, before=IN_HOME)

    modes = {path: row.mode for path, row in login.files.items()}
    assert modes == {"~": "0750", "~/.ssh": "0700", "~/.ssh/authorized_keys": "0664"}
    assert {row.uid for row in login.files.values()} == {os.getuid()}


@pytest.mark.parametrize(
    ("passwd", "group", "private"),
    [
        ("me:x:{uid}:{gid}:::\n", "mine:x:{gid}:\n", True),
        ("me:x:{uid}:{gid}:::\n", "mine:x:{gid}:me\n", True),
        ("me:x:{uid}:{gid}:::\n", "mine:x:{gid}:me,you\n", False),
        ("me:x:{uid}:{gid}:::\nyou:x:1:{gid}:::\n", "mine:x:{gid}:\n", False),
        ("me:x:{uid}:7:::\nbad line\n", "mine:x:{gid}:\n", False),
    ],
)
def test_a_group_is_private_if_nobody_else_is_in_it(
    tmp_path: Path, passwd: str, group: str, private: bool
) -> None:
    gid = str(os.getgid())
    root = home(tmp_path, passwd.replace("{gid}", gid), group.replace("{gid}", gid))

    files = section(facts.Login, root, before=IN_HOME).files

    assert files["~/.ssh/authorized_keys"].private_group is private


def test_without_keys_there_is_no_login_by_key(tmp_path: Path) -> None:
    empty = home(tmp_path / "empty", "me:x:{uid}:7:::\n", "", keys="")
    none = tree(tmp_path / "none", {"/home/me/.profile": ""})

    for root in (empty, none):
        assert document("login", root, before=IN_HOME)["state"] == "absent"
