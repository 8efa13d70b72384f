"""The labelled set of ``python -m benchmarks.secret_scan``: lines with a secret, made for it, and harmless look-alikes.

Secrets are drawn by a seeded generator in the shape that their issuer documents, so that none is real and no scanner
takes this file for a leak. Look-alikes are what source code is full of: digests, identifiers, placeholders, patterns,
examples of documentations, public halves of keys.
"""

from __future__ import annotations

import string
from base64 import b64encode
from dataclasses import dataclass
from random import Random

SEED = 20261130
SECRET = "@"
"""Stands in a template where the secret goes; a template holds no other."""

LETTERS = string.ascii_letters
LOWER = string.ascii_lowercase
UPPER = string.ascii_uppercase
DIGITS = string.digits
WORD = LETTERS + DIGITS
HEX = "0123456789abcdef"
BASE32 = UPPER + "234567"
URLSAFE = WORD + "-_"
BASE64 = WORD + "+/"
SIGNS = WORD + "!#%^&*+?"


@dataclass(frozen=True, slots=True)
class Labelled:
    """A line of source; `secret` is the part that may not be stored, "" where the line is harmless."""

    kind: str
    line: str
    secret: str = ""


_TOKENS: tuple[tuple[str, str, str, int], ...] = (
    ("aws access key", 'aws_access_key_id = "@"', "AKIA", 16),
    ("aws access key", "export AWS_ACCESS_KEY_ID=@", "ASIA", 16),
    ("github", 'GITHUB_TOKEN: "@"', "ghp_", 36),
    ("github", "git clone https://x-access-token:@" + chr(64) + "github.com/o/r.git", "ghs_", 36),
    ("github, fine-grained", 'token = "@"', "github_pat_", 82),
    ("gitlab", 'curl --header "PRIVATE-TOKEN: @"', "glpat-", 20),
    ("gitlab runner", 'token = "@"', "glrt-", 20),
    ("stripe", "stripe.api_key = '@'", "sk_live_", 24),
    ("stripe webhook", "const endpointSecret = '@';", "whsec_", 32),
    ("google", "https://maps.googleapis.com/maps/api/js?key=@&callback=init", "AIza", 35),
    ("google oauth", '"client_secret": "@"', "GOCSPX-", 28),
    ("language model", 'openai.api_key = "@"', "sk-proj-", 64),
    ("language model", "ANTHROPIC_API_KEY=@", "sk-ant-api03-", 93),
    ("language model", "client = Groq(api_key='@')", "gsk_", 52),
    ("npm", "//registry.npmjs.org/:_authToken=@", "npm_", 36),
    ("pypi", "password = @", "pypi-AgEIcHlwaS5vcmc", 120),
    ("rubygems", ":rubygems_api_key: @", "rubygems_", 48),
    ("sendgrid", "sg = SendGridAPIClient('@')", "SG.", 22),
    ("hugging face", 'login(token="@")', "hf_", 34),
    ("digitalocean", "provider_token = '@'", "dop_v1_", 64),
    ("shopify", 'access_token: "@"', "shpat_", 32),
    ("docker hub", "docker login -u me -p @", "dckr_pat_", 27),
    ("vault", "VAULT_TOKEN=@", "hvs.", 92),
    ("databricks", 'databricks_token = "@"', "dapi", 32),
    ("grafana", 'headers = {"Authorization": "Bearer @"}', "glsa_", 32),
    ("linear", "const linear = new LinearClient({ apiKey: '@' })", "lin_api_", 40),
    ("new relic", "license: '@'", "NRAK-", 27),
    ("postman", "x-api-key: @", "PMAK-", 24),
    ("atlassian", 'auth=("me", "@")', "ATATT3xFfGF0", 180),
    ("age", "# @", "AGE-SECRET-KEY-1", 58),
    ("square", 'access = "@"', "sq0atp-", 22),
    ("telegram", 'bot = Bot("@")', "", 35),
    ("mailgun", 'auth=("api", "@")', "key-", 32),
    ("twilio", 'Client("@", pepper)', "SK", 32),
    ("slack", 'client = WebClient(token="@")', "xoxb-", 24),
    ("slack app", "SLACK_APP_TOKEN='@'", "xapp-1-", 64),
)
"""Kind, line, the issuer's prefix, how many drawn characters follow."""
_ALPHABETS = {
    "aws access key": UPPER + DIGITS,
    "digitalocean": HEX,
    "shopify": HEX,
    "databricks": HEX,
    "rubygems": HEX,
    "mailgun": HEX,
    "twilio": HEX,
    "postman": HEX,
    "new relic": UPPER + DIGITS,
    "age": "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
    "github, fine-grained": WORD + "_",
    "google": URLSAFE,
    "google oauth": URLSAFE,
    "language model": URLSAFE,
    "pypi": URLSAFE,
    "vault": URLSAFE,
    "square": URLSAFE,
}
_ASSIGNED: tuple[tuple[str, str, str, int], ...] = (
    ("password", 'password = "@"', SIGNS, 16),
    ("password", "DB_PASSWORD='@'", SIGNS, 14),
    ("password", "  password: '@'", SIGNS, 18),
    ("password", '"smtp_password": "@",', WORD, 20),
    ("password", "spring.datasource.password=@", WORD, 24),
    ("password", "$config['db_password'] = '@';", SIGNS, 16),
    ("password", 'private static final String PASSWORD = "@";', SIGNS, 20),
    ("password", "let dbPassword = `@`;", WORD, 18),
    ("password", '#define WIFI_PASSWORD "@"', WORD, 16),
    ("password in an element", "<password>@</password>", WORD, 20),
    ("password on a command line", "mysqldump --user=root --password=@ shop", WORD, 20),
    ("secret", "SECRET_KEY = '@'", SIGNS, 50),
    ("secret", "define('AUTH_KEY', '@');", SIGNS, 64),
    ("secret", "aws_secret_access_key = @", BASE64, 40),
    ("secret", "export CLIENT_SECRET=@", WORD, 32),
    ("secret", "jwtSecret: '@',", BASE64, 44),
    ("key", 'API_KEY = "@"', HEX, 32),
    ("key", "const apiKey = '@'", WORD, 39),
    ("key", 'x_api_key: str = "@"', URLSAFE, 43),
    ("key", 'encryption_key := "@"', BASE64, 44),
    ("token", 'auth_token = "@"', HEX, 40),
    ("token", "access_token => '@'", WORD, 43),
    ("token", "-H 'Authorization: Bearer @'", URLSAFE, 48),
    ("azure storage", "DefaultEndpointsProtocol=https;AccountName=shop;AccountKey=@==;", BASE64, 86),
    ("connection string", "Server=db;Database=shop;User Id=sa;Password=@;", WORD, 16),
    ("connection string", "jdbc:postgresql://db/shop?user=app&password=@", WORD, 18),
    ("address", "postgres://app:@" + chr(64) + "db.internal:5432/shop", WORD, 14),
    ("address", "mongodb+srv://app:@" + chr(64) + "cluster0.mongodb.net/shop", WORD, 18),
    ("address", "redis://:@" + chr(64) + "cache:6379/0", WORD, 20),
    ("address", "amqp://guest1:@" + chr(64) + "queue/%2f", WORD, 16),
    ("address", "https://build:@" + chr(64) + "git.internal/app.git", WORD, 24),
    ("curl", "curl -sS -u deploy:@ https://api.internal/v1/jobs", WORD, 16),
    ("curl", "curl --user 'api:@' https://api.internal/v1/messages", SIGNS, 20),
    ("go data source", 'db, err := sql.Open("mysql", "app:@' + chr(64) + 'tcp(db:3306)/shop")', WORD, 16),
    ("settings file", '<add key="SmtpPassword" value="@" />', SIGNS, 18),
    ("container variable", "  - name: DB_PASSWORD\n    value: @", WORD, 20),
    ("key named after an address", 'dburl_token = "@"', WORD, 32),
    ("hook", "https://hooks.slack.com/services/T0A1B2C3D/B0A1B2C3D/@", WORD, 24),
    ("hook", "https://discord.com/api/webhooks/102938475610293847/@", URLSAFE, 68),
)
"""Kind, line, what the secret is drawn from, its length."""


