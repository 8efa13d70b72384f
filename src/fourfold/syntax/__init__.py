"""Languages, grammars, chunks and symbols."""
