"""Parameters of functions that are passed get their types from the signature of what they are passed to."""

from __future__ import annotations

import pytest
from tests.graph.world import edges, graph_of

from fourfold.graph.signatures import declared, taken

OPERATE = (
    "export function operate<T, R>(init: (source: Observable<T>, subscriber: Subscriber<R>) => (() => void) | void)"
)


@pytest.mark.parametrize(
    ("signature", "argument", "parameter", "name"),
    [
        (OPERATE, 0, 0, "Observable"),
        (OPERATE, 0, 1, "Subscriber"),
        (OPERATE, 0, 2, ""),
        (OPERATE, 1, 0, ""),
        ("constructor(subscribe?: (this: Source<T>, subscriber: Subscriber<T>) => Teardown)", 0, 0, "Subscriber"),
        ("run(this: App, name: string, done?: ((result: Result, error?: Error) => void) | null)", 1, 0, "Result"),
        ("f<A extends (x: X) => Y>(g: (b: Jar) => void)", 0, 0, "Jar"),
        ("f(items: Item[], callback: Callback)", 1, 0, ""),
        ("f(g: (items: Item[]) => void)", 0, 0, ""),
        ("f(", 0, 0, ""),
        ("", 0, 0, ""),
    ],
)
def test_types_in_signatures(signature: str, argument: int, parameter: int, name: str) -> None:
    assert taken(declared(signature, argument), parameter) == name


def test_calls_on_such_parameters_are_resolved() -> None:
    files = {
        "box.ts": "export class Jar<T> {\n  open(): void {}\n  constructor(fill?: (box: Jar<T>) => void) {}\n"
        "  each(visit: (inner: Jar<T>, index: number) => void): void {}\n}\n",
        "lib.ts": "import { Jar } from './box';\n"
        "export function withJar<T>(use: (first: string, box: Jar<T>) => void): void {}\n",
        "app.ts": "import { Jar } from './box';\nimport { withJar } from './lib';\n"
        "export function one() {\n  withJar((first, box) => { box.open(); first.open(); });\n}\n"
        "export function two() {\n  return new Jar((made) => made.open());\n}\n"
        "export function three(outer: Jar<string>) {\n  outer.each(function (inner, index) { inner.open(); });\n}\n"
        "export function four(unknown: any) {\n  unknown((box) => box.open());\n}\n",
    }
    found = {
        (source, confidence) for source, target, confidence in edges(graph_of(files)) if target == "box.ts:Jar.open"
    }
    resolved = {source for source, confidence in found if confidence == "resolved"}
    assert resolved == {"app.ts:one", "app.ts:two", "app.ts:three"}
