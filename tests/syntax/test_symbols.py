"""Symbols of every first-class language, on samples of ordinary code: lines, kind, qualified name."""

from __future__ import annotations

from pathlib import Path

import pytest

from fourfold.syntax.languages import language_of
from fourfold.syntax.parse import parse_file

SAMPLES = Path(__file__).parent / "samples"

EXPECTED = {
    "sample.c": """
        5-5 macro MAX_LINE
        6-6 macro SQUARE
        8-8 type word_t
        9-9 type compare_fn
        11-11 enum color
        11-11 constant color.RED
        11-11 constant color.GREEN
        13-16 struct point
        14-14 field point.x
        15-15 field point.y
        18-21 type node_t
        18-21 struct node
        19-19 field node.next
        20-20 field node.value
        23-25 struct anonymous_t
        24-24 field anonymous_t.a
        27-30 struct number
        28-28 field number.i
        29-29 field number.f
        32-32 variable counter
        33-33 variable names
        37-41 function add
        43-46 function duplicate
        48-52 function main
    """,
    "sample.cpp": """
        6-6 type Text
        8-8 macro CHECK
        10-43 module net
        11-13 module net.detail
        12-12 function net.detail.helper
        15-15 enum net.Mode
        15-15 constant net.Mode.Read
        15-15 constant net.Mode.Write
        18-29 class net.Connection
        21-21 method net.Connection.Connection
        22-22 method net.Connection.~Connection
        23-23 method net.Connection.send
        24-24 method net.Connection.operator[]
        25-25 field net.Connection.kLimit
        28-28 field net.Connection.fd_
        31-34 struct net.Options
        32-32 field net.Options.timeout
        33-33 method net.Options.reset
        36-40 method net.Connection.send
        42-42 method net.Connection.~Connection
        45-48 function largest
        50-52 function operator<<
        54-54 type Numbers
        55-55 variable kMax
        57-57 function main
    """,
    "Sample.cs": """
        6-50 module Acme.Shop
        9-33 class Acme.Shop.CartController
        13-13 field Acme.Shop.CartController._service
        14-14 field Acme.Shop.CartController.Limit
        16-19 method Acme.Shop.CartController.CartController
        21-21 field Acme.Shop.CartController.Count
        22-22 field Acme.Shop.CartController.Changed
        24-29 method Acme.Shop.CartController.Get
        27-27 function Acme.Shop.CartController.Get.Local
        31-31 method Acme.Shop.CartController.this
        32-32 method Acme.Shop.CartController.+
        35-38 interface Acme.Shop.IHandler
        37-37 method Acme.Shop.IHandler.Handle
        40-43 struct Acme.Shop.Point
        42-42 field Acme.Shop.Point.X
        45-45 enum Acme.Shop.State
        45-45 constant Acme.Shop.State.Open
        45-45 constant Acme.Shop.State.Closed
        47-47 class Acme.Shop.Person
        49-49 type Acme.Shop.Done
    """,
    "sample.dart": """
        8-8 variable limit
        9-9 variable names
        11-11 type Handler
        14-33 class CounterPage
        16-16 field CounterPage.title
        17-17 field CounterPage.max
        19-19 method CounterPage.CounterPage
        20-20 method CounterPage.named
        21-21 method CounterPage.make
        23-23 method CounterPage.count
        24-24 method CounterPage.count
        27-30 method CounterPage.build
        32-32 method CounterPage.==
        35-37 class Shown
        36-36 method Shown.show
        39-41 class Log
        40-40 method Log.log
        43-43 enum Mode
        43-43 constant Mode.light
        43-43 constant Mode.dark
        45-47 class StringShout
        46-46 method StringShout.shout
        49-51 function add
        53-53 function main
    """,
    "sample.ex": """
        2-36 module Bank.Account
        11-11 constant Bank.Account.limit
        12-12 type Bank.Account.t
        17-19 function Bank.Account.open
        21-21 function Bank.Account.close
        23-25 function Bank.Account.check
        27-29 macro Bank.Account.trace
        31-31 macro Bank.Account.is_open
        33-35 module Bank.Account.Error
        38-40 interface Bank.Show
        39-39 method Bank.Show.show
        43-43 method Bank.Account.show
    """,
    "sample.go": """
        11-11 constant DefaultSize
        14-14 constant Red
        15-15 constant Green
        18-18 variable ErrMissing
        21-21 type Color
        23-23 type Alias
        26-29 struct Cache
        27-27 field Cache.entries
        28-28 field Cache.Size
        32-35 interface Store
        33-33 method Store.Get
        38-44 method Cache.Get
        46-49 function New
        51-53 function TestGet
    """,
    "sample.hs": """
        9-13 type Settings
        9-12 constant Settings.Settings
        10-10 field Settings.name
        11-11 field Settings.size
        15-15 type Color
        15-15 constant Color.Red
        15-15 constant Color.Green
        17-17 type Parser
        17-17 constant Parser.Parser
        17-17 field Parser.runParser
        19-19 type Table
        21-23 trait Pretty
        22-23 method Pretty.pretty
        26-26 method Settings.pretty
        29-33 function parse
        33-33 function parse.go
        35-36 variable limit
        38-39 function <+>
    """,
    "sample.ipynb": """
        28-29 function load
    """,
    "Sample.java": """
        12-40 class OrderController
        15-15 field OrderController.LIMIT
        16-17 field OrderController.service
        19-21 method OrderController.OrderController
        24-28 method OrderController.find
        30-36 enum OrderController.State
        31-31 constant OrderController.State.OPEN
        31-31 constant OrderController.State.CLOSED
        33-35 method OrderController.State.done
        38-39 class OrderController.Inner
        42-48 interface Handler
        43-43 method Handler.handle
        45-47 method Handler.order
        50-54 class Point
        51-53 method Point.Point
        56-58 interface Marker
        57-57 method Marker.value
    """,
    "sample.js": """
        7-23 class Store
        8-8 field Store.#items
        9-9 field Store.limit
        11-14 method Store.constructor
        16-18 method Store.each
        20-22 method Store.onChange
        25-28 function open
        26-26 function open.inner
        30-30 function close
        32-34 method Store.clear
        36-36 function helper
        38-42 variable routes
        39-41 method index
        44-46 test store
        45-45 test store.opens
        48-48 function main
    """,
    "sample.kt": """
        6-6 constant LIMIT
        7-7 variable names
        9-9 type Handler
        12-28 class Order
        13-13 field Order.id
        13-13 field Order.state
        14-14 field Order.total
        20-23 method Order.close
        26-26 method Order.of
        30-30 enum State
        30-30 constant State.OPEN
        30-30 constant State.CLOSED
        32-34 interface Result
        33-33 method Result.get
        36-38 interface Repo
        37-37 method Repo.find
        40-42 class Registry
        41-41 method Registry.find
        44-44 function shout
        46-48 function parse
    """,
    "sample.lua": """
        3-3 variable M
        5-5 constant LIMIT
        6-6 variable counter
        9-11 function add
        13-16 method M.run
        14-14 function M.run.inner
        18-20 method M.Queue.push
        22-24 method M.handler
        26-26 function later
        28-28 function global_one
    """,
    "sample.php": """
        9-9 constant LIMIT
        10-10 constant MAX_TRIES
        15-33 class Mailer
        20-20 constant Mailer.QUEUE
        21-21 field Mailer.logger
        23-25 method Mailer.__construct
        27-32 method Mailer.send
        35-38 interface Sends
        37-37 method Sends.deliver
        40-43 trait Loud
        42-42 method Loud.shout
        45-50 enum Status
        47-47 constant Status.Open
        49-49 method Status.label
        52-55 function helper
    """,
    "sample.py": """
        13-13 constant DEFAULT_PORT
        14-14 variable host
        14-14 variable port
        15-15 type Pair
        19-19 constant SPEED
        21-21 constant SPEED
        24-36 class Client
        28-28 field Client.retries
        30-33 method Client.name
        35-36 class Client.Meta
        36-36 field Client.Meta.ordering
        39-46 function connect
        43-44 function connect.helper
    """,
    "sample.rb": """
        7-7 constant VERSION
        9-45 module Billing
        11-40 class Billing.Invoice
        14-14 field Billing.Invoice.total
        14-14 field Billing.Invoice.paid
        15-15 constant Billing.Invoice.LIMIT
        17-19 method Billing.Invoice.initialize
        21-23 method Billing.Invoice.build
        25-28 method Billing.Invoice.paid?
        31-33 method Billing.Invoice.latest
        38-39 method Billing.Invoice.secret=
        42-44 module Billing.Helper
        43-43 function Billing.Helper.help
        47-48 class Billing.Refund
        50-52 function top_level
    """,
    "sample.rs": """
        7-7 constant LIMIT
        8-8 constant COUNTER
        12-15 struct Point
        13-13 field Point.x
        14-14 field Point.y
        17-17 struct Unit
        19-22 enum Shape
        20-20 constant Shape.Circle
        21-21 constant Shape.Square
        24-27 struct Bits
        29-36 trait Area
        30-30 constant Area.SIDES
        31-31 type Area.Out
        32-32 method Area.area
        33-35 method Area.name
        39-39 constant Point.ORIGIN
        42-45 method Point.new
        43-43 function Point.new.helper
        49-49 constant Shape.SIDES
        50-50 type Shape.Out
        51-53 method Shape.area
        56-56 type Map
        58-60 module inner
        59-59 function inner.go
        62-66 macro square
        69-72 module tests
        71-71 function tests.works
    """,
    "sample.scala": """
        7-9 trait Event
        8-8 method Event.name
        11-17 class Created
        11-11 field Created.id
        11-11 field Created.at
        12-12 field Created.name
        13-16 method Created.describe
        19-27 class Router
        20-20 field Router.Limit
        21-21 type Router.Handler
        23-26 method Router.route
        24-24 function Router.route.inner
        29-31 enum Color
        30-30 constant Color.Red
        30-30 constant Color.Green
        33-36 class Service
        33-33 field Service.dep
        34-34 field Service.count
        35-35 method Service.run
        38-40 class intOrd
        39-39 method intOrd.compare
    """,
    "sample.sh": """
        8-8 constant TARGET_DIR
        9-9 constant STAGE
        10-10 variable count
        14-17 function log
        19-21 function deploy
        23-25 function roll_back
    """,
    "sample.bzl": """
        5-5 constant KINDS
        7-9 function _impl
        11-11 variable document
        13-15 function pages
        17-20 variable handbook
    """,
    "sample.sql": """
        2-5 table shop.orders
        3-3 field shop.orders.id
        4-4 field shop.orders.total
        9-10 table open_orders
        12-12 table daily
        14-18 function order_total
        20-20 type mood
        22-23 function touch
        25-29 function close_all
    """,
    "sample.svelte": """
        2-4 function load
        9-9 variable items
        11-13 function remove
    """,
    "sample.swift": """
        5-5 variable limit
        8-29 class Profile
        10-10 field Profile.name
        11-11 field Profile.shared
        13-15 method Profile.init
        17-18 method Profile.deinit
        20-24 method Profile.load
        26-28 method Profile.subscript
        31-34 struct Point
        32-32 field Point.x
        33-33 method Point.move
        36-40 enum Direction
        37-37 constant Direction.north
        37-37 constant Direction.south
        38-38 constant Direction.east
        39-39 method Direction.turn
        42-45 interface Drawable
        43-43 field Drawable.size
        44-44 method Drawable.draw
        48-48 method Point.draw
        51-53 class Counter
        52-52 method Counter.add
        55-55 type Handler
        57-59 function freeFunction
    """,
    "sample.ts": """
        12-20 class Foo
        14-14 field Foo.x
        15-15 field Foo.Y
        16-16 method Foo.constructor
        16-16 field Foo.a
        17-17 method Foo.v
        18-18 method Foo.handler
        19-19 method Foo.foo
        21-21 class Q
        21-21 method Q.foo
        22-22 interface I
        22-22 field I.a
        22-22 method I.m
        23-23 enum E
        23-23 constant E.A
        23-23 constant E.B
        24-24 type U
        25-28 function fn
        26-26 function fn.inner
        29-29 constant LIMIT
        29-29 constant OTHER
        30-30 variable st
        31-31 function App
        32-32 module N.M
        32-32 function N.M.z
        33-33 module foo
        33-33 function foo.bar
        34-34 function overload
        35-35 function overload
        36-36 function Memo
        37-37 function run
    """,
    "sample.tsx": """
        3-5 interface Props
        4-4 field Props.title
        7-9 function Card
        11-17 class Root
        15-16 field Root.name
    """,
    "sample.vue": """
        9-9 constant LIMIT
        16-16 variable count
        19-21 function increment
        23-25 function reset
    """,
    "sample.zig": """
        5-5 variable limit
        6-6 variable counter
        9-19 struct Pool
        10-10 field Pool.pages
        11-11 field Pool.size
        13-16 method Pool.init
        18-18 method Pool.grow
        21-21 enum Kind
        21-21 constant Kind.small
        21-21 constant Kind.large
        23-23 struct Value
        23-23 field Value.int
        23-23 field Value.none
        25-25 enum Failure
        27-29 function main
        31-33 test pool grows
    """,
}