def positives() -> list[Labelled]:
    """The lines with a secret; equal at every call."""
    random = Random(SEED)
    made = []
    for kind, line, prefix, length in _TOKENS:
        secret = prefix + _drawn(random, _ALPHABETS.get(kind, WORD), length)
        secret = _shaped(random, kind, secret)
        made.append(Labelled(kind, line.replace(SECRET, secret, 1), secret))
    for kind, line, alphabet, length in _ASSIGNED:
        secret = _drawn(random, alphabet, length)
        made.append(Labelled(kind, line.replace(SECRET, secret, 1), secret))
    return [*made, *_keys(random), _jwt(random), _basic(random)]


def _shaped(random: Random, kind: str, secret: str) -> str:
    """Tokens that are more than a prefix and a run of characters."""
    if kind == "sendgrid":
        return f"{secret}.{_drawn(random, URLSAFE, 43)}"
    if kind == "telegram":
        return f"{_drawn(random, '123456789', 10)}:AA{secret[2:]}"
    if kind == "slack":
        return f"xoxb-{_drawn(random, DIGITS, 12)}-{_drawn(random, DIGITS, 13)}-{secret[5:]}"
    if kind == "slack app":
        return f"xapp-1-A{_drawn(random, UPPER + DIGITS, 10)}-{_drawn(random, DIGITS, 13)}-{_drawn(random, HEX, 64)}"
    if kind == "postman":
        return f"{secret}-{_drawn(random, HEX, 34)}"
    return f"{secret}_{_drawn(random, HEX, 8)}" if kind == "grafana" else secret


