"""Private data leaves the target only as stable pseudonyms."""

import hashlib
import hmac
import os
import pwd

from codeblue_probe import files
from codeblue_probe.children import within
from codeblue_probe.report import Unread
from codeblue_probe.shapes import judges
from codeblue_probe.shapes.known import Known, harvested, people

HOST_FIELDS = ("hostname", "MASTER_ADDR")
USER_FIELDS = ("user",)
VERSION_FIELDS = (
    "version",
    "driver_version",
    "module_version",
    "kernel",
    "glibc",
    "firmware",
    "old",
    "new",
    "vbios",
    "gsp_firmware",
)


def _accounts(uids):
    """Return name, number and home of the users here; the local ones only if no directory service answers."""

    def ask():
        entries = {entry.pw_name: entry for entry in pwd.getpwall()}
        for uid in uids:  # a service may tell names one by one only
            try:
                entry = pwd.getpwuid(uid)
            except KeyError:
                continue
            entries.setdefault(entry.pw_name, entry)
        return [(entry.pw_name, entry.pw_uid, entry.pw_dir) for entry in entries.values()]

    try:
        return within(1.0, ask)
    except (Unread, OSError):
        try:
            rows = [row.split(":") for row in files.text("/etc/passwd", 8 << 20).splitlines()]
        except OSError:  # a minimal image has none
            rows = []
        return [(row[0], int(row[2]), row[5]) for row in rows if len(row) == 7 and row[2].isdigit()]


class Redactor:
    """Replaces secrets and the names of hosts, users and devices; the same value gets the same pseudonym."""

    def __init__(self, salt, context):
        self.key = (salt or os.urandom(16).hex()).encode("utf-8")
        secrets = harvested(os.environ) + harvested(context.environment)
        uids = (os.getuid(), getattr(context, "uid", os.getuid()))
        homes = (os.environ.get("HOME", ""), context.environment.get("HOME", ""), context.cwd)
        names = people(_accounts(uids), uids, homes)
        self.answers = {}
        self.known = Known(secrets, names, self.pseudonym)

    def pseudonym(self, kind, value):
        """Return ``kind-`` and twelve hexadecimal digits of a keyed hash."""
        digest = hmac.new(self.key, value.encode("utf-8", "surrogateescape"), hashlib.sha256)
        return "%s-%s" % (kind, digest.hexdigest()[:12])

    def document(self, value, field=""):
        """Return a copy of plain data with every text redacted."""
        if field == "unread":
            return value  # states by the names of facts
        if isinstance(value, dict):
            named = field != "sources"  # there the names say whose source it is, not what the text is
            return {
                self.text(key, ""): self.document(item, key if named else "") for key, item in value.items()
            }
        if isinstance(value, list):
            return [self.document(item, field) for item in value]
        return self.text(value, field) if isinstance(value, str) else value

    def text(self, value, field):
        """Return one text with names and private patterns replaced."""
        if field in HOST_FIELDS and value not in ("localhost", "127.0.0.1", "::1"):
            return self.pseudonym("host", value)
        if field in USER_FIELDS:  # user, or user:group
            return ":".join(self._person(name) for name in value.split(":"))
        if field == "boot_id":
            return self.pseudonym("boot", value)
        version = field in VERSION_FIELDS
        if (value, version) not in self.answers:
            self.answers[value, version] = self.known.text(value, version)
        return self.answers[value, version]

    def _person(self, name):
        return self.pseudonym("user", name) if name and judges.person(name, 0, len(name)) else name
