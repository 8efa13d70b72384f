"""Of a qualified name the definition beside its owner comes first."""

from __future__ import annotations

from pathlib import Path

from tests.built import Built

from fourfold.retrieve.structural import structural_hits


def test_a_qualified_name_leads_to_the_file_of_its_owner(tmp_path: Path) -> None:
    body = "    def as_string(self):\n        return ''\n"
    files = {f"{name}.py": f"class {name.title()}:\n{body}" for name in ("element", "primitive", "array")}
    with Built(tmp_path, model="none") as built:
        corpus = built.write(files).corpus
        for name in ("element", "primitive", "array"):
            first = structural_hits(corpus, [f"{name.title()}.as_string"], 5)[0]
            assert corpus.paths[int(corpus.chunk_file[first.chunk])] == f"{name}.py"
        assert len(structural_hits(corpus, ["as_string"], 5)) == 3


def test_of_several_owners_in_a_file_each_has_its_own_member(tmp_path: Path) -> None:
    text = "".join(
        f"class {name}:\n    size = 1\n\n    def close(self):\n        pass\n\n\n" for name in ("Box", "Bag", "Jar")
    )
    with Built(tmp_path) as built:
        index = built.write({"things.py": text, "other.py": "def close():\n    pass\n"}).index
        for name, line in (("Box", 4), ("Bag", 11), ("Jar", 18)):
            first = index.search(f"where is {name}.close defined").items[0]
            assert (first.path, first.start_line, first.symbol) == ("things.py", line, f"{name}.close")
