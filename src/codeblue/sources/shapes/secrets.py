"""Secrets whose surroundings give them away, and values that nobody would write by hand."""

from . import judges
from .rule import Rule
from .tokens import SHAPED

Q = r"(?:\\*[\"'])"
"""A quotation mark, however often it was escaped."""

SEPARATOR = (
    r"(?:"
    + Q
    + r"?[ \t]*(?:=>|:=|[=:：])[ \t]*(?:!!str[ \t]+)?|%3[DdAa]|"
    + Q
    + r"\s*,\s*(?:"
    + Q
    + r"value"
    + Q
    + r"\s*:\s*)?)"
)
VALUE = (
    r"(?:[uUrRbBfF]{1,2}(?=[\"']))?(?:\\+\"((?:(?!\\+\").)+)|\"((?:[^\"\\]|\\.)+)|\\*'((?:(?!\\*').)+)"
    r"|([^\s\"'&\\]+?)(?=[,;)\]}]*(?:[\s\"'&\\]|$)|[,;]\s*\w+=|</))"
)
STRONG = (
    r"(?:(?i:pass(?:word|wd|phrase|wort|code)|secrets?(?:[_-]?access)?(?:[_-]?key)?|(?<![a-z])pwd"
    r"|(?:private|access|account|client|encryption|signing|master|storage|shared[_-]?access|service|admin)[_-]?key"
    r"|api[_-]?key|apikey|connection[_-]?string|credentials?|authtok|(?<![a-z])psk)|(?<![A-Za-z])(?i:pass|pw)|(?<=[a-z])Pass|PASS"
    r"|(?<=PG|DB)(?i:pass(?:word)?))"
)
"""Ends of names whose values are secrets."""

NAME_END = r"(?:[_-]?(?:value|base64|b64|(?i:id)|prod|dev|\d{1,2}))?(?![A-Za-z0-9_])"
COUNTED = (
    r"(?<![A-Za-z])(?!(?:\w{0,40}[_-])?(?:pad|eos|bos|unk|mask|sep|cls|image|special|stop|start|end|next"
    r"|per|max|num|new|added|audio|video"
    r"|first|last|prefix|suffix|decoder|encoder|forced|begin)_token)[\w.-]{0,40}?(?i:token|cookie|jwt)"
)
"""Names whose values are secrets unless they count, or mark places in, texts of language models."""

ARGUMENT = r"(?:\"((?:[^\"\\\n]|\\.)+)|'([^'\n]+)|([^\s\"'\\]+))"
"""A word of a command line, which may be quoted and hold blanks; the last quote may be cut off."""

READS = (
    r"[^|\n]{0,200}?(?:-stdin\b|\bsudo\s+(?:-\w+\s+){0,4}?-\w*S\b|\b(?:chpasswd|kinit|cryptsetup|smbpasswd|htpasswd)\b"
    r"|--passphrase-fd)"
)
"""A command that takes a password from its standard input."""

ENTRY = (
    r"(?m)^[ \t]*(?:-[ \t]+)?"
    + Q
    + r"?name"
    + Q
    + r"?[ \t]*:[ \t]*"
    + Q
    + r"?[\w.-]*?(?:"
    + STRONG
    + "|"
    + COUNTED
    + r")"
    + NAME_END
    + Q
    + r"?,?[ \t]*\n[ \t]*"
    + Q
    + r"?value"
    + Q
    + r"?[ \t]*:[ \t]*"
    + VALUE
)
"""A variable of a container: its name on one line, its value on the next."""

HEADER = r"(?i:authorization|x-api-key|x-auth-token|x-vault-token|private-token|x-registry-auth|api-key)"


