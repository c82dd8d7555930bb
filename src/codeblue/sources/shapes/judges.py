"""The second look: is this value a secret, this number an address?"""

import math
import re
from collections import Counter

from .late import Late
from .rule import ALIAS

HARMLESS = Late(
    r"(?i)[*.x#?_-]+|<.*|\[.*|\{.*|\$[A-Za-z_({].*|%[({].*|\\?\"?|&.*|\(.*"
    r"|(?:none|null|nil|true|false|yes|no|on|off|unset|empty|set|missing|required|optional|invalid|expired|expected|wrong"
    r"|incorrect|rejected|denied|disabled|enabled|default|unknown|redacted|hidden|masked|removed|omitted|not|is|was"
    r"|for|and|or|n/a|auth\w*|authentication|str|string|int|bytes|bearer|basic|password|token|secret|key|error"
    r"|files|compat|sss|nis|ldap|systemd|found|present|absent|changed|updated|stdin|file|env|string,|str,|prompt|ask|ok|failed|must|has|the|a|to|of|in)"
)
"""Values that stand where a secret would, and are none."""

PATH = Late(
    r"(?:file:/*)?(?:~|\.{1,2}|/(?:etc|var|run|home|root|usr|opt|tmp|mnt|data|dev|proc|sys|srv|secrets?|vault|workspace"
    r"|scratch|shared|app|config|keys?|credentials?|lib|bin|snap|media|nfs|lustre|Users))/[\w./@+-]*|[A-Za-z]:\\.*"
)
CODE = Late(r"[A-Za-z_][\w.]*[(\[].*|(?:os|self|args|config|cfg|settings|request|kwargs|opts?)\.[\w.]+,?")
"""An expression in a line of source, as tracebacks show it."""

FILE_BEFORE = Late(r"(?:^|[\s'\"`(])(?:~|\.{1,2})?/[\w./@+-]+['\"]?:\s+$")
"""The name of a file, as messages begin with it."""

UUID = Late(r"(?i)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}")
NEXT = Late(r"""[ "',;)]""")
SAFE_BEFORE = Late(
    r"(?i)(?:sha(?:1|224|256|384|512)?(?:sum)?|commit(?:[ _-]?id)?|comm[ _-]?id|digest|revision|rev|hash|head"
    r"|git|gitcommit"
    r"|build(?:[ _-]?id)?|uuid|guid|md5(?:sum)?|checksum|etag|blob|tree|refs?|cubin|fingerprint|boot[ _-]?id"
    r"|machine[ _-]?id"
    r"|(?:kernel|public|host|session|primary|cert\w*) key|key id|container[ _-]?id"
    r"|image(?:id)?|layer|nccl|uniqueid|srcversion|sriov|addr|address|run|id"
    r"|version)['\"]?[\s:=@/(<-]{0,4}$"
)
"""What stands in front of long numbers that everybody may see."""

PUBLIC = Late(r"_Z|_?R[NMI]|AAAA[BCE]|LS0tLS1CRUdJTiBDRVJU|sha\d+|cu\d|sm_|nccl|cub|x86|GPU-|MIG-|MII|0x")
"""How symbols, public keys and certificates begin."""

PUBLISHED = Late(r"-----BEGIN (?:[A-Z0-9]+ )*(?:CERTIFICATE(?: REQUEST)?|PUBLIC KEY|X509 CRL|DH PARAMETERS)-")
"""The first line of a block that everybody may see."""

VERSION_BEFORE = Late(
    r"(?i)(?:\bv(?:er(?:sion)?s?)?|version|release|build|driver|firmware|bios|fw|vbios|toolkit|runtime|rev|[=<>!~]="
    r"|nvidia[\w-]*|cu(?:da|dnn|blas|rand|fft|sparse|solver|ti)[\w-]*|lib[\w.-]+|torch\w*|nccl\w*|tensorrt|[\w-]+-cu1\d"
    r"|(?:built|compiled|linked|tested) (?:with|against|for)"
    r"|版本号?|驱动|固件|[升降]级?[到至]|换成|安装|需要|要求"
    r"|\w+-\w+-\w+)['\"]?(?: is| was|_version|是|为)?[\s:：=('\"@,]{0,30}$"
)
VERSION_AFTER = Late(
    r"\+[a-z]| (?:which )?is (?:required|needed|incompatible)"
    r"|升级|降级|版本|-py|-cp|\.whl|\.so| at /| \(from|-\d"
)
ADDRESS_BEFORE = Late(
    r"(?i)(?:\bip|addr|inet|host|peer|node|server|connect|listen|//|@)\w*['\"]?[\s:=(\[]{0,4}$"
)


