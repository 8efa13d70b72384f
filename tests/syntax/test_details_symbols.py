"""What is said of a symbol besides its place: documentation, decorators, visibility, modifiers, stereotype."""

from __future__ import annotations

import pytest

from fourfold.model.symbol import Symbol
from fourfold.syntax.parse import parse_file

NAMES = {
    "python": "shop/views.py",
    "javascript": "web/app.js",
    "typescript": "web/app.tsx",
    "go": "shop/shop.go",
    "rust": "src/lib.rs",
    "java": "Shop.java",
    "kotlin": "Shop.kt",
    "c": "shop.c",
    "cpp": "shop.cpp",
    "csharp": "Shop.cs",
    "ruby": "app/models/shop.rb",
    "php": "app/Shop.php",
    "swift": "Shop.swift",
    "scala": "Shop.scala",
    "bash": "shop.sh",
    "lua": "shop.lua",
    "elixir": "lib/shop.ex",
    "haskell": "Shop.hs",
    "zig": "shop.zig",
    "sql": "shop.sql",
    "dart": "shop.dart",
    "vue": "Shop.vue",
}

SOURCES = {
    "python": '''
class Order(models.Model):
    """One order.

    More of it.
    """

    _total = 0

    @property
    @cached(
        seconds=3,
    )
    def total(self):
        """The sum
        of all lines. """

    @staticmethod
    async def __load(key): ...

# Shows an order.
def show(request, key):
    def helper(): ...

@router.get("/x")
def read(): ...
''',
    "javascript": """
/** Loads it.
 * @param {string} key what
 */
export async function load(key) {}
const helper = async () => {};
class Store { #items = []; static open() {} }
function useStore() {}
function guard(req, res, next) {}
module.exports.run = function () {};
export { useStore };
""",
    "typescript": """
@Injectable()
export class Users {
  /** Finds one. */
  @Get(':id')
  @Roles({
    all: true,
  })
  async find(id: string) {}
  private readonly cache = 1;
}
export const Card = () => <div></div>;
it('works', () => {});
""",
    "go": """
package shop

// Open opens the shop,
// all of it.
//
// More.
func Open(w http.ResponseWriter, r *http.Request) {}

//go:noinline
func close() {}

func Guard(next http.Handler) http.Handler { return next }
func TestOpen(t *testing.T) {}
""",
    "rust": """
/// One order.
///
/// # Panics
/// never
#[derive(Debug)]
pub struct Order { pub id: u8, note: String }
impl Order {
    pub(crate) async fn load() {}
}
impl Display for Order { fn fmt(&self) {} }
#[test]
fn works() {}
""",
    "java": """
/**
 * Serves {@link Order}s.
 * <p>More.
 */
@RestController
@RequestMapping("/orders")
public class Orders {
  private static final int LIMIT = 3;
  /** Finds. @return it */
  @Override
  protected Order find() { return null; }
  @Test void works() {}
  interface Sink { void put(); }
}
""",
    "kotlin": """
/** An order. */
@Serializable
data class Order(val id: Long)
internal suspend fun load() {}
abstract class Base { protected abstract fun run(); override fun toString() = "" }
""",
    "c": """
/* Adds. */
static int add(int a) { return a; }
int sum(int a) { return a; }
""",
    "cpp": """
/// \\brief A link.
class Link {
  int fd_;
public:
  virtual void open() = 0;
  void close() override;
protected:
  static constexpr int kMax = 3;
};
""",
    "csharp": """
/// <summary>
/// Serves <see cref="Order"/> objects.
/// </summary>
/// <param name="x">no</param>
[ApiController]
[Route("api/[controller]")]
public class OrdersController : ControllerBase {
  private readonly int _a;
  [HttpGet("{id}")]
  public async Task<int> Get(int id) { return 1; }
  int Hidden() { return 1; }
}
""",
    "ruby": """
# An order.
class Order < ApplicationRecord
  def self.open; end

  def shown; end

  private

  def hidden; end
end
""",
    "php": """<?php
/**
 * An order.
 */
#[Entity]
class Order extends Model {
    /** Finds. */
    public static function find() {}
    protected $total;
    private function hide() {}
}
""",
    "swift": """
/// A profile.
@MainActor
final class Profile {
    private let name: String
    @discardableResult
    public func load() async -> Int { 1 }
    static func make() {}
}
""",
    "scala": """
/** Routes. */
class Router {
  private val limit = 3
  override def toString = ""
}
""",
    "bash": """
# Logs a line.
log() { echo; }
_hidden() { echo; }
""",
    "lua": """
--- Adds one.
local function add(a) return a end
function M.run() end
""",
    "elixir": '''
defmodule Shop do
  @moduledoc """
  The shop.

  More.
  """

  @doc "Opens it."
  @spec open(integer) :: :ok
  def open(x), do: x

  defp close(x), do: x
end
''',
    "haskell": """
module Shop (open) where

-- | Opens it.
open :: Int -> Int
open x = x

close :: Int -> Int
close x = x
""",
    "zig": """
/// A pool.
pub const Pool = struct { size: u8 };
fn grow() void {}
""",
    "sql": """
-- All orders.
CREATE TABLE orders (id int);
""",
    "dart": """
/// A page.
class Page extends StatelessWidget {
  @override
  Widget build(BuildContext context) => Text('');
  static const _limit = 3;
}
""",
    "vue": """<template><p/></template>
<script setup lang="ts">
// Adds one.
function increment() {}
</script>
""",
}

