"""Questions about callers, subclasses and what a change reaches, with the truth of a precise tool.

``asked.jsonl`` says what is asked, by name and by description; ``python -m benchmarks.structural`` has jedi or the
TypeScript compiler tell the answers and writes ``benchmarks/questions/structural/queries.jsonl``.
"""
