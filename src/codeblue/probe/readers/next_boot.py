"""What the next boot will start with: kernel, modules, early image, parameters, units."""

import os
import re

from codeblue_probe import boot_menu, files, initramfs, module_file
from codeblue_probe.readers import host, modules
from codeblue_probe.report import Absent, Report, Unread, state_of

IMAGE = re.compile(r"(?:vmlinuz|vmlinux|kernel|Image)-(\d.*)$")
INITRAMFS = ("/boot/initrd.img-%s", "/boot/initramfs-%s.img", "/boot/initrd-%s")
DKMS = "/var/lib/dkms"
UNITS = ("/etc/systemd/system", "/usr/lib/systemd/system", "/lib/systemd/system")
UNIT = re.compile(r"(nvidia-[\w-]+|dkms|akmods)\.service$")
MARKS = ("/run/reboot-required", "/var/run/reboot-required")


def read(context, sections):
    """Read the next_boot section."""
    if sections.get("container", {}).get("state") == "read":
        raise Absent("in a container: the boot is the host's")
    report = Report("/boot")
    kernels = _kernels()
    report.put("kernels", kernels)
    kernel = _chosen(report, kernels)
    if kernel is None and not kernels:
        raise Absent("no kernel is installed in /boot")
    if kernel and not files.exists("/lib/modules/" + kernel):
        kernel = None  # not the name of a release after all
    report.put("kernel", kernel)
    if kernel:
        _modules(report, kernel)
        _building(report, kernel)
        _initramfs(report, kernel)
    report.attempt("nouveau_disabled", _nouveau_disabled, "modprobe.d")
    report.attempt("enabled", _enabled, "*.wants of systemd")
    report.put("reboot_required", any(files.exists(mark) for mark in MARKS), MARKS[0])
    return report


def _kernels():
    found = {match.group(1) for match in map(IMAGE.match, files.names("/boot")) if match}
    for release in files.names("/lib/modules"):
        if files.exists("/lib/modules/%s/vmlinuz" % release) or files.exists(
            "/lib/modules/%s/pkgbase" % release
        ):
            found.add(release)
    return sorted((one for one in found if not one.endswith(".old")), key=boot_menu.version_key)


def _chosen(report, kernels):
    """Put what is known of the entry; return the release of its kernel."""
    chosen = []
    report.attempt("entry", lambda: _told(chosen), "the boot loader's configuration")
    if not chosen:
        if "entry" in report.unread:
            report.unread["parameters"] = report.unread["entry"]
        else:
            report.put("parameters", None)
        report.put("chosen_by", "newest-file")
        return kernels[-1] if kernels else None
    choice = chosen[0]
    kept = [word.strip('"') for word in choice.parameters if host.PARAMETERS.match(word.strip('"'))]
    report.put("parameters", kept, "the boot entry")
    report.put("chosen_by", choice.how)
    return (choice.image and boot_menu.release_of(choice.image)) or choice.release


def _told(chosen):
    choice = boot_menu.choice()
    if choice is None:
        return None
    chosen.append(choice)
    return choice.entry


def _modules(report, kernel):
    folder = "/lib/modules/" + kernel
    report.attempt("modules", lambda: modules.on_disk(kernel), folder)
    paths = report.facts.get("modules")
    if paths:
        seen = []
        report.attempt(
            "module_version", lambda: seen.append(module_file.look(paths[0])) or seen[0][0], paths[0]
        )
        if seen:
            report.put("module_signed", seen[0][1], paths[0])
        elif "module_version" in report.unread:
            report.unread["module_signed"] = report.unread["module_version"]
    elif paths is not None:
        report.put("module_version", None)
        report.put("module_signed", None)
    drm = folder + "/kernel/drivers/gpu/drm/nouveau"
    report.attempt("nouveau", lambda: any(n.startswith("nouveau.ko") for n in files.names(drm)), drm)


def _building(report, kernel):
    report.attempt("dkms", lambda: _dkms(kernel), DKMS)
    places = ("/usr/src/linux-headers-" + kernel, "/lib/modules/%s/build" % kernel)
    report.put("headers", any(files.exists(place + "/Makefile") for place in places), places[1])


def _dkms(kernel):
    found = {}
    for name in files.names(DKMS):
        if not name.startswith("nvidia"):
            continue
        folder = DKMS + "/" + name
        links = [entry for entry in files.names(folder) if entry.startswith("kernel-" + kernel)]
        installed = {(files.target(folder + "/" + link) or "").split("/")[0] for link in links}
        for version in files.names(folder):
            if version[:1].isdigit():
                built = files.exists("%s/%s/%s" % (folder, version, kernel))
                state = "installed" if version in installed else "built" if built else "added"
                found["%s/%s" % (name, version)] = state
    return found


def _initramfs(report, kernel):
    path = next((one % kernel for one in INITRAMFS if files.exists(one % kernel)), None)
    report.put("initramfs", path)
    report.attempt("initramfs_time", lambda: os.stat(files.place(path)).st_mtime if path else None, path)
    written = report.facts.get("initramfs_time")
    if written is None:
        report.put("initramfs_booted", False)
    else:
        report.attempt("initramfs_booted", lambda: kernel == os.uname().release and written < _booted())
    _contents(report, path)


def _contents(report, path):
    """Look into the image, for the modules that could take the GPU before the root file system is there."""
    if path is None:
        report.facts.update(initramfs_modules=None, initramfs_disabled=None, initramfs_version=None)
        return
    try:
        found = initramfs.look(path)
    except (OSError, ValueError, Unread) as error:
        for name in ("initramfs_modules", "initramfs_disabled", "initramfs_version"):
            report.unread[name] = state_of(error)
        return
    disabled = {name for text in found.configuration for name in modules.disabled_by(text)}
    report.put("initramfs_modules", sorted(found.modules), path)
    report.put("initramfs_disabled", sorted(disabled), path)
    report.attempt("initramfs_version", found.version, path)


def _booted():
    rows = (row.split() for row in files.text("/proc/stat").splitlines() if row.startswith("btime"))
    return float(next(rows)[1])


def _nouveau_disabled():
    paths = modules.disabling("nouveau")
    return {path: os.stat(files.place(path)).st_mtime for path in paths}


def _enabled():
    found = set()
    for folder in UNITS:
        for name in files.names(folder):
            if name.endswith((".wants", ".requires")):
                matches = map(UNIT.match, files.names(folder + "/" + name))
                found.update(match.group(1) for match in matches if match)
    return sorted(found)
