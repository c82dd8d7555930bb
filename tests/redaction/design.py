"""The design set: every class of secret where it is found. The secrets are drawn, not stored."""

import base64
import json
import random
import string
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import quote

LETTERS = string.ascii_letters + string.digits
HEX = "0123456789abcdef"
Maker = Callable[[random.Random], str]


class Planted(NamedTuple):
    """One text with its secret."""

    kind: str
    shaped: bool
    text: str
    secret: str


def drawn(alphabet: str, size: int, before: str = "") -> Maker:
    """Return a maker of ``before`` and that many characters of an alphabet."""
    return lambda source: before + "".join(source.choices(alphabet, k=size))


def password(source: random.Random) -> str:
    """Return a password as people choose it."""
    word = source.choice(("Winter", "gpu", "hunter", "Tr0ub4dor", "letmein", "cluster"))
    return f"{word}{source.choice('!#%+-_')}{source.randrange(100, 99999)}"


def jwt(source: random.Random) -> str:
    """Return three parts in the form of a JSON web token."""
    parts = [drawn(LETTERS + "-_", size)(source) for size in (30, 120, 43)]
    return ".".join(("eyJ" + parts[0], "eyJ" + parts[1], parts[2]))


def encoded(source: random.Random) -> str:
    """Return ``user:password`` in base64."""
    return base64.b64encode(f"alice:{password(source)}{drawn(LETTERS, 8)(source)}".encode()).decode()


def pem(source: random.Random) -> str:
    """Return the body of a private key."""
    return (
        "\n".join(drawn(LETTERS + "+/", 64)(source) for _ in range(3))
        + "\n"
        + drawn(LETTERS, 30)(source)
        + "=="
    )


