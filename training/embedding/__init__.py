"""How the bundled embedding is made: ``python -m training.embedding`` rebuilds it; see docs/model.md."""
