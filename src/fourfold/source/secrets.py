"""Secrets: files that are never read, and tokens that are never stored.

Precision comes first: a redaction in ordinary code destroys the answer to a question. So tokens are
recognised by the fixed prefixes that their issuers publish, and a literal assigned to something called
password or token only where it looks random. What a secret is replaced by has its length and its line breaks,
so no line or column moves.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from fourfold.source.words import words

POLICY_VERSION = "5"
"""Written into every index: a change of any rule here makes every file be read again."""

_SECRET_NAMES: frozenset[str] = words(
    """
    .env .envrc .netrc _netrc .pgpass .pypirc .my.cnf .mylogin.cnf .htpasswd .dockercfg .dockerconfigjson
    .boto .s3cfg .git-credentials .vault-token .vault-pass .npmrc.local credentials.json credentials.yml
    credentials.yaml client_secret.json client_secrets.json service-account.json service_account.json
    serviceaccount.json secrets.yml secrets.yaml secrets.json secrets.toml secrets.ini secrets.env
    secrets.properties application_default_credentials.json kubeconfig wallet.dat .bash_history
    .zsh_history .python_history .psql_history .mysql_history .node_repl_history .irb_history
    .rediscli_history terraform.tfstate terraform.tfstate.backup
    """
)
_SECRET_PATHS = (".aws/credentials", ".docker/config.json", ".kube/config", ".config/gcloud/credentials.db")
_SECRET_SUFFIXES = tuple(
    words(".pem .key .p12 .pfx .jks .keystore .kdbx .kdb .ppk .p8 .ovpn .agekey .gpg .tfstate .env")
)
_ENV_EXAMPLE = re.compile(r"(?:^|[._-])(?:example|sample|template|tmpl|dist|defaults?|schema)(?:[._-]|$)")
_SSH_KEY = re.compile(r"id_(?:rsa|dsa|ecdsa|ed25519)(?:_sk)?(?:[_-][\w-]*)?(?:\.(?:pub|bak|old|orig|txt))?")
_LONG_RUN = re.compile(r"[A-Za-z0-9_-]{20}")
"""What every token holds."""
_NPMRC_TOKEN = re.compile(r"(?m)^[^#;\n]*_(?:auth|authToken|password)[ \t]*=[ \t]*(?!\$\{)\S")


def is_secret_path(path: str) -> bool:
    """True where the name says that the file holds keys or passwords, or holds a token itself: names are shown as they
    are. `path` is POSIX, relative or not."""
    if without_tokens(path) != path:
        return True
    lower = path.lower()
    name = lower.rpartition("/")[2]
    if name in _SECRET_NAMES or name.endswith(_SECRET_SUFFIXES) or name.startswith(".env."):
        is_env = name.startswith(".env") or name.endswith(".env")
        return not (is_env and _ENV_EXAMPLE.search(name.lstrip(".")))
    if name.startswith("id_") and _SSH_KEY.fullmatch(name):
        return True
    return name in ("credentials", "config.json", "config", "credentials.db") and any(
        lower == end or lower.endswith("/" + end) for end in _SECRET_PATHS
    )


def is_secret_text(path: str, text: str) -> bool:
    """True where a file that may hold credentials does: an ``.npmrc`` with a token."""
    return path.rpartition("/")[2] == ".npmrc" and _NPMRC_TOKEN.search(text) is not None


def without_tokens(name: str) -> str:
    """A name (a path, a branch) with the tokens of issuers in it replaced by asterisks."""
    if _LONG_RUN.search(name) is None:  # nearly always, and then no pattern is compiled
        return name
    return _cover(name, list(_prefixed(name)))


_PREFIXED = {
    "age": r"\bAGE-SECRET-KEY-1[A-Z0-9]{58}\b",
    "atlassian": r"\bATATT3xFfGF0[A-Za-z0-9_=-]{60,}",
    "aws": r"\b(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b",
    "databricks": r"\bdapi[0-9a-f]{32}\b",
    "digitalocean": r"\bdo[por]_v1_[0-9a-f]{64}\b",
    "docker": r"\bdckr_[po]at_[A-Za-z0-9_-]{27,}",
    "github": r"\bgh[pousr]_[A-Za-z0-9]{36,}\b|\bgithub_pat_[A-Za-z0-9_]{22,}\b",
    "gitlab": r"\bgl(?:pat|rt|ptt|dt|soat|cbt)-[A-Za-z0-9_-]{20,}",
    "google": r"\bAIza[0-9A-Za-z_-]{35}|\bGOCSPX-[0-9A-Za-z_-]{28}",
    "grafana": r"\bglsa_[A-Za-z0-9]{32}_[0-9a-fA-F]{8}\b",
    "huggingface": r"\bhf_[A-Za-z0-9]{34,}\b",
    "jwt": r"\beyJ[A-Za-z0-9_-]{8,}\.eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{16,}",
    "linear": r"\blin_api_[A-Za-z0-9]{40}\b",
    "llm": r"\bsk-(?:ant|proj|svcacct|or)-[A-Za-z0-9_-]{32,}|\bsk-[A-Za-z0-9]{48}\b|\bgsk_[A-Za-z0-9]{52}\b",
    "mailgun": r"\bkey-[0-9a-f]{32}\b",
    "newrelic": r"\bNRAK-[A-Z0-9]{27}\b",
    "npm": r"\bnpm_[A-Za-z0-9]{36}\b",
    "postman": r"\bPMAK-[0-9a-f]{24}-[0-9a-f]{34}\b",
    "pypi": r"\bpypi-AgEIcHlwaS5vcmc[A-Za-z0-9_-]{50,}",
    "rubygems": r"\brubygems_[0-9a-f]{48}\b",
    "sendgrid": r"\bSG\.[A-Za-z0-9_-]{22}\.[A-Za-z0-9_-]{43}",
    "shopify": r"\bshp(?:at|ca|pa|ss)_[0-9a-fA-F]{32}\b",
    "slack": r"\bxox[abeoprs]-[0-9]{6,}-[A-Za-z0-9-]{10,}|\bxapp-[0-9]-[A-Z0-9]{8,}-[0-9]{8,}-[0-9a-f]{64}\b",
    "square": r"\bsq0(?:atp|csp)-[A-Za-z0-9_-]{22,}",
    "stripe": r"\b[sr]k_live_[A-Za-z0-9]{16,}\b|\bwhsec_[A-Za-z0-9]{32,}\b",
    "telegram": r"\b[0-9]{8,}:AA[A-Za-z0-9_-]{33}\b",
    "twilio": r"\bSK[0-9a-f]{32}\b",
    "vault": r"\bhv[sbr]\.[A-Za-z0-9_-]{24,}",
}
"""Tokens by the prefixes that their issuers document; each match is redacted whole."""
_TOKENS = "|".join(_PREFIXED.values()).replace(r"|\b", r"|(?:\b|_)").replace(r"\b", r"(?:\b|_)", 1)
"""The same, also as a part of a name: ``class Client_ghp_...``."""

_HOOK = (
    r"(?:hooks\.slack\.com/services/T[A-Z0-9]+/B[A-Z0-9]+/|discord(?:app)?\.com/api/webhooks/[0-9]{15,}/)"
    r"([A-Za-z0-9_-]{20,})"
)
_BEARER = r"(?i:\bbearer)[ ]+([A-Za-z0-9._~+/-]{20,}=*)"
_BASIC = r"(?i:\bbasic)[ ]+([A-Za-z0-9+/]{12,}={0,2})"
_KEY_BEGIN = r"-----BEGIN [A-Z0-9 ]*PRIVATE KEY(?: BLOCK)?-----"
_CURL_USER = r"""\bcurl\b[^\n]{0,400}[ ](?:-u|--user)[ =]?["']?[^\s:"'`]{1,80}:([^\s"'`]{8,})"""
_DSN_PASSWORD = r"""[\w.-]:([^\s@:/"'`(]{6,})@(?:tcp|unix)\("""
_URL_PASSWORD = r"""[A-Za-z][A-Za-z0-9+.-]*://[^\s:/@"'<>]*:([^\s/@"'<>]{3,})@[A-Za-z0-9\[_-]"""
_SECRET_KEY = (
    r"(?i:passw(?:or)?d|passphrase|pwd|secret|token|api[_.-]?key|access[_.-]?key|private[_.-]?key|credential"
    r"|(?:auth|account|encryption|signing|master|shared)[_.-]?key)"
)
_ASSIGNED = (
    rf"""([\w.-]*{_SECRET_KEY}[\w.-]*)["']?\]?[ \t]*(?::[ \t]*[\w.]+[ \t]*)?"""
    r"""(?:=>|:=|=|:)[ \t]*[rbuRBU]?["'`]"""
    r"""([^\s"'`]{12,})["'`]"""
)
_ASSIGNED_BARE = (
    rf"(?m)^[ \t]*(?:-[ \t]+)?(?:(?:export|ENV|ARG|set)[ \t]+)?([\w.-]*{_SECRET_KEY}[\w.-]*)[ \t]*[=:][ \t]*"
    r"([A-Za-z0-9+/=_!@#$^&*-]{12,})[ \t]*$"
)
_DEFINED = (
    rf"""(?:#[ \t]*define[ \t]+|define\([ \t]*["'])([\w.-]*{_SECRET_KEY}[\w.-]*)["']?[ \t]*,?[ \t]*"""
    r"""["']([^\s"']{12,})["']"""
)
_ELEMENT = rf"<([\w.:-]*{_SECRET_KEY}[\w.:-]*)>([^\s<>]{{12,}})</"
_INLINE = rf"""(?:[;&?]|--)([\w.-]*{_SECRET_KEY}) ?=["']?([^\s;&"'`]{{12,}})"""
_ATTRIBUTE = rf"""\b(?:key|name)="([\w.:-]*{_SECRET_KEY}[\w.:-]*)"[ \t]+value="([^\s"<>]{{12,}})\""""
_NAMED_VALUE = rf"""\bname:[ \t]*["']?([\w.-]*{_SECRET_KEY}[\w.-]*)["']?\r?\n[ \t]*value:[ \t]*["']?([^\s"'#]{{12,}})"""
_IN_PROSE = rf"(?:^|[\s(,`'\"])([\w.-]*{_SECRET_KEY})[=:]([A-Za-z0-9+/=_!@#$^&*-]{{8,}})"
"""A C or PHP constant; an XML element; a part of a connection string, an address or a command line; an element
of a settings file; a variable of a container; what a message of a commit quotes."""

_ANY = "|".join(
    (
        *(_TOKENS, _HOOK, _BEARER, _BASIC, _KEY_BEGIN, _URL_PASSWORD, _CURL_USER, _DSN_PASSWORD),
        *(_ASSIGNED, _ASSIGNED_BARE, _DEFINED, _ELEMENT, _INLINE, _ATTRIBUTE, _NAMED_VALUE),
    )
)

_PLACEHOLDER = re.compile(
    r"\$\{|\{\{|%[(sd]|\{[\w.]*\}|<[\w -]+>|\*{3}|x{4,}|X{4,}|\.\.\."
    r"|(?:^|[^A-Za-z])(?:your|my|example|sample|placeholder|change_?me|insecure|dummy|fake|test|redacted|default)",
)
_WEAK_PASSWORDS: frozenset[str] = words(
    """
    password passwd pass pwd pw passphrase secret token user username login xxx xxxx changeme example test
    testing root admin guest postgres mysql foo bar baz foobar port key auth none null
    """
)
_NOT_SECRET_KEY = re.compile(
    r"hash|digest|checksum|sha\d|md5|fingerprint|public|field|label|help|prompt|title|regex|pattern|format|message"
    r"|error|type|class|selector|placeholder|prefix|chars$|alphabet|charset"
    rf"|{_SECRET_KEY}.*(?:url|path|file|name|header|endpoint)",
    re.IGNORECASE,
)
"""Names of what is about a secret: ``password_hash``; ``token_url``, not ``url_token``."""
_HEX = re.compile(r"[0-9a-fA-F]+")
_UUID = re.compile(r"[0-9a-fA-F]{8}-(?:[0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}")
_SEPARATORS = re.compile(r"[_\-.:/@+]+")
_WORD = re.compile(r"[A-Za-z]*\d{0,4}")
_CODE = re.compile(r"[\\\[\](){}|<>;,]|://|\$\w+\$|(?:%[A-Za-z][^A-Za-z0-9]*){2}|^%[A-Za-z]|%[A-Za-z]$")
"""Signs of a pattern, a format, an address, or a salted hash (``$2b$12$...``)."""
_EXAMPLE = re.compile(r"EXAMPLE|x{6,}|X{6,}|0{8,}|\*{3}")
_MIN_TOKEN_ENTROPY = 2.5
"""A token of an issuer is random: one that is not stands in a documentation."""

_MIN_CHANGES = 3
_MIN_ENTROPY = 3.0
_LONG_SECRET = 20
_LONG_ENTROPY = 4.0
_LONG_HEX = 32
"""A random password of 12 characters changes between letters and digits more than twice and has over 3 bits a
character; a random key of 20 or more has over 4. English words and identifiers stay below either."""

_LONGEST = 200
"""A longer literal is data. Patterns have no upper bounds of their own: each would be so many states of a matcher."""
_MAX_KEY_BLOCK = 20_000
_BASE64_RUN = re.compile(r"[A-Za-z0-9+/=]{40,}")
_KEY_NOISE = re.compile(r"[^A-Za-z0-9+/=\s\"'\\,:;+-]")
_MAX_KEY_NOISE = 0.05


def redact(text: str, *, prose: bool = False) -> tuple[str, int]:
    """`text` with every secret replaced by asterisks of the same length, and how many there were. In `prose` (the
    message of a commit) ``password=...`` in the middle of a sentence counts: in code that is an expression."""
    if not prose and _compiled("any").search(text) is None:
        return text, 0
    count = 0
    finders = (_private_keys, _prefixed, _hooks, _authorisations, _url_passwords, _logins, _assigned)
    for find in (*finders, *((_quoted,) if prose else ())):
        spans = list(find(text))
        count += len(spans)
        text = _cover(text, spans)
    return text, count


@lru_cache(maxsize=32)
def _compiled(name: str) -> Any:
    """An RE2 pattern: linear in the text whatever it holds. RE2 has no types, hence Any."""
    import re2

    patterns = {
        "any": _ANY,
        "prefixed": _TOKENS,
        "key": _KEY_BEGIN,
        "url": _URL_PASSWORD,
        "assigned": _ASSIGNED,
        "bare": _ASSIGNED_BARE,
        "defined": _DEFINED,
        "element": _ELEMENT,
        "inline": _INLINE,
        "attribute": _ATTRIBUTE,
        "variable": _NAMED_VALUE,
        "prose": _IN_PROSE,
        "curl": _CURL_USER,
        "dsn": _DSN_PASSWORD,
        "hook": _HOOK,
        "bearer": _BEARER,
        "basic": _BASIC,
    }
    options = re2.Options()
    options.log_errors = False  # it would write to the standard error stream of whoever searches
    return re2.compile(patterns[name], options)


def _cover(text: str, spans: list[tuple[int, int]]) -> str:
    out: list[str] = []
    end = 0
    for start, stop in sorted(spans):
        if start < end:
            continue
        out += (text[end:start], "\n".join("*" * len(part) for part in text[start:stop].split("\n")))
        end = stop
    out.append(text[end:])
    return "".join(out)


def _prefixed(text: str) -> Iterator[tuple[int, int]]:
    for match in _compiled("prefixed").finditer(text):
        if _is_token(match.group()):
            yield match.span()


def _is_token(value: str) -> bool:
    return _EXAMPLE.search(value) is None and _entropy(value) >= _MIN_TOKEN_ENTROPY


def _hooks(text: str) -> Iterator[tuple[int, int]]:
    """The last part of an address at which anyone may post."""
    for match in _compiled("hook").finditer(text):
        if _is_token(match.group(1)):
            yield match.span(1)


def _authorisations(text: str) -> Iterator[tuple[int, int]]:
    """What follows ``Bearer`` and looks random, or ``Basic`` and is a name with a random password."""
    for match in _compiled("bearer").finditer(text):
        if _looks_like_key("token", match.group(1)):
            yield match.span(1)
    for match in _compiled("basic").finditer(text):
        if _is_basic(match.group(1)):
            yield match.span(1)


def _is_basic(value: str) -> bool:
    import base64

    try:
        name, colon, password = base64.b64decode(value, validate=True).decode("ascii").partition(":")
    except ValueError:
        return False
    return bool(colon) and (name + password).isprintable() and looks_random("password", password)


def _private_keys(text: str) -> Iterator[tuple[int, int]]:
    """The body of every private key block. Code that only names the markers has no key in between."""
    for match in _compiled("key").finditer(text):
        start = match.end()
        window = text[start : start + _MAX_KEY_BLOCK]
        stop = window.find("-----END ")
        body = window if stop < 0 else window[:stop]
        if stop < 0:
            # Cut off or unterminated: as far as it looks like a key.
            noise = re.search(r"[^A-Za-z0-9+/=\s\\]", body)
            body = body[: noise.start()] if noise else body
        if _BASE64_RUN.search(body) and len(_KEY_NOISE.findall(body)) <= _MAX_KEY_NOISE * len(body):
            yield start, start + len(body)


def _url_passwords(text: str) -> Iterator[tuple[int, int]]:
    for match in _compiled("url").finditer(text):
        password = match.group(1)
        if len(password) <= _LONGEST and password.lower() not in _WEAK_PASSWORDS and not _is_template(password):
            yield match.span(1)


def _logins(text: str) -> Iterator[tuple[int, int]]:
    """Passwords behind a name on a command line of curl, and in an address of a Go database driver."""
    for name in ("curl", "dsn"):
        for match in _compiled(name).finditer(text):
            password = match.group(1)
            plain = password.isalpha() or password.isdigit()  # a word of a documentation, a port
            if len(password) <= _LONGEST and not (plain or _is_template(password) or _PLACEHOLDER.search(password)):
                yield match.span(1)


def _is_template(value: str) -> bool:
    return value[0] in "$%{<*" or any(mark in value for mark in ("${", "{", "%s", "%(", "***"))


def _assigned(text: str) -> Iterator[tuple[int, int]]:
    return _judged(text, _JUDGES)


def _quoted(text: str) -> Iterator[tuple[int, int]]:
    """What stands assigned in a sentence."""
    return _judged(text, (("prose", looks_random),))


def _judged(text: str, judges: Sequence[tuple[str, Callable[[str, str], bool]]]) -> Iterator[tuple[int, int]]:
    """Values behind the name of a secret, by a pattern, that its judge takes for one."""
    for name, judge in judges:
        for match in _compiled(name).finditer(text):
            key, value = match.group(1), match.group(2)
            if len(value) <= _LONGEST and not _NOT_SECRET_KEY.search(key) and judge(key, value):
                yield match.span(2)


def looks_random(key: str, value: str) -> bool:
    """True where a literal assigned to `key` is a secret and not a word, a placeholder, a hash or an
    identifier."""
    if _PLACEHOLDER.search(value) or _CODE.search(value) or _UUID.fullmatch(value):
        return False
    if all(map(_WORD.fullmatch, _SEPARATORS.split(value))):
        return False
    if _HEX.fullmatch(value):
        # In hexadecimal a password is a hash; a token or key of this length may well be one.
        return len(value) >= _LONG_SECRET and "pass" not in key.lower() and _entropy(value) > _MIN_ENTROPY
    changes = _changes(value)
    if changes >= _MIN_CHANGES and _entropy(value) >= _MIN_ENTROPY:
        return True
    return _mixed(value) and len(value) >= _LONG_SECRET and _entropy(value) >= _LONG_ENTROPY


def _looks_like_key(key: str, value: str) -> bool:
    """The stricter test for a value without quotes, which in code would be an expression."""
    if _HEX.fullmatch(value):
        return len(value) >= _LONG_HEX and looks_random(key, value)
    return _mixed(value) and _changes(value) >= _MIN_CHANGES and looks_random(key, value)


_JUDGES: Sequence[tuple[str, Callable[[str, str], bool]]] = (
    *((name, looks_random) for name in ("assigned", "defined", "attribute", "variable")),
    *((name, _looks_like_key) for name in ("bare", "element", "inline")),
)


def _mixed(value: str) -> bool:
    tests: tuple[Callable[[str], bool], ...] = (str.isupper, str.islower, str.isdigit)
    return all(any(map(test, value)) for test in tests)


def _changes(value: str) -> int:
    """How often letters and digits (or signs) take turns, leaving out separators."""
    kinds = [(char.isdigit(), char.isalpha()) for char in value if char not in "_-./:@"]
    return sum(one != other for one, other in pairwise(kinds))


def _entropy(value: str) -> float:
    """Shannon entropy in bits a character."""
    total = len(value)
    return -sum(n / total * math.log2(n / total) for n in (value.count(char) for char in set(value)))
