"""Makes the glossaries that read a question of another language in English: ``python -m training.lexicon``."""
