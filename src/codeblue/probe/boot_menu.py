"""The entry that the boot loader takes next: GRUB's menu, boot loader specification, systemd-boot."""

import fnmatch
import os
import re
from collections import namedtuple

from codeblue_probe import files

Choice = namedtuple("Choice", "entry image release parameters how")
"""``release`` is None unless the entry itself names it."""

GRUB = ("/boot/grub2", "/boot/grub")
LOADERS = ("/boot/loader", "/efi/loader", "/boot/efi/loader")
EFI = "/sys/firmware/efi/efivars/%s-4a67b082-0a4c-41cf-b6c7-440b29bb8c4f"
"""Variables of the boot loader interface of systemd."""

BLOCK = re.compile(r"\s*(?:menuentry|submenu)\s+((?:'[^']*'|\"[^\"]*\"|\\.|[^\s'\"\\])+)(.*)\{\s*$")
QUOTED = re.compile(r"'([^']*)'|\"([^\"]*)\"|\\(.)|([^'\"\\]+)")
"""The parts of a shell word: an apostrophe in a title ends the quotes and begins them again."""

BLOCK_ID = re.compile(r"(?:\$\{?menuentry_id_option\}?|--id)[\s=]+['\"]?([^'\"\s]+)")
DEFAULT = re.compile(r"^\s*set\s+default=(?:\"([^\"\n]*)\"|'([^'\n]*)'|([^\s\"']*))", re.M)
LINUX = ("linux", "linuxefi", "linux16")


def choice():
    """Return the entry that boots next, or None if no boot loader's configuration is here. Raises OSError."""
    for folder in GRUB:
        try:
            content = files.text(folder + "/grub.cfg")
        except FileNotFoundError:
            continue
        return _grub(content, _environment(folder))
    for folder in GRUB:
        environment = _environment(folder)
        if environment:
            return _specified(environment.get("saved_entry"), environment, "bls", LOADERS[:1])
    return _systemd_boot()


def version_key(name):
    """Sort releases as package managers do: numbers above words."""
    return [
        (1, int(part), "") if part.isdigit() else (0, 0, part) for part in re.findall(r"\d+|[a-z]+", name)
    ]


def _grub(content, environment):
    once = environment.get("next_entry")
    wanted, how = once, "grub-once"
    if not once:
        told = [word for word in map("".join, DEFAULT.findall(content)) if "next_entry" not in word]
        wanted, how = (told[-1] if told else "0"), "grub"
        if "saved_entry" in wanted:
            wanted = environment.get("saved_entry") or "0"
    if re.search(r"^\s*blscfg\b", content, re.M):
        return _specified(wanted, environment, "grub-once" if once else "bls", LOADERS[:1])
    item = _select(_menu(content), wanted)
    if item is None:
        return None
    words = item["linux"] or [None]
    return Choice(item["title"], words[0], None, words[1:], how)


def _environment(folder):
    try:
        return files.pairs(files.text(folder + "/grubenv", 4096), "=")
    except FileNotFoundError:
        return {}


def _menu(content):
    """Return the tree of menu entries; a block of anything else is passed over."""
    top = _item("", "")
    stack = [top]
    for row in content.splitlines():
        block, words = BLOCK.match(row), row.split()
        if block:
            title = "".join("".join(parts) for parts in QUOTED.findall(block.group(1)))
            named = BLOCK_ID.search(block.group(2))
            item = _item(title, named.group(1) if named else "")
            stack[-1]["items"].append(item)
            stack.append(item)
        elif words and words[-1] == "{":
            stack.append(_item("", ""))
        elif words == ["}"] and len(stack) > 1:
            stack.pop()
        elif len(words) > 1 and words[0] in LINUX and not stack[-1]["linux"]:
            stack[-1]["linux"] = words[1:]
    return top["items"]


def _item(title, named):
    return {"title": title, "id": named, "items": [], "linux": None}


def _select(items, wanted):
    """Return the entry that ``1>2``, an id or a title names; like GRUB, the first if it names none."""
    item = None
    for part in (one.replace(">>", ">") for one in re.split("(?<!>)>(?!>)", wanted)):
        if not items:
            break
        if part.isdigit():
            item = items[int(part)] if int(part) < len(items) else items[0]
        else:
            item = next((one for one in items if part in (one["id"], one["title"])), items[0])
        items = item["items"]
    while item and item["items"]:
        item = item["items"][0]
    return item


def _systemd_boot():
    wanted = _efi("LoaderEntryOneShot") or _efi("LoaderEntryDefault")
    for folder in LOADERS:
        if wanted:
            break
        try:
            rows = (row.split(None, 1) for row in files.text(folder + "/loader.conf").splitlines())
            wanted = next((row[1].strip() for row in rows if len(row) == 2 and row[0] == "default"), None)
        except FileNotFoundError:
            continue
    return _specified(wanted, {}, "systemd-boot", LOADERS)


def _efi(name):
    try:
        with open(files.ROOT + EFI % name, "rb") as stream:
            return stream.read(1024)[4:].decode("utf-16-le", "replace").strip("\0")
    except OSError:  # not set, or not for this user
        return None


def _specified(wanted, environment, how, folders):
    """Choose among the entries of the boot loader specification, the newest first."""
    found = [
        (name[:-5], folder + "/entries/" + name)
        for folder in folders
        for name in files.names(folder + "/entries")
        if name.endswith(".conf")
    ]
    entries = [(name, _entry(path)) for name, path in found]
    entries.sort(key=lambda one: version_key(one[1].get("version") or one[0]), reverse=True)
    if not entries:
        return None
    name, entry = entries[0]
    if wanted and wanted.isdigit() and int(wanted) < len(entries):
        name, entry = entries[int(wanted)]
    elif wanted:
        pattern = wanted[:-5] if wanted.endswith(".conf") else wanted
        named = (one for one in entries if fnmatch.fnmatch(one[0], pattern) or one[1].get("title") == wanted)
        name, entry = next(named, entries[0])
    parameters = [
        environment.get(word[1:], "") if word[:1] == "$" else word for word in entry["options"].split()
    ]
    return Choice(name, entry.get("linux"), entry.get("version"), " ".join(parameters).split(), how)


def _entry(path):
    entry = {"options": ""}
    for row in files.text(path, 1 << 16).splitlines():
        key, _, content = row.strip().partition(" ")
        if key == "options":
            entry["options"] += " " + content.strip()
        elif key and not key.startswith("#"):
            entry[key] = content.strip()
    return entry


def release_of(image):
    """Return the kernel release that an image's path tells, or None."""
    name = os.path.basename(image)
    link = None if re.search(r"\d", name) else files.target("/boot/" + name)
    if link:
        name = os.path.basename(link)
    if name == "linux":  # as kernel-install lays it out: MACHINE/RELEASE/linux
        return os.path.basename(os.path.dirname(image)) or None
    told = name.partition("-")[2]
    if told[:1].isdigit():
        return told
    return next((one for one in files.names("/lib/modules") if _package(one) == told), None) if told else None


def _package(release):
    """Return the package that a kernel's modules came with, where the distribution notes that."""
    try:
        return files.line("/lib/modules/%s/pkgbase" % release)
    except OSError:
        return None
