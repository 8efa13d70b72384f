"""Questions about one name and nothing else: ``how does PrepareRequest work``, ``PrepareRequest implementation``. Pure.

Whatever their intent, the definition of that name is an answer, and as a rule the one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from fourfold.model.text import STOP_WORDS, words
from fourfold.rank.identifiers import is_shaped
from fourfold.rank.languages.stop_words import FOREIGN_STOP_WORDS
from fourfold.rank.path_rules import names
from fourfold.rank.phrase_words import OPENERS, PHRASE_NOUNS
from fourfold.rank.phrases import fold

ABOUT: frozenset[str] = names(
    "implementation implementations implemented implement code source body logic internals work works working worked "
    "do does doing mean means meaning explain explanation describe description understand details purpose definition "
    "defined declaration declared signature documentation docs overview show tell give find see look need want please "
    "contain contains contained containing hold holds "
    "funktioniert funktionieren macht bedeutet funciona hace significa fonctionne fait signifie bekerja kerja"
)
"""Words that ask about a name without adding to what is looked for."""
_ASKED_IN_CJK = re.compile(
    r"(?:这个|函数|方法|类|请|解释|说明|是|做|干|什么|的|怎么|如何|怎样|工作|运作|实现|作用|用途|有|用|起|代码|源码|在|哪|里|"
    r"は|が|を|の|とは|何|なに|する|します|している|ですか|か|どう|どのように|動く|動作|仕組み|実装|説明|して|関数|クラス|"
    r"メソッド|コード|教えて|ください|役割)+\Z"
)
"""A run of Chinese or Japanese that asks what a name is, does, or how it works, and says nothing else."""
INTENTS = frozenset({"find_definition", "understand_code"})
"""Intents whose answer is the definition; who calls a name, or what is like it, is answered elsewhere."""
_ASKING = ABOUT | PHRASE_NOUNS | OPENERS | STOP_WORDS | FOREIGN_STOP_WORDS


def only_name(text: str, intent: str, identifiers: Sequence[str]) -> str:
    """The name that a question asks about, "" where it asks about more, or about a plain word."""
    asked = [name for name in identifiers if name.lower() not in _ASKING]
    if intent not in INTENTS or len(asked) != 1 or not is_shaped(asked[0]):
        return ""
    own = {word.lower() for word in words(asked[0])}
    rest = {word.lower() for word in words(fold(text))} - own - _ASKING
    return "" if any(_ASKED_IN_CJK.match(word) is None for word in rest) else asked[0]
