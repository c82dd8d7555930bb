"""Where conda gets packages from: its .condarc files and variables, servers that somebody chose unnamed."""

import os
import re

from codeblue_probe import condarc, files
from codeblue_probe.report import Absent, Report, state_of

SYSTEM = ("/etc/conda/.condarc", "/etc/conda/condarc", "/etc/conda/condarc.d")
SYSTEM += ("/var/lib/conda/.condarc", "/var/lib/conda/condarc", "/var/lib/conda/condarc.d")
OWN = (".config/conda/.condarc", ".config/conda/condarc", ".config/conda/condarc.d")
OWN += (".conda/.condarc", ".conda/condarc", ".conda/condarc.d", ".condarc", ".mambarc")
NAMES = (".condarc", "condarc", "condarc.d")
LISTS = ("channels", "default_channels", "denylist_channels", "allowlist_channels", "pinned_packages")
TABLES = ("custom_channels", "custom_multichannels")
WORDS = (
    "channel_alias",
    "channel_priority",
    "solver",
    "offline",
    "ssl_verify",
    "subdir",
    "override_channels_enabled",
)
LONGEST = 1 << 16
MOST = 50

PUBLIC = re.compile(
    r"(?:conda\.anaconda\.org|repo\.(?:anaconda|continuum)\.(?:com|io)|repo\.prefix\.dev|prefix\.dev"
    r"|conda\.(?:rapids\.ai|modular\.com)|mirrors?\.\w+\.edu\.cn|mirrors\.(?:aliyun|cloud\.tencent|huaweicloud)\.com"
    r"|repo\.huaweicloud\.com|mirrors?\.(?:sjtug\.sjtu|nju|zju|tuna\.tsinghua|bfsu|ustc)\.edu\.cn)$"
)
"""Servers that everybody may know; the names of others stay here."""

URL = re.compile(r"(\w+)://([^/@\s]*@)?([^/:\s]+)(:\d+)?(/\S*)?$")
TOKEN = re.compile(r"/t/[^/]+")


def read(context, sections):
    """Read the conda section; absent where nothing is configured and no conda is there."""
    report = Report("{key}")
    found, servers = {}, Servers()
    for path in _paths(context.environment):
        try:
            settings = condarc.parse(files.text(path, LONGEST))
        except (FileNotFoundError, NotADirectoryError):
            continue
        except condarc.NotUnderstood:
            found[path] = {"unread": {"settings": "unsupported"}}
            continue
        except OSError as error:
            found[path] = {"unread": {"settings": state_of(error)}}
            continue
        found[path] = {"settings": _chosen(settings, servers)}
    variables = {
        name: servers.hidden(value)
        for name, value in sorted(context.environment.items())
        if name in ("CONDA_CHANNELS", "CONDA_CHANNEL_ALIAS", "CONDA_CHANNEL_PRIORITY", "CONDA_OVERRIDE_CUDA")
    }
    if not found and not variables and not context.environment.get("CONDA_PREFIX"):
        raise Absent("no .condarc, and no environment of conda")
    report.put("files", found)
    report.put("variables", variables, "environment")
    return report


def _paths(variables):
    """Return the files in the order in which conda reads them: later ones win."""
    home, places = variables.get("HOME", "/root"), list(SYSTEM)
    root = variables.get("CONDA_ROOT") or _root(variables.get("CONDA_EXE"))
    places += ["%s/%s" % (root, name) for name in NAMES] if root else []
    places += ["%s/%s" % (home, name) for name in OWN]
    prefix = variables.get("CONDA_PREFIX")
    places += ["%s/%s" % (prefix, name) for name in NAMES] if prefix and prefix != root else []
    places += [variables[name] for name in ("CONDARC", "MAMBARC") if variables.get(name)]
    return [path for place in places for path in _spread(place)]


def _spread(place):
    if not place.endswith(".d"):
        return [place]
    try:
        return ["%s/%s" % (place, name) for name in files.names(place) if name.endswith((".yml", ".yaml"))]
    except OSError:
        return []


def _root(executable):
    return os.path.dirname(os.path.dirname(executable)) if executable else None


def _chosen(settings, servers):
    kept = {}
    for name in LISTS:
        if isinstance(settings.get(name), list):
            kept[name] = [servers.hidden(word) for word in settings[name][:MOST]]
    for name in TABLES:
        if isinstance(settings.get(name), dict):
            rows = list(settings[name].items())[:MOST]
            kept[name] = ["%s: %s" % (key, servers.hidden(_text(value))) for key, value in rows]
    for name in WORDS:
        if isinstance(settings.get(name), str):
            kept[name] = [servers.hidden(settings[name])]
    return kept


def _text(value):
    return ", ".join(value) if isinstance(value, list) else value or ""


class Servers:
    """Servers that somebody chose, by number; the same server keeps its number."""

    def __init__(self):
        self.seen = []

    def hidden(self, text):
        """Return a text with passwords, tokens and private servers replaced, URL by URL."""
        return ", ".join(self._one(part.strip()) for part in text.split(","))

    def _one(self, word):
        url = URL.match(word)
        if not url:
            return TOKEN.sub("/t/hidden", word)
        scheme, _, host, port, path = url.groups()
        if not PUBLIC.match(host.lower()):
            if host not in self.seen:
                self.seen.append(host)
            host, port = "other-%d" % (self.seen.index(host) + 1), ""
        return "%s://%s%s%s" % (scheme, host, port or "", TOKEN.sub("/t/hidden", path or ""))