def entropy(text: str) -> float:
    """Return Shannon's entropy in bits a character."""
    size = len(text)
    return -sum(n / size * math.log(n / size, 2) for n in Counter(text).values()) if size else 0.0


def secret(text: str, start: int, end: int) -> bool:
    """False for words, numbers of no interest, variables, files and code in place of a secret."""
    value = text[start:end]
    if HARMLESS.fullmatch(value) or PATH.fullmatch(value) or CODE.fullmatch(value) or ALIAS.match(value):
        return False
    return len(value) > 2


def assigned(text: str, start: int, end: int) -> bool:
    """Like :func:`secret`, where the name may be that of a file with a message behind it."""
    before = text[max(0, start - 120) : start]
    if FILE_BEFORE.search(before) or (text.startswith("/", start) and before.endswith("PWD=")):
        return False
    return secret(text, start, end)


def unguessable(text: str, start: int, end: int) -> bool:
    """True if a part of a URL was drawn at random, also as a UUID."""
    value = text[start:end]
    return bool(UUID.search(value)) or mixed(text, start, end)


def credentials(text: str, start: int, end: int) -> bool:
    """Judge the part behind the colon of ``user:password``."""
    return secret(text, text.index(":", start, end) + 1, end)


def token(text: str, start: int, end: int) -> bool:
    """Like :func:`secret`, where counts and names of language-model tokens stand too."""
    value = text[start:end]
    if len(value) < 6 or (value.isdigit() and len(value) < 12) or re.fullmatch(r"[\d.,e+-]+", value):
        return False
    if re.fullmatch(r"[a-z_]+", value) and NEXT.match(text, end) and text[end] in ",)":
        return False
    return secret(text, start, end)


def mixed(text: str, start: int, end: int) -> bool:
    """True if the value was drawn at random: for names that say only ``key`` or ``auth``."""
    value = text[start:end]
    if not secret(text, start, end) or len(value) < 16 or PUBLIC.match(value):
        return False
    if SAFE_BEFORE.search(text, max(0, start - 40), start):
        return False
    return drawn(value) or bool(re.fullmatch(r"[0-9a-f]{32,}|[0-9A-F]{32,}", value) and entropy(value) > 3)


def hexadecimal(text: str, start: int, end: int) -> bool:
    """False for hashes of commits and contents."""
    return not SAFE_BEFORE.search(text, max(0, start - 40), start)


def random_value(text: str, start: int, end: int) -> bool:
    """The entropy stage: a long value of mixed characters that no safe context explains."""
    value = text[start:end]
    if PUBLIC.match(value) or PATH.fullmatch(value) or SAFE_BEFORE.search(text, max(0, start - 40), start):
        return False
    return drawn(value)


def unpublished(text: str, start: int, end: int) -> bool:
    """Like :func:`random_value`, but not in the body of a certificate or a public key."""
    begin = text.rfind("-----BEGIN ", 0, start)
    if begin >= 0 and PUBLISHED.match(text, begin) and "-----END " not in text[begin:start]:
        return False
    return random_value(text, start, end)


def drawn(value: str) -> bool:
    """True if the longest part of a value looks as if its characters were drawn at random.

    Words in CamelCase change their class of character seldom, and file names are cut into short parts.
    """
    part = max(re.split(r"[/_.=:-]", value), key=len)
    if len(part) < 16:
        return False
    kinds = ["d" if c.isdigit() else "u" if c.isupper() else "l" for c in part]
    counts = Counter(kinds)
    changes = sum(a != b for a, b in zip(kinds, kinds[1:]))
    enough = counts["d"] >= 2 and counts["u"] >= 2 and counts["l"] >= 2
    return enough and changes >= 0.35 * len(part) and entropy(part) >= 3.4


def phrase(text: str, start: int, end: int) -> bool:
    """False if the first word says that this is no phrase but a sentence about one."""
    words = text[start:end].split()
    return bool(words) and not HARMLESS.fullmatch(words[0]) and not CODE.match(words[0])


def digit(text: str, start: int, end: int) -> bool:
    """True if the value holds a digit and is no stand-in: words alone are names of things."""
    return any(c.isdigit() for c in text[start:end]) and secret(text, start, end)