def parse_sample(name):
    file = SAMPLES / name
    text = (file if file.exists() else SAMPLES / f"{name}.txt").read_text("utf-8")  # .txt hides it from linters
    return parse_file(name, text, language_of(name, text[:200]))


@pytest.mark.parametrize("name", EXPECTED)
def test_symbols(name):
    parsed = parse_sample(name)
    found = [f"{one.start_line}-{one.end_line} {one.kind} {one.qualified_name}" for one in parsed.symbols]
    assert found == [line.strip() for line in EXPECTED[name].strip().split("\n")]
    assert not parsed.has_errors
    assert parsed.fallback == ""


def test_every_first_class_language_has_a_sample():
    from fourfold.syntax.languages.first_class import FIRST_CLASS

    covered = {language_of(name) for name in EXPECTED}
    assert {language.name for language in FIRST_CLASS} <= covered


@pytest.mark.parametrize(
    ("name", "symbol", "signature"),
    [
        ("sample.py", "connect", "async def connect( host: str, port: int = 80, ) -> Client"),
        ("sample.py", "Client", "class Client(Base)"),
        ("sample.go", "Cache.Get", "func (c *Cache[K, V]) Get(key K) (V, error)"),
        ("sample.go", "Cache", "type Cache[K comparable, V any] struct"),
        ("sample.rs", "Point.new", "pub fn new(x: T, y: T) -> Self"),
        ("Sample.java", "OrderController", "public class OrderController<T> extends Base implements Handler"),
        ("Sample.java", "OrderController.find", "public Order find(@PathVariable long id) throws NotFound"),
        ("Sample.cs", "Acme.Shop.CartController.Get", "public async Task<Cart> Get(int id)"),
        ("sample.ts", "fn", "export const fn = async (a: number): Promise<void> =>"),
        ("sample.js", "main", "export default function main()"),
        ("sample.c", "main", "int main(int argc, char **argv)"),
        ("sample.kt", "shout", "fun String.shout(): String"),
        ("sample.dart", "add", "int add(int a, int b)"),
        ("sample.hs", "parse", "parse :: Text -> Maybe Settings"),
        ("sample.sql", "order_total", "CREATE FUNCTION order_total(order_id BIGINT) RETURNS NUMERIC"),
        ("sample.rb", "Billing.Invoice", "class Invoice < ApplicationRecord"),
        ("sample.php", "Mailer.send", "public static function send(string $to): bool"),
        ("sample.swift", "Profile.load", "func load(_ id: Int) async throws -> Bool"),
        ("sample.ex", "Bank.Account.open", "def open(id) when is_integer(id)"),
    ],
)
def test_signatures(name, symbol, signature):
    found = [one.signature for one in parse_sample(name).symbols if one.qualified_name == symbol]
    assert found[0] == signature


