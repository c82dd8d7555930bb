"""Names of people and of machines where the words around them say that they are names."""

from . import judges
from .rule import Rule

NAME = r"([A-Za-z0-9][\w.-]*[A-Za-z0-9])"
NAME_ASCII = r"(?<![A-Za-z0-9_.-])([A-Za-z][A-Za-z0-9_.-]*[A-Za-z0-9])"
"""A name in Chinese text, which joins words without a blank."""

UNIT = r"\S*@\S*\.(?:service|socket|timer|target|slice|mount|device|scope)\b"
"""An instance of a unit of systemd, which looks like a user at a host."""

KEY_TYPE = r"(?:ssh-(?:rsa|dss|ed25519)|ecdsa-sha2-[\w-]+|sk-(?:ssh|ecdsa)-[\w@.-]+)"
PUBLIC_KEY = KEY_TYPE + r" AAAA[A-Za-z0-9+/]{16,}={0,3} "
LISTED = r"(?m)^[bcdlps-](?:[r-][w-][xsStT-]){3}[.+@]?\s+\d+\s+"
"""How ``ls -l`` begins a line."""

METHOD = r"(?:password|publickey|none|hostbased|keyboard-interactive\S*|gssapi\S*)"
LOGIN = (
    r"(?:(?:Accepted|Failed) " + METHOD + r" for(?: invalid user)?|[Ii]nvalid user"
    r"|[Nn]ew session \S+ of user|\bsudo(?:\[\d+\])?:(?=\s+\S+ : ))\s+"
)
"""How sshd, systemd-logind and sudo lead to a user."""

QUEUED = r"(?m)^[ \t]*\d+(?:[_.+]\S+)?[ \t]+\S+[ \t]+\S+[ \t]+"
STATE = r"[ \t]+(?:PD|R|CG|CF|CD|CA|F|S|TO|NF)[ \t]+(?:\d+-)?\d+:\d\d(?::\d\d)?"
"""A row of ``squeue`` before the user, and behind."""

TOP = r"(?:[ \t]+\d[\d.]*[gmt]?){3}[ \t]+[A-Z][ \t]"
"""Three sizes and the state of a process, as in ``top``."""

PROMPT = r"(?m)^(?:\([\w.-]+\) ?)?\[?"
PROMPTED = r"(?=:[~/][^\s$#]{0,200}[$#]|[ ][^\s\]]{1,200}\][$#])"
"""A shell's prompt before ``user@host``, and behind."""

LIST = r"([A-Za-z][\w.-]*(?::\d+)?(?:,[A-Za-z][\w.-]*(?::\d+)?)*)"
"""Hosts, perhaps with slots."""


def _user(anchors: str, pattern: str) -> Rule:
    return Rule("user", "user name", anchors, pattern, judges.person)


def _host(anchors: str, pattern: str) -> Rule:
    return Rule("host", "host name", anchors, pattern, judges.machine)


USERS = [
    _user(
        "home users",
        r"(?:/(?:net|nfs|u|g|export)?homes?\d{0,2}|/Users|[A-Za-z]:(?:\\+|/)Users)(?:/|\\+)"
        r"([^/\\\s:\"',;()\[\]<>]+)",
    ),
    _user(
        "user",
        r"/(?:scratch|work|data|lustre|gpfs|nfs|mnt|storage|shared?|projects?|fsx|beegfs)\w*"
        r"(?:/[\w.-]+){0,2}?/users?/([\w.-]+)(?=/)",
    ),
    _user("~", r"(?<![^\s\"'=:(])~([A-Za-z_][\w.-]*)(?=/)"),
    _user(
        "ssh @",
        r"(?:\bssh\s(?:-\S+\s+(?:[^-\s@]\S*\s+)?){0,8}|^)(?!git@|"
        + UNIT
        + r")([\w.-]+)@[\w-][\w.-]*(?=[\s:]|$)",
    ),
    _user("aaaa", PUBLIC_KEY + r"([\w.-]+)@[\w.-]+"),
    _user(
        "for user",
        r"\bfor user ['\"]?"
        + NAME
        + r"(?=['\"]?(?:[\s(,;:.]*$|\(|['\"]|[,;:.]?\s+(?:from|by|on|at|with|via|in)\b))",
    ),
    _user(
        "user logname",
        r"(?<![A-Za-z_])(?:[A-Z0-9]+_)*(?:(?:USER|USERNAME|LOGNAME)['\"]?=|user(?:name)?=)['\"]?" + NAME,
    ),
    _user("user logname", r"['\"](?:[A-Z0-9]+_)*(?:USER|USERNAME|LOGNAME)['\"]\s*:\s*['\"]" + NAME),
    _user("user", r"(?m)^(?:[ \t]+User[ \t]+|User=)([A-Za-z][\w.-]*\w)\s*$"),
    _user("for user session sudo", LOGIN + r"['\"]?" + NAME),
    _user("owned by", r"\bowned by(?::? user:?|:) ['\"]?" + NAME),
    _user("id= groups=", r"(?<=[=,])\d{4,}\(" + NAME + r"\)"),
    _user("id=", r"(?i)\be?[ug]id=\d{4,}\s*\(?" + NAME + r"\)"),
    _user("userid=", r"\bUserId=" + NAME + r"(?=\(\d+\))"),
    _user(":", QUEUED + NAME + r"(?=" + STATE + r"[ \t]+\d+[ \t]+\S)"),
    _user(".", r"(?m)^[ \t]*\d+[ \t]+" + NAME + r"(?=[ \t]+(?:-?\d+|rt)[ \t]+-?\d+" + TOP + ")"),
    _user("logged", r"\b[Ll]ogged in as(?::[ \t]*['\"]?|[ \t]+['\"])" + NAME),
    _user("@", PROMPT + NAME + r"(?=@[\w.-]+" + PROMPTED + ")"),
    _user("machine", r"\bmachine\s+\S+\s+login\s+" + NAME),
    _user(":", r"(?m)^" + NAME + r":x?:\d{4,}:\d+:"),
    _user(":", r"(?m)^[\w.-]+:x?:\d{4,}:\d+:([^:\n]+):/"),
    # A person's own group has the person's name.
    _user("rw r-- --x ---", LISTED + r"([\w.-]+)\s+(\1)(?=\s)"),
    _user("rw r-- --x ---", LISTED + NAME + r"(?=\s)"),
    _user(".", r"(?m)^" + NAME + r"\s+\d+\s+\d+\.\d\s+\d+\.\d\s+\d+\s+\d+\s+\S+\s+[A-Z]\S*\s"),
]

