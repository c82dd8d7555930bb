"""File systems: how long small files take, and how fast large ones are, without the page cache.

Folders with the user's data are only read. What is written lies in a folder of its own, which a janitor
removes as soon as this worker has ended, however it ended. Large files have no name at all.
"""

# ruff: noqa: S108 - /dev/shm is the subject, not a temporary file
import ctypes
import mmap
import os
import re
import shutil
import stat
import tempfile
import time

from codeblue_trials.bench import median, words
from codeblue_trials.crowd import Failed, alone

NAME = "codeblue-trial-"
STALE = 600
"""Seconds after which a folder that a janitor did not remove is a left-over."""
ROOM = 2 << 30
"""Bytes that must be free before anything is written."""
LARGEST = 128 << 20
PIECE = 4 << 20
FILES, SMALL_FILES = 100, 24
SMALL_FILE = 4096
LISTED = 500
"""Entries of a data folder that are looked at to find files."""
READ_AT_MOST = 256 << 10
"""Bytes that are read of each of its files."""
PATIENCE = 8.0
"""Seconds for one path: a file server may not answer at all."""
NETWORK = re.compile(
    r"nfs|cifs|smb|lustre|gpfs|ceph|beegfs|glusterfs|9p$|virtiofs|afs|fuse\.(sshfs|rclone|s3fs|juicefs"
    r"|gcsfuse|goofys|mount-s3|blobfuse|cephfs|glusterfs|weka)|wekafs|panfs|pvfs|orangefs|dfs|quobyte"
)
"""Kinds of file systems whose data lies on another machine."""
READ_ONLY = 1
SHM = "/dev/shm"


class Refused(Exception):
    """A measurement that is not made, and why."""


def places(order):
    """Return name -> path of each place to be tried; the folders of the user's data come first.

    Of the folders that every job has, one of a mount is enough.
    """
    found = {}
    for number, path in enumerate(order.get("paths") or []):
        found["data-%d" % (number + 1) if number else "data"] = os.path.abspath(path)
    mounts = [mount(path)[0] for path in found.values()]
    for name, path in (("cwd", os.getcwd()), ("tmp", tempfile.gettempdir())):
        point = mount(path)[0]
        if point not in mounts:
            found[name] = path
            mounts.append(point)
    return found


def tried(name, path, small):
    """Return the row of one place; a place that does not answer has an error and its kind."""
    row = {"path": os.fsencode(path).decode("utf-8", "replace"), "kind": mount(path)[1]}
    row["network"] = bool(row["kind"] and NETWORK.search(row["kind"]))
    try:
        row.update(alone(lambda: _measured(path, small, name.startswith("data")), PATIENCE))
    except Failed as why:
        row["error"] = str(why)
    return row


def _measured(path, small, data):
    if not stat.S_ISDIR(os.stat(path).st_mode):
        raise NotADirectoryError("not a folder")
    row = room(path)
    if data:
        row.update(_given(path, small))
    if row.get("files"):
        return row  # somebody may be listing it: a new folder among the samples would be taken for one
    try:
        _may_write(path, row)
        row.update(_written(path, small))
    except (Refused, OSError) as why:
        row["not_written"] = str(why) if isinstance(why, Refused) else words(why)
    return row


def room(path):
    """Return the size of the file system at a path."""
    told = os.statvfs(path)
    return {
        "total": told.f_blocks * told.f_frsize,
        "free": told.f_bavail * told.f_frsize,
        "read_only": bool(told.f_flag & READ_ONLY),
    }


def _may_write(path, row):
    if row["read_only"]:
        raise Refused("mounted read-only")
    if not os.access(path, os.W_OK | os.X_OK):
        raise Refused("no permission to write")
    if row["free"] < ROOM:
        raise Refused("less than 2 GiB are free")


def mount(path):
    """Return mount point and kind of the file system at a path by the kernel's table: nothing can hang."""
    best, found = None, None
    try:
        with open("/proc/self/mounts", "rb") as stream:
            rows = [line.split(b" ") for line in stream]
    except OSError:
        return None, None
    for row in rows:
        point = re.sub(rb"\\(\d{3})", lambda code: bytes([int(code.group(1), 8)]), row[1])
        inside = os.fsencode(path) == point or os.fsencode(path).startswith(point.rstrip(b"/") + b"/")
        if inside and len(point) >= len(best or b""):
            best, found = point, row[2].decode("utf-8", "replace")
    return best, found


