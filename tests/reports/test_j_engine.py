"""Field reports of group J (secrets and trust), acted out on an index."""

from __future__ import annotations

import os

from tests.reports.project import Project, paths

from fourfold.model.query import Filters

TOKEN = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
FILES = {
    ".env": f"GITHUB={TOKEN}\n",
    "deploy/server.pem": "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE KEY-----\n",
    "config/credentials.json": '{"needle": 1}\n',
    "src/client.py": f'TOKEN = "{TOKEN}"\n\n\ndef needle():\n    return TOKEN\n',
}


def test_j1_key_files_are_in_no_answer(project: Project) -> None:
    project.write(FILES)
    project.git("add", "--force", ".")
    index = project.index(**{"index.hidden": True, "index.include": ["*"]})
    assert index.refresh().skipped == {"secret": 3}
    assert paths(index.grep(".")) == ["src/client.py"]
    assert not index.grep("GITHUB|PRIVATE|needle", filters=Filters(not_paths=("src",))).items
    assert index.status_of(".env").reason == "secret"


def test_j2_a_token_in_source_is_nowhere_in_the_index(project: Project) -> None:
    index = project.write(FILES).index()
    index.refresh()
    assert not index.grep(TOKEN, literal=True).items
    shown = index.search("needle").items[0]
    assert TOKEN not in shown.snippet
    assert index.grep("TOKEN = ").items[0].text == f'TOKEN = "{"*" * len(TOKEN)}"'
    assert "1 secret redacted" in index.status_of("src/client.py").note
    index.close()
    for folder, _, names in os.walk(index.location):
        for name in names:
            with open(os.path.join(folder, name), "rb") as file:  # noqa: PTH118, PTH123
                assert TOKEN.encode() not in file.read()


def test_j6_a_repository_cannot_widen_what_is_read(project: Project) -> None:
    project.write(FILES)
    project.write(
        {
            "fourfold.toml": 'cache_dir = "stolen"\n[index]\nredact_secrets = false\nhidden = true\n'
            'max_file_bytes = 90000000\nexclude = ["vendor/"]\n[embedding]\nmodel = "none"\n',
            "vendor/a.py": "needle = 1\n",
            ".hidden/b.py": "needle = 1\n",
        }
    )
    index = project.index()
    settings = index.settings
    assert "stolen" not in settings.cache_dir
    assert (settings.index.redact_secrets, settings.index.hidden) == (True, False)
    assert (settings.index.max_file_bytes, settings.embedding.provider) == (1_000_000, "static")
    assert paths(index.grep("needle")) == ["src/client.py"]
    assert not (project.root / "stolen").exists()
    ran = project.run("search", "needle", "-l")
    assert ran.out.split()[0] == "src/client.py"
    assert ran.err.count("is ignored") == 5