HOSTS = [
    _host(":", r"(?m)^(?:\[[^\]\n]*\] )?([\w.-]+):\d+:\d+ \[\d+\] "),
    _host("nccl", r"(?<=\s)([A-Za-z][\w.-]*):\d+:\d+ \[\d+\] (?:[\w./]+:\d+ )?NCCL "),
    _host(
        "ssh @",
        r"(?:\bssh\s(?:-\S+\s+(?:[^-\s@]\S*\s+)?){0,8}|^)(?!git@|"
        + UNIT
        + r")[\w.-]+@([\w-][\w.-]*)(?=[\s:]|$)",
    ),
    _host("aaaa", PUBLIC_KEY + r"[\w.-]+@([\w.-]+)"),
    _host("aaaa", r"(?m)^\[?([A-Za-z][\w.-]*)\]?(?::\d+)?(?:,\S+)? " + KEY_TYPE + " AAAA"),
    _host(
        "ssh",
        r"(?:^|[$#;&|`\"'] ?)ssh\s+(?:-\S+\s+){0,8}([A-Za-z][\w.-]*[\d.][\w.-]*)(?=\s|$)",
    ),
    _host(
        ":",
        r"(?m)^(?:\w{3} [ \d]\d \d\d:\d\d:\d\d|\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)) "
        r"([\w.-]+) [\w./@-]+(?:\[\d+\])?: ",
    ),
    _host(
        "master_addr hostname rdzv nodename batchhost nodeaddr allocnode connect to",
        r"(?:(?i:master_addr|hostname|batchhost|nodeaddr|allocnode:sid|rdzv[_-]endpoint|(?:slurmd_)?nodename)['\"]?\s*[:=]\s*['\"]?"
        r"|(?i:--(?:master_addr|rdzv[_-]endpoint)) "
        r"|connect to (?:host )?\[?\(?'?(?<=host )|connect to (?=\S*[\d.-]|\S+ port \d)\[?\(?'?)" + NAME,
    ),
    _host("hostname", r"(?m)^\s*HostName[ \t]+" + NAME + r"\s*$"),
    _host(
        "nodelist",
        r"(?i)node_?list['\"]?\s*[:=]\s*['\"]?([A-Za-z][\w.-]*(?:\[[\d,-]+\])?(?:,[A-Za-z][\w.-]*(?:\[[\d,-]+\])?)*)",
    ),
    _host("node=", r"\bnode=(?=\w+-[\w-]*\d)([A-Za-z][\w.-]*\w)"),
    _host("slurm", r"\bslurm(?:ctld|d|stepd)\b[^\n]*?\b[Nn]odes?[ =]+([a-z][\w-]*\[?\d[\w\[\],-]*)"),
    _host(":", QUEUED + r"\S+" + STATE + r"[ \t]+\d+[ \t]+([A-Za-z][\w.-]*\[?\d[\w\[\],-]*)[ \t]*$"),
    _host("ready", r"(?m)^" + NAME + r"[ \t]+(?:Not)?Ready(?:,\S+)?[ \t]+\S+[ \t]+(?:\d+[smhdy])+[ \t]+v\d"),
    _host("node:", r"(?m)^[ \t]*Node:[ \t]+" + NAME + r"(?=/\d)"),
    _host("assigned", r"\b[Aa]ssigned [\w.-]+/[\w.-]+ to " + NAME),
    _host("@", PROMPT + r"[\w.-]+@" + NAME + PROMPTED),
    _host("pdsh@", r"\bpdsh@[\w.-]+: " + NAME + r"(?=: )"),
    _host("slots=", r"(?m)^" + NAME + r"(?=[ \t]+slots[ \t]?=[ \t]?\d)"),
    Rule(
        "host",
        "host name",
        "mpirun mpiexec horovodrun prun srun",
        r"\b(?:mpirun|mpiexec|horovodrun|prun|srun)\b[^\n|;]{0,200}?[ \t](?:-H|--?host|--hosts)[ =]" + LIST,
        judges.machines,
    ),
    _host(
        "主机名 节点名 机器名 服务器名",
        r"(?:主机|节点|机器|服务器)名称?[ \t]*(?:[:：=]|是|为)[ \t]*" + NAME_ASCII,
    ),
    _host("这台", r"(?=[A-Za-z0-9.-]*[a-z]{2})(?=[A-Za-z0-9.-]*\d)" + NAME_ASCII + r"(?=[ \t]*这台)"),
    _host("linux", r"\bLinux " + NAME + r" \d+\.\d+[\w.+-]* #\d"),
    _host(
        ".internal .corp .lan .intranet",
        r"(?<![\w.-])[\w-]{1,63}(?:\.[\w-]{1,63}){0,6}\.(?:internal|corp|lan|intranet)\b",
    ),
]
