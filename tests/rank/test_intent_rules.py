"""Every intent rule: its order, its confidence, its name, in seven languages."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from fourfold.model.query import INTENTS
from fourfold.rank.intent import classify

KNOWN = frozenset({"Session", "request", "parse_url", "parseConfig", "Config"})

DEFINITION_PREFIXES = (
    """
def parse_url|class Session|class Session(Base):|func handleRequest|fn main|function slugify
import numpy as np
struct Foo {|interface IStore<T>|enum Color|trait Shape|impl Display for Token
async def fetch_all(session
export default function App|public class OrderController extends Base|pub(crate) fn run
defmodule App.Repo
type UserId = string|#include <vector.h>|macro_rules! vec|fun greet(name: String)|class UserService login
""".strip()
    .replace("\n", "|")
    .split("|")
)

NOT_PREFIXES = (
    """
function that parses dates|class based views and their dispatch|class hierarchy of widgets
module discovery order
type checking of annotations|import cycles in the loader|functions are cached|define the problem
classic layouts
""".strip()
    .replace("\n", "|")
    .split("|")
)

PHRASES: dict[str, str] = {
    "find_definition": """
        where is parse_url defined|where's the declaration of Session|definition of parse_url
        go to definition parse_url
        show me the definition of Session|which file defines parse_url|find the function parse_url
        where does Config live
        where do we define the timeouts|locate the class Session|parse_url definition
        source code of parse_url
        parse_url 在哪里定义|在哪个文件里定义了 parse_url|parse_url 的定义|查找函数 parse_url
        parse_url 定义在哪里
        dónde se define parse_url|¿dónde está definida la clase Session?
        muéstrame la definición de parse_url
        busca la función parse_url|wo ist parse_url definiert|zeig mir die Definition von Session
        finde die Methode parse_url
        où est définie la fonction parse_url|montre-moi la définition de parse_url
        trouve la classe Session
        di mana parse_url didefinisikan|tunjukkan definisi parse_url|cari fungsi parse_url
        parse_url はどこで定義されていますか|parse_url の定義を見せて|parse_url という関数を探して""",
    "find_references": """
        who calls parse_url|who is using Session|callers of parse_url|usages of Config
        find all calls of parse_url|show calls to parse_url|find everything that calls parse_url|find uses of Session
        references to Session|uses of parse_url
        where is Session used|where do we use parse_url|what uses Config
        which functions call parse_url|parse_url callers
        find all references to Session|list the callers of parse_url|is parse_url used anywhere
        code that calls parse_url
        which classes extend Session|subclasses of Session|where is Config imported
        every place that uses Config
        call sites of parse_url|in which places is parse_url used|what does parse_url call
        谁调用了 parse_url|哪些函数调用了 parse_url|parse_url 在哪里被使用|parse_url 的所有引用
        parse_url 被谁调用|誰呼叫 parse_url
        quién llama a parse_url|¿dónde se usa Session?|llamadores de parse_url|referencias a Session
        wer ruft parse_url auf|wo wird Session verwendet|Aufrufer von parse_url
        welche Funktionen benutzen Session
        qui appelle parse_url|où est utilisée la classe Session|appelants de parse_url
        quelles fonctions appellent parse_url
        siapa yang memanggil parse_url|di mana Session digunakan|pemanggil parse_url
        fungsi apa saja yang memakai Session
        誰が parse_url を呼び出していますか|parse_url の呼び出し元|Session はどこで使われていますか
        Config を使っている箇所""",
    "impact_analysis": """
        impact of changing parse_url|blast radius of Session|what depends on Config
        what breaks if I change parse_url
        what happens if I remove Session|who depends on parse_url|is it safe to delete parse_url
        if I rename Config what fails
        what would be affected by dropping Session|dependents of Config
        can I safely remove parse_url|impact of Session
        if parse_url is removed what fails|consequences of renaming Session
        how risky is it to change parse_url
        修改 parse_url 会影响什么|parse_url 的影响范围|哪些模块依赖 Config|如果删除 Session 会怎么样
        qué se rompe si cambio parse_url|impacto de eliminar Session|¿qué depende de Config?
        was geht kaputt wenn ich parse_url ändere|was hängt von Config ab
        Auswirkungen einer Änderung an Session
        que se passe-t-il si je supprime parse_url|qu'est-ce qui dépend de Config
        impact de la suppression de Session
        apa dampak mengubah parse_url|apa yang bergantung pada Config
        apa yang rusak kalau Session dihapus
        parse_url を変更すると何が壊れますか|Session の影響範囲|Config に依存しているもの""",
    "find_similar": """
        similar to parse_url|code like parse_url|functions similar to debounce
        anything that looks like a ring buffer
        duplicates of parse_url|same logic as Session|code that resembles the retry loop
        类似 parse_url 的函数|和 parse_url 相似的代码|像 parse_url 一样的实现
        código parecido a parse_url|funciones similares a Session
        ähnlicher Code wie parse_url|Code wie in Session|du code similaire à parse_url
        fonctions semblables à Session
        kode yang mirip dengan parse_url|fungsi seperti Session|parse_url に似たコード
        Session のようなクラス""",
    "understand_code": """
        how does routing work|why are sessions closed|explain the scheduler
        architecture of the cache|overview of the parser
        请求是如何处理的|为什么要加锁|解释缓存机制|系统架构|cómo funciona el enrutamiento
        por qué se cierra la sesión|explica el planificador
        wie funktioniert das Routing|warum wird die Sitzung geschlossen|erkläre die Architektur
        comment fonctionne le routage|pourquoi la session est fermée|explique l'architecture
        bagaimana routing bekerja|mengapa sesi ditutup|jelaskan arsitektur
        ルーティングはどのように動きますか|なぜロックが必要ですか|認証の仕組みを説明して""",
}
CONFIDENCE = {
    "find_definition": 0.95,
    "find_references": 0.90,
    "impact_analysis": 0.90,
    "find_similar": 0.80,
    "understand_code": 0.75,
}


def table(text: str) -> list[str]:
    """The phrases of a table, one a line or between bars."""
    return [phrase.strip() for line in text.strip().splitlines() for phrase in line.split("|")]


@pytest.mark.parametrize("query", DEFINITION_PREFIXES)
def test_a_definition_prefix(query: str) -> None:
    found = classify(query)
    assert (found.intent, found.confidence, found.rule) == ("find_definition", 0.95, "definition prefix")


@pytest.mark.parametrize("query", NOT_PREFIXES)
def test_english_that_begins_like_a_definition_is_none(query: str) -> None:
    assert classify(query).rule != "definition prefix"


@pytest.mark.parametrize(
    ("intent", "query"), [(intent, query) for intent, text in PHRASES.items() for query in table(text)]
)
def test_phrases_in_seven_languages(intent: str, query: str) -> None:
    found = classify(query, KNOWN.__contains__)
    assert (found.intent, found.confidence) == (intent, CONFIDENCE[intent]), found.rule
    for name in ("parse_url", "Session", "Config"):
        if name in query and intent not in ("find_similar", "understand_code"):
            assert found.identifiers[0] == name


@pytest.mark.parametrize(
    ("query", "confidence", "rule", "literal", "is_regex"),
    [
        ('"connection refused"', 0.90, "quoted string", "connection refused", False),
        ("where is 'not found' returned", 0.90, "quoted string", "not found", False),
        ("`SELECT * FROM users`", 0.90, "quoted string", "SELECT * FROM users", False),
        ("`parse_url`", 0.90, "quoted string", "parse_url", False),
        ("the text “très bien”", 0.90, "quoted string", "très bien", False),
        ("le message « accès refusé »", 0.90, "quoted string", " accès refusé ", False),
        ("「接続失敗」というエラー", 0.90, "quoted string", "接続失敗", False),
        ('"short" and "the longer one"', 0.90, "quoted string", "the longer one", False),
        (r"/foo\d+/", 0.90, "regular expression", r"foo\d+", True),
        ("/TODO.*fix/i in comments", 0.90, "regular expression", "(?i)TODO.*fix", True),
        (r"/https?:\/\/x/", 0.90, "regular expression", "https?://x", True),
        ("/[/]+x/", 0.90, "regular expression", "[/]+x", True),
        ("/TODO/", 0.90, "regular expression", "TODO", True),
        ("ECONNREFUSED", 0.85, "error token", "ECONNREFUSED", False),
        ("how does the client handle ECONNRESET", 0.85, "error token", "ECONNRESET", False),
        ("Traceback", 0.85, "error token", "Traceback", False),
        ("E0308", 0.85, "error token", "E0308", False),
        ("error TS2345 here", 0.85, "error token", "TS2345", False),
        ("ERR_MODULE_NOT_FOUND", 0.85, "error token", "ERR_MODULE_NOT_FOUND", False),
        ("SIGSEGV in worker", 0.85, "error token", "SIGSEGV", False),
        ("ValueError: bad magic number", 0.85, "error token", "bad magic number", False),
        ("java.lang.IllegalStateException: no context", 0.85, "error token", "no context", False),
    ],
)
def test_exact_matches(query: str, confidence: float, rule: str, literal: str, is_regex: bool) -> None:
    found = classify(query)
    assert (found.intent, found.confidence, found.rule) == ("exact_match", confidence, rule)
    assert (found.literal, found.literal_is_regex) == (literal, is_regex)


@pytest.mark.parametrize(
    "query",
    [
        "don't retry when the server's response can't be parsed",
        "the users' names and the admins' roles",
        "/usr/local/bin on the path",
        "/api/v1/users/{id}/ handling",
        "/users/:id/ handling",
        "/src/**/ globbing",
        "ENTER key handling",
        "and/or trees",
        "http 500 pages",
        "what does `parse_url` return in case of failure",
    ],
)
def test_what_is_no_literal(query: str) -> None:
    assert classify(query).intent != "exact_match"
    assert classify(query).literal == ""


def test_a_pasted_trace_searches_its_message() -> None:
    trace = 'Traceback (most recent call last):\n  File "a.py", line 3, in run\nKeyError: "no such shard"'
    found = classify(trace)
    assert (found.intent, found.rule, found.literal) == ("exact_match", "error token", "no such shard")


@pytest.mark.parametrize(
    "query",
    [
        'def chunks(seq, n):\n    """Cut."""\n    for i in range(0, len(seq), n):\n        yield seq[i:i + n]',
        'if err != nil {\n    return fmt.Errorf("open: %w", err)\n}',
        "import os\nimport sys\n\nx = os.path.join(sys.argv[1], 'a')",
        "for (int i = 0; i < n; i++) { sum += a[i]; }",
        "const x = useMemo(() => compute(a, b), [a, b]);",
    ],
)
def test_a_pasted_fragment_asks_for_similar_code(query: str) -> None:
    found = classify(query)
    assert (found.intent, found.confidence, found.rule) == ("find_similar", 0.80, "code fragment")


def test_prose_around_pasted_code_decides() -> None:
    code = "\ndef run(job):\n    job.start()\n    return job.wait()\n"
    assert classify(f"who calls run{code}").intent == "find_references"
    assert classify(f"find code similar to this:{code}").rule == "similar phrase"


@pytest.mark.parametrize(
    ("query", "confidence", "rule"),
    [
        ("parseConfig", 0.80, "identifier alone"),
        ("parse_config", 0.80, "identifier alone"),
        ("HTTPAdapter.send", 0.80, "identifier alone"),
        ("std::sync::Arc", 0.80, "identifier alone"),
        ("get_user()", 0.80, "identifier alone"),
        ("run()", 0.80, "identifier alone"),
        ("parse_config in settings", 0.70, "identifier with few words"),
        ("what is MAX_RETRY_COUNT", 0.70, "identifier with few words"),
        ("fix the parseConfig bug", 0.70, "identifier with few words"),
        ("Session", 0.60, "single known symbol"),
        ("request", 0.60, "single known symbol"),
        ("the Session class", 0.60, "single known symbol"),
    ],
)
def test_identifiers(query: str, confidence: float, rule: str) -> None:
    found = classify(query, KNOWN.__contains__)
    assert (found.intent, found.confidence, found.rule) == ("find_definition", confidence, rule)


@pytest.mark.parametrize(
    "query",
    [
        "why does parse_config return None",
        "how is parse_config tested",
        "explain parse_config",
        "parse_config and its long tail of odd callers here",
        "parse_config or load_config",
        "Unknown",
        "JavaScript",
        "README.md",
        "example.com",
    ],
)
def test_where_identifier_rules_do_not_apply(query: str) -> None:
    assert classify(query, KNOWN.__contains__).intent == "understand_code"


@pytest.mark.parametrize("query", ["retries with backoff", "用户登录", "認証トークンの更新", "?", "a"])
def test_nothing_matched(query: str) -> None:
    found = classify(query)
    assert (found.intent, found.confidence, found.rule) == ("understand_code", 0.40, "nothing matched")


@pytest.mark.parametrize(
    ("query", "intent"),
    [
        # The order of the rules: definition, references, impact, exact, similar, identifier, explanation.
        ("where is X_MODE defined and who calls it", "find_definition"),
        ('who calls "connect"', "find_references"),
        ('what breaks if I change "connect"', "impact_analysis"),
        ('code similar to "connect"', "exact_match"),
        ("how is code like this written", "find_similar"),
        # Nouns of references or impact in a question that explains.
        ("how are references to deleted rows cleaned up", "understand_code"),
        ("how do the callers of this interface get notified", "understand_code"),
        ("what is the performance impact of caching", "understand_code"),
        ("memory usage of the pool", "understand_code"),
        ("what happens if the connection drops", "understand_code"),
        ("latest changes to the contest ranking", "understand_code"),
    ],
)
def test_first_match_wins(query: str, intent: str) -> None:
    assert classify(query).intent == intent


def test_own_questions_are_classified_by_rules_alone() -> None:
    lines = Path(__file__).with_name("intent_questions.jsonl").read_text(encoding="utf-8").splitlines()
    rows = [json.loads(line) for line in lines]
    assert len(rows) == 120
    assert all(sum(row["intent"] == intent for row in rows) == 20 for intent in INTENTS)
    assert sum(row["language"] != "en" for row in rows) * 3 >= len(rows)
    right = sum(classify(row["question"]).intent == row["intent"] for row in rows)
    assert right / len(rows) >= 0.9


@given(text=st.text(max_size=400))
@settings(max_examples=60)
def test_any_text_is_classified(text: str) -> None:
    found = classify(text, KNOWN.__contains__)
    assert found.intent in INTENTS
    assert found.confidence in (0.95, 0.90, 0.85, 0.80, 0.75, 0.70, 0.60, 0.40)
    assert (found.intent == "exact_match") == bool(found.literal)
    assert found.text == text


@pytest.mark.parametrize(
    ("asked", "intent"),
    [
        ("where is the language of a file detected", "understand_code"),
        ("where is the priority of a request computed", "understand_code"),
        ("how is the index kept fresh when a file changes", "understand_code"),
        ("how does the cache get invalidated when the config changes", "understand_code"),
        ("where is request in the client module", "find_definition"),
        ("what happens if parse_url changes", "impact_analysis"),
    ],
)
def test_nouns_of_a_description_are_not_names(asked: str, intent: str) -> None:
    assert classify(asked, lambda name: True).intent == intent


@pytest.mark.parametrize("token", ["PROJ-6577", "CVE-2024-12345", "0xDC3BF364", "b6f3d08", "v9.6.5", "2.31.0-beta"])
def test_a_number_that_is_the_whole_question_is_found_as_it_stands(token: str) -> None:
    found = classify(token)
    assert (found.intent, found.literal, found.rule) == ("exact_match", token, "error token")


@pytest.mark.parametrize(
    "text", ["SHA-256", "UTF-8", "ISO-8601", "decade", "facade", "1234567", "python3", "where is b6f3d08 read"]
)
def test_standards_words_and_sentences_are_read_as_words(text: str) -> None:
    assert not classify(text).literal