def _written(path, small):
    """Return what small and large files take in a folder of our own."""
    sweep(path)
    with Folder(path) as folder:
        row = {"small_files": _small_files(folder, SMALL_FILES if small else FILES)}
        row.update(large(folder, (8 << 20) if small else LARGEST))
        return row


def _small_files(folder, count):
    """Return the milliseconds of each operation on small files: the middle one and the slowest of 100."""
    paths = [os.path.join(folder, "%d" % number) for number in range(count)]
    content = os.urandom(SMALL_FILE)
    times = {
        "create": timed(lambda path: _create(path, content), paths),
        "stat": timed(os.stat, paths),
    }
    for path in paths:
        _cold(path, written=True)
    times["read"] = timed(_read, paths)
    return {name: summary(seconds) for name, seconds in times.items()}


def timed(work, arguments, until=1.0):
    """Return the seconds of each call; ends early after ``until`` seconds."""
    times, end = [], time.perf_counter() + until
    for argument in arguments:
        begun = time.perf_counter()
        if begun > end:
            break
        work(argument)
        times.append(time.perf_counter() - begun)
    return times


def summary(times):
    """Return the middle and the 99th percentile in milliseconds, and how many were timed."""
    ordered = sorted(times)
    late = ordered[min(len(ordered) - 1, len(ordered) * 99 // 100)]
    return {"p50_ms": round(1e3 * median(ordered), 4), "p99_ms": round(1e3 * late, 4), "count": len(ordered)}


def _create(path, content):
    with open(path, "wb", 0) as stream:
        stream.write(content)


def _read(path):
    with open(path, "rb", 0) as stream:
        return len(stream.read(READ_AT_MOST))


def _cold(path, written=False):
    """Ask the kernel to forget the content of a file."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        if written:
            os.fsync(descriptor)  # what is not on the disk yet is not forgotten
        _forget(descriptor)
    finally:
        os.close(descriptor)


def _forget(descriptor):
    os.posix_fadvise(descriptor, 0, 0, os.POSIX_FADV_DONTNEED)


def large(folder, size, until=1.5):
    """Return MB/s of writing with fsync and of reading a nameless file; at most ``until`` seconds each."""
    with tempfile.TemporaryFile(dir=folder, buffering=0) as stream:
        piece, done = os.urandom(PIECE), 0
        begun = time.perf_counter()
        while done < size and time.perf_counter() - begun < until:
            done += stream.write(piece)
        os.fsync(stream.fileno())
        row = {"write_mbs": round(done / 1e6 / (time.perf_counter() - begun), 1)}
        _forget(stream.fileno())
        row["direct"] = resident(stream.fileno(), done) < 0.1
        row["read_mbs"] = sequential(stream, until)
        return row


def sequential(stream, until):
    """Return MB/s of reading an open file from its start."""
    stream.seek(0)
    done, begun = 0, time.perf_counter()
    buffer = bytearray(PIECE)
    while time.perf_counter() - begun < until:
        got = stream.readinto(buffer)
        if not got:
            break
        done += got
    return round(done / 1e6 / max(1e-9, time.perf_counter() - begun), 1)


def resident(descriptor, size):
    """Return which part of a file lies in the page cache; 1.0 if the kernel does not tell."""
    if not size:
        return 1.0
    library = ctypes.CDLL(None, use_errno=True)
    pages = (size + mmap.PAGESIZE - 1) // mmap.PAGESIZE
    seen = (ctypes.c_ubyte * pages)()
    try:
        mapped = mmap.mmap(descriptor, size, flags=mmap.MAP_PRIVATE)  # writable: ctypes wants that
    except (OSError, ValueError):
        return 1.0
    try:
        place = ctypes.c_char.from_buffer(mapped)
        told = library.mincore(ctypes.c_void_p(ctypes.addressof(place)), ctypes.c_size_t(size), seen)
        del place
        return sum(one & 1 for one in seen) / float(pages) if told == 0 else 1.0
    finally:
        mapped.close()


def _given(path, small):
    """Return what reading the files takes that lie in the user's folder; nothing is written for it."""
    begun = time.perf_counter()
    paths = files_below(path, SMALL_FILES if small else FILES)
    listing = round(time.perf_counter() - begun, 3)
    if not paths:
        return {"files": 0, "listing_seconds": listing}
    row = {"files": len(paths), "listing_seconds": listing}
    given = {"stat": summary(timed(os.stat, paths))}
    kept = []
    for one in paths:
        try:
            _cold(one)
            kept.append(one)
        except OSError:
            continue  # not ours to read
    if kept:
        given["read"] = summary(timed(_read, kept))
        largest = max(kept, key=lambda one: os.stat(one).st_size)
        row.update(_largest(largest))
    row["given_files"] = given
    return row


def _largest(path):
    """Return MB/s of reading one of the user's files; nothing if it is too small to say."""
    with open(path, "rb", 0) as stream:
        size = min(os.fstat(stream.fileno()).st_size, LARGEST)
        if size < PIECE:
            return {}
        _forget(stream.fileno())
        direct = resident(stream.fileno(), size) < 0.1
        return {"given_read_mbs": sequential(stream, 1.0), "given_direct": direct}


def files_below(path, count, until=1.0):
    """Return up to ``count`` files below a folder, looking at a bounded part of it."""
    found, folders, seen = [], [path], 0
    end = time.perf_counter() + until
    while folders and len(found) < count and seen < LISTED and time.perf_counter() < end:
        try:
            entries = os.scandir(folders.pop(0))
        except OSError:
            continue
        for entry in entries:
            seen += 1
            if entry.is_file(follow_symlinks=False):
                found.append(entry.path)
            elif entry.is_dir(follow_symlinks=False):
                folders.append(entry.path)
            if len(found) >= count or seen >= LISTED:
                break
    return found


class Folder:
    """A folder for us alone that is removed when this process ends, however it ends."""

    def __init__(self, parent):
        self.path = os.path.join(parent, NAME + os.urandom(8).hex())
        self.alive, self.gone = _janitor(self.path)

    def __enter__(self):
        os.mkdir(self.path, 0o700)
        return self.path

    def __exit__(self, *_):
        os.close(self.alive)
        os.read(self.gone, 1)
        os.close(self.gone)


def _janitor(path):
    """Start a process that removes ``path`` once we close a pipe or end; return that pipe and one it closes.

    It is nobody's child: who ends us ends all that is below us.
    """
    heard, alive = os.pipe()
    gone, held = os.pipe()
    pid = os.fork()
    if pid:
        os.close(heard)
        os.close(held)
        os.waitpid(pid, 0)
        return alive, gone
    try:
        os.setsid()
        if os.fork() == 0:
            os.chdir("/")
            os.dup2(heard, 0)
            os.dup2(held, 1)
            os.closerange(2, 4096)
            os.read(0, 1)
            shutil.rmtree(path, ignore_errors=True)
    finally:
        os._exit(0)


def sweep(parent, until=0.3):
    """Remove our own folders of runs whose janitor was killed as well; takes ``until`` seconds at most."""
    end = time.time() + until
    for entry in os.scandir(parent):
        if time.time() > end:
            return
        if not entry.name.startswith(NAME) or not entry.is_dir(follow_symlinks=False):
            continue
        told = entry.stat(follow_symlinks=False)
        if told.st_uid == os.getuid() and time.time() - told.st_mtime > STALE:
            shutil.rmtree(entry.path, ignore_errors=True)


def shared_memory(small):
    """Return the row of /dev/shm."""
    row = {"path": SHM, "kind": mount(SHM)[1]}
    try:
        row.update(alone(lambda: _shm(8 << 20 if small else 32 << 20), PATIENCE))
    except Failed as why:
        row["error"] = str(why)
    return row


def _shm(size):
    row = room(SHM)
    if row["free"] < 2 * size:
        row["not_written"] = "less than %d MiB are free" % (2 * size >> 20)
        return row
    told = large(SHM, size)
    row.update(write_mbs=told["write_mbs"], read_mbs=told["read_mbs"])
    return row
