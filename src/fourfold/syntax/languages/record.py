"""What Fourfold knows of one language."""

from __future__ import annotations

from fourfold.model.record import record


@record(frozen=True, slots=True)
class Grammar:
    """Where a grammar comes from: a wheel's module, the function in it, and the files of ``queries/`` (blank
    between).
    """

    module: str
    function: str = "language"
    query: str = ""


@record(frozen=True, slots=True)
class Language:
    """One language.

    `name` is canonical and lower case; `aliases` are what people type in a filter. `extensions` carry their
    dot and are lower case; `filenames` are whole names; `shebangs` are interpreter names without version.
    `grammar` is None where files are cut without a syntax tree; `variants` maps an extension to another
    grammar (``.tsx``). `comments` are prefixes of lines that belong to the definition below them: comments,
    decorators, attributes. `family` says which cutter serves it: code, markdown, rst, notebook, component
    (script blocks in markup), config or text. `clauses`: neighbours of one name are clauses of one
    function.
    """

    name: str
    extensions: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    filenames: tuple[str, ...] = ()
    shebangs: tuple[str, ...] = ()
    grammar: Grammar | None = None
    variants: tuple[tuple[str, Grammar], ...] = ()
    comments: tuple[str, ...] = ()
    family: str = "code"
    clauses: bool = False

    def grammar_for(self, path: str) -> Grammar | None:
        """The grammar for a file of this language: a variant by extension, else the language's own."""
        lowered = path.lower()
        for extension, grammar in self.variants:
            if lowered.endswith(extension):
                return grammar
        return self.grammar