CONTEXT = [
    Rule(
        "secret",
        "password in a URL",
        "://",
        r"://([^/\s:@\"'<>]*:(?!\d+/)[^\s/\"'<>]+)@(?=[\w\[$-])",
        judges.credentials,
    ),
    Rule("secret", "token in a URL", "://", r"://([A-Za-z0-9_.-]{16,}):?@", judges.digit),
    Rule(
        "secret",
        "token in a URL",
        "/t/ cloudsmith",
        r"(?:://[^\s/\"'<>]+/t/|dl\.cloudsmith\.io/(?!public/|basic/))([A-Za-z0-9_-]{12,})(?=/)",
        judges.unguessable,
    ),
    Rule(
        "secret",
        "token in a URL",
        "key= token= auth= code= sign=",
        r"[?&;](?i:(?:access|api|auth|app)?[_-]?(?:key|token)|auth|code|sign)=([A-Za-z0-9_.~%+/-]{16,})",
        judges.unguessable,
    ),
    Rule(
        "secret",
        "signed URL",
        "sig signature credential security-token awsaccesskeyid",
        r"(?i)(?:[?&;]|%26|%3F|\\u0026|\b)(?:X-(?:Amz|Goog)-(?:Signature|Credential|Security-Token)|Signature|AWSAccessKeyId|sig)"
        r"(?:=|%3D)([^&\s\"'<>\\;]{8,})",
        judges.digit,
    ),
    Rule(
        "secret",
        "Authorization header",
        "authorization",
        r"(?i)authorization"
        + Q
        + r"?\s*[:=]\s*"
        + Q
        + r"?(?:(?:bearer|basic|token|digest|negotiate|apikey)\s+)"
        r"([^\s\"',;\\]{3,})",
        judges.secret,
    ),
    Rule(
        "secret",
        "Authorization header",
        "authorization x- token: api-key",
        HEADER + Q + r"?\s*[:=]\s*\[?" + Q + r"?([^\s\"',;\\]{6,})",
        judges.digit,
    ),
    Rule(
        "secret", "Bearer token", "bearer", r"(?i)\bbearer(?:\s+|%20)([A-Za-z0-9._~+/=-]{8,})", judges.digit
    ),
    Rule(
        "secret",
        "cookie",
        "cookie",
        r"(?i)\bset-cookie" + Q + r"?\s*:\s*" + Q + r"?([^\s=]+=[^\n;\"']{6,})",
        judges.secret,
    ),
    Rule(
        "secret",
        "cookie",
        "cookie",
        r"(?i)\b(?<!set-)cookie"
        + Q
        + r"?\s*:\s*"
        + Q
        + r"?([^\s=]+=(?=[^\n]{6})(?:[^\n\"']|(?<==)\"[^\"\n]*\")+)",
        judges.secret,
    ),
    Rule("secret", "Azure key", "key=", r"(?:AccountKey|SharedAccessKey)=([A-Za-z0-9+/=%]{16,})"),
    Rule(
        "secret",
        "docker credentials",
        "auth",
        r"(?<![\w-])_?auth" + Q + r"?\s*[:=]\s*" + Q + r"?([A-Za-z0-9+/]{10,}={0,2})(?![\w.])",
        judges.digit,
    ),
    Rule(
        "secret",
        "docker credentials",
        "dockerc",
        r"\.?docker(?:configjson|cfg)" + Q + r"?\s*[:=]\s*" + Q + r"?([A-Za-z0-9+/=]{8,})",
    ),
    Rule("secret", "key data", "key-data", r"key-data" + Q + r"?\s*[:=]\s*" + Q + r"?([A-Za-z0-9+/=]{8,})"),
    Rule(
        "secret",
        "password on a command line",
        "login",
        r"\blogin\b[^\n|;]{0,200}?\s(?:-p|--password)(?:\s+|=)?(?!-)" + ARGUMENT,
        judges.secret,
    ),
    Rule(
        "secret",
        "password on a command line",
        "echo printf <<<",
        r"(?:echo|printf)\s+(?:-\w+\s+|'%s(?:\\n)?'\s+|%s\s+)?(?:\"([^\"|\n]+)\"|'([^'|\n]+)'|([^\"'\s|]+))\s*\|"
        + READS
        + r"|"
        + READS
        + r"[^|\n]*<<<\s*"
        + ARGUMENT,
        judges.secret,
    ),
    Rule(
        "secret",
        "password on a command line",
        "wandb",
        r"\bwandb\s+login\s+(?:--\S+\s+)*([0-9a-zA-Z_-]{30,})",
    ),
    Rule(
        "secret",
        "password on a command line",
        "sshpass mysql mariadb curl wget ipmi zip racadm redis smb ldap mongo",
        r"\b(?:sshpass\s+-p|(?:mysql\w*|mariadb)\b[^\n|;]{0,200}?\s-p(?=\S)|(?:ipmi\w+|zip|unzip)\b[^\n|;]{0,200}?\s-P|racadm\b[^\n|;]{0,200}?\s-p"
        r"|redis-cli\b[^\n|;]{0,200}?\s-a|ldap\w+\b[^\n|;]{0,200}?\s-w|mongo\w*\b[^\n|;]{0,200}?\s-p)\s*(?!-)"
        + ARGUMENT,
        judges.secret,
    ),
    Rule(
        "secret",
        "password on a command line",
        "curl wget smb etcdctl",
        r"\b(?:curl|wget|smb\w+|etcdctl)\b[^\n|;]{0,200}?\s(?:-u|-U|--(?:proxy-)?user)[\s=]*"
        r"(?:\"[^\s:%\"]+[:%]([^\"\n]+)|'[^\s:%']+[:%]([^'\n]+)|[^\s:%\"']+[:%]([^\s\"']+))",
        judges.secret,
    ),
    Rule("secret", "password on a command line", "pass:", r"(?<![\w-])pass:" + ARGUMENT, judges.secret),
    Rule(
        "secret",
        "password on a command line",
        "mc alias mc config",
        r"\bmc\s+(?:alias\s+set|config\s+host\s+add)\s+\S+\s+\S+\s+\S+\s+(\S+)",
        judges.secret,
    ),
    Rule(
        "secret",
        "SNMP community",
        "communit com2sec",
        r"(?i)(?:snmp-server\s+community\s+|r[ow]community6?\s+|(?<![\w-])community(?:[ _-]?string)?"
        + Q
        + r"?\s*[:=]\s*"
        + r"|com2sec6?\s+\S+\s+\S+\s+)"
        + Q
        + r"?(?!http)([^\s\"',;\\]+)",
        judges.secret,
    ),
    Rule(
        "secret",
        "SNMP community",
        "snmp",
        r"\bsnmp[a-z]+\b[^\n|;]{0,200}?\s-[cAX]\s*" + ARGUMENT,
        judges.secret,
    ),
    Rule(
        "secret",
        "pgpass line",
        ":",
        r"(?:(?<=\s)|(?m:^))(?=[^:\s]*[A-Za-z*.])[^:\s]+:(?:\d{4,5}|\*):[^:\s]+:[^:\s]+:(\S+)$",
        judges.secret,
    ),
    Rule(
        "secret",
        "netrc line",
        "password",
        r"(?:\blogin\s+\S+\s+password\s+|(?m:^)\s*password\s+(?=\S+\s*$))(\S+)",
        judges.secret,
    ),
    Rule(
        "secret",
        "password in XML",
        "</",
        r"<(?i:[\w:]*(?:password|passwd|secret|token|apikey))>([^<\s]+)</",
        judges.secret,
    ),
    Rule(
        "secret",
        "password on a command line",
        "--pass --secret --token --api --auth --access -pass -token storepass keypass",
        r"(?<![\w-])--?(?:[a-z-]{0,40}-)?(?:password|passwd|passphrase|secret|token|api-?key|auth-?key|secret-key|access-key"
        r"|(?:src|dest|new)?(?:store|key)pass)"
        r"[ =]\s*(?!-)(?:\\+[\"']([^\s\"'\\]+)|" + ARGUMENT + ")",
        judges.token,
    ),
    Rule(
        "secret",
        "password assignment",
        "pass pwd secret key credential connection pw psk authtok",
        STRONG + NAME_END + SEPARATOR + VALUE,
        judges.assigned,
    ),
    Rule(
        "secret", "token assignment", "token cookie jwt", COUNTED + NAME_END + SEPARATOR + VALUE, judges.token
    ),
    Rule("secret", "password assignment", "value", ENTRY, judges.secret),
    Rule(
        "secret",
        "password assignment",
        "密码 口令 密钥 秘钥 令牌 授权码 パスワード 비밀번호 contraseña",
        r"(?:密码|口令|密钥|秘钥|令牌|授权码|パスワード|비밀번호|(?i:contraseña))[\"'”]?[ \t]*"
        r"(?:[:：=]|为|是)[ \t]*[\"'“「]?"
        r"([^\s\"'”」，。；、（）,;]{4,})",
        judges.digit,
    ),
    Rule(
        "secret",
        "password assignment",
        "密码 口令",
        # Without a colon, only what stands last and is no date and no name of a method.
        r"(?:密码|口令)[ \t]+(?=[!-~]*[A-Za-z])(?!\d{4}-|(?i:sha|md5|aes|rsa|bcrypt|argon|base64))"
        r"([!-+\--:<-~]{4,})(?=[ \t]*(?:$|[\n，。；,;]))",
        judges.digit,
    ),
    Rule(
        "secret",
        "access key",
        "ak sk",
        r"(?<![A-Za-z])(?i:[as]k)(?:_?(?i:id))?"
        + Q
        + r"?[ \t]*[:=：][ \t]*"
        + Q
        + r"?([A-Za-z0-9+/]{16,}={0,2})(?![\w./-])",
        judges.digit,
    ),
    Rule(
        "secret",
        "user and password",
        "_user= _creds=",
        r"_(?:USER|CREDS)=[\"']?[A-Za-z][\w.@-]*:([^\s\"'/]{6,})",
        judges.digit,
    ),
    Rule(
        "secret",
        "password line",
        "requirepass masterauth",
        r"(?:(?m:^)[ \t]*(?:requirepass|masterauth)[ \t]+(?=\S+[ \t]*(?m:$))"
        r"|(?:--|(?i:config set ))(?:requirepass|masterauth)[\"',=\s]+)" + ARGUMENT,
        judges.secret,
    ),
    Rule(
        "secret",
        "password in words",
        "pass",
        r"(?i)\bpass(?:word|phrase)\s+(?:is|was|set to|for user '?[\w-]+'?:?)\s+[\"']?([^\s\"',]{6,})",
        judges.digit,
    ),
    Rule(
        "secret",
        "password line",
        "pass",
        r"(?m)^\s*(?:-\s+)?[\w.-]*(?i:password|passphrase|passwd)"
        + Q
        + r"?\s*[:=]\s+([^\"'\s][^\n\"']*\s[^\n\"']*)$",
        judges.phrase,
    ),
    Rule(
        "secret",
        "password in words",
        "pass",
        r"(?i)\b(?:with|using)\s+(?:the\s+)?password:?\s+[\"']?([^\s\"',]{4,})",
        judges.digit,
    ),
    Rule("secret", "user and password", "%", r"\buser(?:name)?=[^\s%,]+%(\S+)", judges.secret),
    Rule(
        "secret",
        "SNMP password",
        "snmp createuser",
        r"(?i)\b(?:md5|sha(?:-?\d+)?|aes(?:-?\d+)?|des)\s+(?:\d+\s+)?[\"']?([^\s\"']{8,})",
        judges.secret,
    ),
    Rule("secret", "cluster token", "k10", r"\bK10[0-9a-f]{10,}::[\w:.-]+"),
    Rule(
        "secret",
        "password on a command line",
        "creds",
        r"--(?:src-|dest-)?creds[ =]\s*" + ARGUMENT,
        judges.secret,
    ),
]
"""A secret because of what stands around it."""

ENTROPY = [
    Rule(
        "secret",
        "random key",
        "key secret token pass",
        r"(?i:key|secret|token|password)\s+[\"']?([^\s\"']{16,})",
        judges.mixed,
    ),
    Rule(
        "secret",
        "random key",
        "key auth cred session sig licen cert seed salt hmac pin",
        r"(?i:key|auth|cred\w*|session|sig|signature|licen[sc]e|seed|salt|hmac|cert)(?![A-Za-z])"
        + SEPARATOR
        + VALUE,
        judges.mixed,
    ),
    Rule(
        "secret",
        "random value",
        "= : -",
        r"(?:[\w\"'-][=:]\s*[\"']?|(?<![\w-])--?[a-z][\w-]*[ =]\s*[\"']?)(?<![\w/])"
        r"([A-Za-z0-9+/_=-]{20,})(?![\w/.:(<])",
        judges.random_value,
    ),
    Rule("secret", "encoded key", "", r"(?m)^([A-Za-z0-9+/]{60,76})={0,2}$", judges.unpublished),
]
"""A secret because nobody would write it by hand."""

SECRETS = SHAPED + CONTEXT + ENTROPY
