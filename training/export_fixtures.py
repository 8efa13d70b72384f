"""Make the fixtures of ``tests/embed`` with the reference reader of ``training/embedding/reference.py``.

``python -m training.export_fixtures TOKENIZER BUNDLE [OUT_DIR]`` reads words drawn from Python's standard library and
from a seeded generator and a few texts, and writes ``pieces.tsv`` (a lower-case word and its token numbers in order),
``words.tsv`` (a word as written and its token numbers, ascending), ``texts.json`` and ``vectors.npz``.
"""

from __future__ import annotations

import argparse
import json
import random
import string
import sysconfig
from pathlib import Path

import numpy as np
from training.embedding.reference import PART, Reference

from fourfold.model.text import words

SEED = 20
PIECES = 3000
WORDS = 1500
QUERIES = (
    "how does the cache evict old entries",
    "parse_http_response2",
    "where is JSONDecodeError raised",
    "zlib crc32 of 65536 bytes",
    "wie funktioniert die Verschlüsselung",
    "文件上传在哪里实现 upload",
    "設定ファイルを読み込む",
)
DOCUMENTS = (
    (
        "src/app/cache.py",
        "Cache.evict",
        'def evict(self, now):\n    """Drop entries older than max_age_s."""\n',
    ),
    (
        "cmd/server/main.go",
        "main",
        'func main() {\n\tlog.Fatal(http.ListenAndServe(":8080", NewRouter()))\n}\n',
    ),
    (
        "web/js/useSession.ts",
        "useSession",
        "export const useSession = () => useContext(SessionContext) // 认证\n",
    ),
    (
        "lib/crc32.c",
        "crc32_update",
        "uint32_t crc32_update(uint32_t crc, const uint8_t *p) { return crc ^ *p; }\n",
    ),
    ("docs/Größe.md", "Größe", "# Größe\n\nDie maximale Größe ist 65536 Bytes.\n"),
    (
        "src/main/java/XMLHttpParser.java",
        "XMLHttpParser",
        "public final class XMLHttpParser extends BaseParser {}\n",
    ),
)
"""Path, symbol and text of the documents whose vectors are compared."""


def sample_words(library: Path) -> list[str]:
    """Distinct words of some modules of the standard library, shuffled, among them unusual ones."""
    chance = random.Random(SEED)
    found: set[str] = set()
    for path in sorted(library.glob("*.py"))[:160]:
        found.update(words(path.read_text("utf-8", "replace")))
    listed = sorted(word for word in found if len(word) <= 60)
    chance.shuffle(listed)
    unusual = [
        "_",
        "__",
        "été_1",
        "naïveBayes",
        "认证",
        "ÅngströmUnit",
        "x" * 128,
        "f" * 90,
        "0" * 30,
        "2fa",
        "a1b2c3d4",
    ]
    alphabet = string.ascii_letters + string.digits + "_"
    unusual += ["".join(chance.choices(alphabet, k=chance.randint(1, 40))) for _ in range(150)]
    return unusual + listed


def sample_pieces(sampled: list[str]) -> list[str]:
    """Distinct lower-case parts of the sampled words, then random letters and digits."""
    chance = random.Random(SEED)
    parts = {part.lower() for word in sampled for part in PART.findall(word)}
    listed = sorted(part for part in parts if len(part) <= 128)
    chance.shuffle(listed)
    noise = ["".join(chance.choices(string.ascii_lowercase, k=chance.randint(1, 30))) for _ in range(300)]
    noise += ["".join(chance.choices(string.digits, k=chance.randint(1, 4))) for _ in range(100)]
    return list(dict.fromkeys(noise + listed))[:PIECES]


def export(tokenizer: Path, bundle: Path, target: Path) -> None:
    """Write the fixtures."""
    reader = Reference(tokenizer, bundle)
    sampled = sample_words(Path(sysconfig.get_paths()["stdlib"]))
    pieces = {part: reader.pieces(part) for part in sample_pieces(sampled)}
    bags = {word: sorted(reader.ids(word[:128] if word.isascii() else word)) for word in sampled[:WORDS]}
    paths, symbols, texts = (list(column) for column in zip(*DOCUMENTS, strict=True))
    target.mkdir(parents=True, exist_ok=True)
    for name, table in (("pieces.tsv", pieces), ("words.tsv", bags)):
        lines = [f"{key}\t{' '.join(map(str, ids))}\n" for key, ids in table.items()]
        (target / name).write_text("".join(lines), "utf-8", newline="\n")
    listing = {"texts": texts, "paths": paths, "symbols": symbols, "queries": QUERIES}
    (target / "texts.json").write_text(json.dumps(listing, indent=1) + "\n", "utf-8")
    np.savez_compressed(
        target / "vectors.npz",
        bodies=reader.documents(texts).astype(np.float32),
        documents=reader.documents(texts, paths, symbols).astype(np.float32),
        queries=reader.queries(list(QUERIES)).astype(np.float32),
    )


def main() -> None:
    """Parse the command line and export."""
    parser = argparse.ArgumentParser(description="Make the fixtures of tests/embed with the reference reader.")
    parser.add_argument("tokenizer", type=Path, help="the trained tokenizer.json")
    parser.add_argument("bundle", type=Path, help="the bundle whose vectors are read")
    default = Path(__file__).parents[1] / "tests" / "embed" / "fixtures"
    parser.add_argument("target", type=Path, nargs="?", default=default, help="where the fixtures go")
    arguments = parser.parse_args()
    export(arguments.tokenizer, arguments.bundle, arguments.target)


if __name__ == "__main__":
    main()
