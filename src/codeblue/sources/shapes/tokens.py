"""Tokens that show by their own shape whose they are: a prefix, an alphabet, a length."""

from . import judges
from .rule import Rule

B = r"(?:(?<![A-Za-z0-9_])|(?<=%[0-9A-Fa-f]{2})|(?<=\\n))"
"""Where a token may begin, also in an encoded URL."""


def _shaped(name: str, anchors: str, pattern: str) -> Rule:
    return Rule("secret", name, anchors, B + pattern)


SHAPED = [
    Rule(
        "secret",
        "private key",
        "private key",
        r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
        r"((?:(?!-----)[\s\S]){0,9000}[A-Za-z0-9+/=](?:(?!-----)[\s\S]){0,9000})",
    ),
    Rule("secret", "private key", "ls0tls1crudjti", r"LS0tLS1CRUdJTi(?!BDRVJU)[A-Za-z0-9+/=]{8,}"),
    _shaped(
        "Hugging Face token",
        "hf_ api_org_",
        r"(?:hf_|api_org_)(?:[A-Za-z0-9]{30,}|(?=[a-z]*[A-Z0-9])[A-Za-z0-9]{12,})",
    ),
    _shaped("W&B key", "wandb_v1_", r"wandb_v1_[A-Za-z0-9_-]{16,}"),
    Rule(
        "secret",
        "W&B key",
        "wandb api_key api-key apikey",
        r"(?i:wandb|api[_-]?key)[^\n]{0,100}?(?<![0-9a-f])([0-9a-f]{40})(?![0-9a-f])",
        judges.hexadecimal,
    ),
    _shaped("AWS key", "akia asia", r"(?:AKIA|ASIA)[A-Z0-9]{12,}"),
    _shaped("NGC key", "nvapi-", r"nvapi-(?=[a-z_-]*[A-Z0-9])[A-Za-z0-9_-]{12,}"),
    _shaped("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", r"gh[pousr]_[A-Za-z0-9]{16,}"),
    _shaped("GitHub token", "github_pat_", r"github_pat_[A-Za-z0-9_]{16,}"),
    _shaped(
        "GitLab token",
        "gl",
        r"gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent|imt)-[A-Za-z0-9_-]{16,}(?:\.[A-Za-z0-9_-]+)*",
    ),
    _shaped("PyPI token", "pypi-", r"pypi-(?:AgE[A-Za-z0-9_-]{8,}|(?=\S*[A-Z])(?=\S*\d)[A-Za-z0-9_-]{30,})"),
    _shaped("npm token", "npm_", r"npm_[A-Za-z0-9]{30,}"),
    _shaped("Slack token", "xox xapp-", r"(?:xox[abeoprs]|xapp)-[A-Za-z0-9-]{10,}"),
    Rule(
        "secret",
        "webhook",
        "hooks",
        r"(?:hooks\.slack\.com/(?:services|workflows|triggers)|/api/webhooks)/([\w/-]{16,})",
    ),
    Rule("secret", "webhook", "hook", r"/(?:web)?hooks?(?:b2)?/([\w/@-]{16,})", judges.unguessable),
    _shaped("Telegram token", ":aa", r"(?:bot)?(\d{8,10}:AA[A-Za-z0-9_-]{30,})"),
    _shaped("API key", "sk-", r"sk-(?=[A-Za-z_-]*\d)[A-Za-z0-9_-]{16,}"),
    _shaped("API key", "sk_ rk_ gsk_", r"(?:[sr]k_(?:live|test)_|gsk_)[A-Za-z0-9]{16,}"),
    # Prefixes before hexadecimal digits or one case of letters, which drawn-looking values do not cover.
    _shaped("API key", "lsv2_ do", r"(?:lsv2_(?:pt|sk)|do[opr]_v1)_[0-9a-f]{24,}(?:_[0-9a-f]{6,})?"),
    _shaped(
        "API key",
        "key- nrak- pmak- shp sgp_ pat- phc_ sntr lin_api",
        r"(?:(?<!-)key-[0-9a-f]{32}|NRAK-[A-Z0-9]{24,}|PMAK-[0-9a-f-]{24,}|shp(?:at|ss|ca|pa)_[0-9a-f]{32}"
        r"|sgp_(?:[0-9a-f]+_)?[0-9a-f]{40}|sntr(?:ys|yu)_[\w=+/-]{32,}|lin_api_\w{32,})(?![0-9a-f])",
    ),
    _shaped("age key", "age-secret-key-", r"AGE-SECRET-KEY-1[A-Z0-9]{40,}"),
    _shaped(
        "cloud access key",
        "ltai akid aklt goog1 1//0",
        r"(?:LTAI[A-Za-z0-9]{12,28}|AKID[A-Za-z0-9]{32}|AKLT[A-Za-z0-9_-]{30,}|GOOG1[A-Z0-9]{20,}"
        r"|1//0[A-Za-z0-9_-]{30,})(?![A-Za-z0-9])",
    ),
    _shaped("Google key", "aiza", r"AIza[A-Za-z0-9_-]{28,}"),
    _shaped("Google key", "ya29. gocspx-", r"(?:ya29\.|GOCSPX-)[A-Za-z0-9_.-]{16,}"),
    _shaped(
        "Vault token",
        "hvs. hvb. dapi sg.",
        r"(?:hv[sb]\.[A-Za-z0-9_-]{20,}|dapi[0-9a-f]{32}|SG\.[\w-]{16,}\.[\w-]{16,})",
    ),
    _shaped("JWT", "eyj", r"eyJ[A-Za-z0-9_-]{6,}\.[A-Za-z0-9_-]{6,}(?:\.[A-Za-z0-9_-]+)*"),
    _shaped("encoded credentials", "eyj", r"eyJ[A-Za-z0-9+/=]{24,}"),
    Rule(
        "secret",
        "kubeadm token",
        ".",
        r"(?<![\w./-])(?=[a-z0-9]{6}\.[a-z0-9]{16}(?![\w./-]))(?=[a-z0-9]{6}\.[0-9]*[a-z])[a-z0-9]{6}\.[a-z]*[0-9][a-z0-9]*",
    ),
    Rule(
        "secret",
        "password hash",
        "$ sha1: sha256: sha512: pbkdf2 scrypt",
        r"(?:argon2:)?\$argon2(?:id|i|d)\$[./+A-Za-z0-9$=,]{20,}|\$(?:1|2[aby]|5|6|y|apr1)\$[./A-Za-z0-9$=,]{10,}"
        r"|(?<![\w:])(?:sha1|sha256|sha512):[0-9a-f]{8,16}:[0-9a-f]{40,128}(?![\w:])"
        r"|\b(?:pbkdf2|scrypt)[_:](?:sha\d+|\d+)[:$][./+\w$=:-]{24,}",
    ),
    Rule(
        "secret",
        "API key",
        "- _",
        B + r"[A-Za-z][A-Za-z0-9]{1,11}(?:[_-][a-z0-9]{1,6}){0,2}[_-]"
        r"([A-Za-z0-9]{24,}(?:[_-][A-Za-z0-9]{6,})?)(?![\w.-])",
        judges.random_value,
    ),
]
"""A secret wherever it stands."""