def address(text: str, start: int, end: int) -> bool:
    """True for an IPv4 address that names a machine; versions have four parts too."""
    value = text[start:end]
    if value == "0.0.0.0" or value.startswith(("127.", "255.", "0.")):  # noqa: S104
        return False
    if any(int(part) > 255 or (len(part) > 1 and part[0] == "0") for part in value.split(".")):
        return False
    before = text[max(0, start - 60) : start]
    if ADDRESS_BEFORE.search(before):
        return True
    return not VERSION_BEFORE.search(before) and not VERSION_AFTER.match(text, end)


def address6(text: str, start: int, end: int) -> bool:
    """True for a global, private or link-local IPv6 address."""
    groups = text[start:end].lower().split(":")
    if text.count("::", start, end) > 1 or len(groups) > 8 or any(len(group) > 4 for group in groups):
        return False
    if "::" not in text[start:end] and len(groups) != 8:
        return False
    return bool(re.match(r"fe[89ab]|f[cd]..$|[23]...$", groups[0]))


def hardware(text: str, start: int, end: int) -> bool:
    """False for the addresses of no card: all zeros, all ones."""
    return len(set(text[start:end].lower()) - set(":-")) > 1


def person(text: str, start: int, end: int) -> bool:
    """False for users that every system has."""
    value = text[start:end]
    if value in SYSTEM or value.isdigit() or value.startswith(("systemd-", "_")):
        return False
    return not HARMLESS.fullmatch(value)


def machine(text: str, start: int, end: int) -> bool:
    """False for the names of no particular machine, for levels, files and addresses."""
    value = text[start:end]
    if (
        value.lower() in NO_HOST
        or PUBLIC_HOST.fullmatch(value)
        or re.search(r"\.(?:py|cc|cpp|cu|cuh|h|hpp|c|go|rs|so|json|yaml)$", value)
    ):
        return False
    return not re.fullmatch(r"[\d.:]+|\[?::\d?\]?|\$.*", value) and len(value) > 2


def machines(text: str, start: int, end: int) -> bool:
    """True if a list of hosts, perhaps with slots, names a machine."""
    names = re.split(r":\d+,?|,", text[start:end])
    return any(machine(name, 0, len(name)) for name in names)


SYSTEM = (
    *(
        "root",
        "nobody",
        "ubuntu",
        "www-data",
        "user",
        "username",
        "users",
        "daemon",
        "bin",
        "sys",
        "mail",
        "sshd",
    ),
    *(
        "systemd-network",
        "systemd-resolve",
        "messagebus",
        "dbus",
        "syslog",
        "polkitd",
        "chrony",
        "rpc",
        "_apt",
    ),
    *(
        "nvidia-persistenced",
        "munge",
        "slurm",
        "postgres",
        "mysql",
        "redis",
        "docker",
        "git",
        "pdsh",
        "nfsnobody",
    ),
    *(
        "ftp",
        "lp",
        "nginx",
        "apache",
        "http",
        "ntp",
        "tss",
        "uucp",
        "games",
        "man",
        "news",
        "proxy",
        "backup",
    ),
    *("ec2-user", "azureuser", "centos", "debian", "rocky", "fedora", "opc", "jovyan", "vscode", "mambauser"),
    *("Public", "Default", "Shared", "admin", "administrator", "guest", "anonymous"),
    # Words after "user" in sentences.
    *("input", "code", "space", "mode", "data", "interrupt", "confirmation", "interaction", "name", "id"),
)
PUBLIC_HOST = Late(
    r"(?i)(?:[\w-]+\.)*(?:(?:github|gitlab|docker|nvidia|anaconda|googleapis|ubuntu|wandb|modelscope"
    r"|githubusercontent|googlesource|cloudflare)\.(?:com|io|org|net|ai|cn)|huggingface\.co|hf\.co|pypi\.org"
    r"|pythonhosted\.org|pytorch\.org|nvcr\.io|ghcr\.io|quay\.io|gcr\.io|k8s\.io|debian\.org|wandb\.ai)"
)
"""Services that everybody uses: which of them did not answer is worth knowing."""

NO_HOST = (
    *("localhost", "host", "node", "kernel", "info", "warning", "warn", "error", "debug", "trace", "fatal"),
    *("critical", "none", "null", "unknown"),
)
