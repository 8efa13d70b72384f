"""Secret files and secret tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fourfold.source.secrets import is_secret_path, is_secret_text, redact, without_tokens

# Put together from pieces, so that no scanner takes this file for a leak.
AWS = "AKIA" + "IOSFODNN7ABCDEFG"
GITHUB = "ghp_" + "aB3dE5fG7hJ9kL1mN3pQ5rS7tU9vW1xY3zA5"
SLACK = "xoxb-" + "123456789012-abcdefABCDEF0123"
STRIPE = "sk_live_" + "4eC39HqLyjWDarjtT1zdp7dc"
GOOGLE = "AIza" + "SyD4q8kX2mN6pR9tV3wY7zB1cE5fG8hJ0lQ"
JWT = "eyJhbGciOiJIUzI1NiJ9" + "." + "eyJzdWIiOiIxMjM0NTY3ODkwIn0" + "." + "dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U"
RANDOM = "kD8#vQ2m" + "Zx7Lp4Wt9"


@pytest.mark.parametrize(
    "path",
    [
        ".env",
        "a/.env",
        ".env.local",
        ".env.production",
        "prod.env",
        "cert.pem",
        "deploy/server.KEY",
        "id_rsa",
        "id_ed25519.pub",
        "id_rsa_work",
        "credentials.json",
        ".netrc",
        ".pypirc",
        "x/.aws/credentials",
        ".git-credentials",
        "store.p12",
        "release.keystore",
        "config/secrets.yml",
        "terraform.tfstate",
        ".docker/config.json",
        ".bash_history",
    ],
)
def test_secret_paths(path: str) -> None:
    assert is_secret_path(path)


@pytest.mark.parametrize(
    "path",
    [
        ".env.example",
        ".env.sample",
        ".env.template",
        "env.py",
        "environment.ts",
        "credentials.py",
        "secrets.py",
        "id_rsa_loader.py",
        "src/config.json",
        "config",
        "keys.go",
        "key.rs",
        "pem.c",
        "tokens.json",
        ".npmrc",
        "docs/credentials",
        "monkey.py",
        "sample.env",
        "certs/ca.crt",
    ],
)
def test_ordinary_paths(path: str) -> None:
    assert not is_secret_path(path)


def test_npmrc_is_secret_with_a_token_only() -> None:
    assert is_secret_text(".npmrc", "//registry.example.org/:_authToken=abcdef\n")
    assert not is_secret_text(".npmrc", "save-exact=true\n# _authToken=x\n//r/:_authToken=${TOKEN}\n")
    assert not is_secret_text("a.py", "_authToken=abcdef\n")


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        (f'key = "{AWS}"', AWS),
        (f"token: {GITHUB}", GITHUB),
        (f"SLACK={SLACK}", SLACK),
        (f"stripe.api_key = '{STRIPE}'", STRIPE),
        (f"https://maps/?key={GOOGLE}&x=1", GOOGLE),
        (f"Authorization: Bearer {JWT}", JWT),
        ("postgres://app:s3cr3tPw@db:5432/x", "s3cr3tPw"),
        (f'password = "{RANDOM}"', RANDOM),
        (f"'db_password': '{RANDOM}',", RANDOM),
        (f"password: str = '{RANDOM}'", RANDOM),
        (f'config["api_key"] = "{RANDOM}"', RANDOM),
        ('API_KEY = "9f86d081884c7d659a2feaa0c55ad015"', "9f86d081884c7d659a2feaa0c55ad015"),
        ("export AWS_SECRET_ACCESS_KEY=wJalrXUtnF3MI7K7MDENGbPxRfiCY9zK", "wJalrXUtnF3MI7K7MDENGbPxRfiCY9zK"),
    ],
)
def test_secrets_are_covered_in_place(text: str, secret: str) -> None:
    covered, count = redact(f"x = 1\n{text}\ny = 2\n")
    assert count == 1
    assert covered == f"x = 1\n{text.replace(secret, '*' * len(secret))}\ny = 2\n"


def test_private_key_blocks_keep_their_lines() -> None:
    body = "\n".join(["MIIEowIBAAKCAQEA0Z3VS5JJcds3xfn" + "A1b2C3d4E5f6G7h8I9j0K1l2M3n4"] * 4)
    text = f"-----BEGIN RSA PRIVATE KEY-----\n{body}\n-----END RSA PRIVATE KEY-----\nafter\n"
    covered, count = redact(text)
    assert count == 1
    assert covered.count("\n") == text.count("\n")
    assert len(covered) == len(text)
    assert "MII" not in covered
    assert covered.endswith("-----END RSA PRIVATE KEY-----\nafter\n")


def test_an_unterminated_key_is_covered_as_far_as_it_looks_like_one() -> None:
    covered, count = redact("-----BEGIN PRIVATE KEY-----\n" + "QUJD" * 20 + "\n\ndef after(): pass\n")
    assert count == 1
    assert "QUJD" not in covered
    assert covered.endswith("(): pass\n")


@pytest.mark.parametrize(
    "line",
    [
        "password = get_password()",
        'token = "token"',
        'password = "correct horse battery staple"',
        'PASSWORD_HASHER = "django.contrib.auth.hashers.PBKDF2"',
        'password_hash = "5f4dcc3b5aa765d61d8327deb882cf99"',
        'password = "5f4dcc3b5aa765d61d8327deb882cf99"',
        'expected_sha1 = "da39a3ee5e6b4b0d3255bfef95601890afd80709"',
        'token = "550e8400-e29b-41d4-a716-446655440000"',
        'SECRET_KEY = os.environ["SECRET_KEY"]',
        'api_key = "${API_KEY_2_FROM_ENV}"',
        'api_key = "<your-api-key-1234>"',
        'token_url = "https://example.com/oauth2/v1/token3"',
        'token_format = "%Y-%m-%dT%H:%M:%S"',
        'password="pbkdf2_sha256$36000$abcDEF12$Zm9v"',
        'secret_name = "my-app-v2-eu1-prod3"',
        "postgres://user:password@localhost/db",
        "postgres://{user}:{password}@{host}/db",
        "http://example.com:8080/@scope/pkg",
        "git@github.com:owner/repo.git",
        'if "-----BEGIN PRIVATE KEY-----" in text and "-----END PRIVATE KEY-----" in text: load(text)',
        "AKIAIOSF",
        "class TokenV2Credential2Provider3Factory4(Base):",
        "    token = self.make_Token2From3Parts4(value)",
        'passwordInput.placeholder = "At least 12 characters"',
    ],
)
def test_ordinary_code_is_left_alone(line: str) -> None:
    assert redact(line + "\n") == (line + "\n", 0)


@given(
    st.text(alphabet="ab1 \n\"'=:@/-_.*{}", max_size=80),
    st.sampled_from([AWS, GITHUB, "p://u:Xk3dd9@h", f'password="{RANDOM}"']),
)
def test_length_lines_and_rest_stay(around: str, secret: str) -> None:
    text = f"{around}\n{secret}\n{around}"
    covered, count = redact(text)
    assert count >= 1
    assert len(covered) == len(text)
    assert [len(line) for line in covered.split("\n")] == [len(line) for line in text.split("\n")]
    assert all(new in (old, "*") for new, old in zip(covered, text, strict=True))
    assert redact(covered)[0] == covered


PASSWORD = "Tr0ub4dor" + "bIUyd2j8"
HEX_KEY = "9f86d081884c7d65" + "9a2feaa0c55ad015"


@pytest.mark.parametrize(
    "line",
    [
        f"password: {PASSWORD}",
        f"  - db_password: {PASSWORD}",
        f"spring.datasource.password={PASSWORD}",
        f"export DB_PASSWORD={PASSWORD}",
        f"ENV DB_PASSWORD={PASSWORD}",
        f"ARG TOKEN={PASSWORD}",
        f"secret_key: {HEX_KEY}",
        f"api.key={HEX_KEY}",
    ],
)
def test_values_without_quotes_in_configuration_are_covered(line: str) -> None:
    text, count = redact(line)
    assert count == 1
    assert PASSWORD not in text
    assert HEX_KEY not in text


@pytest.mark.parametrize(
    "line",
    [
        "password: changeme12345",
        "password: ${DB_PASSWORD}",
        "token = base64_encode2",
        "password = getPassword2Value",
        "token: GITHUB_TOKEN_V2_abc",
        f"password_hash: {HEX_KEY}",
        "secret = None",
    ],
)
def test_words_and_expressions_without_quotes_are_left_alone(line: str) -> None:
    assert redact(line) == (line, 0)


PASSWORD = "kD8vQ2mZx7" + "Lp4Wt9"


@pytest.mark.parametrize(
    "text",
    [
        "curl -sS -u deploy:{} https://api.internal/v1",
        "curl https://api.internal/v1 --user='deploy:{}'",
        'sql.Open("mysql", "app:{}@tcp(db:3306)/shop")',
        'sql.Open("mysql", "app:{}@unix(/run/db.sock)/shop")',
        '<add key="SmtpPassword" value="{}" />',
        "env:\n  - name: DB_PASSWORD\n    value: {}\n",
        "env:\n  - name: DB_PASSWORD\r\n    value: '{}'\r\n",
        "dburl_token = '{}'",
    ],
)
def test_passwords_of_command_lines_and_settings(text: str) -> None:
    covered, count = redact(text.format(PASSWORD))
    assert count == 1
    assert covered == text.format("*" * len(PASSWORD))


@pytest.mark.parametrize(
    "text",
    [
        "env:\n  - name: PASSWORD_FILE\n    value: /run/secrets/db-2-password\n",
        "env:\n  - name: DB_PASSWORD\n    valueFrom:\n      secretKeyRef: a1b2c3d4e5f6\n",
        "token_url = 'a1b2c3d4e5f6g7h8'",
        "unsubscribe -u user:a1b2c3d4e5",
        f"connect(user, password={PASSWORD})",
    ],
)
def test_what_is_about_a_password_stays(text: str) -> None:
    assert redact(text) == (text, 0)


def test_a_password_in_the_message_of_a_commit_is_covered() -> None:
    message = "Fix login\n\nTried with password={} on staging, token=refresh and user=me."
    assert redact(message.format(PASSWORD), prose=True) == (message.format("*" * len(PASSWORD)), 1)


TOKEN = "ghp_" + "9aB3kLmZq7Rt2XvYw5Nc8Jd4Hf6Gs1Pe0Uo3"


def test_a_token_in_a_name_is_covered() -> None:
    assert is_secret_path(f"src/{TOKEN}.py")
    assert not is_secret_path("src/a_rather_long_name_of_a_module_without_a_token.py")
    assert redact(f"class Client_{TOKEN}: pass")[1] == 1
    assert without_tokens(f"fix/{TOKEN}") == f"fix/{'*' * len(TOKEN)}"
    assert without_tokens("fix/the-long-standing-trouble-with-logins") == "fix/the-long-standing-trouble-with-logins"
