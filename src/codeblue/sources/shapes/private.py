"""Numbers and addresses of machines and cards; names are in :mod:`.names`."""

from . import judges
from .names import HOSTS, USERS
from .rule import Rule

IP = Rule("ip", "IP address", ".", r"(?<![\w.+-])(?:\d{1,3}\.){3}\d{1,3}(?![\w-]|\.\d)", judges.address)

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
        r"(?i)(?:serial[ _]?(?:number|no|num)|(?<![a-z\d-])serial(?=.{0,6}\w{6})|\bs/n|asset[ _]?tag)['\"]?"
        r"\s*[:=]\s*['\"]?(?![\da-f]{4}:[\da-f]{2}:)((?=\w*\d)[\w.-]{5,})",
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
        r"(?i)guid\W{1,4}((?:[0-9a-f]{4}:){3}[0-9a-f]{4}|0x[0-9a-f]{16})",
        judges.hardware,
    ),
    Rule(
        "mac",
        "MAC address",
        ":",
        r"(?i)(?<=infiniband )(?:[0-9a-f]{2}:){19}[0-9a-f]{2}"
        r"|(?<![\w:])(?:[0-9a-f]{2}:){5}(?:[0-9a-f]{2}:[0-9a-f]{2}:)?[0-9a-f]{2}(?![\w:])",
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