@pytest.mark.parametrize(
    ("name", "words"),
    [
        (
            "sample.py",
            {"__future__", "annotations", "os", "path", "osp", "wire", "Frame", "Header", "Head", "fast"},
        ),
        ("sample.js", {"fs", "node", "join", "path"}),
        ("sample.go", {"fmt", "log", "github", "com", "acme", "logging", "v2"}),
        ("sample.rs", {"std", "collections", "HashMap", "frame", "Frame", "Header", "Head", "serde"}),
        ("Sample.java", {"java", "util", "List", "com", "acme", "Checks", "notNull"}),
        ("sample.kt", {"kotlinx", "coroutines", "flow", "Flow", "com", "acme", "util", "check", "verify"}),
        ("sample.c", {"stdio", "h", "lib", "buffer"}),
        ("sample.cpp", {"string", "net", "socket", "hpp", "std"}),
        ("Sample.cs", {"System", "Collections", "Generic", "Json", "Newtonsoft"}),
        ("sample.rb", {"json", "lib", "tax_table"}),
        ("sample.swift", {"Foundation", "UIKit", "CGFloat"}),
        (
            "sample.scala",
            {"scala", "concurrent", "ExecutionContext", "Future", "Later", "com", "acme", "core"},
        ),
        ("sample.sh", {"lib", "common", "sh", "HOME", "profile"}),
        ("sample.lua", {"json", "lib"}),
        ("sample.ex", {"GenServer", "Ecto", "Query", "Bank", "Ledger", "Repo", "Logger"}),
        ("sample.hs", {"Data", "Map", "Strict", "Text", "pack"}),
        ("sample.zig", {"std", "page", "zig"}),
        ("sample.dart", {"dart", "flutter", "material", "Widget", "counter"}),
        ("sample.vue", {"ref", "vue", "Button", "components", "button"}),
        ("sample.svelte", {"onMount", "svelte"}),
        ("sample.ipynb", {"pandas", "pd"}),
    ],
)
def test_imports(name, words):
    found = parse_sample(name).imports
    assert words <= found
    assert not found & {
        "import",
        "from",
        "as",
        "use",
        "using",
        "require",
        "include",
        "alias",
        "source",
        "async",
    }


