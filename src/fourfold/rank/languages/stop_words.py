"""Words without content of the six other languages that questions are understood in, written without accents.

They say nothing about what is asked for: that no file holds *wird* or *las* is no news.
"""

from __future__ import annotations

_GERMAN = (
    "aber alle alles als am an auch auf aus bei beim bin bis da damit dann das dass dem den denn der des die dies "
    "diese diesem diesen dieser dieses doch dort du durch ein eine einem einen einer eines er es etwas fur fuer ganz "
    "gibt habe haben hat hier ich ihr im in ins ist ja jede jeder jedes kann kein keine man mehr mein mich mir mit "
    "nach nicht noch nur ob oder ohne sein seine sich sie sind so soll uber um und uns unter vom von vor wann war "
    "warum was welche welchem welchen welcher welches wenn wer werden wie wieso wieviele wir wird wo wodurch woher "
    "wohin wozu wurde wurden zu zum zur zwischen"
)
_SPANISH = (
    "a al algo como con cual cuales cuando de del desde donde dos el ella ellos en entre era es esa ese eso esta "
    "estan este esto estos fue ha hace hacen hacer hacia han hasta hay la las le les lo los mas me mi muy no nos o "
    "para pero por porque que quien se sea ser si sin sobre son su sus tambien te tiene todo todos tu un una uno unos "
    "y ya"
)
_FRENCH = (
    "a au aux avec bien c ce ces cet cette comment d dans de des du elle elles en entre est et etre eux fait il ils j "
    "je l la le les leur lors lorsque lui m ma mais me meme mes mon n ne nous on ont ou par pas plus pour pourquoi qu "
    "quand que quel quelle quelles quels qui quoi s sa sans se ses si son sont sous sur t ta tous tout toute un une "
    "vers vous y"
)
_INDONESIAN = (
    "ada adalah agar akan apa apakah atau bagaimana bagi bahwa belum berapa bisa bila dalam dan dapat dari dengan di "
    "dimana dilakukan hanya harus ini itu jika juga kalau kami kapan karena ke kenapa kita lalu maka mana masih "
    "mengapa oleh pada saat saja sebagai sebelum sebuah sedang semua seperti serta setelah setiap siapa suatu sudah "
    "supaya tapi telah tentang terhadap tersebut tidak untuk yaitu yang"
)
STOP_WORDS_OF: dict[str, frozenset[str]] = {
    "de": frozenset(_GERMAN.split()),
    "es": frozenset(_SPANISH.split()),
    "fr": frozenset(_FRENCH.split()),
    "id": frozenset(_INDONESIAN.split()),
}
"""By language code."""
FOREIGN_STOP_WORDS: frozenset[str] = frozenset().union(*STOP_WORDS_OF.values())
"""Of German, Spanish, French and Indonesian. Chinese and Japanese are indexed by characters, not by words, and never
taken for words that are missing."""

ALSO_ENGLISH: frozenset[str] = frozenset(
    "a all also am an as at bad bin c d die do du en es fait fur he her hat in ins is it j l las los m man mana me "
    "mich mir mon n no nos on or pada par pas plus sea see ser si so son sous sur s t te this us van war was y".split()
)
"""Stop words that are words of English or of code too: none of them shows that a question is in another language."""
SHOWS = FOREIGN_STOP_WORDS - ALSO_ENGLISH


def is_foreign(words: list[str]) -> bool:
    """True where words (lower case, without accents) are those of a question in another language: at least two of them
    are stop words of one, and that is a quarter of all."""
    shown = sum(word in SHOWS for word in words)
    return shown >= 2 and shown * 4 >= len(words)
