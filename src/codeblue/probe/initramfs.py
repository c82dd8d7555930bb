"""What an early image (initramfs) holds: cpio archives one after the other, the last one packed."""

import os
import re
import subprocess
import time
from importlib import import_module

from codeblue_probe import files, module_file
from codeblue_probe.report import Unread

HEADER = 110
"""Bytes of a header of cpio's newc format: magic and thirteen numbers of eight hexadecimal digits."""

MAGIC = (b"070701", b"070702")
TRAILER = "TRAILER!!!"
MODULE = re.compile(r"(?:.*/)?((?:nvidia[\w-]*|nouveau|nova[_-]\w+)\.ko)(?:\.(?:xz|zst|gz))?$")
DRIVER = re.compile(r"nvidia(?:-current|-(?:legacy|tesla)-\d+(?:xx)?)?\.ko$")
"""The driver itself; Debian names it after its package."""

CONFIGURATION = re.compile(r"(?:etc|run|lib|usr/lib|usr/local/lib)/modprobe\.d/[^/]+\.conf$")
REGULAR = 0o100000

LIBRARIES = ((b"\x1f\x8b", "zlib"), (b"\xfd7zXZ\x00", "lzma"), (b"\x5d\x00\x00", "lzma"), (b"BZh", "bz2"))
PROGRAMS = ((b"\x28\xb5\x2f\xfd", "zstd"), (b"\x02\x21\x4c\x18", "lz4"), (b"\x04\x22\x4d\x18", "lz4"))
"""What packed data begins with, and who unpacks it."""

FOLDERS = ("/usr/bin", "/bin", "/usr/local/bin")
CHUNK = 1 << 18
LONGEST_NAME = 4096
LONGEST_FILE = 1 << 16
"""Bytes taken of one configuration file."""

PATIENCE = 8.0
"""Seconds that looking into one image may take."""


class Found:
    """Names of the GPU modules, texts of modprobe.d, and the versions that nvidia.ko tells of itself."""

    def __init__(self):
        self.modules, self.configuration, self.versions = set(), [], []

    def version(self):
        """Return the version of nvidia.ko; None if it is not in the image. Raises Unread."""
        if not self.versions:
            return None
        if None in self.versions:
            raise Unread("unsupported", "the module in the image is packed once more")
        return self.versions[0]


def look(path):
    """Return what an image holds. Raises OSError, Unread."""
    end = time.time() + PATIENCE
    found = Found()
    with open(files.place(path), "rb") as stream:
        start = _plain(stream, found, end)
        if start:
            _packed(stream, start, found, end)
        elif not stream.tell():
            raise Unread("error", "the image is empty")
    return found


def _plain(stream, found, end):
    """Read the archives that are not packed; return the first bytes of what follows."""
    while True:
        start = stream.read(6)
        while start[:1] == b"\0":  # archives are padded
            start = start.lstrip(b"\0")
            start += stream.read(6 - len(start))
        if start not in MAGIC:
            return start
        _archive(Source(iter(lambda: stream.read(CHUNK), b""), start, end), found, stream)


def _packed(stream, start, found, end):
    stream.seek(-len(start), os.SEEK_CUR)
    library = next((name for magic, name in LIBRARIES if start.startswith(magic)), None)
    program = next((name for magic, name in PROGRAMS if start.startswith(magic)), None)
    if library:
        _archive(Source(_unpacked(library, stream), b"", end), found)
    elif program:
        with _child(program, stream) as child:
            try:
                _archive(Source(iter(lambda: child.stdout.read(CHUNK), b""), b"", end), found)
            finally:
                child.kill()
    else:
        raise Unread("unsupported", "the image begins with %r" % start)


def _unpacked(library, stream):
    try:
        module = import_module(library)
    except ImportError:
        raise Unread("unsupported", "this interpreter has no " + library)
    if library == "zlib":
        machine, damage = module.decompressobj(31), module.error
    elif library == "lzma":
        machine, damage = module.LZMADecompressor(), module.LZMAError
    else:
        machine, damage = module.BZ2Decompressor(), OSError
    while not machine.eof:
        chunk = stream.read(CHUNK)
        if not chunk:
            return
        try:
            plain = machine.decompress(chunk)
        except damage as error:
            raise Unread("error", "the image is damaged: %s" % error)
        if plain:  # nothing means the end to whoever reads on
            yield plain


def _child(program, stream):
    path = next((one for one in ("%s/%s" % (f, program) for f in FOLDERS) if os.access(one, os.X_OK)), None)
    if path is None:
        raise Unread("unsupported", "%s is not installed" % program)
    os.lseek(stream.fileno(), stream.tell(), os.SEEK_SET)  # the child goes on where we stopped reading
    return subprocess.Popen(
        [path, "-dc"], stdin=stream, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, close_fds=True
    )


class Source:
    """Bytes that come in chunks, read once, to a deadline."""

    def __init__(self, chunks, start, end):
        self.chunks = chunks
        self.rest = start
        self.end = end

    def passed(self, count):
        """Pass bytes by. Raises Unread if they are missing."""
        self.read(count, keep=False)

    def read(self, count, keep=True):
        """Return the next bytes, or nothing if they are only passed. Raises Unread if they are missing."""
        kept = []
        while count > len(self.rest):
            kept.append(self.rest if keep else b"")
            count -= len(self.rest)
            self.rest = next(self.chunks, b"")
            if time.time() > self.end:
                raise Unread("timeout", "looking into the image takes more than %g s" % PATIENCE)
            if not self.rest:
                raise Unread("error", "the image ends early")
        kept.append(self.rest[:count] if keep else b"")
        self.rest = self.rest[count:]
        return b"".join(kept)


def _archive(source, found, stream=None):
    """Take the names of one archive; leave a plain ``stream`` right behind it."""
    while True:
        header = source.read(HEADER)
        if header[:6] not in MAGIC:
            raise Unread("error", "no archive of the format newc")
        mode, size, length = (int(header[at : at + 8], 16) for at in (14, 54, 94))
        if length > LONGEST_NAME:
            raise Unread("error", "a name of %d bytes" % length)
        name = source.read(_aligned(HEADER + length) - HEADER)[: length - 1].decode("utf-8", "replace")
        if name == TRAILER:
            break
        _take(name, mode, size, source, found)
    if stream is not None:
        stream.seek(-len(source.rest), os.SEEK_CUR)


def _take(name, mode, size, source, found):
    name = name[2:] if name.startswith("./") else name
    module = MODULE.match(name)
    if module:
        found.modules.add(module.group(1).replace("-", "_"))
    wanted = mode & 0o170000 == REGULAR and size <= LONGEST_FILE and CONFIGURATION.match(name.lstrip("/"))
    if module and DRIVER.match(module.group(1)):
        found.versions.append(_version(source, size) if name.endswith(".ko") else source.passed(size))
    else:
        content = source.read(size, keep=bool(wanted))
    if wanted:
        found.configuration.append(content.decode("utf-8", "replace"))
    source.passed(_aligned(size) - size)


def _version(source, size):
    """Read one module and return its version; like the file of a module, piece by piece."""
    version, tail = None, b""
    while size:
        piece = tail + source.read(min(size, CHUNK))
        size -= len(piece) - len(tail)
        version = version or module_file.VERSION.search(piece)
        tail = piece[-module_file.OVERLAP :]
    return version.group(1).decode() if version else None


def _aligned(count):
    return (count + 3) // 4 * 4
