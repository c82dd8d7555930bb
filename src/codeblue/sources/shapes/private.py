"""Names and numbers of people and machines."""

from . import judges
from .rule import Rule

NAME = r"([A-Za-z0-9][\w.-]*[A-Za-z0-9])"

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
        "serial",
        r"(?i)serial[ _]?(?:number|no)['\"]?\s*[:=]\s*['\"]?(?![\da-f]{4}:[\da-f]{2}:)((?=\w*\d)[\w.-]{5,})",
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
        "mac", "MAC address", ":", r"(?<![\w:])(?i:(?:[0-9a-f]{2}:){5}[0-9a-f]{2})(?![\w:])", judges.hardware
    ),
    IP,
    Rule(
        "ip",
        "IP address",
        ":",
        r"(?<![\w:.])[0-9A-Fa-f]{1,4}:[0-9A-Fa-f:]*:[0-9A-Fa-f]{1,4}(?![\w:.])",
        judges.address6,
    ),
    Rule("user", "user name", "/home/ /users/", r"/(?:home|Users)/([^/\s:\"',;()\[\]<>]+)", judges.person),
    Rule(
        "user",
        "user name",
        "ssh @",
        r"(?:\bssh\s(?:-\S+\s+(?:[^-\s@]\S*\s+)?){0,8}|^)(?!git@)([\w.-]+)@[\w-][\w.-]*(?=[\s:]|$)",
        judges.person,
    ),
    Rule(
        "user",
        "user name",
        "for user user= logname=",
        r"(?:\bfor user |\b(?:USER|LOGNAME|SUDO_USER|user)=)" + NAME,
        judges.person,
    ),
    Rule("host", "host name", ":", r"(?m)^(?:\[[^\]\n]*\] )?([\w.-]+):\d+:\d+ \[\d+\] ", judges.machine),
    Rule(
        "host",
        "host name",
        "ssh @",
        r"(?:\bssh\s(?:-\S+\s+(?:[^-\s@]\S*\s+)?){0,8}|^)(?!git@)[\w.-]+@([\w-][\w.-]*)(?=[\s:]|$)",
        judges.machine,
    ),
    Rule(
        "host",
        "host name",
        "ssh",
        r"(?:^|[$#;&|`\"'] ?)ssh\s+(?:-\S+\s+){0,8}([A-Za-z][\w.-]*[\d.][\w.-]*)(?=\s|$)",
        judges.machine,
    ),
    Rule(
        "host",
        "host name",
        ":",
        r"(?m)^(?:\w{3} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)) "
        r"([\w.-]+) [\w./@-]+(?:\[\d+\])?: ",
        judges.machine,
    ),
    Rule(
        "host",
        "host name",
        "master_addr hostname rdzv nodename nodelist connect to",
        r"(?:(?i:master_addr|hostname|rdzv[_-]endpoint|(?:slurmd_)?nodename)['\"]?\s*[:=]\s*['\"]?"
        r"|(?i:--(?:master_addr|rdzv[_-]endpoint)) "
        r"|connect to (?:host )?\[?\(?'?)" + NAME,
        judges.machine,
    ),
    Rule(
        "host",
        "host name",
        ".internal .corp .lan .intranet",
        r"(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,6}\.(?:internal|corp|lan|intranet)\b",
        judges.machine,
    ),
]
