"""The nouns of Fourfold: spans, chunks, symbols, queries, hits, results and errors. Standard library only."""
