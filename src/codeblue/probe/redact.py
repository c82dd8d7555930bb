"""Private data leaves the target only as stable pseudonyms."""

import hashlib
import hmac
import os
import pwd
import re

SYSTEM_USERS = ("root", "nobody", "ubuntu", "www-data")
PATTERNS = (
    ("gpu", re.compile(r"(?:GPU|MIG)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:/\d+/\d+)?")),
    ("serial", re.compile(r"(?<=Serial Number: )\S+")),
    ("mail", re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]+")),
    ("mac", re.compile(r"\b(?:[0-9a-f]{2}:){5}[0-9a-f]{2}\b", re.I)),
    ("ip", re.compile(r"(?<![\w.-])(?!127\.)(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)")),
    (
        "secret",
        re.compile(r"\b(?:hf_|nvapi-|ghp_|github_pat_|glpat-|sk-|AKIA|ASIA|xox[bp]-)[A-Za-z0-9_-]{8,}"),
    ),
    ("secret", re.compile(r"(?i)(?<=://)[^/\s:@]+:[^/\s@]+(?=@)")),
)
"""What is replaced wherever it stands, whatever the field."""

HOST_FIELDS = ("hostname", "MASTER_ADDR")
VERSION_FIELDS = ("version", "driver_version", "module_version", "kernel", "glibc", "firmware", "old", "new")


class Redactor:
    """Replaces names of hosts, users and devices; the same value gets the same pseudonym."""

    def __init__(self, salt, context):
        self.key = (salt or os.urandom(16).hex()).encode("utf-8")
        self.known = {}
        self._learn("host", os.uname().nodename)
        for entry in _people(context):
            self._learn("user", entry)
        self.names = _pattern(self.known, "host", r"(?<![\w-])(?:%s)(?![\w-])")
        self.parts = _pattern(self.known, "user", r"(?<=/)(?:%s)(?=/|$)")

    def _learn(self, kind, value):
        if len(value) > 2 and value not in SYSTEM_USERS and value != "localhost":
            self.known[value] = self.pseudonym(kind, value)

    def pseudonym(self, kind, value):
        """Return ``kind-`` and twelve hexadecimal digits of a keyed hash."""
        digest = hmac.new(self.key, value.encode("utf-8", "surrogateescape"), hashlib.sha256)
        return "%s-%s" % (kind, digest.hexdigest()[:12])

    def document(self, value, field=""):
        """Return a copy of plain data with every text redacted."""
        if field in ("unread", "sources"):
            return value
        if isinstance(value, dict):
            return {self.text(key, ""): self.document(item, key) for key, item in value.items()}
        if isinstance(value, list):
            return [self.document(item, field) for item in value]
        return self.text(value, field) if isinstance(value, str) else value

    def text(self, value, field):
        """Return one text with names and private patterns replaced."""
        if field in VERSION_FIELDS:
            return value
        if field in HOST_FIELDS and value not in ("localhost", "127.0.0.1", "::1"):
            return self.pseudonym("host", value)
        if field == "boot_id":
            return self.pseudonym("boot", value)
        if value in self.known:
            return self.known[value]
        for kind, pattern in PATTERNS:
            value = pattern.sub(lambda match, kind=kind: self.pseudonym(kind, match.group()), value)
        for pattern in (self.names, self.parts):
            if pattern:
                value = pattern.sub(lambda match: self.known[match.group()], value)
        return value


def _pattern(known, kind, template):
    names = [re.escape(name) for name, alias in known.items() if alias.startswith(kind)]
    return re.compile(template % "|".join(sorted(names, key=len, reverse=True))) if names else None


def _people(context):
    names = set()
    for entry in pwd.getpwall():
        if entry.pw_uid >= 1000 or entry.pw_dir.startswith("/home/"):
            names.add(entry.pw_name)
    for uid in (os.getuid(), getattr(context, "uid", os.getuid())):
        try:
            names.add(pwd.getpwuid(uid).pw_name)
        except KeyError:
            continue
    for home in (os.environ.get("HOME", ""), context.environment.get("HOME", ""), context.cwd):
        if home.startswith("/home/"):
            names.add(home.split("/")[2])
    return names