def _keys(random: Random) -> list[Labelled]:
    """Private keys: as blocks, and in one literal."""
    made = []
    for name in ("RSA ", "EC ", "OPENSSH ", "", "ENCRYPTED "):
        body = "\n".join(_drawn(random, BASE64, 64) for _ in range(4))
        made.append(
            Labelled("private key", f"-----BEGIN {name}PRIVATE KEY-----\n{body}\n-----END {name}PRIVATE KEY-----", body)
        )
    body = "\\n".join(_drawn(random, BASE64, 64) for _ in range(4))
    line = f'"private_key": "-----BEGIN PRIVATE KEY-----\\n{body}\\n-----END PRIVATE KEY-----\\n",'
    return [*made, Labelled("private key in a literal", line, body)]


def _jwt(random: Random) -> Labelled:
    parts = ("eyJhbGciOiJIUzI1NiJ9", "eyJ" + _drawn(random, WORD, 60), _drawn(random, URLSAFE, 43))
    token = ".".join(parts)
    return Labelled("signed claims", f"cookie = 'session={token}; Path=/'", token)


def _basic(random: Random) -> Labelled:
    secret = b64encode(f"deploy:{_drawn(random, WORD, 20)}".encode()).decode()
    return Labelled("basic authorisation", f'"Authorization": "Basic {secret}",', secret)


def _drawn(random: Random, alphabet: str, length: int) -> str:
    """`length` characters, of each class of the alphabet at least one; a letter or digit at either end."""
    classes = [part for part in (UPPER, LOWER, DIGITS) if len(set(part) & set(alphabet)) > 1]
    ends = [char for char in alphabet if char.isalnum()]
    while True:
        middle = "".join(random.choice(alphabet) for _ in range(length - 2))
        drawn = random.choice(ends) + middle + random.choice(ends)
        if all(set(part) & set(drawn) for part in classes):
            return drawn