EXPECTED = {
    "python": """
        Order | public | | model | | One order.
        Order._total | private | | | |
        Order.total | public | | | @property @cached( seconds=3, ) | The sum of all lines.
        Order.__load | private | async static | | @staticmethod |
        show | public | | controller | | Shows an order.
        show.helper | private | | | |
        read | public | | controller | @router.get("/x") |
    """,
    "javascript": """
        load | public | async exported | | | Loads it.
        helper | private | async | | |
        Store.#items | private | | | |
        Store.open | public | static | | |
        useStore | public | exported | hook | |
        guard | private | | middleware | |
        run | public | | | |
    """,
    "typescript": """
        Users | public | exported | service | @Injectable() |
        Users.find | public | async | | @Get(':id') @Roles({ all: true, }) | Finds one.
        Users.cache | private | const | | |
        Card | public | exported | component | |
        works | private | test | | |
    """,
    "go": """
        Open | public | exported | controller | | Open opens the shop, all of it.
        close | private | | | |
        Guard | public | exported | middleware | |
        TestOpen | public | exported test | | |
    """,
    "rust": """
        Order | public | | | #[derive(Debug)] | One order.
        Order.id | public | | | |
        Order.note | private | | | |
        Order.load | internal | async | | |
        Order.fmt | public | | | |
        works | private | test | | #[test] |
    """,
    "java": """
        Orders | public | | controller | @RestController @RequestMapping("/orders") | Serves Orders.
        Orders.LIMIT | private | static const | | |
        Orders.find | protected | override | | @Override | Finds. @return it
        Orders.works | internal | test | | @Test |
        Orders.Sink.put | internal | | | |
    """,
    "kotlin": """
        Order | public | | | @Serializable | An order.
        Order.id | public | const | | |
        load | internal | async | | |
        Base | public | abstract | | |
        Base.run | protected | abstract | | |
        Base.toString | public | override | | |
    """,
    "c": """
        add | private | static | | | Adds.
        sum | public | | | |
    """,
    "cpp": """
        Link | public | | | | A link.
        Link.fd_ | private | | | |
        Link.open | public | abstract | | |
        Link.close | public | override | | |
        Link.kMax | protected | static const | | |
    """,
    "csharp": """
        OrdersController | public | | controller | [ApiController] [Route("api/[controller]")] | Serves Order objects.
        OrdersController._a | private | const | | |
        OrdersController.Get | public | async | | [HttpGet("{id}")] |
        OrdersController.Hidden | private | | | |
    """,
    "ruby": """
        Order | public | | model | | An order.
        Order.open | public | static | | |
        Order.shown | public | | | |
        Order.hidden | private | | | |
    """,
    "php": """
        Order | public | | entity | #[Entity] | An order.
        Order.find | public | static | | | Finds.
        Order.total | protected | | | |
        Order.hide | private | | | |
    """,
    "swift": """
        Profile | internal | | | @MainActor | A profile.
        Profile.name | private | const | | |
        Profile.load | public | async | | @discardableResult |
        Profile.make | internal | static | | |
    """,
    "scala": """
        Router | public | | | | Routes.
        Router.limit | private | const | | |
        Router.toString | public | override | | |
    """,
    "bash": """
        log | public | | | | Logs a line.
        _hidden | private | | | |
    """,
    "lua": """
        add | private | | | | Adds one.
        M.run | public | | | |
    """,
    "elixir": """
        Shop | public | | | | The shop.
        Shop.open | public | | | @spec open(integer) :: :ok | Opens it.
        Shop.close | private | | | |
    """,
    "haskell": """
        open | public | exported | | | Opens it.
        close | private | | | |
    """,
    "zig": """
        Pool | public | | | | A pool.
        grow | private | | | |
    """,
    "sql": """
        orders | | | entity | | All orders.
    """,
    "dart": """
        Page | public | | component | | A page.
        Page.build | public | override | | @override |
        Page._limit | private | static const | | |
    """,
    "vue": """
        increment | | | | | Adds one.
    """,
}


def described(one: Symbol) -> str:
    """A symbol as a row of :data:`EXPECTED`."""
    parts = [
        one.qualified_name,
        one.visibility,
        " ".join(one.modifiers),
        one.stereotype,
        " ".join(one.decorators),
        one.doc,
    ]
    return " ".join(" | ".join(parts).split())


@pytest.mark.parametrize("language", sorted(EXPECTED))
def test_details(language: str) -> None:
    symbols = parse_file(NAMES[language], SOURCES[language], language).symbols
    found = {one.qualified_name: described(one) for one in symbols}
    for line in EXPECTED[language].strip().split("\n"):
        row = " ".join(line.split())
        assert found.get(row.split(" | ")[0]) == row


def test_a_long_paragraph_is_cut_after_a_sentence() -> None:
    text = 'def f():\n    """' + "One sentence of the text. " * 20 + '"""\n'
    (symbol,) = parse_file("a.py", text, "python").symbols
    assert symbol.doc.endswith("the text.")
    assert 200 < len(symbol.doc) <= 300


def test_a_licence_above_the_first_function_is_not_its_documentation() -> None:
    (symbol,) = parse_file("a.c", "/* Copyright (c) 2020 Acme */\nint f(void) { return 1; }\n", "c").symbols
    assert symbol.doc == ""


def test_a_long_decorator_is_cut() -> None:
    (symbol,) = parse_file("a.py", f"@mark({'x' * 300})\ndef f(): ...\n", "python").symbols
    assert [len(one) for one in symbol.decorators] == [120]


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("python", '@decorator(\n@a\n"""\ndef f(:\n"""'),
        ("java", "@A(((\n/** \nclass A { @B("),
        ("rust", "#[a(\n/** fn f() {}"),
        ("csharp", "[A(\n/// <summary>\nclass A {"),
        ("elixir", '@doc """\ndef f'),
        ("typescript", "@A({\nclass A { @B( f() {}"),
    ],
)
def test_broken_source_never_raises(language: str, text: str) -> None:
    for end in range(len(text)):
        parse_file(NAMES[language], text[:end], language)
