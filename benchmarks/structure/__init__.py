"""Structure against precise tools: ``python -m benchmarks.structure --truth TOOL --corpus DIR``.

`site.py` calls with what they mean, `truth/` one module a tool that says so, `calls.py` the graph's answers beside
them, `definitions.py` definitions beside those of ctags, `broken.py` definitions in damaged source.
"""