BARE = (
    "@@",
    "token rejected: @@",
    "requests.exceptions.HTTPError: 401 for @@, retry",
    'headers={"x": "@@"}',
    "https://host.example/api?x=@@&y=1",
    "url=https%3A%2F%2Fh.example%2F%3Ft%3D@@",
    '{\\"a\\": \\"@@\\"}',
    "ps: python train.py --hub @@ --epochs 3",
    "/data/cache/@@/blobs",
)
SHAPED: dict[str, tuple[Maker, tuple[str, ...]]] = {
    "huggingface": (drawn(LETTERS, 34, "hf_"), (*BARE, "HF_TOKEN=@@", "huggingface-cli login --token @@")),
    "wandb": (drawn(LETTERS + "_-", 77, "wandb_v1_"), (*BARE, "WANDB_API_KEY=@@", "wandb login @@")),
    "aws id": (drawn(string.ascii_uppercase + string.digits, 16, "AKIA"), (*BARE, "aws_access_key_id = @@")),
    "aws session id": (drawn(string.ascii_uppercase + string.digits, 16, "ASIA"), BARE),
    "ngc": (drawn(LETTERS + "_-", 64, "nvapi-"), (*BARE, "docker login nvcr.io -u '$oauthtoken' -p @@")),
    "github": (drawn(LETTERS, 36, "ghp_"), (*BARE, "git clone https://@@@github.com/a/b")),
    "github oauth": (drawn(LETTERS, 36, "gho_"), BARE),
    "github fine": (drawn(LETTERS, 82, "github_pat_"), BARE),
    "gitlab": (drawn(LETTERS + "_-", 20, "glpat-"), (*BARE, "PRIVATE-TOKEN: @@")),
    "pypi": (drawn(LETTERS + "_-", 150, "pypi-AgEIcHlwaS5vcmc"), BARE),
    "npm": (drawn(LETTERS, 36, "npm_"), BARE),
    "slack": (lambda s: f"xoxb-{s.randrange(10**11, 10**12)}-{drawn(LETTERS, 24)(s)}", BARE),
    "openai": (drawn(LETTERS + "_-", 120, "sk-proj-1"), BARE),
    "anthropic": (drawn(LETTERS + "_-", 90, "sk-ant-api03-"), BARE),
    "google": (drawn(LETTERS + "_-", 35, "AIza"), BARE),
    "jwt": (jwt, (*BARE, "Authorization: Bearer @@", "token: @@")),
    "langsmith": (lambda s: f"lsv2_pt_{drawn(HEX, 32)(s)}_{drawn(HEX, 10)(s)}", BARE),
    "digitalocean": (drawn(HEX, 64, "dop_v1_"), BARE),
    "mailgun": (drawn(HEX, 32, "key-"), BARE),
    "new relic": (drawn(string.ascii_uppercase + string.digits, 27, "NRAK-"), BARE),
    "shopify": (drawn(HEX, 32, "shpat_"), BARE),
    "age": (drawn(string.ascii_uppercase + string.digits, 58, "AGE-SECRET-KEY-1"), BARE),
    "aliyun id": (drawn(LETTERS, 18, "LTAI5t"), (*BARE, "accessKeyID=@@")),
    "tencent id": (drawn(LETTERS, 32, "AKID"), (*BARE, "SECRET_ID=@@")),
    "google refresh": (drawn(LETTERS + "_-", 60, "1//0"), ('"refresh_token": "@@"', "token @@ expired")),
    "telegram": (
        lambda s: f"{s.randrange(10**9, 10**10)}:AA{drawn(LETTERS + '_-', 33)(s)}",
        ("POST https://api.telegram.org/bot@@/sendMessage", "bot token @@ refused"),
    ),
    "argon2": (
        lambda s: f"argon2:$argon2id$v=19$m=10240,t=10,p=8${drawn(LETTERS, 22)(s)}${drawn(LETTERS, 43)(s)}",
        ("c.ServerApp.password = u'@@'", '"hashed_password": "@@"', "hash @@"),
    ),
    "kubeadm": (
        lambda s: f"{drawn(HEX, 6)(s)}.a1{drawn(HEX, 14)(s)}",
        (
            "kubeadm join 10.0.0.1:6443 --token @@ --discovery-token-ca-cert-hash sha256:00",
            "bootstrap @@ used",
        ),
    ),
    "crypt": (drawn(LETTERS + "./", 86, "$6$rounds=5000$salt$"), ("root:@@:19000:0:99999:7:::", "hash @@")),
    "pem": (
        pem,
        (
            "-----BEGIN RSA PRIVATE KEY-----\n@@\n-----END RSA PRIVATE KEY-----",
            "key: |\n-----BEGIN OPENSSH PRIVATE KEY-----\n@@\n-----END OPENSSH PRIVATE KEY-----\nnext: 1",
            "-----BEGIN PRIVATE KEY-----\n@@",
        ),
    ),
    "key data": (
        lambda s: "LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBL" + drawn(LETTERS, 200)(s) + "==",
        ("    client-key-data: @@", '"client-key-data":"@@"', "tls.key: @@"),
    ),
}
KEY40 = drawn(LETTERS + "+/", 40)
ASSIGNED = (
    "DB_PASSWORD=@@",
    "export DB_PASSWORD=@@",
    "export DB_PASSWORD='@@'",
    'password: "@@"',
    "password: @@",
    "  password = @@",
    "passwd=@@;",
    '{"user": "bob", "password": "@@", "port": 5432}',
    '{\\"password\\":\\"@@\\"}',
    "{'password': '@@', 'x': 1}",
    "mount.cifs //h/s /mnt -o username=bob,password=@@,vers=3.0",
    "Environment=SMTP_PASS=@@",
    "StoragePass=@@",
    "ansible_become_pass: @@",
    "client_secret=@@",
    "clientSecret: '@@'",
    "--db-password @@",
    "--password=@@ --x",
    "api_key=@@",
    '"apiKey": "@@",',
    "DOCKER_PASSWORD: @@ # registry",
    "<password>@@</password>",
    '{"name": "DB_PASSWORD", "value": "@@"}',
    "env:\n- name: DB_PASSWORD\n  value: @@\n",
    "machine h.example login bob password @@",
    "mysql -h db -u bob -p@@ jobs",
    "sshpass -p @@ ssh bob@node7",
    "curl -u bob:@@ https://h.example/",
    "ipmitool -H bmc7 -U admin -P @@ power status",
    "echo @@ | docker login -u bob --password-stdin",
    "docker login -u bob -p @@ registry.example",
    "db.example:5432:jobs:bob:@@",
    "*:*:*:bob:@@".replace("*:*:*", "h:*:*"),
    "openssl rsa -passin pass:@@ -in k.pem",
    "redis-cli -h r -a @@ ping",
    "the password is @@, change it",
    "echo '@@' | sudo -S nvidia-smi -pm 1",
    "echo bob:@@ | chpasswd",
    "sudo -S reboot <<< '@@'",
    "wifi-psk: @@",
    "c.password = b'@@'",
    "数据库密码：@@，端口 3306",
    "口令: @@",
    "パスワード: @@",
)
WORDS = (
    "sshpass -p '@@' ssh h",
    "curl -u 'bob:@@' https://h.example/",
    'mysql -uroot -p"@@" jobs',
    'docker login -u bob -p "@@" r.example',
    "vllm serve --api-key '@@' --port 1",
    "redis-cli -a '@@' ping",
    "DB_PASSWORD='@@'",
)
URLS = (
    "postgres://bob:@@@db.example:5432/jobs",
    "redis://:@@@r.example:6379/0",
    "pip config: index-url = https://bob:@@@pypi.example/simple",
    "http_proxy=http://bob:@@@proxy.example:3128",
)
CONTEXT: dict[str, tuple[Maker, tuple[str, ...]]] = {
    "password": (password, ASSIGNED),
    "words": (lambda s: f"{s.choice(('amber', 'mellow'))} Fox {password(s)} 12", WORDS),
    "url": (password, URLS),
    "url part": (
        lambda s: "-".join(drawn(HEX, size)(s) for size in (8, 4, 4, 4, 12)),
        (
            "https://open.feishu.cn/open-apis/bot/v2/hook/@@ timed out",
            "https://h.example/cgi-bin/webhook/send?key=@@",
            "https://conda.anaconda.org/t/co-@@/corp/linux-64/repodata.json",
        ),
    ),
    "index token": (
        drawn(LETTERS, 40, "a1"),
        ("Looking in indexes: https://@@:@pypi.example/simple", "https://c.example/t/@@/ml"),
    ),
    "url-encoded": (lambda s: quote(password(s) + "/x", safe=""), URLS[:2]),
    "wandb legacy": (
        drawn(HEX, 40),
        (
            "WANDB_API_KEY=@@",
            "wandb login @@",
            "wandb login --relogin @@",
            '"wandb": {"api_key": "@@"}',
            "api_key: @@",
        ),
    ),
    "aws secret": (
        KEY40,
        (
            "aws_secret_access_key = @@",
            "AWS_SECRET_ACCESS_KEY=@@",
            '"SecretAccessKey": "@@",',
            "aws_session_token=@@",
            '"SessionToken": "@@"',
        ),
    ),
    "presigned": (
        drawn(HEX, 64),
        (
            "GET https://b.s3.example/k?X-Amz-Expires=60&X-Amz-Signature=@@",
            "https://b/k?X-Amz-Signature=@@&x-id=GetObject failed",
            '"url": "https://b/k?x=1\\u0026X-Goog-Signature=@@"',
        ),
    ),
    "sas": (
        lambda s: quote(drawn(LETTERS + "+/", 43)(s) + "=", safe=""),
        ("https://a.blob.example/c?sv=2024-01-01&sr=c&sig=@@", "sig=@@&se=2026"),
    ),
    "azure": (
        lambda s: drawn(LETTERS + "+/", 86)(s) + "==",
        ("DefaultEndpointsProtocol=https;AccountName=a;AccountKey=@@;EndpointSuffix=x", "SharedAccessKey=@@"),
    ),
    "docker auth": (
        encoded,
        ('{"auths": {"nvcr.io": {"auth": "@@"}}}', '"auth":"@@"', '{\\"auth\\":\\"@@\\"}', "_auth=@@"),
    ),
    "dockerconfigjson": (
        lambda s: base64.b64encode(json.dumps({"auths": {"r": {"auth": encoded(s)}}}).encode()).decode(),
        ("  .dockerconfigjson: @@", '".dockerconfigjson":"@@"'),
    ),
    "ngc legacy": (
        lambda s: base64.b64encode(f"{drawn(LETTERS, 26)(s).lower()}:{drawn(HEX, 36)(s)}".encode()).decode(),
        ("NGC_API_KEY=@@", "apikey = @@", "docker login nvcr.io -u '$oauthtoken' --password @@"),
    ),
    "header": (
        encoded,
        (
            "Authorization: Basic @@",
            "> authorization: Basic @@",
            "-H 'Authorization: Bearer @@'",
            '"Authorization": "token @@"',
            "X-Auth-Token: @@",
            "X-Vault-Token: @@",
            "Proxy-Authorization: Basic @@",
            "sent Bearer @@",
        ),
    ),
    "cookie": (drawn(LETTERS, 32), ("Cookie: session=@@", "Set-Cookie: sid=@@; HttpOnly")),
    "snmp": (
        password,
        (
            "snmp-server community @@ RO",
            "rocommunity @@ 10.0.0.0/8",
            "snmpwalk -v2c -c @@ switch7 1.3.6",
            "community: @@",
            "com2sec readonly default @@",
        ),
    ),
    "token": (
        drawn(LETTERS, 32),
        (
            "TOKEN=@@",
            "http://127.0.0.1:8888/lab?token=@@",
            '"access_token": "@@"',
            "--token @@",
            "auth_token: '@@'",
            "REGISTRATION_TOKEN: @@",
            "refreshToken=@@",
            "NPM_TOKEN=@@",
        ),
    ),
    "random": (
        drawn(LETTERS, 44),
        ("LICENSE_KEY=@@", "--license @@", "X-Custom: @@", "signing_key: @@", 'seed = "@@"', "FOO=@@"),
    ),
    "hex key": (drawn(HEX, 64), ("ENCRYPTION_KEY=@@", "cookie_key: @@", '"hmac": "@@"')),
}
DRAWS = 5


def design() -> Iterator[Planted]:
    """Yield every text of the set, each with several secrets of its class."""
    source = random.Random(20261130)  # noqa: S311 - stand-ins, no secrets
    for shaped, classes in ((True, SHAPED), (False, CONTEXT)):
        for kind, (maker, templates) in classes.items():
            for template in templates:
                for _ in range(DRAWS):
                    secret = maker(source)
                    yield Planted(kind, shaped, template.replace("@@", secret, 1), secret)