def negatives() -> list[Labelled]:
    """The harmless lines; each stands for a habit of source code."""
    kind, made = "", []
    for line in HARMLESS.strip("\n").split("\n"):
        if line.startswith("== "):
            kind = line.removeprefix("== ")
        elif line:
            made.append(Labelled(kind, line))
    return made


HARMLESS = r"""
== digest
sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
password_hash = "5f4dcc3b5aa765d61d8327deb882cf99"
"integrity": "sha512-9NfC0wFjQ1kqgJ8n9vYB6lW0p1cCk0J3Zx5Xh2mS8YbQ7d4aVt1Rr0KeUu3PoLiMnBvCxZ9sDfGhJ1k2l3Q4Aw=="
commit = "ea8eef6e9379c0ffee0123456789abcdef012345"
ETAG = 'W/"33a64df551425fcc55e4d42a148795d9f25f89d4"'
token_checksum: "da39a3ee5e6b4b0d3255bfef95601890afd80709"
github.com/stretchr/testify v1.8.4 h1:CcVxjf3Q8PM0mHUKJCdn+eZZtm5yQwehR5yeSVQQcUk=
password = "$2b$12$EixZaYVK1fsbw1ZfbX3OXePaWxn96p36WQoeG6Lruj3vjPGga31lW"
assert hash_password("x") == "pbkdf2_sha256$36000$abcDEF12$Zm9vYmFy"
{SSHA}W6ph5Mm5Pz8GgiULbPgzG37mj9gFakePt
== identifier of a thing
id = "550e8400-e29b-41d4-a716-446655440000"
token = "550e8400-e29b-41d4-a716-446655440000"
tenantId: 72f988bf-86f1-41af-91ab-2d7cd011db47
arn:aws:iam::123456789012:role/deploy-production-2024
ami-0abcdef1234567890
public_key_token = "b77a5c561934e089"
UA-12345678-1
recaptcha_site_key: "6LeIxAcTAAAAAJcZVRqyHh71UMIEGNQ_MXjiZKhI"
== placeholder
curl -u user:password https://api.example.com/v1
curl -u "$API_USER:$API_TOKEN" https://api.example.com/v1
curl --user <name>:<password-1> https://api.example.com/v1
<add key="PasswordRules" value="UpperLowerDigit8" />
db, err := sql.Open("mysql", "root:password@tcp(127.0.0.1:3306)/test")
db, err := sql.Open("mysql", fmt.Sprintf("%s:%s@tcp(%s)/%s", user, pass, host, name))
token_url = "a1b2c3d4e5f6g7h8"
password = "<your-password-here-2024>"
API_KEY=your_api_key_goes_here_1234567890
api_key = "${API_KEY_2_FROM_ENV}"
secret: "{{ vault_db_password_2 }}"
token = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"
password: CHANGE_ME_BEFORE_DEPLOY_123
GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
aws_access_key_id = AKIAIOSFODNN7EXAMPLE
aws_secret_access_key = wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY
SECRET_KEY = "insecure-secret-for-tests-only-0001"
client_secret = "********************"
export TOKEN=$(cat /run/secrets/token)
passphrase = "correct horse battery staple"
--password=$DB_PASSWORD
-H "Authorization: Bearer $TOKEN"
-H "Authorization: Bearer <token>"
"Authorization": "Basic <base64 of user:password>"
Server=db;Database=shop;User Id=sa;Password={password};
Server=db;Database=shop;User Id=sa;Password=***;
jdbc:postgresql://db/shop?user=app&password=${DB_PASSWORD}
<password>${env.PASSWORD}</password>
<password>changeit</password>
AccountKey=<account key>;
== address
postgres://user:password@localhost/db
postgres://{user}:{password}@{host}:{port}/{name}
mysql://root:root@127.0.0.1:3306/test
amqp://guest:guest@localhost:5672//
http://example.com:8080/@scope/package
git@github.com:owner/repository.git
ssh://git@git.example.org:2222/team/app.git
redis://localhost:6379/0
mongodb://localhost:27017/shop?authSource=admin
https://${USER}:${TOKEN}@git.example.org/app.git
https://discord.com/api/webhooks/{id}/{token}
https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
== code
password = get_password()
token = self.make_Token2From3Parts4(value)
api_key = os.environ["API_KEY_V2"]
SECRET_KEY = config("SECRET_KEY", default=None)
password: str = Field(min_length=12, max_length=128)
const apiKey = process.env.OPENAI_API_KEY_V2;
secret = secrets.token_urlsafe(32)
token = tokens[index2 + 1]
if token == "identifier_token_type2":
private_key = rsa.generate_private_key(public_exponent=65537, key_size=2048)
def test_password_reset_token_expires_after_24h(self):
class TokenV2Credential2Provider3Factory4(Base):
return password == confirmation && password.length >= 12;
key := cacheKey("user", id, "session2")
PasswordAuthentication no
token_type_hint: "urn:ietf:params:oauth:token-type:access_token"
PASSWORD_HASHER = "django.contrib.auth.hashers.PBKDF2PasswordHasher"
next_token = "page_2_of_results_10"
csrf_token_name = "csrfmiddlewaretoken2"
sort_key = "created_at__desc_2"
tokenizer = "bert-base-uncased-2018-v1"
api_key_header = "X-Api-Key-Version-2"
secret_name: my-app-v2-eu1-prod3
KEY_SEQUENCE = "ctrl+shift+alt+f12"
primary_key = "customer_id_2_order_id_3"
hf_hub_download(repo_id="owner/model", filename="config.json")
npm_config_registry=https://registry.example.org/
sk_live_mode = stripe.is_live()
dapi = DataApi(connection)
xoxb_prefix = "xoxb-"
age.SECRET_KEY_PREFIX = "AGE-SECRET-KEY-"
whsec_header = "whsec_"
glsa_length = len("glsa_") + 32
== pattern
AWS = re.compile(r"AKIA[0-9A-Z]{16}")
regex: 'ghp_[A-Za-z0-9]{36}'
"-----BEGIN PRIVATE KEY-----" in text and "-----END PRIVATE KEY-----" in text
password_pattern = "^(?=.*[a-z])(?=.*[A-Z])(?=.*[0-9])[A-Za-z0-9]{8,}$"
token_format = "%Y-%m-%dT%H:%M:%S.%fZ"
PASSWORD_CHARS = "abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789"
BASE64_ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
slack_token = /xox[abeoprs]-[0-9]{6,}/
jwt = header + "." + payload + "." + signature
eyJhbGciOiJIUzI1NiJ9
== public half
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIJ8g1Kq0m3V5wX2yZ7bN4cR6tU9vW1xY3zA5dE8fG2hJ user@host
-----BEGIN PUBLIC KEY-----
-----BEGIN CERTIFICATE-----
MIIDdzCCAl+gAwIBAgIEAgAAuTANBgkqhkiG9w0BAQUFADBaMQswCQYDVQQGEwJJ
public_key = "MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE9mJ3xk2Wq7Zp5Lr8Tt1Vv4Yb6Nc0"
stripe_publishable_key = "pk_live_publishable"
age1ql3z7hjy54pw3hyww5ayyfg7zqgvc7w3j2elw8zmrj2kg5sfn9aqmcac8p
fingerprint = "SHA256:uNiVztksCsDhcc0u9e8BrVJtNUxhGgx7Zxw1nYyQm2k"
== text
password: "At least 12 characters, one of them a digit"
"forgot_password": "Forgot your password? We'll mail you a link.",
passwordInput.placeholder = "At least 12 characters"
error_token = "E_INVALID_TOKEN_0x80070057"
# The token is 40 characters of hexadecimal digits, for instance 0123...cdef.
Passwords such as hunter2 or Tr0ub4dor&3 are refused.
secret_santa = "alice->bob, bob->carol, carol->alice"
credentials: "include"
token_endpoint_auth_method: "client_secret_basic"
.token.keyword2 { color: #07a; }
<input type="password" name="password2" id="id_password2">
bearer_format: JWT
"""
