"""Runs over a prepared working folder, each in a process of its own."""

from __future__ import annotations

from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial
from multiprocessing import get_context
from pathlib import Path

from training.embedding.dataset import load
from training.embedding.lessons import lessons_of_words, load_lessons
from training.embedding.recipe import Recipe
from training.embedding.tokens import Tokenizer
from training.embedding.train import Trained, Trainer, mean_of, prefix_tokens
from training.embedding.words import beginning, load_words


def mean_of_runs(work: Path, recipe: Recipe, seeds: int, workers: int) -> Trained:
    """The mean of `seeds` runs that differ in their seeds only, the first having the recipe's.

    `work` holds ``tokenizer.json``, ``dataset.npz``, ``sentences.npz`` and ``words.npz``.
    """
    recipes = [replace(recipe, seed=recipe.seed + number) for number in range(seeds)]
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        return mean_of(list(pool.map(partial(run, work), recipes)))


def run(work: Path, recipe: Recipe) -> Trained:
    """One run; all runs begin at the same vectors."""
    read = partial(Tokenizer, work / "tokenizer.json")
    tokenizer, known = read(), load_words(work / "words.npz")
    start = beginning(len(tokenizer), recipe.dimension, *known)
    sentences, words = load_lessons(work / "sentences.npz", read), lessons_of_words(*known)
    dataset, prefixes = load(work / "dataset.npz"), prefix_tokens(tokenizer.word_ids)
    return Trainer(dataset, len(tokenizer), recipe, prefixes, start, sentences, words).run()