def test_php_imports_name_parts_of_namespaces():
    found = parse_sample("sample.php").imports
    assert {
        "Acme",
        "Core",
        "Container",
        "Psr",
        "Log",
        "LoggerInterface",
        "NullLogger",
        "Quiet",
        "boot",
    } <= found


@pytest.mark.parametrize(
    ("name", "doc"),
    [
        ("sample.py", "Talks to the server."),
        ("sample.go", "Package cache keeps answers for a while."),
        ("sample.rs", "Reads the wire format."),
        ("Sample.java", "Serves orders."),
        ("sample.c", "Reads lines from a stream."),
        ("sample.sh", "Deploys the site."),
        ("sample.ts", "Users of the thing."),
        ("sample.rb", "Billing of customers."),
        ("sample.php", "Sends mail."),
        ("sample.hs", "Parses settings."),
        ("sample.ex", "Accounts of the bank."),
        ("sample.ipynb", "Loading data"),
    ],
)
def test_first_line_of_the_documentation(name, doc):
    assert parse_sample(name).doc == doc


def names_of(text, language):
    return [one.qualified_name for one in parse_file("x", text, language).symbols]


def test_members_of_a_struct_under_a_condition_and_constants_of_an_inner_enum():
    text = "struct a {\n#ifdef Q\n  int x;\n#else\n  int y;\n#endif\n  enum { ONE, TWO } kind;\n};\n"
    assert names_of(text, "c") == ["a", "a.x", "a.y", "a.kind", "a.ONE", "a.TWO"]


def test_a_name_keeps_the_quotes_that_it_ends_with():
    assert names_of("fold' :: Int -> Int\nfold' x = x\n", "haskell") == ["fold'"]


def test_functions_under_quoted_keys_of_a_table():
    assert names_of('local t = {\n  ["run"] = function() end,\n}\n', "lua") == ["t", "run"]
