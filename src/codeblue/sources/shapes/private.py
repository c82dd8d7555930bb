"""Numbers and addresses of machines and cards; names are in :mod:`.names`."""

from . import judges
from .names import HOSTS, USERS
from .rule import Rule

IP = Rule(
    "ip",
    "IP address",
    ".",
    r"(?<![A-Za-z0-9_.+-])(?:\d{1,3}\.){3}\d{1,3}(?![A-Za-z0-9_-]|\.\d)",
    judges.address,
)
"""Chinese text joins words and numbers without a blank, so that the borders are those of ASCII."""

PRIVATE = [
    Rule(
        "gpu",
        "GPU UUID",
        "gpu- mig-",
        r"(?i)(?:GPU|MIG)-[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}(?:/\d+/\d+)?",
    ),
    Rule(
        "serial",
        "serial number",
        "serial s/n asset",
        r"(?i)(?:serial[ _]?(?:number|no|num)|(?<![a-z\d-])serial(?:_short)?(?=[\s:='\"]{1,40}\w{6})"
        r"|\bs/n|asset[ _]?tag)['\"]?\s*[:=]\s*['\"]?(?![\da-f]{4}:[\da-f]{2}:)((?=\w*\d)[\w.-]{5,})",
    ),
    Rule(
        "serial",
        "serial number",
        ":00.0",
        # A row of nvidia-smi --query-gpu: the number of a board next to a bus address.
        r"(?m)(?:^|, ?)([01]\d{12})(?=,[^\n]*\b[0-9A-Fa-f]{8}:[0-9A-Fa-f]{2}:00\.0)"
        r"|\b[0-9A-Fa-f]{8}:[0-9A-Fa-f]{2}:00\.0,(?:[^\n]*?,)? ?([01]\d{12})(?=,|\s*$)",
    ),
    Rule(
        "serial",
        "serial number",
        "/dev/nvme",
        r"(?m)^/dev/nvme\d+(?:n\d+)?\s+(?:/dev/ng\S+\s+)?((?=[A-Z0-9]*\d)[A-Z0-9]{8,20})[ \t]+\S",
    ),
    Rule(
        "mail",
        "mail address",
        "@",
        r"(?<![\w.+-])(?!git@|(?:secret|user)-[0-9a-f]{12}@)[\w.+-]+@[A-Za-z0-9](?:[A-Za-z0-9-]*\.)+"
        r"(?!(?:service|socket|timer|target|slice|mount|device|path|scope)\b)[A-Za-z]{2,}",
    ),
    Rule(
        "guid",
        "InfiniBand GUID",
        "guid",
        r"(?i)guid[^\w\n]{1,24}((?:[0-9a-f]{4}:){3}[0-9a-f]{4}|0x[0-9a-f]{16})",
        judges.hardware,
    ),
    Rule(
        "mac",
        "MAC address",
        ":",
        r"(?i)(?<=infiniband )(?:[0-9a-f]{2}:){19}[0-9a-f]{2}"
        r"|(?<![A-Za-z0-9_:])(?:[0-9a-f]{2}:){5}(?:[0-9a-f]{2}:[0-9a-f]{2}:)?[0-9a-f]{2}(?![A-Za-z0-9_:])",
        judges.hardware,
    ),
    Rule(
        "mac",
        "MAC address",
        "-",
        r"(?i)(?<![\w-])(?=[\d-]*[a-f])(?:[0-9a-f]{2}-){5}[0-9a-f]{2}(?![\w-])",
        judges.hardware,
    ),
    IP,
    Rule(
        "ip",
        "IP address",
        ":",
        r"(?:(?<![\w:.])|(?<=[a-z]\d:))[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]*:[0-9A-Fa-f]{1,4}(?![\w:.])",
        judges.address6,
    ),
    *USERS,
    *HOSTS,
]
